"""Points of a booking at which something can go wrong, from its trace: (system call, occurrence), and what to inject.

Everything the binary asks of the kernel is in the trace, and strace reaches all of it. A point is named by the call
and its how-manieth occurrence, which is how strace's `when=` counts.
"""

import collections
import dataclasses
import re

SIGNALS = ("KILL", "TERM", "INT", "HUP", "PIPE")

CHANGES = {"write", "fsync", "fdatasync", "renameat", "renameat2", "rename", "mkdirat", "mkdir", "unlinkat", "unlink",
           "ftruncate", "fchmod", "fchown", "flock", "close", "fremovexattr", "fsetxattr"}
READS = {"openat", "open", "newfstatat", "fstat", "stat", "lstat", "statx", "read", "pread64", "readlink", "access",
         "faccessat2", "getdents64", "getcwd", "fcntl", "fgetxattr", "flistxattr", "lseek", "ioctl", "fstatfs"}
# Of a build that is no static one: what its loader reads before the program begins, and the counters of coverage that
# are written after its end.
NOT_ITS_OWN = re.compile(r"""\.so(\.[\d.]+)?[>"]|/ld\.so\.|\.gcda\b""")
ERRORS_OF_CHANGES = ("EIO", "ENOSPC", "EINTR", "EACCES", "EDQUOT")
ERRORS_OF_READS = ("EIO", "EINTR", "EACCES")
ERRORS_OF_MAPPINGS = ("EACCES", "ENOMEM")


@dataclasses.dataclass(frozen=True)
class Point:
    call: str
    occurrence: int
    line: str  # as traced, for people
    stage: str  # before (the lock), locked, after (the done line)

    def __str__(self):
        return f"{self.call} #{self.occurrence}: {self.line[:150]}"


def points(trace):
    """Every call after the start of the program; what cannot be injected (the end) left out."""
    counts, found, stage = collections.Counter(), [], "before"
    for line in trace.splitlines():
        match = re.match(r"(?:\d+\s+)?(\w+)\(", line)
        if not match or match[1] == "exit_group":
            continue
        call = match[1]
        counts[call] += 1
        if call == "execve" or NOT_ITS_OWN.search(line):
            continue
        if stage == "before" and call == "flock":
            stage = "locked"
        found.append(Point(call, counts[call], line, stage))
        if '\\"event\\":\\"done\\"' in line:
            stage = "after"
    return found


def errors(point):
    """The errors that apply to a call, and the results of a write that takes less than it was given."""
    if point.call in CHANGES or (point.call in ("openat", "open") and "O_CREAT" in point.line):
        faults = [f"error={name}" for name in ERRORS_OF_CHANGES]
    elif point.call in READS:
        faults = [f"error={name}" for name in ERRORS_OF_READS]
    elif point.call == "mmap" and "MAP_ANONYMOUS" not in point.line:
        faults = [f"error={name}" for name in ERRORS_OF_MAPPINGS]
    else:
        return []
    if point.call == "write" and not re.search(r"write\([12]<", point.line):
        # strace answers in the kernel's place, so that the bytes "taken" are not there: a disk that lies.
        faults += ["retval=0", "retval=1"]
    return faults


def signals(point):
    # A SIGPIPE that comes just as SIGPIPE begins to be ignored is thrown away by the kernel.
    names = SIGNALS[:-1] if "rt_sigaction(SIGPIPE" in point.line else SIGNALS
    return [f"signal={name}" for name in names]


def prefix(point, fault, log):
    """The words in front of the program that run it with this fault."""
    # The filter spares a stop at every other call, but a signal is not delivered from its kind of stop.
    fast = () if fault.startswith("signal=") else ("--seccomp-bpf",)
    return ("strace", "-f", *fast, "-o", str(log), "-e", f"trace={point.call}", "-e",
            f"inject={point.call}:{fault}:when={point.occurrence}")


def happened(fault, log):
    """Whether the fault came about: a test that injects nothing passes always."""
    text = log.read_text()
    if fault.startswith("signal="):
        name = "SIG" + fault.removeprefix("signal=")
        return f"--- {name} " in text or f"+++ killed by {name}" in text
    return "(INJECTED)" in text
