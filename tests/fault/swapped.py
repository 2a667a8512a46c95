"""Every path of a booking swapped for a symbolic link and back, in a tight loop, while bookings run.

Nothing is written through the link (info/exclude apart, which is followed as git follows it), every answer agrees with
the ledger, no round is lost, and once the swapping ends the next booking works.

usage: swapped.py [BOOKINGS]     that many for each path; 200 by default
"""

import contextlib
import ctypes
import json
import os
import subprocess
import sys

import mounts
from fault_support import Lane, check
from promises import codes, next_works

# Exchanges two names at once and for ever: either the real thing or the link stands there, never nothing. It ends with
# its standard input.
SWAPPER = """
import ctypes, os, select, sys
libc = ctypes.CDLL(None, use_errno=True)
one, other = (os.fsencode(word) for word in sys.argv[1:])
print('swapping', flush=True)
count = 0
while not select.select([0], [], [], 0)[0]:
    for _ in range(50):
        if libc.renameat2(-100, one, -100, other, 2) == 0:
            count += 1
print(count)
"""
TASK = "task: the target's\n"
RECORD = f"---\nmandate_version: 1\n{TASK}authorized_by: nobody\nallow: merge\nreview_budget: 1000000\nreview_rounds_used: 500\n---\n"


def exchange_works(root):
    names = [os.fsencode(root / name) for name in ("a", "b")]
    for name in names:
        os.close(os.open(name, os.O_CREAT))
    if ctypes.CDLL(None, use_errno=True).renameat2(-100, names[0], -100, names[1], 2) != 0:
        raise mounts.Skipped("this file system cannot exchange two names")


@contextlib.contextmanager
def swapping(path, link, counted):
    swapper = subprocess.Popen([sys.executable, "-c", SWAPPER, path, link], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    check(swapper.stdout.readline() == "swapping\n", "the swapper runs")
    try:
        yield
    finally:
        counted.append(int(swapper.communicate("\n")[0]))
        if path.is_symlink():
            path.unlink()
            link.rename(path)
        else:
            link.unlink()


def everything_in(target):
    found = {}
    for folder, _, names in os.walk(target):
        for name in names:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                found[path] = file.read()
        found[folder] = sorted(os.listdir(folder))
    return found


def events(here, *names):
    return sum(json.loads(line)["event"] in names for line in here.ledger.read_text().splitlines())


def run(name, times):
    """Books while `name` is swapped; what came of it."""
    with mounts.folder() as root:
        exchange_works(root)
        here = Lane(root, budget=100000)
        target = root / "target"
        (target / "worktrees").mkdir(parents=True)
        for file, text in (("MANDATE.md", RECORD), (".MANDATE.lock", ""), ("exclude", "# theirs\n"), ("worktrees/w.jsonl", "{}\n"),
                           ("config.toml", "")):
            (target / file).write_text(text)
        path, goal = {
            "lane": (here.path, target), "lock": (here.path / ".MANDATE.lock", target / ".MANDATE.lock"),
            "record": (here.record, target / "MANDATE.md"), "exclude": (here.repo / ".git/info/exclude", target / "exclude"),
            "info": (here.repo / ".git/info", target), "ledgers": (here.repo / ".git/mandate", target),
            "folder": (here.ledger.parent, target / "worktrees"), "ledger": (here.ledger, target / "worktrees/w.jsonl"),
        }[name]
        link, counted, answers = root / "link", [], []
        link.symlink_to(goal)
        before, known = everything_in(target), codes(here)
        where = here.path
        here.path = here.root  # the directory that the processes start in: the lane is named with -C
        with swapping(path, link, counted):
            for _ in range(times):
                answers.append(here.run("-C", str(where), "round"))
        here.path = where
        judge(here, name, answers, known)
        if name in ("exclude", "info"):
            theirs = (target / "exclude").read_text()
            check(theirs.startswith("# theirs\n") and sorted(theirs.splitlines()[1:]) in ([], ["/.MANDATE.*", "/MANDATE.md"]),
                  "the link is followed for appending, once", theirs)
            (target / "exclude").write_text("# theirs\n")
        check(everything_in(target) == before, "nothing is written through the link", (name, everything_in(target)))
        done = sum(a.exit == 0 for a in answers)
        refusals = sorted({a.value("error") for a in answers if a.exit})
        return f"{name}: {counted[0]} swaps, {done} of {times} booked, refused as {', '.join(refusals) or 'nothing'}"


def judge(here, name, answers, known):
    for answer in answers:
        code = answer.value("error")
        check(answer.exit in (0, 2, 4) and (answer.exit == 0) == (code is None), "booked or refused", answer)
        check(code is None or known[code] == answer.exit, "the exit code is that of its code", answer)
        check(code not in ("no-mandate",), "what is there is never called absent", answer)
        check("target" not in (answer.value("task") or "") and answer.value("round") not in ("501", "502"),
              "the target's record is never answered from", answer)
    given = [int(a.value("round")) for a in answers if a.exit == 0]
    standing = sum(1 for a in answers if a.exit and "the booking stands" in a.err)
    booked = events(here, "round") - events(here, "abandoned")
    check(len(given) + standing == booked, "each answer has its line, each line its answer", (name, len(given), standing, booked))
    if name == "record":
        # Swapped in the instant of the rename, the older copy comes back: a hand edit, which shows as a drift.
        here.run("round")
        drift = int(here.run("show").value("history_drift"))
        check(here.used() + drift >= len(given) + 1, "no round is lost without a number", (here.used(), drift, len(given)))
        check(here.leftovers() == [], "nothing is left over", here.leftovers())
        return
    check(given == list(range(1, len(given) + 1)), "numbers in order, none twice, none missing", given)
    check(here.used() == len(given) + standing, "the record has counted them all", here.used())
    next_works(here)


def main():
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    for name in ("lane", "lock", "record", "exclude", "info", "ledgers", "folder", "ledger"):
        def swapped(name=name):
            return run(name, times)
        mounts.part(swapped)
    mounts.finish()


main()
