#!/usr/bin/env python3
"""Derives from the sources every place that can let something through unchecked, and holds it against the rule that
such a place counts first (app/unenforced.hpp).

A path shows in one of five ways: it names a reason of core::Unenforced; it says "enforced" or appends the event
itself; it looks at something that keeps the program from checking (DOUBTS); it returns a pass from a function whose
result lets git or an agent go on (PASSES); or it turns a verdict other than allowed into one. Each of these must be
counted in the same function. What needs no count stands below with the reason why, as a number of places in one
function, so that one more of them is a breach until somebody has thought about it.

Every reason must also be driven by a case of tests/cli/let_through_test.cpp, which sees the line being appended.

usage: let_through.py SRC        prints each breach as path:line: why; exit 1 if there is any
"""

import re
import sys
from pathlib import Path

HOME = "app/unenforced.cpp"  # the one way past a check
LIST = "core/unenforced"     # the closed list

# Said in an answer, or appended by hand.
SAID = re.compile(r'\b(?:add|emplace_back)\(\s*"enforced"|event = "unenforced"|(?:append\(|LedgerEntry ?\w*)\{"unenforced"')
COUNTS = re.compile(r"\bcount_unenforced\(|\bcount\(\s*(?:found, )?(?:\{|what\b|\w*[wW]hat\b)|\bunenforced\.push_back\(\{|\bstopped\(|\bcount_fallback\(")
# A reason in the hands of something that counts it. `what` is a LetThrough that is counted below, see `counted`.
IN_HAND = re.compile(r"(?:\bcount\((?:found, )?\{|\bcount_unenforced\([^;]*\{|\bunenforced\.push_back\(\{)\s*(?:core::)?$")
NAMED = re.compile(r"\bLetThrough (\w+)\{\s*(?:core::)?$")
LOOKED_UP = re.compile(r"\binfo\((?:core::)?$")  # its name, to compare lines that are there already

# What keeps the program from checking or enforcing: who looks at it goes on, and counts.
DOUBTS = {
    r"\bOnDoubt::(?:pass|refuse)\b": "configuration may say pass",
    r"\bbypass\(\)": "MANDATE_BYPASS may say pass",
    r"MANDATE_BYPASS": "MANDATE_BYPASS may say pass",
    r"\beven_unlocked\b|\bm_refused_lock\b|\block [!=]= nullptr|\block \? ": "it may go on without a lock",
    r"\bfell_back\b|\bmissing_branch\b": "it may answer for another lane than was asked for",
    r"!\s*\w+(?:->|\.)(?:review_budget|limit)\b": "it may go on without a limit",
    r"\bExcludeOutcome::State::no\b": "the record can be staged",
    r"\bhistory_drift\(": "the record admits too few rounds",
    r"\bRoundState::booked\b": "a review or a cancel may have no booking",
}
# (file, function) -> (doubts in it, why they need no count there)
DOUBTS_ANSWERED = {
    ("app/hook_judge.cpp", "bypass"): (0, "reads the variable; whoever calls it counts"),
    ("app/lane.cpp", "open_lane"): (2, "sets it; every reading verb calls count_fallback, see below"),
    ("app/booking.cpp", "Run::start"): (3, "keeps the refusal of the lock; `write` counts it before anything is put in place"),
    ("app/booking_write.cpp", "Run::count_what_passes"): (2, "counts"),
    ("app/booking_write.cpp", "Run::write"): (1, "asks whether the lock still stands"),
    ("app/exclude.cpp", "*"): (None, "finds out; app/booking counts it"),
    ("app/exclude_effect.cpp", "*"): (None, "finds out; app/booking counts it"),
    ("app/doctor.cpp", "*"): (None, "reports, and lets nothing through"),
    ("app/verify.cpp", "judge_record"): (1, "reports, and lets nothing through"),
    ("app/lanes.cpp", "*"): (None, "reports, and lets nothing through"),
    ("app/closing.cpp", "*"): (None, "reports: a drift keeps the lane open"),
    ("app/unenforced_list.cpp", "append_ack"): (1, "a person accepts it, which is a line of its own"),
    ("cli/commands/show.cpp", "ShowVerb"): (1, "reports, and lets nothing through"),
    ("cli/commands/rounds.cpp", "RoundVerb"): (1, "passes the option on"),
    ("app/hook_folder.cpp", "HookFolder::open"): (1, "what a hook file does without the binary, where nobody is left to count"),
    ("core/config_apply.cpp", "*"): (None, "reads the setting"),
    ("core/config.cpp", "*"): (None, "reads the setting"),
    ("core/ledger_state.cpp", "history_drift"): (0, "the number itself"),
    ("core/grants.cpp", "plan_extend"): (1, "refuses"),
    ("core/gate.cpp", "*"): (None, "decides whether a gate is met, and grants nothing"),
    ("core/record_parse.cpp", "*"): (None, "the words of a state"),
    ("core/rounds.cpp", "possible_from"): (2, "words for a refusal"),
    ("core/rounds.cpp", "spent_advice"): (1, "words for a refusal"),
    ("core/rounds.cpp", "authorized_round"): (1, "words for an answer"),
    ("core/rounds.cpp", "plan_acknowledged"): (1, "refuses"),
}

