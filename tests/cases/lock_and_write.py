"""Situations 1 to 23 and 72: locks that lie, refuse or hang; writes that lose mode, owner, place or durability."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import time

from fault_support import BINARY, Lane, check, finish, lane, run_cases

NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")


def strace(*injections):
    return ("strace", "-f", "-o", "/dev/null", *[word for each in injections for word in ("-e", f"inject={each}")])


def refused_unchanged(here, code, *words, prefix=()):
    """A refusal with exit 4: the record, the ledger's bookings and the folder are as they were."""
    before, names = here.record.read_bytes(), sorted(os.listdir(here.path))
    answer = here.run(*(words or ("round",)), prefix=prefix)
    check(answer.exit == 4 and answer.value("error") == code, code, answer)
    check(here.record.read_bytes() == before, "the record is byte for byte the old one", answer)
    check(sorted(os.listdir(here.path)) == names, "nothing is left behind", sorted(os.listdir(here.path)))
    return answer


def case_01_a_slow_lock_call_alone_succeeds():
    with lane() as here:
        answer = here.run("round", prefix=strace("flock:delay_enter=1500000:when=1"))
        check(answer.value("round") == "1", "a slow lock call still books", answer)


def case_02_to_05_every_errno_but_contention_is_a_refusal():
    for errno in ("ENOSYS", "EOPNOTSUPP", "ENOLCK", "EINVAL", "EBADF", "EIO", "EPERM", "ENOMEM"):
        with lane() as here:
            started = time.monotonic()
            answer = refused_unchanged(here, "lock-unsupported", prefix=strace(f"flock:error={errno}"))
            check("file system" in answer.err or "ext4" in answer.err or "overlay" in answer.err, "the file system is named", answer)
            check("held" not in answer.err, "never reported as contention", answer)
            check(time.monotonic() - started < 4, "at once, no timeout", answer)


def case_04_two_refused_together_book_nothing():
    with lane() as here:
        prefix = strace("flock:error=ENOSYS", "fsync:delay_enter=200000")
        answers = [finish(p) for p in [here.popen("round", prefix=prefix) for _ in range(2)]]
        check(all(a.exit == 4 for a in answers) and here.used() == 0, "never booked without the lock", answers)


def case_06_a_lock_that_only_pretends():
    with lane() as here:
        prefix = strace("flock:retval=0", "fsync:delay_enter=300000")
        answers = [finish(p) for p in [here.popen("round", prefix=prefix) for _ in range(2)]]
        check(all(a.value("error") == "lock-unsupported" for a in answers), "a second descriptor must fail to take it", answers)
        check(here.used() == 0, "nothing was booked")


def case_07_an_editor_saves_meanwhile():
    with lane() as here:
        saved = here.record.read_text().replace("task: t", "task: edited")
        booking = here.popen("round", prefix=strace("fsync:delay_enter=700000:when=1"))
        while not here.leftovers():  # the fresh file is there: the old record has been read
            check(booking.poll() is None, "the booking waits in its first sync")
        here.record.write_text(saved)
        answer = finish(booking)
        check(answer.value("round") == "1", "started over", answer)
        check("task: edited" in here.record.read_text() and here.used() == 1, "the newer file is not lost", here.record.read_text())
        check(here.run("verify").exit == 0, "the first try's line is taken back", here.run("verify"))


def case_07_what_goes_unenforced_is_counted_once():
    with lane(budget="unlimited") as here:
        # An older copy comes back under a booking without a limit: what that lets through holds for both tries.
        older = here.record.read_text()
        here.run("round")
        here.record.write_text(older)
        here.run("unenforced", "--ack", "--by", "me")
        here.run("round")
        here.record.write_text(older)
        booking = here.popen("round", prefix=strace("fsync:delay_enter=700000:when=1"))
        while not here.leftovers():
            check(booking.poll() is None, "the booking waits in its first sync")
        here.record.write_text(older.replace("authorized_by: me", "authorized_by: them"))
        answer = finish(booking)
        check("authorized_by: them" in here.record.read_text() and answer.exit == 0, "started over", answer)
        reasons = [word.split()[0] for word in answer.out.split("reason=")[1:]]
        check(sorted(reasons) == ["history-drift", "no-budget"], "the answer says each once", answer)
        counts = dict(line[7:].split(" count=") for line in here.run("unenforced").out.splitlines() if line.startswith("reason="))
        check({k: v.split()[0] for k, v in counts.items()} == {"history-drift": "1", "no-budget": "2"}, "each is counted once", counts)


def case_09_the_lock_file_is_deleted_under_its_holder():
    with lane(budget=5) as here:
        first = here.popen("round", prefix=strace("fsync:delay_enter=700000:when=1"))
        while not here.leftovers():
            check(first.poll() is None, "the booking waits in its first sync")
        here.git("clean", "-fdxq", "-e", "MANDATE.md")
        answers = [here.run("round"), finish(first)]
        given = sorted(a.value("round") or "" for a in answers)
        check(given in (["1", "2"], ["", "1"]), "never two bookings of one number", answers)
        check(here.used() == len([g for g in given if g]), "the record agrees", here.record.read_text())
        check(not here.leftovers(), "no temporary file is left")


