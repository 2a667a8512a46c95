"""How cost grows with what a lane has: tables of medians, no bounds."""

from measure import BINARY, turns
from rows import ALLOWS, ROUND
from scratch import add_worktrees, files_lane, grow_ledger, index_lane, lane, record, repository


def powers(first, last):
    return [10**n for n in range(first, 7) if 10**n <= last]


def index(root, scale):
    yield ["index entries", "`allows`, names after", "`allows`, names before", "`round`, names before"]
    for entries in powers(2, scale.entries):
        after, before = (index_lane(root, entries, where) for where in ("after", "before"))
        got = turns(scale.few, [(after, ALLOWS), (before, ALLOWS), (before, ROUND)])
        yield [f"{entries:,}", *(got.microseconds(n) for n in range(3))]


def ledger(root, scale):
    yield ["ledger lines", "`show`", "`round`", "`log`"]
    path = lane(root, "growing")
    for lines in powers(1, scale.lines):
        grow_ledger(path, lines)
        got = turns(scale.few, [(path, [BINARY, "show"]), (path, ROUND), (path, [BINARY, "log"])])
        yield [f"{lines:,}", *(got.microseconds(n) for n in range(3))]


def worktrees(root, scale):
    yield ["worktrees", "`lanes`", "`git worktree list`", "`round --branch`"]
    path = repository(root, "many")
    for wanted in [n for n in (1, 10, 100, 500) if n <= scale.worktrees]:
        add_worktrees(root, path, wanted)
        got = turns(scale.few, [(path, [BINARY, "lanes"]), (path, ["git", "worktree", "list"]),
                                (path, [*ROUND, "--branch", "many-0"])])
        yield [str(wanted), *(got.microseconds(n) for n in range(3))]


def contenders(root, scale):
    yield ["processes at once", "all have booked after", "per booking"]
    path = lane(root, "contenders")
    for processes in (1, 2, 4, 8, 16, 32, 64):
        record(path)
        got = turns(scale.tries, [(path, ROUND)], together=processes)
        yield [str(processes), got.microseconds(0), f"{got.median(0) / 1000 / processes:,.0f} µs"]


def files(root, scale):
    yield ["tracked files", "`close-check`", "`git status --ignored`", "`allows`"]
    for count in [n for n in (100, 1000, 10000, 20000) if n <= scale.files]:
        path = files_lane(root, count)
        got = turns(scale.few, [(path, [BINARY, "close-check"]), (path, ["git", "status", "--ignored"]), (path, ALLOWS)])
        yield [f"{count:,}", *(got.microseconds(n) for n in range(3))]


ALL = [index, ledger, worktrees, contenders, files]
