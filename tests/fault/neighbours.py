"""Bookings among hostile neighbours: other users, limits, closed descriptors, lanes that vanish, links that come and go.

Whatever they do: exit codes agree with the record's bytes, nothing is written where it does not belong, nothing is left
over, and the next booking works.
"""

import itertools
import os
import pathlib
import re
import resource
import shutil
import signal
import stat
import subprocess

import fault_support
import mounts
from fault_support import Answer, Lane, check, lane
from promises import book, bytes_of, judge, next_works, refused

NOBODY = 65534
AS_NOBODY = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
PROTECTED = pathlib.Path("/proc/sys/fs/protected_regular")


def need_root():
    if os.getuid() != 0:
        raise mounts.Skipped("not root, so there is no other user")


def give(path, user):
    subprocess.run(["chown", "-R", f"{user}:{user}", path], check=True)


def open_to_all(here):
    """A lane that another user can reach and that git lets everybody use."""
    os.chmod(here.root, 0o755)
    shutil.copy(os.environ["MANDATE_BINARY"], here.root / "mandate")
    fault_support.BINARY = str(here.root / "mandate")
    here.git("config", "--global", "safe.directory", "*")


def another_user():
    need_root()
    with lane(budget=99) as here:
        open_to_all(here)
        answer = book(here, "round", prefix=AS_NOBODY)
        check(answer.exit == 4, "what one may not write is not booked", answer)
        check(here.run("allows", "commit", prefix=AS_NOBODY).value("verdict") == "allowed", "but it is read")
        next_works(here)
        # The lane becomes theirs; root books in it and locks nobody out.
        (here.path / ".MANDATE.lock").unlink()
        give(here.root, NOBODY)
        book(here, "round")
        check(here.record.stat().st_uid == NOBODY, "the record's owner is kept")
        check(book(here, "round", prefix=AS_NOBODY).value("round") == "3", "its owner goes on after root")
        (here.path / ".MANDATE.lock").chmod(0)
        refused(here, "lock-denied", "round", prefix=AS_NOBODY)
        (here.path / ".MANDATE.lock").chmod(0o644)
        os.chown(here.ledger, 0, 0)
        here.ledger.chmod(0o600)
        refused(here, "ledger-unwritable", "round", prefix=AS_NOBODY)
        os.chown(here.record, 0, 0)
        here.record.chmod(0o600)
        refused(here, "record-unreadable", "round", prefix=AS_NOBODY)
        here.record.chmod(0o644)
        here.git("config", "--global", "--unset", "safe.directory")
        refused(here, "repository-owner", "round")
        here.git("config", "--global", "safe.directory", "*")
        next_works(here)


def sticky_directories():
    need_root()
    before = PROTECTED.read_text() if PROTECTED.exists() else None
    try:
        PROTECTED.write_text("2")
    except OSError as why:
        raise mounts.Skipped(f"fs.protected_regular cannot be set: {why}") from why
    try:
        with lane(budget=99) as here:
            info, folder = here.repo / ".git/info", here.ledger.parent
            for place, file in ((here.path, here.path / ".MANDATE.lock"), (here.path, here.record),
                                (folder, here.ledger), (info, info / "exclude")):
                place.chmod(0o1777)
                os.chown(file, 1234, 1234)
                next_works(here)
            os.truncate(info / "exclude", 0)
            next_works(here)
            check((info / "exclude").read_text().count("/MANDATE.md\n") == 1, "the exclude is written too")
    finally:
        PROTECTED.write_text(before)


def umasks():
    for mask in (0o000, 0o002, 0o022, 0o027, 0o077):
        with lane(record=False) as here:
            prefix = ("sh", "-c", f"umask {mask:04o}; exec \"$@\"", "sh")
            made = here.run("init", "--preset", "standard", "task=t", "authorized_by=me", prefix=prefix)
            check(made.exit == 0, "init works", made)
            for _ in range(2):
                check(book(here, "round", prefix=prefix).exit == 0, "round works")
            for file in (here.record, here.path / ".MANDATE.lock", here.ledger):
                mode = stat.S_IMODE(file.stat().st_mode)
                check(mode == 0o666 & ~mask, "0666 less umask", (file, oct(mode), oct(mask)))
            next_works(here)


