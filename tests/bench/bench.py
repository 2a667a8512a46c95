#!/usr/bin/env python3
"""The benchmark: every bound of docs/performance.md, and how cost grows, as Markdown on stdout.

usage: bench.py [--quick]

Exit 1 when a bound does not hold. --quick runs everything once, small: it shows that the benchmark works, and
its figures mean nothing, so no bound is asked. Run it on a machine that does nothing else.
"""

import dataclasses
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

import growth
import rows
from measure import BINARY


@dataclasses.dataclass
class Scale:
    many: int = 400  # rounds of turns
    some: int = 60
    few: int = 15
    tries: int = 5
    entries: int = 1000000
    lines: int = 100000
    worktrees: int = 500
    files: int = 20000


QUICK = Scale(many=2, some=1, few=1, tries=1, entries=100, lines=20, worktrees=2, files=100)


def alone(root):
    """The user's and the machine's settings stay out of it."""
    for name in [name for name in os.environ if name.startswith(("GIT_", "MANDATE_")) and not name.startswith("MANDATE_B")]:
        del os.environ[name]
    os.environ.update({
        "HOME": str(root), "XDG_CONFIG_HOME": str(root / ".config"), "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8",
        "GIT_AUTHOR_NAME": "b", "GIT_AUTHOR_EMAIL": "b@example.org",
        "GIT_COMMITTER_NAME": "b", "GIT_COMMITTER_EMAIL": "b@example.org",
    })


def machine():
    model = next((line.partition(":")[2].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    version = subprocess.run([BINARY, "--version"], capture_output=True, text=True, check=True).stdout
    git = subprocess.run(["git", "--version"], capture_output=True, text=True, check=True).stdout
    return f"{os.cpu_count()} x {model}, Linux {platform.release()}, {git.strip()}; {' '.join(version.split())}"


def main():
    scale = QUICK if sys.argv[1:] == ["--quick"] else Scale()
    root = pathlib.Path(tempfile.mkdtemp(prefix="bench.", dir=os.environ.get("MANDATE_BENCH_ROOT")))
    missed = []
    try:
        alone(root)
        print(machine(), "\n\n| what | measured | bound | holds | medians |\n|---|---|---|---|---|", sep="", flush=True)
        for bound in rows.ALL:
            for row in bound(root, scale):
                print(row.line(), flush=True)
                missed += [] if row.holds else [row.what]
        growing = root / "growing"  # the names are those of the rows
        growing.mkdir()
        for table in growth.ALL:
            cells = table(growing, scale)
            header = next(cells)
            print("", "| " + " | ".join(header) + " |", "|---" * len(header) + "|", sep="\n", flush=True)
            for line in cells:
                print("| " + " | ".join(line) + " |", flush=True)
    finally:
        shutil.rmtree(root)
    if missed and scale is not QUICK:
        sys.exit("not within the bound: " + ", ".join(missed))


main()
