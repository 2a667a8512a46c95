"""How the benchmark measures: whole processes, in turns, medians of pairs.

A ratio is the median over rounds of (first command / second command) of the same round: what disturbs the machine
disturbs both. Absolute times are medians, and only there to give an idea.
"""

import dataclasses
import os
import pathlib
import statistics
import subprocess

TOOLS = pathlib.Path(os.environ["MANDATE_BENCH_TOOLS"])  # empty, floor and turns, built from beside this file
BINARY = os.environ["MANDATE_BINARY"]
HERE = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass
class Result:
    rounds: list  # of tuples of nanoseconds, one a command
    peak_kib: list
    exits: list

    def median(self, index):
        return statistics.median(row[index] for row in self.rounds)

    def microseconds(self, index):
        return f"{self.median(index) / 1000:,.0f} µs"

    def ratio(self, first, second):
        return statistics.median(row[first] / row[second] for row in self.rounds)


def turns(rounds, commands, together=1):
    """`commands`: pairs of a directory and the words to run there."""
    words = [str(TOOLS / "turns"), str(rounds), "--together", str(together)]
    for directory, command in commands:
        words += ["--in", str(directory), *map(str, command)]
    lines = subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()
    numbers = [tuple(map(int, line.split())) for line in lines[:-2]]
    return Result(numbers, [int(n) for n in lines[-2].split()[1:]], [int(n) for n in lines[-1].split()[1:]])


@dataclasses.dataclass
class Row:
    """One bound: holds where `value` is at most `most` (or at least `least`)."""
    what: str
    value: float
    most: float = None
    least: float = None
    detail: str = ""
    unit: str = ""

    @property
    def holds(self):
        return (self.most is None or self.value <= self.most) and (self.least is None or self.value >= self.least)

    def line(self):
        bound = f"<= {self.most:g}" if self.least is None else f">= {self.least:g}"
        return f"| {self.what} | {self.value:.2f}{self.unit} | {bound}{self.unit} | {'yes' if self.holds else 'NO'} | {self.detail} |"
