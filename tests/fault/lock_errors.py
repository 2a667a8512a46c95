"""What `round --unenforced` bridges: a file system without locks, and nothing else.

A process out of descriptors, a disk that errs or a call that is refused for once is not a file system without locks.
Whatever fails at the lock file, with the option or without it: nothing is booked, and nothing is counted as let
through.
"""

import resource
import subprocess

import injection
from fault_support import Answer, BINARY, check, lane

# flock(2) is not there, not for this file system, or not for this file.
NO_LOCKS = ("ENOSYS", "EOPNOTSUPP", "ENOLCK", "EINVAL")
OTHER = ("EIO", "EBADF", "EPERM", "EACCES", "ENOMEM", "EMFILE", "ENFILE", "ENOSPC", "ESTALE")
AT_THE_FILE = ("EMFILE", "ENFILE", "ENOMEM", "EIO", "ENOLCK", "EOPNOTSUPP", "ENOSYS", "EINVAL")


def unchanged(here, before, answer, what):
    check(answer.exit == 4, "refused", (what, answer))
    check(answer.value("enforced") is None, "not let through", (what, answer))
    check(here.record.read_bytes() == before, "the record is as it was", (what, answer))
    check(here.run("show").value("unenforced") == "0", "nothing is counted as let through", (what, answer))


def at_the_lock_file(here, words):
    """Every open of the lock file, and every look at it up to the first lock."""
    log = here.root / "trace"
    here.run(*words, prefix=("strace", "-f", "-y", "-s", "4096", "-o", str(log)))
    found, locked = [], False
    for point in injection.points(log.read_text()):
        if '".MANDATE.lock"' in point.line or ".MANDATE.lock>" in point.line:
            locked = locked or point.call == "flock"
            if point.call == "openat" or not locked:
                found.append(point)
    return found


def the_file_is_not_the_lock():
    words, tried = ("round", "--unenforced", "--lock-timeout", "0"), 0
    for fresh in (False, True):
        with lane(budget=99) as here:
            lock, log = here.path / ".MANDATE.lock", here.root / "log"

            def book(point, fault):
                if fresh:
                    lock.unlink(missing_ok=True)
                answer = here.run(*words, prefix=injection.prefix(point, fault, log))
                check(injection.happened(fault, log), "the fault came about", str(point))
                return answer

            if fresh:
                lock.unlink()
            points = at_the_lock_file(here, words)
            # The first and the second open; where there is no file also the one that makes it.
            check([point.call for point in points].count("openat") == (3 if fresh else 2), "every open is found", points)
            for point in points:
                before = here.record.read_bytes()
                for error in AT_THE_FILE:
                    answer = book(point, f"error={error}")
                    unchanged(here, before, answer, f"{error} at {point}")
                    check(answer.value("error") == "write-failed", "its own refusal", (str(point), error, answer))
                    check(f"({error})" in answer.err, "the cause is named", answer)
                    tried += 1
                answer = book(point, "error=EINTR")
                check(answer.exit == 0 and answer.value("enforced") is None, "interrupted is tried again", (str(point), answer))
    print(tried, "errors at the lock file")


def only_a_file_system_without_locks_is_bridged():
    for error in OTHER:
        with lane() as here:
            before = here.record.read_bytes()
            for words in (("round",), ("round", "--unenforced")):
                for when in ("1+", "2"):  # the first descriptor, and the second that must not get the lock
                    log = here.root / "log"
                    prefix = ("strace", "-f", "-o", str(log), "-e", f"inject=flock:error={error}:when={when}")
                    answer = here.run(*words, prefix=prefix)
                    check("(INJECTED)" in log.read_text(), "the error came about", log.read_text())
                    unchanged(here, before, answer, (error, words, when))
                    check(answer.value("error") == "lock-unsupported", "flock that fails is a refusal", answer)
                    check(f"({error})" in answer.err, "the cause is named", answer)
    for error in NO_LOCKS:
        with lane() as here:
            prefix = ("strace", "-f", "-o", "/dev/null", "-e", f"inject=flock:error={error}")
            check(here.run("round", prefix=prefix).value("error") == "lock-unsupported", "not without the option")
            answer = here.run("round", "--unenforced", prefix=prefix)
            check(answer.value("round") == "1" and answer.value("enforced") == "no", "bridged, and said", answer)
            check("reason=lock-unsupported count=1" in here.run("unenforced").out, "and counted", error)
    with lane() as here:
        prefix = ("strace", "-f", "-o", "/dev/null", "-e", "inject=flock:error=EINTR:when=1..3")
        answer = here.run("round", "--unenforced", prefix=prefix)
        check(answer.exit == 0 and answer.value("enforced") is None, "interrupted is tried again", answer)


def out_of_descriptors():
    booked = 0
    with lane(budget=99) as here:
        for limit in range(3, 40):
            before = here.record.read_bytes()
            limited = Answer(subprocess.run(
                [BINARY, "round", "--unenforced"], cwd=here.path, env=here.env, text=True, stdin=subprocess.DEVNULL,
                capture_output=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))))
            booked += limited.exit == 0
            check(limited.exit in (0, 2, 4, 127), "booked or refused", (limit, limited))
            check(limited.value("error") != "lock-unsupported", "no word of the file system", (limit, limited))
            check(limited.value("enforced") is None, "nothing is let through", (limit, limited))
            check(limited.exit == 0 or here.record.read_bytes() == before, "the record is as it was", (limit, limited))
        check(booked > 0 and here.used() == booked, "as many rounds as answers", here.record.read_text())
        check(here.run("show").value("unenforced") == "0", "nothing is counted", here.run("show"))
    print(booked, "of 37 booked")


def who_only_looks_does_not_guess():
    for call, error, reason in (("openat", "EMFILE", True), ("openat", "EACCES", True), ("openat", "ENOENT", False),
                                ("flock", "EIO", True), ("flock", "ENOLCK", False)):
        with lane() as here:
            here.run("round")
            log = here.root / "log"
            here.run("close-check", prefix=("strace", "-f", "-y", "-s", "4096", "-o", str(log)))
            points = [point for point in injection.points(log.read_text())
                      if point.call == call and ".MANDATE.lock" in point.line]
            check(len(points) == 1, "one look at the lock", points)
            answer = here.run("close-check", prefix=injection.prefix(points[0], f"error={error}", log))
            check(injection.happened(f"error={error}", log), "the error came about", error)
            check(("lock-held" in answer.out) == reason, "no guess about a booking", (call, error, answer))
            check(not reason or answer.value("decision") in ("ask", "reject"), "and no yes", (call, error, answer))


def the_hooks_are_not_changed_without_a_lock():
    for error, code in (("EIO", "write-failed"), ("ENOMEM", "write-failed"), ("ENOLCK", None)):
        with lane() as here:
            prefix = ("strace", "-f", "-o", "/dev/null", "-e", f"inject=flock:error={error}")
            answer = here.run("hooks", "install", prefix=prefix)
            check(answer.value("error") == code, "refused, unless there are no locks at all", (error, answer))
            installed = here.run("hooks", "status").out.count("state=installed")
            check((installed > 0) == (code is None), "all or nothing", (error, installed))


for case in (the_file_is_not_the_lock, only_a_file_system_without_locks_is_bridged, out_of_descriptors,
             who_only_looks_does_not_guess, the_hooks_are_not_changed_without_a_lock):
    case()
    print("ok", case.__name__)