# Functions of these results decide whether git or an agent goes on; a bare pass in one of them is counted, or here.
PASSES = {"HookOutcome": r"return \{\};|\bpasses = true|HookOutcome outcome;", "AgentAnswer": r"return \{\};|AgentAnswer\{\}|AgentDecision::(?:allow|no_opinion)"}
PASSES_ANSWERED = {
    ("app/hook_judge.cpp", "HookJudge::judge"): (1, "nothing is asked"),
    ("app/hook_judge.cpp", "HookJudge::by_record"): (1, "the record allowed every one"),
    ("app/hook_judge.cpp", "HookJudge::refuse"): (1, "sets passes to false"),
    ("app/hook_judge.cpp", "HookJudge::count"): (1, "counts"),
    ("app/hooks.cpp", "after_commit"): (2, "the hook ran, or git runs none for such a commit"),
    ("app/hooks.cpp", "run_fed_hook"): (2, "after the fact, or no branch is touched"),
    ("app/agent_hook.cpp", "stricter"): (3, "the order of the answers"),
    ("app/agent_hook.cpp", "without_record"): (1, "counts"),
    ("app/agent_hook.cpp", "judge_action"): (1, "the record allows it"),
    ("app/agent_hook.cpp", "judge_intent"): (4, "no repository, so no lane; a write that leads to no guarded file; a checkout of no file"),
    ("app/agent_hook.cpp", "judge_command"): (3, "no opinion: the host goes by its own rules"),
    ("app/agent_hook.cpp", "judge_tool_call"): (3, "no command and no guarded file; what an unknown tool is granted is no opinion"),
}

COMMENT = re.compile(r"//[^\n]*")
START = re.compile(r"^(?:class|struct)\s+(\w+)[^;]*\{$|^[\w:<>,&*\[\] ]*?((?:\w+::)?~?\w+)\([^;]*$")


def functions(text):
    """(name, first line number, head and body) of each top-level block; a class is one block."""
    lines = [COMMENT.sub("", line) for line in text.split("\n")]
    at = 0
    while at < len(lines):
        match = START.match(lines[at]) if lines[at] and lines[at][0] not in " }#" else None
        if not match or lines[at].startswith(("namespace", "using", "constexpr", "enum")):
            at += 1
            continue
        end = at
        one_line = re.search(r"\{.*\}$", lines[at])
        while not one_line and end < len(lines) and not re.match(r"\};?$", lines[end]):
            end += 1
        yield match[1] or match[2], at + 1, "\n".join(lines[at : end + 1])
        at = end + 1


def enumerators(source):
    text = (source / f"{LIST}.hpp").read_text(encoding="utf-8")
    return re.findall(r"^\s+(\w+),", re.search(r"enum class Unenforced \{(.*?)\};", text, re.S)[1], re.M)


def counted(name, body):
    """A LetThrough that has a name is counted by that name."""
    return re.search(rf"\bcount(?:_unenforced)?\([^;]*\b{name}\b", body) is not None


def answered(table, path, name):
    return table.get((path, name)) or table.get((path, "*"))