def case_12_a_lock_that_root_made():
    with lane() as here:
        for folder, names, files in os.walk(here.root):
            for name in names + files + ["."]:
                os.chown(os.path.join(folder, name), 65534, 65534, follow_symlinks=False)
        os.chmod(here.root, 0o755)
        lock = here.path / ".MANDATE.lock"
        os.chown(lock, 0, 0)
        os.chmod(lock, 0o644)
        answer = here.run("round", prefix=NOBODY)
        check(answer.value("round") == "1", "a readable descriptor is enough", answer)
        check(here.record.stat().st_uid == 65534, "the owner is kept")
        os.chmod(lock, 0)
        refused = here.run("round", prefix=NOBODY)
        check(refused.exit == 4 and refused.value("error") == "lock-denied", "a permission is no contention", refused)


def case_14_never_wider_than_the_umask():
    with lane() as here:
        for name in ("MANDATE.md", ".MANDATE.lock"):
            mode = (here.path / name).stat().st_mode & 0o7777
            check(mode & ~(0o666 & ~os.umask(os.umask(0o022))) == 0, f"{name} is not wider than 0666 less umask", oct(mode))


def case_15_a_sticky_directory():
    setting = pathlib.Path("/proc/sys/fs/protected_regular")
    before = setting.read_text()
    try:
        setting.write_text("2")
    except OSError:
        print("not tried: /proc/sys/fs/protected_regular cannot be written here")
        return
    try:
        with lane() as here:
            os.chmod(here.path, 0o1777)
            os.chown(here.path / ".MANDATE.lock", 1234, 1234)
            answer = here.run("round")
            check(answer.value("round") == "1", "an existing lock is opened without O_CREAT", answer)
    finally:
        setting.write_text(before)


def case_16_copy_up_of_the_lock():
    root = pathlib.Path(tempfile.mkdtemp(prefix="mandate-overlay-"))
    try:
        lower = Lane(tempfile.mkdtemp(prefix="lower-", dir=root), budget=50)
        # The git directory's pointers hold absolute paths, so the merged tree is mounted over the lower one.
        for name in ("up", "work"):
            (root / name).mkdir()
        options = f"lowerdir={lower.root},upperdir={root}/up,workdir={root}/work"
        if subprocess.run(["mount", "-t", "overlay", "overlay", "-o", options, str(lower.root)]).returncode != 0:
            print("not tried: overlayfs cannot be mounted here")
            return
        try:
            answers = [finish(p) for p in [lower.popen("round", "--lock-timeout", "60") for _ in range(40)]]
            given = sorted(int(a.value("round") or 0) for a in answers)
            check(given == list(range(1, 41)), "forty rounds on a copied-up lock", answers)
            check("review_rounds_used: 40" in next((root / "up").rglob("MANDATE.md")).read_text(), "in the upper layer")
        finally:
            subprocess.run(["umount", str(lower.root)], check=True)
    finally:
        shutil.rmtree(root, ignore_errors=True)


def case_17_and_18_owner_and_mode_are_kept():
    with lane() as here:
        os.chown(here.record, 65534, 65534)
        for mode in (0o664, 0o600, 0o640):
            os.chmod(here.record, mode)
            here.run("round")
            now = here.record.stat()
            check((now.st_uid, now.st_gid, now.st_mode & 0o7777) == (65534, 65534, mode), "mode and owner are kept", now)


def case_19_attributes_are_kept():
    with lane() as here:
        os.setxattr(here.record, "user.k", b"v")
        here.run("round")
        check(os.getxattr(here.record, "user.k") == b"v", "a user attribute is carried over")


def case_20_a_hard_link_splits_whole():
    with lane() as here:
        before = here.record.read_bytes()
        os.link(here.record, here.root / "copy")
        answer = here.run("round")
        check(answer.value("round") == "1", "booked", answer)
        check((here.root / "copy").read_bytes() == before, "the other name keeps the old bytes, whole")


def case_21_the_temporary_file_is_beside_the_record():
    with lane() as here:
        here.env["TMPDIR"] = "/dev/shm"
        answer = refused_unchanged(here, "write-failed", prefix=strace("rename,renameat,renameat2:error=EXDEV"))
        check("nothing was booked" in answer.err, "said", answer)
        check(here.run("round").value("round") == "1", "a retry works")


def case_22_a_directory_that_cannot_be_synced():
    with lane() as here:
        # The third sync of a booking is the directory's (file, ledger, directory).
        answer = here.run("round", prefix=strace("fsync:error=EIO:when=3"))
        check(answer.exit == 4 and answer.value("error") == "booked-not-durable", "booked, perhaps not durable", answer)
        check("stands" in answer.err and here.used() == 1, "the message agrees with the record", answer)


def case_72_the_lane_is_removed_under_a_booking():
    with lane() as here:
        booking = here.popen("round", prefix=strace("fsync:delay_enter=700000:when=1"))
        while not here.leftovers():
            check(booking.poll() is None, "the booking waits in its first sync")
        shutil.rmtree(here.path)
        answer = finish(booking)
        check(answer.exit not in (0, None) and answer.value("error") is not None, "ends with an error", answer)
        check(not here.path.exists(), "the lane is not made again")
        check(sorted(p.name for p in here.root.iterdir() if not p.name.startswith(".")) == ["repo"], "nothing in the parent")


run_cases(globals())
