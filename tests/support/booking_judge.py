"""Judges one booking under one fault: what it answered, what it left, and whether the next booking just works.

The references are two bookings from the same state without a fault. After the fault the record must be the old one or
that of the first reference, byte for byte, and the answer must say which; the same booking once more must then end
where the first or the second reference ended.
"""

import injection
import ledger_lines
from booking_cases import prepare
from fault_support import Answer
from snapshot import Snapshot

EXCLUDED = (b"/MANDATE.md", b"/.MANDATE.*")
# What an answer may say besides when the fault hit something that is let through and counted.
ADDITIONS = ("enforced=", "reason=", "excluded=", "excluded_reason=", "ledger=")


class Reference:
    def __init__(self, bench):
        self.answer = bench.lane.run(*bench.case.words)
        self.record, self.lines = bench.record(), bench.lines()
        self.standing = len(self.lines.standing())

    def explains(self, answer):
        """The same answer, but for what may be said besides."""
        wanted = [line for line in self.answer.out.splitlines() if not line.startswith(ADDITIONS)]
        given = [line for line in answer.out.splitlines() if not line.startswith(ADDITIONS)]
        return answer.exit == self.answer.exit and wanted == given


class Bench:
    def __init__(self, lane, case):
        self.lane, self.case, self.log = lane, case, lane.root / "strace.log"
        prepare(lane, case)
        self.snapshot = Snapshot(lane.root)
        self.codes = {}
        for line in lane.run("codes").out.split("\n\n"):
            row = dict(part.split("=", 1) for part in line.split("\n") if "=" in part)
            self.codes[row.get("code")] = int(row.get("exit", -1))
        self.old, self.events_before = self.record(), len(self.lines().events(case.event))
        self.verified = lane.run("verify")
        self.first, self.second = Reference(self), Reference(self)

    def record(self):
        return self.lane.record.read_bytes() if self.lane.record.exists() else None

    def lines(self):
        return ledger_lines.read(self.lane.ledger)

    def booked(self):
        if self.case.event:
            return len(self.lines().events(self.case.event)) > self.events_before
        return self.record() == self.first.record

    def judge(self, point, fault):
        """Runs it with a fault injected; the promises that did not hold, as sentences."""
        def run():
            answer = self.lane.run(*self.case.words, prefix=injection.prefix(point, fault, self.log))
            happened = injection.happened(fault, self.log)
            self.log.unlink()
            return answer, [] if happened else ["the fault did not come about"]
        return self.judge_run(run, point, fault)

    def judge_run(self, run, point, fault):
        """`run` gives the answer, and what is wrong with the run itself."""
        self.snapshot.restore()
        answer, broken = run()
        booked = self.booked()
        broken += self.judge_answer(answer, booked, point, fault)
        broken += self.judge_next(booked, answer.value("excluded") == "no")
        return broken + [f"answered: {answer!r}"] if broken else []

    def judge_answer(self, answer, booked, point, fault):
        broken = []
        if self.record() not in (self.old, self.first.record):
            broken.append(f"the record is neither the old nor the new one: {self.record()!r}")
        if answer.exit < 0:
            broken += self.judge_killed(answer, booked, point, fault)
        elif answer.exit == 0:
            unwritten = self.case.event == "refused" and answer.value("ledger") == "unwritable"
            if not booked and not unwritten:
                broken.append("exit 0, and nothing was booked")
            if not self.first.explains(answer):
                broken.append("the answer is another one than without the fault")
        elif answer.exit == 1 and answer.value("acknowledged") and answer.value("ledger") == "unreadable":
            # The acknowledgement stands and says so; what is left to acknowledge could not be read.
            broken += [] if booked else ["an acknowledgement was answered and is not there"]
        else:
            broken += self.judge_refusal(answer, booked, point)
        look = self.lane.run("verify")
        as_before = not booked and look.exit == self.verified.exit  # `rebind` starts from a record that is refused
        if not (look.exit == 0 or as_before) or look.value("hand_edited") == "yes":
            broken.append(f"verify is not content: {look!r}")
        if booked and not self.case.event and look.value("pending") == "yes":
            broken.append("a booking that stands is called pending")
        return broken

    def judge_killed(self, answer, booked, point, fault):
        broken = []
        if not fault.startswith("signal="):
            return [f"ended by signal {-answer.exit}"]
        if answer.out and not booked:
            broken.append("an answer was printed and is lost")
        if fault != "signal=KILL" and self.lane.leftovers():
            broken.append(f"left over: {self.lane.leftovers()}")
        held_back = fault in ("signal=TERM", "signal=INT", "signal=HUP")
        if held_back and point.call == "renameat" and not booked:
            broken.append("a signal in the middle was not held back")
        return broken

    def judge_refusal(self, answer, booked, point):
        broken, code = [], answer.value("error")
        if not answer.out and "could not be written to stdout" in answer.err:
            code = "output-failed"
        if self.codes.get(code) != answer.exit:
            broken.append(f"exit {answer.exit} with error={code}")
        says_it_stands = "the booking stands" in answer.err
        if code == "booked-not-durable" and not says_it_stands:
            broken.append("booked-not-durable does not say that the booking stands")
        if says_it_stands != (booked and self.case.event != "refused"):  # a refusal in the ledger is no booking
            broken.append(f"booked is {booked}, the message says otherwise")
        if code == "no-mandate" and self.old is not None:
            broken.append("no record, although there is one")
        if self.lane.leftovers() and point.call != "unlinkat":
            broken.append(f"left over: {self.lane.leftovers()}")
        if not answer.err:
            broken.append("nobody says why")
        return broken

    def judge_next(self, booked, said_unexcluded):
        """The same booking once more, without a fault."""
        broken, wanted = [], self.second if booked else self.first
        retry = self.lane.run(*self.case.words)
        if not wanted.explains(retry) or self.record() != wanted.record:
            broken.append(f"the retry ends elsewhere than without the fault: {retry!r}")
        lines, look = self.lines(), self.lane.run("verify")
        if look.exit != 0 or look.value("pending") != "no" or look.value("hand_edited") != "no":
            broken.append(f"verify after the next booking: {look!r}")
        if len(lines.standing()) != wanted.standing:
            broken.append(f"bookings in the ledger: {lines.standing()}")
        if lines.chain_breaks():
            broken.append(f"lines that do not follow: {lines.chain_breaks()}")
        if self.lane.leftovers():
            broken.append(f"left over after the next booking: {self.lane.leftovers()}")
        exclude = (self.lane.repo / ".git/info/exclude").read_bytes().split(b"\n")
        if any(exclude.count(line) != 1 for line in EXCLUDED) and not said_unexcluded:
            broken.append(f"info/exclude: {exclude}")
        allowed = ("w/MANDATE.md", "w/.MANDATE.lock", "repo/.git/info", "repo/.git/mandate")
        strays = [name for name in self.snapshot.changed() if not name.startswith(allowed)]
        if strays:
            broken.append(f"touched besides: {strays}")
        return broken


__all__ = ["Answer", "Bench"]