class File:
    def __init__(self, source, file):
        self.path = file.relative_to(source).as_posix()
        self.file = file
        self.text = file.read_text(encoding="utf-8")
        self.paths = set()  # reasons that are counted here

    def breaches(self):
        bare = "\n".join(COMMENT.sub("", line) for line in self.text.split("\n"))
        for match in SAID.finditer(bare):
            if self.path != HOME:
                yield bare.count("\n", 0, match.start()) + 1, f"{match[0]} is said by {HOME} alone, which counts"
        if self.path.startswith(LIST):
            return
        seen = 0
        for name, line, body in functions(self.text):
            seen += len(re.findall(r"\bUnenforced::\w+", body))
            yield from self.reasons(line, body)
            if self.path.endswith(".hpp"):
                continue  # declares; what is defined in one names a reason, or is no more than a line
            yield from self.doubts(name, line, body)
            yield from self.passes(name, line, body)
            yield from self.verdicts(line, body)
            yield from self.losses(line, body)
            yield from self.fallback(name, line, body)
        if seen != len(re.findall(r"\bUnenforced::\w+", bare)):
            yield 1, "a reason stands outside of any function that this test can read"

    def reasons(self, line, body):
        for match in re.finditer(r"\bUnenforced::(\w+)", body):
            before = body[: match.start()]
            named = NAMED.search(before)
            if IN_HAND.search(before) or (named and counted(named[1], body[match.end() :])):
                self.paths.add(match[1])
            elif not LOOKED_UP.search(before):
                yield line + before.count("\n"), f"Unenforced::{match[1]} is not handed to what counts it"

    def doubts(self, name, line, body):
        found = [(m.start(), why) for doubt, why in DOUBTS.items() for m in re.finditer(doubt, body)]
        answer = answered(DOUBTS_ANSWERED, self.path, name)
        if not found or (answer and answer[0] is None):
            return
        if answer and (answer[0] == 0 or len(found) == answer[0]):
            return
        if answer or not COUNTS.search(body):
            start, why = found[0]
            number = f" ({len(found)} places, {answer[0]} are answered for)" if answer else ""
            yield line + body.count("\n", 0, start), f"{why}, and {name} does not count{number}"

    def passes(self, name, line, body):
        head = body.split("(")[0]
        for result, bare in PASSES.items():
            if not re.match(rf"(?:static )?{result}\s", head):
                continue
            found = len(re.findall(bare, body))
            answer = answered(PASSES_ANSWERED, self.path, name)
            if found > (answer[0] if answer else 0):
                yield line, f"{name} passes in {found} places, {answer[0] if answer else 0} are answered for"

    def verdicts(self, line, body):
        for match in re.finditer(r"[!]=\s*(?:core::)?Verdict::(?!allowed\b)\w+", body):
            yield line + body.count("\n", 0, match.start()), "whatever is not that verdict goes through"
        group = []
        for part in re.split(r"(?=\bcase (?:core::)?Verdict::)", body)[1:]:
            verdict, rest = re.match(r"case (?:core::)?Verdict::(\w+):(.*)", part, re.S).groups()
            group.append(verdict)
            if not rest.strip():
                continue
            rest = re.split(r"\n\s{0,4}\}", rest)[0]
            passes = re.search(r"\bcontinue;|Exit::yes|AgentDecision::(?:allow|no_opinion)|passes = true|return \{\};", rest)
            others = [each for each in group if each != "allowed"]
            if passes and others and not COUNTS.search(rest, 0, passes.start()):
                yield line, f"Verdict::{others[0]} goes through, uncounted"
            group = []

    def losses(self, line, body):
        for match in re.finditer(r"\(void\)\s*(?:\w+\.)?count(?:_unenforced)?\(|^\s*count_unenforced\(", body, re.M):
            yield line + body.count("\n", 0, match.start()), "what could not be counted must be said"
        if re.search(r"(?<!Counted )\bcount_unenforced\(", body) and not re.search(r"\bnote\b", body) and self.path != HOME:
            yield line, "what could not be counted must be said (Counted::note)"

    def fallback(self, name, line, body):
        """A verb that takes --branch and does not book answers for the directory where no lane holds it."""
        reads = "Uses::lane;" in body or (": public ReadingVerb" in body and "Uses::nothing;" not in body)
        if self.path.startswith("cli/commands/") and name != "ReadingVerb" and reads and "count_fallback(" not in body:
            yield line, f"{name} takes --branch and does not count a fallback"


def booking_order(source):
    """What a plan lets through is counted before the record is put in place."""
    text = (source / "app/booking_write.cpp").read_text(encoding="utf-8")
    loop, commit = text.find(": plan.unenforced)"), text.find("->commit(")
    if not 0 <= loop < commit:
        yield 1, "Plan::unenforced is not counted before the record is put in place"


def breaches(source):
    paths = set()
    for file in sorted(each for each in source.rglob("*.?pp") if each.suffix in (".cpp", ".hpp")):
        one = File(source, file)
        yield from (f"{file}:{line}: {why}" for line, why in one.breaches())
        paths |= one.paths
    for reason in enumerators(source):
        if reason not in paths:
            yield f"{source / LIST}.hpp:1: no path counts Unenforced::{reason}"
    yield from (f"{source}/app/booking_write.cpp:{line}: {why}" for line, why in booking_order(source))


def undriven(source):
    test = source.parent / "tests/cli/let_through_test.cpp"
    cases = set(re.findall(r'^ +\{"([a-z-]+)", ', test.read_text(encoding="utf-8"), re.M))
    for reason in enumerators(source):
        if reason.replace("_", "-") not in cases:
            yield f"{test}:1: no case drives Unenforced::{reason}"


def main():
    source = Path(sys.argv[1])
    found = list(breaches(source)) + list(undriven(source))
    print("\n".join(found) if found else f"{source}: whatever lets something through counts it first")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
