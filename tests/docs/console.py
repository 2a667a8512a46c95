#!/usr/bin/env python3
"""Runs every command block of README.md and docs/, and holds what is printed against what the page shows.

A ```console block is a session: `$ command` (`> ` continues it), then what it prints, stdout and stderr as at a
terminal. A page is one session in a home directory of its own: /home/me in the page. What changes from run to run is
compared by the rules of VOLATILE; a line `...` stands for any lines. A ```toml block must be a configuration that the
program takes. A ```sh block holds commands that nobody runs here: it begins with `# file: NAME` where one of TESTED
runs it as a file, or is marked with `<!-- not run: why -->` in front of it. Commands in blocks of other kinds are errors.

usage: console.py [--update] [PAGE...]        --update puts what is printed into the pages
"""

import difflib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from fault_support import BINARY, check, environment

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTED = {"docs/workflows.md": "tests/cli/workflows.sh", "docs/ledger.md": "tests/cli/ledger_doc.sh"}
VOLATILE = [
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z", "TIME"),
    (r"\b[0-9a-f]{40}\b", "COMMIT"),
    (r"(?<=[ (`])[0-9a-f]{7,12}(?=[ ,)\]`]|$)", "SHORT"),
    (r" +(/home/me/\S+|/\S*\.\.\.\S*)$", "  PATH"),  # the last column of a table
    (r"\bpid=\d+", "pid=N"),
    (r"\b(mandate|libgit2) \d+\.\d+\.\d+", r"\1 VERSION"),
    (r"(excludes on) \w+", r"\1 FS"),
]
COMMANDS = re.compile(r"^(\$ |mandate (?!close-request$)|git |cmake |sudo |ctest |cpack |\.ci/)")
FENCE = re.compile(r"^```(\w*)$")


class Block:
    def __init__(self, language, start, lines, before):
        self.language, self.start, self.lines, self.before = language, start, lines, before

    def steps(self):
        """[(command, [line of output...])...]"""
        steps = []
        for line in self.lines:
            if line.startswith("$ "):
                steps.append((line[2:], []))
            elif (line + " ").startswith("> ") and steps and not steps[-1][1]:
                steps[-1] = (steps[-1][0] + "\n" + line[2:], [])
            else:
                check(steps, "a console block begins with a command", self.lines)
                steps[-1][1].append(line)
        return steps


def blocks_of(page):
    """Fenced blocks, and what is indented as one (language None)."""
    blocks, lines = [], page.read_text(encoding="utf-8").split("\n")
    at = 0
    while at < len(lines):
        fence = FENCE.match(lines[at])
        if fence:
            end = lines.index("```", at + 1)
            before = next((line for line in reversed(lines[:at]) if line), "")
            blocks.append(Block(fence[1], at + 1, lines[at + 1:end], before))
            at = end + 1
        elif lines[at].startswith("    ") and (at == 0 or lines[at - 1] == ""):
            end = next((i for i in range(at, len(lines)) if lines[i] and not lines[i].startswith("    ")), len(lines))
            blocks.append(Block(None, at, [line[4:] for line in lines[at:end]], ""))
            at = end
        else:
            at += 1
    return blocks


def run_session(commands, home):
    """What each command printed, in one bash: directories and variables go on from one to the next."""
    script = ["exec </dev/null"]
    for number, command in enumerate(commands):
        script.append(f'eval {shlex.quote(command)} >"{home.parent}/out.{number}" 2>&1')
    env = environment(home) | {"PATH": f"{home.parent}/bin:{os.environ['PATH']}", "USER": "me", "LC_ALL": "C.UTF-8"}
    subprocess.run(["bash", "--norc", "-c", "\n".join(script)], cwd=home, env=env, timeout=300)
    shown = []
    for number in range(len(commands)):
        path = home.parent / f"out.{number}"
        check(path.exists(), "the commands of a page run to their end", commands[number])
        text = path.read_bytes().decode("utf-8", "replace").replace(str(home), "/home/me")
        shown.append(text.rstrip("\n").split("\n") if text.strip("\n") else [])
    return shown


