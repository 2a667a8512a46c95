#!/usr/bin/env python3
"""System calls of `allows` and `round` in a linked worktree with a record, against the budget of docs/performance.md.

Counts do not drift with the machine as times do. readlink is left out: realpath asks once for each part of a path,
so its number is the depth of the repository. strace counts what the process really does, start included.
"""

import re
import subprocess
import sys
import tempfile

from fault_support import BINARY, Lane, check

# What docs/performance.md accounts for, and nothing to spare: a new call is a decision.
BUDGET = {"allows": 76, "round": 274}


def calls(lane, *words):
    """The system calls of one run, by name."""
    trace = f"{lane.root}/trace"
    subprocess.run(["strace", "-f", "-o", trace, BINARY, *words], cwd=lane.path, env=lane.env, check=True,
                   stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    names = re.findall(r"^\d+ +(\w+)\(", open(trace).read(), re.M)
    return [name for name in names if name != "readlink"]


def main():
    with tempfile.TemporaryDirectory() as root:
        lane = Lane(root, budget=100)
        lane.run("round")  # the first one creates the lock and binds the record
        for words in (["allows", "commit"], ["round"]):
            seen, most = calls(lane, *words), BUDGET[words[0]]
            print(f"{words[0]}: {len(seen)} system calls of at most {most}")
            check(len(seen) <= most, f"{words[0]} stays within its budget", sorted(seen))
            check(len(seen) >= most * 0.8, f"the budget of {words[0]} is not far above what it needs", len(seen))
            wanted = {"clone", "clone3", "fork", "vfork", "socket", "connect"} & set(seen)
            check(not wanted, f"{words[0]} starts no process and opens no connection", wanted)


sys.exit(main())
