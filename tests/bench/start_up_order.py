#!/usr/bin/env python3
"""Writes cmake/start_up.ld: which functions `allows`, `hook pre-commit` and `round` run, for the linker to put together.

usage: start_up_order.py BUILD_DIRECTORY > cmake/start_up.ld      (a release build; takes valgrind and ninja)

By hand, when what these verbs do has changed much: a name that is gone does no harm and a new one costs a page fault,
so the file may lag behind. The bound on `allows` in the benchmark shows when it lags too far.
"""

import bisect
import pathlib
import re
import subprocess
import sys
import tempfile

PLACED = re.compile(r"^ (\.text\S*)?\s+0x([0-9a-f]+)\s+0x([0-9a-f]+) (\S.*)$")
NAME_ALONE = re.compile(r"^ (\.text\S*)$")
MEMBER = re.compile(r"([^/]*\.a)\((.*)\)$")
CLONE = re.compile(r"\.(isra|part|constprop|cold)\.?.*$")

# valgrind's processor and its missing vDSO take other ways through the C library than a real start does.
VARIANT = re.compile(r"^((?:mem|str|w)\w+)-avx2?\b.*\.o$")
UNSEEN = ["libc.a:dl-object.o", "libc.a:dl-lookup.o", "libc.a:dl-lookup-direct.o", "libc.a:dl-hash.o"]

HEADER = """\
/* The functions that run in nearly every process stand side by side: `allows` then has half of the page faults
   that it has where the linker leaves them, and a page fault costs more than the function (docs/performance.md).
   Written by tests/bench/start_up_order.py. Layout only: a line that matches nothing does nothing. */
SECTIONS
{
  .text.start_up :
  {"""
BETWEEN = """\
  }
}
INSERT BEFORE .text;

/* What they read beside it. */
SECTIONS
{
  .rodata.start_up :
  {
    *libmandate_*.a:*(.rodata .rodata.*)"""
FOOTER = """\
  }
}
INSERT BEFORE .rodata;"""


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def link_with_map(build, into):
    """The program once more, with its symbols and a map, and without the order that stands."""
    link = run("ninja", "-C", str(build), "-t", "commands", "mandate").splitlines()[-1]
    link = re.sub(r"\S*start_up\.ld", "", link).replace(" -s ", " ")
    link = link.replace("-o mandate ", f"-o {into}/mandate -Wl,-Map={into}/map ")
    subprocess.run(link, shell=True, check=True, cwd=build)


def sections_of(map_file):
    """(address, size, section, file) of every input section of code, sorted."""
    sections = []
    name = ""
    for line in map_file.read_text(errors="replace").splitlines():
        if placed := PLACED.match(line):
            sections.append((int(placed[2], 16), int(placed[3], 16), placed[1] or name, placed[4]))
        alone = NAME_ALONE.match(line)
        name = alone[1] if alone else ""
    return sorted(section for section in sections if section[0] and section[1] and section[2])


def executed(binary, words, lane, into):
    profile = into / "profile"
    subprocess.run(["valgrind", "--tool=callgrind", "--dump-instr=yes", "--compress-pos=no", "--compress-strings=no",
                    f"--callgrind-out-file={profile}", binary, *words], cwd=lane, capture_output=True, check=False)
    return {int(line.split()[0], 16) for line in profile.read_text().splitlines() if line.startswith("0x")}


def patterns(section, file):
    member = MEMBER.search(file)
    if not member:
        return []  # crt*.o, whose order is the C library's own business
    if section != ".text" and member[1] != "libc.a":
        return [f"    *({CLONE.sub('*', section)})"]
    lines = [f"    *{member[1]}:{member[2]}({section})"]
    if variant := VARIANT.match(member[2]):
        lines += [f"    *libc.a:{variant[1]}-{isa}*.o(.text .text.*)" for isa in ("evex", "avx512")]
    return lines


def read_only(lines):
    members = sorted({line.split("(")[0] for line in lines if line.startswith("    *libc.a:")})
    return [f"{member}(.rodata .rodata.*)" for member in members]


def make_lane(binary, into):
    git = ["git", "-c", "user.name=b", "-c", "user.email=b@example.org"]
    run(*git, "init", "-q", str(into / "repo"))
    run(*git, "-C", str(into / "repo"), "commit", "-q", "--allow-empty", "-m", "first")
    run(*git, "-C", str(into / "repo"), "worktree", "add", "-q", str(into / "lane"))
    run(binary, "init", "--preset", "standard", "task=order", "authorized_by=bench", "review_budget=9",
        cwd=into / "lane")
    return into / "lane"


def main(build):
    with tempfile.TemporaryDirectory() as directory:
        into = pathlib.Path(directory)
        link_with_map(build, into)
        binary = str(into / "mandate")
        sections = sections_of(into / "map")
        starts = [section[0] for section in sections]
        lane = make_lane(binary, into)
        print(HEADER)
        written = set()
        for verbs in ("allows commit", "allows merge"), ("hook pre-commit", "gate"), ("round",):
            hit = set()
            for words in verbs:
                for address in executed(binary, words.split(), lane, into):
                    at = bisect.bisect_right(starts, address) - 1
                    if at >= 0 and address < sections[at][0] + sections[at][1]:
                        hit.update(patterns(*sections[at][2:]))
            if not written:
                hit.update(f"    *{member}(.text)" for member in UNSEEN)
            fresh = sorted(hit - written)
            written |= set(fresh)
            print(f"    /* {' and '.join(verbs)} */", *fresh, sep="\n")
        print(BETWEEN, *read_only(written), FOOTER, sep="\n")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve())
