"""What must hold of every booking, whatever stands in its way: its exit code says what the record's bytes say."""

import re
import subprocess

from fault_support import Answer, check

ANSWERED_NO = "no-mandate not-a-repository not-a-worktree no-lane".split()  # never said of what is there


def codes(here):
    """The exit status of each code, as the program lists them."""
    listed = here.run("codes").out
    return {code: int(number) for code, number in re.findall(r"^code=(\S+)\nexit=(\d+)$", listed, re.M)}


def bytes_of(here):
    return here.record.read_bytes() if here.record.exists() else None


def says_booked(answer):
    if answer.exit == 0:
        return answer.value("round_authorized") == "yes" or answer.value("written") == "yes"
    return "the booking stands" in answer.err


def judge(here, before, answer, mute=False):
    """Holds an answer against the record before and after it; `mute`: nobody hears the message."""
    after = bytes_of(here)
    evidence = (answer, before, after)
    check(answer.exit in (0, 1, 2, 3, 4, 5), "it ends by itself, with an exit code of the table", evidence)
    code = answer.value("error")
    if code:
        check(codes(here).get(code) == answer.exit, "the exit code is the one of its code", evidence)
    check(code not in ANSWERED_NO, "what is there is never called absent", evidence)
    check(not re.search(r"^(verdict|round)=", answer.out, re.M) or not code, "a refusal holds no answer", evidence)
    if mute:
        check(answer.exit in (0, 4), "done, or the answer is lost", evidence)
    else:
        check((after != before) == says_booked(answer), "the answer says what the record says", evidence)
        check(answer.exit == 0 or answer.err, "somebody says why", evidence)
    check(here.leftovers() == [], "nothing is left over", (here.leftovers(), answer))
    return answer


def book(here, *words, **how):
    """Runs a booking, whatever becomes of it, and judges it."""
    before = bytes_of(here)
    return judge(here, before, here.run(*words, **how))


def refused(here, code, *words, **how):
    answer = book(here, *words, **how)
    check(answer.value("error") == code, f"refused: {code}", answer)
    return answer


def next_works(here, used=None):
    """With the obstacle gone: one more round, and record and ledger tell one story."""
    used = here.used() if used is None else used
    answer = book(here, "round")
    check(answer.value("round") == str(used + 1), "the next booking works", answer)
    verified = here.run("verify")
    check(verified.exit == 0 and verified.value("hand_edited") == "no", "record and ledger agree", verified)
    check(here.run("show").value("history_drift") == "0", "no round is lost")


def together(here, count, *words):
    """That many processes at once; their answers."""
    processes = [here.popen(*words) for _ in range(count)]
    answers = []
    for process in processes:
        out, err = process.communicate(timeout=240)
        answers.append(Answer(subprocess.CompletedProcess(process.args, process.returncode, out, err)))
    return answers


def exactly(here, answers, numbers):
    given = sorted(int(a.value("round")) for a in answers if a.value("round_authorized") == "yes")
    check(given == list(numbers), "each number once, none missing", (given, [a for a in answers if a.exit]))
    check(here.used() == max(numbers), "the record has counted them all", here.record.read_text())


def reads_answer(here):
    """`show`, `allows`, `gate`, `next` and `log`, which need no write access."""
    for words, exits in ((("show",), (0,)), (("allows", "commit"), (0,)), (("allows", "merge"), (1,)),
                         (("gate",), (1,)), (("next",), (0,)), (("log",), (0,))):
        answer = here.run(*words)
        check(answer.exit in exits and not answer.value("error"), f"{words} answers", answer)
    check(here.run("allows", "commit").value("verdict") == "allowed", "the verdict is the one that was granted")