def normal(line):
    for pattern, word in VOLATILE:
        line = re.sub(pattern, word, line)
    return line.rstrip()


def fits(wanted, found):
    """Line by line; `...` takes any number of lines."""
    if not wanted:
        return not found
    if wanted[0] == "...":
        return any(fits(wanted[1:], found[skip:]) for skip in range(len(found) + 1))
    return bool(found) and normal(wanted[0]) == normal(found[0]) and fits(wanted[1:], found[1:])


def check_kind(name, block):
    where = f"{name}:{block.start}"
    if block.language == "sh":
        if block.lines[0].startswith("# file: "):
            check(name in TESTED, "a file of a page is run by a test", where)
            check(pathlib.PurePath(name).name in (ROOT / TESTED[name]).read_text(), f"{TESTED[name]} reads {name}")
        else:
            check(re.match(r"<!-- not run: .+ -->$", block.before), "a block of commands is run, or says why not", where)
    elif block.language != "console":
        commands = [line for line in block.lines if COMMANDS.match(line)]
        check(not commands, "commands stand in console blocks", f"{where}: {commands}")


def check_configuration(name, block, scratch):
    repository = pathlib.Path(scratch) / "toml"
    env = environment(pathlib.Path(scratch))
    subprocess.run(["git", "init", "-q", str(repository)], env=env, check=True)
    (repository / ".git/mandate").mkdir(exist_ok=True)
    (repository / ".git/mandate/config.toml").write_text("\n".join(block.lines) + "\n")
    done = subprocess.run([BINARY, "config"], cwd=repository, env=env, capture_output=True, text=True)
    check(done.returncode == 0 and done.stderr == "", "a toml block is a configuration", f"{name}:{block.start} {done.stderr}")


def run_page(page, update):
    name = str(page.relative_to(ROOT))
    blocks = blocks_of(page)
    with tempfile.TemporaryDirectory(prefix="mandate-docs-") as scratch:
        home = pathlib.Path(scratch).resolve() / "home"
        home.mkdir()
        (home.parent / "bin").mkdir()
        for program in ("mandate", "git-mandate"):
            (home.parent / "bin" / program).symlink_to(BINARY)
        # No init.defaultBranch, as in a new home: a page that says `main` makes it itself.
        (home / ".gitconfig").write_text("[advice]\n\tdetachedHead = false\n")
        for block in blocks:
            check_kind(name, block)
            if block.language == "toml":
                check_configuration(name, block, scratch)
        sessions = [(block, block.steps()) for block in blocks if block.language == "console"]
        shown = run_session([command for _, steps in sessions for command, _ in steps], home)
    lines, shift, wrong, count = page.read_text(encoding="utf-8").split("\n"), 0, [], len(shown)
    for block, steps in sessions:
        new = []
        for command, wanted in steps:
            found = shown.pop(0)
            good = fits(wanted, found)
            if not good:
                wrong.append(f"{name}:{block.start}: $ {command}\n" + "\n".join(
                    difflib.unified_diff([normal(line) for line in wanted], [normal(line) for line in found],
                                         "the page", "the program", lineterm="")))
            new += [(("$ " if at == 0 else "> ") + part).rstrip() for at, part in enumerate(command.split("\n"))]
            new += wanted if good else found
        lines[block.start + shift:block.start + shift + len(block.lines)] = new
        shift += len(new) - len(block.lines)
    if update and wrong:
        page.write_text("\n".join(lines), encoding="utf-8")
        print(f"{name}: {len(wrong)} updated")
        return count
    check(not wrong, "the pages show what the program prints", "\n".join(wrong))
    return count


def main():
    words = sys.argv[1:]
    update = "--update" in words
    pages = [pathlib.Path(word).resolve() for word in words if word != "--update"]
    pages = pages or [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
    total = sum(run_page(page, update) for page in pages)
    check(total > 0, "there are commands")
    print(f"{total} commands of {len(pages)} pages print what the pages show")


if __name__ == "__main__":
    main()