def closed(here, numbers, *words):
    """Runs it with these of the three standard descriptors closed."""
    redirections = " ".join(f"{n}>&-" for n in numbers)
    return here.run(*words, prefix=("bash", "-c", f"exec \"$@\" {redirections}", "bash"))


def closed_descriptors():
    for count in range(4):
        for numbers in itertools.combinations((0, 1, 2), count):
            with lane(budget=99) as here:
                before = here.used()
                old = bytes_of(here)
                answer = judge(here, old, closed(here, numbers, "round"), mute=True)
                check(answer.exit == (4 if 1 in numbers else 0), "a lost answer is exit 4, nothing else is", answer)
                check(here.used() == before + 1, "the booking stands")
                if 1 in numbers and 2 not in numbers:
                    check("the booking stands" in answer.err, "and the message says so", answer)
                check(closed(here, numbers, "allows", "commit").exit == (4 if 1 in numbers else 0), "so with a question")
                for file in (here.record, here.ledger, here.path / ".MANDATE.lock"):
                    check(b"lane_source=" not in file.read_bytes() and b"mandate: " not in file.read_bytes(),
                          "no answer lands in a file", file)
                next_works(here)


def full_stdout():
    with lane(budget=99) as here:
        prefix = ("sh", "-c", "exec \"$@\" >/dev/full", "sh")
        for words in (("round",), ("grant", "merge", "--by", "me"), ("cancel",)):
            answer = book(here, *words, prefix=prefix)
            check(answer.exit == 4 and "the booking stands" in answer.err, "it stands, and says so", answer)
        for words in (("show",), ("allows", "commit"), ("gate",), ("log",), ("--help",), ("lanes",), ("verify",)):
            check(here.run(*words, prefix=prefix).exit == 4, f"{words}: the answer is lost")
        next_works(here)


def limited(here, what, limit, *words):
    def limit_it():
        resource.setrlimit(what, (limit, limit))
    process = here.popen(*words, preexec_fn=limit_it)
    out, err = process.communicate(timeout=60)
    return Answer(subprocess.CompletedProcess(words, process.returncode, out, err))


def file_sizes():
    booked = 0
    for limit in [n * 128 for n in range(21)] + [n * 1024 for n in range(3, 21)]:
        with lane(budget=99) as here:
            answer = judge(here, bytes_of(here), limited(here, resource.RLIMIT_FSIZE, limit, "round"))
            check(answer.exit in (0, 4), "booked, or not persisted", answer)
            booked += answer.exit == 0
            next_works(here)
    return f"{booked} of 39 booked"


def descriptors():
    """With 0 to 20 of them a booking may fail, and no question may be answered from less than there is."""
    if os.environ.get("MANDATE_LINK") != "static":
        raise mounts.Skipped("the program is linked dynamically, and its loader needs descriptors of its own")
    booked = 0
    with lane(budget=99) as here:
        (here.repo / ".git/mandate/config.toml").write_text("[policy]\ndeny = [\"commit\"]\n")
        check(here.run("allows", "commit").value("verdict") == "denied", "the policy is heard")
        here.git("init", "-q", str(here.root))
        made = here.run("init", str(here.repo), "--preset", "standard", "task=t", "authorized_by=me")
        check(made.exit == 0, "the main worktree has a record too", made)
        for limit in range(21):
            answer = judge(here, bytes_of(here), limited(here, resource.RLIMIT_NOFILE, limit, "round"))
            check(answer.exit in (0, 2, 4), "booked or refused", answer)
            booked += answer.exit == 0
            answer = limited(here, resource.RLIMIT_NOFILE, limit, "allows", "commit")
            check(answer.value("verdict") in (None, "denied"), "nothing is allowed for want of a look", (limit, answer))
            check(answer.value("error") not in ("no-mandate", "not-a-repository"), "nor called absent", (limit, answer))
            for place in (here.path, here.repo):
                answer = limited(here, resource.RLIMIT_NOFILE, limit, "show", str(place))
                check(answer.value("mandate_exists") in (None, "yes"), "nor shown as absent", (limit, answer))
                check(answer.value("lane") in (None, str(place)), "nor is an outer repository asked", (limit, answer))
                check(answer.value("error") not in ("no-mandate", "not-a-repository"), "nor called absent", (limit, answer))
        next_works(here)
    return f"{booked} of 21 booked"


