#!/usr/bin/env python3
"""Holds the table of keys in docs/configuration.md against `mandate config`: the same keys, with the same defaults."""

import pathlib
import re
import subprocess
import tempfile

from fault_support import BINARY, check, environment

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/configuration.md"


def config(home, text=""):
    """{key: value} as the program prints it with this configuration of the user."""
    path = home / ".config/mandate/config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    done = subprocess.run([BINARY, "config"], cwd=home, env=environment(home), capture_output=True, text=True, check=True)
    return dict(re.findall(r"^key=(.*)\nvalue=(.*)$", done.stdout, re.M))


def main():
    section = PAGE.read_text(encoding="utf-8").split("\n## Keys\n")[1].split("\n## ")[0]
    rows = dict(re.findall(r"^\| `([a-zA-Z_.]+)` \|(?: `(.*?)`)? \|", section, re.M))
    with tempfile.TemporaryDirectory(prefix="mandate-config-") as scratch:
        home = pathlib.Path(scratch)
        found = config(home)
        found |= {key.replace(".one.", ".NAME."): "" for key in config(home, "[presets.one]\nallow = []\n") if ".one." in key}
    check(rows.keys() == found.keys(), "the keys are the same",
          f"missing: {sorted(found.keys() - rows.keys())}\ninvented: {sorted(rows.keys() - found.keys())}")
    check(rows == found, "the defaults are the same", f"{rows}\n{found}")
    print(f"{len(rows)} keys and their defaults")


if __name__ == "__main__":
    main()
