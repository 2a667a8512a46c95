#!/usr/bin/env python3
"""What a person sees: the views of a lane at terminals of 80 and 200 columns, dark on light or not at all coloured.

No line is wider than the terminal or ends in blanks, columns stand under their titles, nothing but colours is sent as
control characters, and what the colours say stands there as a word.
"""

import fcntl
import os
import pty
import re
import struct
import termios
import unicodedata

from fault_support import BINARY, check, lane, needs_pseudo_terminals

COLOUR = re.compile(r"\x1b\[(?:32|33|31|2|1|0)m")
SCOPE = "a scope of many words that no terminal of eighty columns holds in one line, with 漢字 and é in it, to its very end"


def seen(here, width, *words, **variables):
    pid, terminal = pty.fork()
    if pid == 0:
        os.read(0, 1)  # the width is set by now
        os.chdir(here.path)
        os.execve(BINARY, ["mandate", *words], here.env | {"TERM": "xterm"} | variables)
    settings = termios.tcgetattr(terminal)
    settings[3] &= ~(termios.ECHO | termios.ICANON)
    termios.tcsetattr(terminal, termios.TCSANOW, settings)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    os.write(terminal, b"\n")
    out = b""
    try:
        while piece := os.read(terminal, 65536):
            out += piece
    except OSError:
        pass  # the terminal is closed
    os.waitpid(pid, 0)
    os.close(terminal)
    return out.decode().replace("\r\n", "\n").lstrip("\n")


def columns(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def check_lines(what, text, width):
    check(text.endswith("\n") and len(text) > 50, f"{what} shows something", repr(text))
    for line in text.split("\n"):
        check(columns(line) <= width, f"{what}: no line is wider than {width}", line)
        check(line == line.rstrip(), f"{what}: no line ends in blanks", repr(line))
        check("..." not in line or "/" in line or "-" in line, f"{what}: only names are shortened", line)


def check_table(what, text, first, second):
    """The cells of `second` begin where its title does."""
    lines = text.split("\n")
    title = next(i for i, line in enumerate(lines) if line.startswith(first))
    at = lines[title].index(second)
    for line in lines[title + 1:]:
        if line and len(line) > at:
            check(line[at - 2:at] == "  ", f"{what}: {second} stands under its title", f"{lines[title]}\n{line}")


def check_manuals(here):
    """--help at 80 columns: no line but the example's is wider, and no word is another."""
    verbs = re.findall(r"^  ([a-z][a-z-]+) ", here.run("--help").out.split("\nverbs\n")[1].split("\noptions")[0], re.M)
    check("close-request" in verbs, "every verb is looked at", verbs)
    for words in (["--help"], *([verb, "--help"] for verb in verbs)):
        text, piped = seen(here, 80, *words), here.run(*words).out
        for line in text.split("\nexample\n")[0].split("\n"):
            check(columns(line) <= 80 and line == line.rstrip(), f"{words}: no line is wider than 80", repr(line))
        check(text.split() == piped.split(), "folding changes no word", f"{text}\n{piped}")
        check(text.split("\nexample\n")[1] == piped.split("\nexample\n")[1], "the example can be copied", text)


def main():
    needs_pseudo_terminals()
    with lane(record=False) as here:
        check_manuals(here)
        here.git("branch", "-m", "task/a-branch-with-quite-a-long-name")
        made = here.run("init", "--preset", "standard", "task=PROJ-1234-the-login-form-rewrite", f"scope={SCOPE}",
                        "authorized_by=Ann Example <ann@example.org>", "review_budget=3")
        check(made.exit == 0, "init works", made)
        for words in (["round", "--token", "https://ci.example.org/jobs/1234567890/runs/67890123456789012345678901234567890"],
                      ["reviewed", "--findings", "2", "--by", "ann"],
                      ["acknowledged", "--by", "ann", "--reason", "a matter of taste that nobody will ever look at again"],
                      ["round"], ["cancel", "--reason", "away"]):
            here.run(*words)
        for width in (80, 200):
            views = {verb: seen(here, width, verb, NO_COLOR="1")
                     for verb in ("show", "lanes", "log", "unenforced", "doctor", "report", "codes", "presets")}
            for verb, text in views.items():
                check("\x1b" not in text, "NO_COLOR is honoured", repr(text))
                check_lines(f"{verb} at {width}", text, width)
                coloured = seen(here, width, verb, "--color", "always")
                plain = COLOUR.sub("", coloured)
                check("\x1b" not in plain, f"{verb}: nothing but colours", repr(plain))
                same = [re.sub(r"\d+ (?:second|minute)s? ago|now", "", re.sub(r" +", " ", each)) for each in (plain, text)]
                check(same[0] == same[1], f"{verb}: colours change no word", f"{plain}\n{text}")
            check(SCOPE in re.sub(r"\s+", " ", views["show"]), "show leaves no word out", views["show"])
            check("#.. 1 of 3 used\n" in views["show"], "the budget is a bar and words", views["show"])
            check_table(f"lanes at {width}", views["lanes"], "TASK", "STATE")
            check_table(f"log at {width}", views["log"], "AT", "EVENT")
            check_table(f"doctor at {width}", views["doctor"], "CHECK", "STATE")
            check_table(f"report at {width}", views["report"], "ROUND", "STATE")
            check("round-cancelled" in views["unenforced"] and "reviewed-pr" in views["show"], "states stand there as words")
            check("done" not in re.findall(r"^\S+ +(\S+)", views["log"], re.M), "log leaves out the done lines", views["log"])
        booked = seen(here, 80, "round", NO_COLOR="1")
        check("##. 2 of 3 used\n" in booked, "a booking shows the budget too", booked)
        dumb = seen(here, 80, "show", TERM="dumb")
        check("\x1b" not in dumb, "a dumb terminal gets no colours", repr(dumb))
    print("eight views at 80 and 200 columns, with colours and without")


if __name__ == "__main__":
    main()
