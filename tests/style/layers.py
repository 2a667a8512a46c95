#!/usr/bin/env python3
"""Holds every #include under src/ against the layers: main -> cli -> app -> core, git, os -> base.

usage: layers.py SRC        prints each breach as path:line: why; exit 1 if there is any
"""

import re
import sys
from pathlib import Path

MAXIMUM_LINES = 400

# What each layer may include: layers of ours (a prefix of the path), and third-party headers (a pattern).
OWN = {
    "base": ["base/"],
    "os": ["base/", "os/"],
    "git": ["base/", "git/"],
    "core": ["base/", "core/"],
    "app": ["base/", "os/", "git/", "core/", "app/"],
    "cli": ["base/", "core/", "app/", "cli/", "os/env.hpp", "os/signals.hpp"],
    "main.cpp": ["cli/"],
}
THIRD_PARTY = {
    "base": r"tl/expected\.hpp",
    "os": r"tl/expected\.hpp|[a-z_0-9/-]+\.h",  # the only layer with POSIX headers
    "git": r"tl/expected\.hpp|git2\.h|git2/.*\.h",
    "core": r"tl/expected\.hpp|nlohmann/.*",
    "app": r"tl/expected\.hpp",
    "cli": r"tl/expected\.hpp|nlohmann/.*|CLI/.*",
    "main.cpp": r"(?!)",
}
TOML_USERS = re.compile(r"core/config")
NEVER_IN_OS = re.compile(r"git2.*|toml.*")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
STREAMS = ("iostream", "syncstream", "print")
STANDARD = re.compile(r"[a-z_0-9]+")  # <vector>, <cstdio>: no dot, no slash


def why_not(layer, path, quoted, header):
    """The sentence for a breach, or None."""
    if quoted:
        if any(header.startswith(prefix) for prefix in OWN[layer]):
            return None
        return f"{layer} may include {', '.join(OWN[layer])}, not \"{header}\""
    if header in STREAMS:
        return f"<{header}> is not set up: see cli/no_streams.cpp"
    if STANDARD.fullmatch(header):
        return None
    if header.startswith("toml"):
        return None if TOML_USERS.match(path) else f"only core/config* may include <{header}>"
    if layer == "os" and NEVER_IN_OS.fullmatch(header):
        return f"os may not include <{header}>"
    if re.fullmatch(THIRD_PARTY[layer], header):
        return None
    return f"{layer} may not include <{header}>"


def breaches(source):
    for file in sorted(source.rglob("*")):
        if file.suffix not in (".hpp", ".cpp"):
            continue
        path = file.relative_to(source).as_posix()
        layer = path.split("/")[0]
        lines = file.read_text(encoding="utf-8").split("\n")
        if len(lines) - 1 > MAXIMUM_LINES:
            yield f"{file}:{len(lines) - 1}: longer than {MAXIMUM_LINES} lines"
        if layer not in OWN:
            yield f"{file}:1: '{layer}' is no layer"
            continue
        for number, line in enumerate(lines, 1):
            match = INCLUDE.match(line)
            if match:
                why = why_not(layer, path, match[1] == '"', match[2])
                if why:
                    yield f"{file}:{number}: {why}"


def main():
    source = Path(sys.argv[1])
    found = list(breaches(source))
    print("\n".join(found) if found else f"{source}: includes go down only")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
