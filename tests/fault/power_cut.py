"""After a power cut at any moment of a booking the record is an old or a new one, and no printed answer is lost.

usage: power_cut.py [--full] [--workers N]

Traces bookings, feeds the calls to a model disk (disk_model.py), and at every moment puts every state that it may leave
in place: the record must be one of those that were there, not older than the newest answer printed; `verify` must be
content or call a booking pending; the next booking must just work. Also with a first writer that was killed before any
of its changes, and a second that found what it left. --full takes every verb, cuts an unsynced ledger line at every byte,
and kills the first writer before every change instead of only before a sync.
"""

import argparse
import collections
import multiprocessing
import os
import pathlib
import shutil
import sys
import tempfile

import disk_model
import injection
import ledger_lines
from booking_cases import CASES, prepare
from fault_support import Lane
from snapshot import Snapshot, make, remove

FAST = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
OFTEN = ("init", "init-force", "round-token", "cancel", "reviewed")
HEAVY = ("init", "round-token")  # also with a killed writer in front


def sequences(full):
    """(name, verb that prepares the lane, bookings one after another, whether the first is killed at every change)"""
    for name, case in CASES.items():
        if not case.event and (full or name in OFTEN):
            yield name, name, (case.words,), False
    yield "three", "round-token", tuple(CASES[name].words for name in ("round-token", "reviewed", "fixed")), False
    for name in HEAVY:
        yield f"{name}, killed before", name, (CASES[name].words,), True


