"""Every system call of a booking may fail, and every instant may be the last.

usage: calls.py [--full] [--errors] [--signals] [--case NAME] [--workers N]

Traces one booking of every verb, then runs it once for every (call, occurrence, fault) from the same state and holds
the answer, the record and the ledger against one another, books again, and looks once more (booking_judge.py).
--full takes every point of every verb; without it: `round --token` from the lock to the done line complete, of the
other verbs each write, sync and rename failing there, and of the rest a fixed slice. Prints a table; exits non-zero
when a promise was broken.
"""

import argparse
import collections
import multiprocessing
import os
import pathlib
import shutil
import sys
import tempfile

import injection
from booking_cases import CASES, prepare
from booking_judge import Bench
from fault_support import Lane

SLICE = 61  # prime to the number of faults of a point, so that every kind of fault comes up
FAST = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def fresh_lane(root):
    lane = Lane(root, record=False)
    for sample in (lane.repo / ".git/hooks").glob("*.sample"):
        sample.unlink()
    return lane


def trace(root, case):
    lane = fresh_lane(root)
    prepare(lane, case)
    log = lane.root / "trace"
    answer = lane.run(*case.words, prefix=("strace", "-f", "-y", "-s", "4096", "-o", str(log)))
    assert answer.exit == 0, answer
    return injection.points(log.read_text())


class Worker:
    """One process: a bench for each verb, made when first asked for."""

    base = None
    benches = {}

    @classmethod
    def start(cls, base):
        cls.base, cls.benches = pathlib.Path(tempfile.mkdtemp(dir=base)), {}

    @classmethod
    def judge(cls, job):
        name, point, fault = job
        if name not in cls.benches:
            root = cls.base / name
            root.mkdir()
            cls.benches[name] = Bench(fresh_lane(root), CASES[name])
        return job, cls.benches[name].judge(point, fault)


def is_always_tried(name, point, fault):
    if point.stage != "locked":
        return False
    return name == "round-token" or (point.call in ("write", "fsync", "renameat") and fault == "error=EIO")


def jobs(arguments, base):
    """All of them, and of each verb the number of points."""
    everything, counts = [], {}
    for name in [arguments.case] if arguments.case else CASES:
        root = base / f"trace-{name}"
        root.mkdir()
        points = trace(root, CASES[name])
        counts[name] = len(points)
        for point in points:
            for fault in (injection.errors(point) if arguments.errors else []) + (
                    injection.signals(point) if arguments.signals else []):
                everything.append((name, point, fault))
    if arguments.full:
        return everything, counts
    complete = [job for job in everything if is_always_tried(*job)]
    rest = [job for job in everything if not is_always_tried(*job)]
    return complete + rest[::SLICE], counts


def report(table, counts):
    print(f"{'verb':<16}{'points':>8}{'errors':>8}{'signals':>9}{'bad':>6}")
    total = collections.Counter()
    for name, row in table.items():
        print(f"{name:<16}{counts[name]:>8}{row['errors']:>8}{row['signals']:>9}{row['bad']:>6}")
        total.update(row)
    print(f"{'all':<16}{sum(counts[name] for name in table):>8}{total['errors']:>8}{total['signals']:>9}{total['bad']:>6}")
    return total["bad"]


def main():
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--signals", action="store_true")
    parser.add_argument("--case", choices=CASES)
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    if not arguments.errors and not arguments.signals:
        arguments.errors = arguments.signals = True
    base = pathlib.Path(tempfile.mkdtemp(prefix="mandate-calls-", dir=FAST))
    table = collections.defaultdict(collections.Counter)
    try:
        todo, counts = jobs(arguments, base)
        with multiprocessing.Pool(arguments.workers, Worker.start, (base,)) as pool:
            for (name, point, fault), broken in pool.imap_unordered(Worker.judge, todo, 8):
                table[name]["signals" if fault.startswith("signal") else "errors"] += 1
                if broken:
                    table[name]["bad"] += 1
                    print(f"BROKEN {name}, {fault} at {point}\n  " + "\n  ".join(broken), flush=True)
    finally:
        shutil.rmtree(base, ignore_errors=True)
    sys.exit(1 if report(table, counts) else 0)


main()
