#!/usr/bin/env python3
"""Holds docs/mandate.1 against the program: nothing missing, nothing invented, and no warning from groff.

MANDATE_BUILD is the build's directory; the page there is the one that is installed, with the version in place.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess

from fault_support import BINARY, check, lane

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = pathlib.Path(os.environ["MANDATE_BUILD"]) / "mandate.1"


def run(*words):
    return subprocess.run([BINARY, *words], capture_output=True, text=True, check=True).stdout


def section(name):
    return PAGE.read_text(encoding="utf-8").split(f"\n.Sh {name}\n", 1)[1].split("\n.Sh ", 1)[0]


def options_of(help_text):
    """{"--token": "T", "--strict": ""} of a verb's --help."""
    listed = help_text.split("\noptions\n")[1].split("\n\nexample")[0]
    return dict(re.findall(r"^  (--?[A-Za-z-]+)(?: ([A-Z]+))? ", listed, re.M))


def options_in(block):
    """The same of a part of the page."""
    return {f"-{name}": value for name, value in re.findall(r"^\.It Fl (\S+)(?: Ar (\S+))?$", block, re.M)}


def words_in(line):
    """`Op Ar DIR` as `[DIR]`, the way that --help writes it."""
    line = re.sub(r"Op Ar (\S+)( \.\.\.)?", lambda m: f"[{m[1]}{'...' if m[2] else ''}]", line)
    line = line.replace("Ar key Ns = Ns Ar value", "key=value").replace("Cm ", "").replace("Ar ", "")
    return line.replace(" | ", "|").replace(" ...", "...")


def same(what, wanted, found):
    check(wanted == found, f"{what} are the same in the page and in the program",
          f"missing: {[each for each in wanted if each not in found]}\ninvented: {[each for each in found if each not in wanted]}\n"
          f"wanted: {wanted}\nfound: {found}")


def verbs_and_options():
    program = run("--help")
    verbs = re.findall(r"^  ([a-z][a-z-]+) ", program.split("\nverbs\n")[1].split("\n\n")[0], re.M)
    blocks = {}
    for block in re.split(r"(?m)^(?=\.It Cm )", section("VERBS"))[1:]:
        line = block.split("\n", 1)[0].removeprefix(".It Cm ")
        blocks[line.split(" ", 1)[0]] = (line.partition(" ")[2], block)
    same("the verbs", sorted(verbs), sorted(blocks))

    common = options_in(section("OPTIONS"))
    helps = {verb: options_of(run(verb, "--help")) for verb in verbs}
    for verb in verbs:
        usage = re.search(rf"^usage: mandate {verb} ?(.*?) ?\[OPTIONS\]$", run(verb, "--help"), re.M)[1]
        same(f"the words of {verb}", usage, words_in(blocks[verb][0]))
        own = {name: value for name, value in helps[verb].items() if name not in common}
        same(f"the options of {verb}", own, options_in(blocks[verb][1]))
        for name in helps[verb].keys() & common.keys():
            same(f"the values of {verb} {name}", helps[verb][name], common[name])
    everywhere = set.intersection(*(set(each) for each in helps.values()))
    same("the common options", sorted(everywhere | {"--branch", "--lock-timeout", "--version"}), sorted(common))
    for option in ("branch", "lock-timeout"):
        listed = section("OPTIONS").split(f"\n.Pp\n.Fl -{option}\n", 1)[1].split(".Pp", 1)[0]
        same(f"the verbs that take --{option}", [verb for verb in verbs if f"--{option}" in helps[verb]],
             re.findall(r"^\.Cm (\S+)", listed, re.M))
    described = program.split("\noptions of every verb\n")[1].split("\n\n")[0]
    for name, value in re.findall(r"^  (--?[A-Za-z-]+)(?: ([A-Z]+))? ", described, re.M):
        same(f"the value of {name} in --help", value, common.get(name))
    same("the options of --help", sorted(common),
         sorted(re.findall(r"^  (--?[A-Za-z-]+)", described, re.M)))


def exits_and_codes():
    text = run("--help").split("\nexit status\n")[1].split("\n\n")[0]
    wanted = re.findall(r"^  (\d)  (.*)$", text, re.M)
    found = re.findall(r"^\.It (\d)\n(.*)\.$", section("EXIT STATUS"), re.M)
    same("the exit statuses", wanted, [(number, words[0].lower() + words[1:]) for number, words in found])

    codes = [(row["code"], str(row["exit"]), row["meaning"]) for row in json.loads(run("codes", "--json"))["codes"]]
    found = re.findall(r"^\.It Er (\S+) Pq (\d)\n(.*)\.$", section("DIAGNOSTICS"), re.M)
    same("the error codes", [(code, number, words.lower()) for code, number, words in codes],
         [(code, number, words.removeprefix("\\&").lower()) for code, number, words in found])


def variables():
    """Every variable that the sources read, and no other."""
    read = set()
    for path in sorted((ROOT / "src").rglob("*.cpp")):
        text = path.read_text(encoding="utf-8")
        read |= set(re.findall(r'(?:variable|getenv|environment_flag)\("([A-Z_]+[A-Z])"\)', text))
        read |= set(re.findall(r'"(MANDATE_[A-Z_]+)"', text))
    named = re.findall(r"^\.It Ev (.*)$", section("ENVIRONMENT"), re.M)
    same("the variables", sorted(read), sorted(name for line in named for name in line.split(" , ")))


def files():
    """Whatever a lane's life leaves on disk is a file that the page names."""
    named = [name for line in re.findall(r"^\.It Pa (.*)$", section("FILES"), re.M) for name in line.split(" , ")]
    with lane(record=False) as here:
        (here.repo / ".git/hooks").mkdir(exist_ok=True)
        (here.repo / ".git/hooks/pre-commit").write_text("#!/bin/sh\n")
        before = {path for path in here.root.rglob("*") if path.is_file()}
        (here.path / ".claude").mkdir()
        (here.path / ".claude/settings.local.json").write_text("{}\n")
        for words in (["init", "--preset", "standard", "task=t", "authorized_by=me"], ["round"], ["reviewed", "--findings", "0"], ["hooks", "install"], ["hooks", "install", "--agent", "claude"],
                      ["hook", "pre-commit"]):
            here.run(*words)
        made = {path for path in here.root.rglob("*") if path.is_file()} - before
        for path in sorted(made):
            name = str(path.relative_to(here.path if path.is_relative_to(here.path) else here.repo))
            name = re.sub(r"^\.git/worktrees/w/", "", name)
            check(any(pathlib.PurePath(name).match(pattern) for pattern in named), "the page names every file", name)
        check(len(made) > 10, "the life of a lane leaves files", made)


def format_and_version():
    version = run("--version").split()[1]
    check(f"\n.Os mandate {version}\n" in PAGE.read_text(encoding="utf-8"), "the page carries the program's version")
    check(shutil.which("groff"), "groff is installed (.ci/deps)")
    done = subprocess.run(["groff", "-ww", "-mdoc", "-Tutf8", "-z", str(PAGE)], capture_output=True, text=True, check=True)
    check(done.stderr == "", "groff has no warning", done.stderr)
    shown = subprocess.run(["man", "--warnings", "-l", str(PAGE)], capture_output=True, text=True, check=True)
    check(shown.stderr == "" and "DIAGNOSTICS" in shown.stdout, "man has no warning", shown.stderr)


def main():
    verbs_and_options()
    exits_and_codes()
    variables()
    files()
    format_and_version()
    print("the manual page says what the program does")


if __name__ == "__main__":
    main()