class Replay:
    """A lane, the bookings to come, and the records that they leave one after another without a fault."""

    def __init__(self, root, prepared, words):
        self.lane, self.words = Lane(root, record=False), words
        for sample in (self.lane.repo / ".git/hooks").glob("*.sample"):
            sample.unlink()
        prepare(self.lane, CASES[prepared])
        self.snapshot = Snapshot(root)
        self.records, self.standing, self.exits = [self.record()], [len(self.ledger().standing())], []
        for one in (*words, words[-1]):
            self.exits.append(self.lane.run(*one).exit)
            self.records.append(self.record())
            self.standing.append(len(self.ledger().standing()))
        self.again = self.records.pop()  # where the last booking once more ends
        self.snapshot.restore()

    def record(self):
        return self.lane.record.read_bytes() if self.lane.record.exists() else None

    def ledger(self):
        return ledger_lines.read(self.lane.ledger)

    def trace(self, words, kill=None):
        log = self.lane.root / "trace"
        inject = ("-e", f"inject={kill.call}:signal=KILL:when={kill.occurrence}") if kill else ()
        answer = self.lane.run(*words, prefix=("strace", "-f", "-y", "-xx", "-s", "1048576", "-o", str(log), "-e",
                                               f"trace={disk_model.TRACE},{disk_model.UNKNOWN}", *inject))
        text = log.read_text()
        log.unlink()
        return answer, text

    def moments(self, kills):
        """(call after which the power fails, number of bookings that were answered, the model disk), over all runs."""
        for kill in kills:
            self.snapshot.restore()
            disk, answered = disk_model.Disk(self.lane.root, self.snapshot.tree), 0
            runs = ([(self.words[0], kill)] if kill else []) + [(words, None) for words in self.words]
            yield "at the start", 0, disk
            for words, at in runs:
                answer, text = self.trace(words, at)
                for line in text.splitlines():
                    done = disk.follow(line)
                    if done == "printed" and answer.exit == 0:
                        answered += 1
                    if done:
                        yield f"{line[:40]} (killed before: {kill})" if kill else line[:40], answered, disk

    def changes(self, full):
        """The points at which a killed writer leaves something else than one call earlier."""
        points = injection.points(self.trace(self.words[0])[1])
        if not full:
            return [point for point in points if point.call == "fsync"]
        return [point for point in points if point.call != "openat" or "O_CREAT" in point.line]

    def states(self, kills, every_byte):
        """Distinct states, each with the most that was answered when it could come about."""
        found, moments = {}, 0
        for moment, answered, disk in self.moments(kills):
            moments += 1
            for state in disk.states(lambda path: every_byte and path.endswith(".jsonl")):
                key = frozenset(state.items())
                if key not in found or found[key][0] < answered:
                    found[key] = (answered, moment)
        return moments, [(dict(key), answered, moment) for key, (answered, moment) in found.items()]

    def judge(self, state, answered):
        self.snapshot.restore()
        tree = {name: what for name, what in self.snapshot.tree.items() if what[0] != "l"}
        for name in sorted(tree.keys() | state.keys()):
            path = os.path.join(self.snapshot.root, name)
            if name not in state:
                remove(path)
            elif name not in tree:
                make(path, ("d", 0o755) if state[name] is None else ("f", 0o644, state[name]))
            elif state[name] is not None and state[name] != tree[name][2]:
                make(path, ("f", tree[name][1], state[name]))
        if self.record() not in self.records:
            return [f"the record is none that was ever booked: {self.record()!r}"]
        stands = len(self.records) - 1 - self.records[::-1].index(self.record())
        broken = [f"{answered} bookings were answered, {stands} stand"] if stands < answered else []
        broken += self.judge_look(stands)
        return broken + self.judge_next(stands)

    def judge_look(self, stands):
        look = self.lane.run("verify")
        if stands == 0 and self.records[0] is not None and look.value("error"):
            return [] if look.value("error") == "branch-mismatch" else [f"verify: {look!r}"]  # `rebind` starts so
        if look.exit != 0 or look.value("hand_edited") == "yes":
            return [f"verify is not content: {look!r}"]
        return []

    def judge_next(self, stands):
        last = stands == len(self.words)
        answer = self.lane.run(*self.words[min(stands, len(self.words) - 1)])
        wanted = self.again if last else self.records[stands + 1]
        broken = []
        if answer.exit != self.exits[stands] or self.record() != wanted:
            broken.append(f"the next booking: {answer!r}")
        look, lines = self.lane.run("verify"), self.ledger()
        if look.exit != 0 or look.value("pending") != "no" or look.value("hand_edited") != "no":
            broken.append(f"verify after the next booking: {look!r}")
        if len(lines.standing()) != self.standing[stands + 1]:
            broken.append(f"{self.standing[stands + 1]} bookings should stand: {lines.standing()}")
        if lines.chain_breaks():
            broken.append(f"lines that do not follow: {lines.chain_breaks()}")
        if self.lane.leftovers() and answer.exit == 0:
            broken.append(f"left over after the next booking: {self.lane.leftovers()}")
        return broken


def campaign(job):
    base, (name, prepared, words, killed), full = job
    root = pathlib.Path(tempfile.mkdtemp(dir=base))
    replay = Replay(root, prepared, words)
    kills = replay.changes(full) if killed else [None]
    moments, states = replay.states(kills, full and not killed)
    bad = []
    for state, answered, moment in states:
        broken = replay.judge(state, answered)
        if broken:
            bad.append(f"BROKEN {name}, after {moment}\n  " + "\n  ".join(broken))
    return name, moments, len(states), bad


def main():
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    base = tempfile.mkdtemp(prefix="mandate-power-", dir=FAST)
    total = collections.Counter()
    print(f"{'bookings':<28}{'moments':>9}{'states':>8}{'bad':>6}")
    try:
        jobs = [(base, sequence, arguments.full) for sequence in sequences(arguments.full)]
        with multiprocessing.Pool(arguments.workers) as pool:
            for name, moments, states, bad in pool.imap(campaign, jobs, 1):
                print("\n".join([*bad, f"{name:<28}{moments:>9}{states:>8}{len(bad):>6}"]), flush=True)
                total.update(moments=moments, states=states, bad=len(bad))
    finally:
        shutil.rmtree(base, ignore_errors=True)
    print(f"{'all':<28}{total['moments']:>9}{total['states']:>8}{total['bad']:>6}")
    sys.exit(1 if total["bad"] else 0)


main()
