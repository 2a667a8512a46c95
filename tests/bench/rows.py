"""The bounds, one function each: what a user may count on, as a ratio to something that is measured in the same run."""

import os
import statistics

from measure import BINARY, HERE, TOOLS, Row, turns
from scratch import add_worktrees, files_lane, git, grow_ledger, index_lane, lane, record, repository, value

ALLOWS = [BINARY, "allows", "commit"]
ROUND = [BINARY, "round"]


def allows(root, scale):
    path = lane(root, "allows")
    got = turns(scale.many, [(path, ALLOWS), (path, ["git", "rev-parse", "--show-toplevel"]), (path, [TOOLS / "empty"])])
    detail = f"allows {got.microseconds(0)}, git {got.microseconds(1)}, empty {got.microseconds(2)}"
    yield Row("`allows` / `git rev-parse --show-toplevel`", got.ratio(0, 1), most=1, detail=detail)
    yield Row("`allows` / empty static program", got.ratio(0, 2), most=1.5, detail=detail)
    yield Row("peak memory of `allows`", got.peak_kib[0] / 1024, most=12, unit=" MiB")


def index(root, scale):
    small, after = lane(root, "index"), index_lane(root, scale.entries, "after")
    got = turns(scale.some, [(after, ALLOWS), (small, ALLOWS)])
    detail = f"{got.microseconds(0)} and {got.microseconds(1)}"
    yield Row(f"`allows`, {scale.entries:,} names after / small", got.ratio(0, 1), most=1.3, detail=detail)
    before = index_lane(root, scale.entries, "before")
    got = turns(scale.few, [(before, ["git", "ls-files", "--error-unmatch", "MANDATE.md"]), (before, ALLOWS), (before, ROUND)])
    detail = f"git {got.microseconds(0)}, allows {got.microseconds(1)}, round {got.microseconds(2)}"
    yield Row(f"`git ls-files --error-unmatch` / `allows`, {scale.entries:,} names before", got.ratio(0, 1), least=5,
              detail=detail)
    size = os.path.getsize(git(before, "rev-parse", "--path-format=absolute", "--git-path", "index").strip()) / 1024
    for name, index_of in (("allows", 1), ("round", 2)):
        yield Row(f"peak memory of `{name}` beyond the mapped index", (got.peak_kib[index_of] - size) / 1024, most=12,
                  unit=" MiB", detail=f"index {size / 1024:.0f} MiB")


def booking(root, scale):
    path, floor = lane(root, "round"), root / "floor"
    floor.mkdir()
    got = turns(scale.many, [(path, ROUND), (root, [TOOLS / "floor", floor])])
    yield Row("`round` / the system calls alone", got.ratio(0, 1), most=2.5,
              detail=f"{got.microseconds(0)} and {got.microseconds(1)}")
    yield Row("peak memory of `round`", got.peak_kib[0] / 1024, most=12, unit=" MiB")


def contenders(root, scale):
    path, ratios = lane(root, "contenders"), []
    for _ in range(scale.tries):
        record(path, 64)
        serial = sum(row[0] for row in turns(64, [(path, ROUND)]).rounds)
        record(path, 64)
        ratios.append(turns(1, [(path, ROUND)], together=64).median(0) / serial)
        assert value(path, "review_rounds_used", "show") == "64", "64 processes book 64 rounds"
        record(path, 10)
        turns(1, [(path, ROUND)], together=64)
        assert value(path, "review_rounds_used", "show") == "10", "64 processes book 10 rounds of 10"
    yield Row("64 at once / 64 one after another", statistics.median(ratios), most=2,
              detail=f"{scale.tries} tries, exactly 64 of 64 and 10 of 64 booked in each")


def ledger(root, scale):
    short, long = lane(root, "short"), lane(root, "long")
    grow_ledger(short, 10)
    grow_ledger(long, scale.lines)
    got = turns(scale.some, [(long, [BINARY, "show"]), (short, [BINARY, "show"])])
    yield Row(f"`show`, {scale.lines:,} ledger lines / 10", got.ratio(0, 1), most=10,
              detail=f"{got.microseconds(0)} and {got.microseconds(1)}")


def hooks(root, scale):
    path = lane(root, "hooks")
    got = turns(scale.many, [(path, [BINARY, "hook", "pre-commit"]), (path, ALLOWS)])
    yield Row("`hook pre-commit` / `allows`", got.ratio(0, 1), most=2,
              detail=f"{got.microseconds(0)} and {got.microseconds(1)}")


def lanes(root, scale):
    path = repository(root, "many")
    add_worktrees(root, path, scale.worktrees)
    got = turns(scale.few, [(path, [BINARY, "lanes"]), (path, ["git", "worktree", "list"])])
    yield Row(f"`lanes` / `git worktree list`, {scale.worktrees} worktrees", got.ratio(0, 1), most=2,
              detail=f"{got.microseconds(0)} and {got.microseconds(1)}")


def closing(root, scale):
    for merged in True, False:
        path = files_lane(root, scale.files, merged)
        got = turns(scale.few, [(path, [BINARY, "close-check"]), (path, ["git", "status", "--ignored"])])
        state = "" if merged else ", not merged"
        yield Row(f"`close-check` / `git status --ignored`, {scale.files:,} files{state}", got.ratio(0, 1), most=2,
                  detail=f"{got.microseconds(0)} and {got.microseconds(1)}")


def rivals(root, scale):
    path = lane(root, "rivals")
    for words in (["allows", "commit"], ["round"]):
        got = turns(scale.some, [(path, ["sh", HERE / "rival.sh", *words]), (path, ["python3", HERE / "rival.py", *words]),
                                 (path, [BINARY, *words])])
        for name, index_of, least in (("shell script", 0, 15), ("Python script", 1, None)):
            yield Row(f"{name} / `{words[0]}`", got.ratio(index_of, 2), least=least or 1,
                      detail=f"{got.microseconds(index_of)} and {got.microseconds(2)}")


def size(_root, _scale):
    yield Row("the binary", os.path.getsize(BINARY) / 2**20, most=12, unit=" MiB")


ALL = [size, allows, index, booking, contenders, ledger, hooks, lanes, closing, rivals]
