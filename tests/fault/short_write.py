"""A write that takes less than it was given, at every byte of the exclude lines, the record, the ledger's line and `done`.

usage: short_write.py [--full]     every byte instead of every eleventh

The kernel itself cuts the writes: no file may grow beyond a limit (RLIMIT_FSIZE), which is moved byte by byte.
"""

import sys
import tempfile

from booking_cases import CASES, START, Case
from booking_judge import Bench
from fault_support import Lane, check
from injection import Point

# So long a history that the ledger is longer than the record: else the record is always cut first.
LONG = Case(("round", "--token", "k"), (START, *[("spend", "spawn"), ("refund", "spawn")] * 4))


def limited(bench, size):
    def run():
        prefix = ("env", "--ignore-signal=XFSZ", "prlimit", f"--fsize={size}")
        return bench.lane.run(*bench.case.words, prefix=prefix), []
    return bench.judge_run(run, Point("write", 0, f"no file beyond {size} bytes", "locked"), f"limit={size}")


def every_size(name, case, begin_of, end_of):
    with tempfile.TemporaryDirectory(prefix="mandate-short-") as root:
        bench = Bench(Lane(root, record=False), case)
        bench.snapshot.restore()
        begin, end = begin_of(bench.lane), end_of(bench)
        sizes = range(begin, end + 1, 1 if "--full" in sys.argv[1:] else 11)
        for size in sizes:
            broken = limited(bench, size)
            check(not broken, f"{name} with files of {size} bytes at most", "\n".join(broken))
        print(f"ok {name}: {len(sizes)} sizes from {begin} to {end}; bad: 0")


def main():
    every_size("exclude", CASES["init"], lambda lane: (lane.repo / ".git/info/exclude").stat().st_size - 1,
               lambda bench: bench.lane.repo.joinpath(".git/info/exclude").stat().st_size + 30)
    every_size("record", CASES["round"], lambda lane: 0, lambda bench: len(bench.first.record) + 1)
    every_size("ledger", LONG, lambda lane: lane.ledger.stat().st_size - 1,
               lambda bench: bench.lane.ledger.stat().st_size + 1200)


main()
