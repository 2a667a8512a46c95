#!/usr/bin/env python3
"""Proves that let_through.py can fail: plants one path past a check at a time in a copy of src/ and expects it to be
named, and good ones that it must not name.

usage: let_through_can_fail.py SRC
"""

import shutil
import sys
import tempfile
from pathlib import Path

import let_through

NEW = "\nnamespace mandate::app {\n\n%s\n}  // namespace mandate::app\n"

# (file, text to replace or None for appending, what stands there instead)
PLANTED = [
    # Says so and counts nothing.
    ("cli/commands/show.cpp", "count_fallback(lane, record", 'outcome.answer.add("enforced", false);\n        count_fallback(lane, record'),
    ("app/booking_write.cpp", 'entry(found, "abandoned", {{"of", seq}})', 'LedgerEntry{"unenforced", {}, {}, {}, {}}'),
    # Names a reason without handing it to what counts.
    ("app/planted.cpp", None, "void planted(core::LetThrough& what)\n{\n    what.reason = core::Unenforced::bypass;\n}\n"),
    ("app/planted.cpp", None, "void planted()\n{\n    const core::LetThrough what{core::Unenforced::bypass, {}, {}};\n    go_on();\n}\n"),
    ("app/planted.hpp", None, "inline constexpr auto k_planted = core::Unenforced::bypass;\n"),
    # Looks at what keeps it from checking, and goes on.
    ("app/planted.cpp", None, "bool planted(const Lane& lane)\n{\n    return lane.settings.config.on_error.value == core::OnDoubt::pass;\n}\n"),
    ("app/planted.cpp", None, 'bool planted()\n{\n    return os::variable("MANDATE_BYPASS").has_value();\n}\n'),
    ("app/planted.cpp", None, "bool planted(const BookingRequest& request)\n{\n    return request.even_unlocked;\n}\n"),
    ("app/planted.cpp", None, "void planted(const os::FileLock* lock)\n{\n    if (lock == nullptr) {\n        go_on();\n    }\n}\n"),
    ("core/planted.cpp", None, "bool planted(const Record& record)\n{\n    return !record.review_budget;\n}\n"),
    ("app/booking.cpp", "if (!lock && !(m_request.even_unlocked", "if (lock == nullptr) {\n            go_on();\n        }\n        if (!lock && !(m_request.even_unlocked"),
    # Takes the count out of a path that is there.
    ("app/hook_judge.cpp", 'return count({core::Unenforced::no_mandate, m_name + ": " + actions_of(asks), fields(asks)}, {});', "return {};"),
    ("app/hook_judge.cpp", "return why ? count({core::Unenforced::bypass, *why, fields(asks)}, {}) : refuse(what, who);", "return why ? HookOutcome() : refuse(what, who);"),
    ("app/hooks.cpp", "return judge.count({core::Unenforced::no_verify,", "return planted({core::Unenforced::no_verify,"),
    ("core/rounds.cpp", 'plan.unenforced.push_back({Unenforced::no_budget, "round "', 'planted({Unenforced::no_budget, "round "'),
    ("core/rounds.cpp", "plan.unenforced.push_back({Unenforced::unbooked_review, {}, {{\"findings\", outcome.findings}}});", ""),
    ("app/booking_write.cpp", "for (const core::LetThrough& what : plan.unenforced) {", "for (const core::LetThrough& what : {}) {"),
    ("cli/commands/verify.cpp", 'count_fallback(lane, verification->task.value_or(""), outcome);', ""),
    # Passes for a reason that nobody has thought about.
    ("app/hooks.cpp", "    judge.note_task();", "    if (call_it_a_day()) {\n        return {};\n    }\n    judge.note_task();"),
    ("app/planted.cpp", None, "HookOutcome planted()\n{\n    return {};\n}\n"),
    ("app/planted.cpp", None, "AgentAnswer planted()\n{\n    return {AgentDecision::allow, {}, {}};\n}\n"),
    # Turns another verdict than allowed into a pass.
    ("app/hook_judge.cpp", "            case core::Verdict::expired:\n", "            case core::Verdict::expired:\n                continue;\n"),
    ("cli/commands/allows.cpp", "case core::Verdict::allowed:\n            return Exit::yes;\n", "case core::Verdict::allowed:\n        case core::Verdict::unlisted:\n            return Exit::yes;\n"),
    ("app/planted.cpp", None, "bool planted(core::Verdict verdict)\n{\n    return verdict != core::Verdict::denied;\n}\n"),
    # Counts, and does not say where the count was lost.
    ("app/planted.cpp", None, "void planted(Ledger& ledger)\n{\n    (void)count_unenforced(ledger, {}, {core::Unenforced::bypass, {}, {}});\n}\n"),
    # A reason that no path counts.
    ("core/unenforced.hpp", "    history_drift,\n", "    history_drift,\n    planted,\n"),
]

ALLOWED = [
    ("app/planted.cpp", None, "std::string planted(Ledger& ledger)\n{\n    const Counted counted = count_unenforced(ledger, {}, {core::Unenforced::bypass, {}, {}});\n    return counted.note.value_or(\"\");\n}\n"),
    ("core/planted.cpp", None, "void planted(Plan& plan)\n{\n    plan.unenforced.push_back({Unenforced::bypass, {}, {}});\n}\n"),
    ("core/planted.cpp", None, "bool planted(Verdict verdict)\n{\n    return verdict == Verdict::allowed;\n}\n"),
    ("core/planted.cpp", None, "bool planted(std::string_view name)\n{\n    return name == info(Unenforced::bypass).name;\n}\n"),
]


def found_with(source, known, name, replaced, text):
    """The breaches that the planted text adds."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "src"
        shutil.copytree(source, copy)
        file = copy / name
        if replaced is None:
            file.write_text(NEW % text, encoding="utf-8")
        else:
            before = file.read_text(encoding="utf-8")
            if before.count(replaced) != 1:
                return None
            file.write_text(before.replace(replaced, text), encoding="utf-8")
        return [line for line in let_through.breaches(copy) if line.split(": ", 1)[1] not in known]


def main():
    source = Path(sys.argv[1])
    known = {line.split(": ", 1)[1] for line in let_through.breaches(source)}
    wrong = []
    for name, replaced, text in PLANTED:
        found = found_with(source, known, name, replaced, text)
        if found is None:
            wrong.append(f"{name}: the text to replace is not there once, bring it up to date: {replaced!r}")
        elif not found:
            wrong.append(f"not found: {name}: {text.strip()!r}")
    for name, replaced, text in ALLOWED:
        found = found_with(source, known, name, replaced, text)
        if found:
            wrong.append(f"wrongly found: {name}: {found}")
    print("\n".join(wrong) if wrong else f"{len(PLANTED)} planted paths found, {len(ALLOWED)} good ones passed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