def huge_surroundings():
    with lane(budget=99) as here:
        here.env = here.env | {f"V{n}": "x" * 500 for n in range(2000)}
        check(book(here, "round").exit == 0, "2000 variables, a megabyte")
        here.env = here.env | {f"V{n}": "" for n in range(2000)} | {"MANDATE_UNKNOWN": "x" * 130000}
        check(book(here, "round").exit == 0, "one variable of 130000 bytes")
        for words in (("round", "--token", "t" * 100000), ("round", *["."] * 20000), ("grant", *["commit"] * 20000, "--by", "me"),
                      ("grant", *[f"a{n}" for n in range(20000)], "--by", "me"), ("init", "--force", *[f"task={n}" for n in range(20000)])):
            answer = book(here, *words)
            check(answer.exit in (0, 2), "answered or refused", (words[:3], answer.exit, answer.err[:500]))
            check(len(answer.err.encode()) <= 800, "in few words", answer.err)
        next_works(here)


def stopped_at(here, call, number, log):
    """A booking that stops itself at the given call; it is stopped when this returns, or has ended without it."""
    inject = ("strace", "-f", "-o", str(log), "-e", f"trace={call}", "-e", f"inject={call}:signal=STOP:when={number}")
    process = here.popen("round", prefix=inject)
    while process.poll() is None:
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        for child in children:
            state = pathlib.Path(f"/proc/{child}/stat")
            if "stopped by SIGSTOP" in (log.read_text() if log.exists() else "") and state.exists():
                return process, int(child)
    return process, None


def lane_deleted():
    points = 0
    for call in ("fsync", "renameat", "flock", "write"):
        for number in itertools.count(1):
            with lane(budget=99) as here:
                process, child = stopped_at(here, call, number, here.root / "log")
                if child is not None:
                    shutil.rmtree(here.path)
                    os.kill(child, signal.SIGCONT)
                out, err = process.communicate(timeout=60)
                answer = Answer(subprocess.CompletedProcess(process.args, process.returncode, out, err))
                if child is None:
                    break
                points += 1
                check(answer.exit in (0, 2, 3, 4), "it ends with an exit code", (call, number, answer))
                check(answer.exit != 0 or answer.value("round") == "1", "booked, then deleted", answer)
                check(answer.value("mandate_exists") is None and (answer.exit == 0 or answer.err), "it says why", answer)
                check(not here.path.exists(), "the lane does not come back")
                rounds = re.findall(r'"event":"(round|abandoned|done)"', here.ledger.read_text())
                check(answer.exit != 0 or rounds[-2:] == ["round", "done"], "the ledger has what was booked", rounds)
                here.git("worktree", "prune", cwd=here.repo)
                here.git("worktree", "add", "-q", str(here.path), "f", cwd=here.repo)
                made = here.run("init", "--preset", "standard", "task=u", "authorized_by=me")
                check(made.exit == 0, "a new lane in its place works", made)
                next_works(here)
    return f"{points} points"


def main():
    for case in (another_user, sticky_directories, umasks, closed_descriptors, full_stdout, file_sizes, descriptors,
                 huge_surroundings, lane_deleted):
        fault_support.BINARY = os.environ["MANDATE_BINARY"]
        mounts.part(case)
    mounts.finish()


main()
