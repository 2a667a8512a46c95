"""Who held which lock when, from traces of processes that ran side by side, without a word from the program itself.

Each process runs under its own strace, which notes when a call began. A lock is held at least from the begin of the call
after the flock that took it to the begin of the close that lets it go (or of the last call of a process that was killed):
what is taken for the interval lies inside the real one, so an overlap is never a false alarm.
"""

import dataclasses
import re

FLAGS = ("strace", "-D", "-ff", "-y", "-v", "-ttt", "-e", "trace=flock,renameat,close,newfstatat,exit_group")
ROUNDING = 0.000002  # seconds: the stamps are cut to microseconds
UNKNOWN = "?"  # let go before anything was asked of it: the path no longer named it


@dataclasses.dataclass
class Held:
    pid: int
    path: str
    inode: str
    begin: float
    end: float


class Trace:
    """What one process did: the locks it held, the renames it made (path of the directory, time)."""

    def __init__(self, path):
        self.pid, self.held, self.renames = int(path.suffix[1:]), [], []
        taken, inodes, last = {}, {}, 0.0
        for line in path.read_text().splitlines():
            stamp = re.match(r"(\d+\.\d+) \w+\(", line)
            if stamp:
                last = float(stamp[1])
                for held in taken.values():
                    held.begin = held.begin or last
            match = re.match(r"(\d+\.\d+) (\w+)\((\d+)<(.*?)>(?:\(deleted\))?[,)](.*)$", line)
            if not match:
                continue
            call, descriptor, rest = match[2], match[3], match[5]
            if call == "newfstatat" and rest.startswith(' ""'):
                inode = re.search(r"st_ino=(\d+)", rest)
                inodes[descriptor] = inode[1] if inode else UNKNOWN
                if descriptor in taken:
                    taken[descriptor].inode = inodes[descriptor]
            elif call == "flock" and "LOCK_EX" in rest and rest.endswith("= 0"):
                taken[descriptor] = Held(self.pid, match[4], inodes.get(descriptor, UNKNOWN), 0, 0)
            elif call == "renameat" and rest.endswith("= 0"):
                self.renames.append((match[4], last))
            elif call == "close":
                inodes.pop(descriptor, None)
                if descriptor in taken:
                    self.release(taken.pop(descriptor), last)
        for held in taken.values():
            if held.begin:  # else it was killed before it asked anything more
                self.release(held, last)

    def release(self, held, when):
        held.end = when
        self.held.append(held)


def read(directory):
    return [Trace(path) for path in sorted(directory.iterdir())]


def overlaps(traces, suffix):
    """Pairs of processes that held a lock on the same file, whose path ends in `suffix`, at the same time."""
    log = sorted((held for trace in traces for held in trace.held
                  if held.path.endswith(suffix) and held.inode != UNKNOWN),
                 key=lambda held: (held.path, held.inode, held.begin))
    return [(one, other) for one, other in zip(log, log[1:])
            if (one.path, one.inode) == (other.path, other.inode) and other.begin + ROUNDING < one.end]


def renames_outside(traces, suffix):
    """Renames during which the process did not hold the lock of a file whose path ends in `suffix`."""
    return [(trace.pid, directory, when) for trace in traces for directory, when in trace.renames
            if not any(held.path.endswith(suffix) and held.begin - ROUNDING <= when <= held.end for held in trace.held)]
