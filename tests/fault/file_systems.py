"""Bookings on file systems that are read-only, full, layered, or lie about locks and syncs.

On each: exit codes agree with the record's bytes, nothing is left over, and once the obstacle is gone the next booking
works. What cannot be mounted here is skipped and says why.
"""

import os
import shutil
import subprocess

import mounts
from fault_support import Lane, check
from promises import book, exactly, next_works, reads_answer, refused, together

WAIT = ("--lock-timeout", "60")
INIT = ("init", "--preset", "standard", "task=t", "authorized_by=me", "review_budget=99")


def type_of(path):
    return subprocess.run(["stat", "-f", "-c", "%T", path], capture_output=True, text=True, check=True).stdout.strip()


def ordinary(here):
    """A whole round, what stands in the way of the lock and the record, and 32 at once."""
    for words in (("round",), ("reviewed", "--findings", "1"), ("fixed",)):
        answer = here.run(*words)
        check(answer.exit == 0, f"{words} is booked", answer)
    for path, code in ((here.record, "record-symlink"), (here.path / ".MANDATE.lock", "lock-symlink")):
        aside = here.root / "aside"
        shutil.move(path, aside)
        path.symlink_to(aside)
        before = aside.read_bytes()
        answer = here.run("round")
        check(answer.exit in (2, 4) and answer.value("error") == code, code, answer)
        check(aside.read_bytes() == before, "nothing is written through the link")
        path.unlink()
        shutil.move(aside, path)
    exactly(here, together(here, 32, "round", *WAIT), range(2, 34))
    check(here.run("show").value("unenforced") == "0", "none of them went unenforced")
    next_works(here)
    return f"on {type_of(here.path)}: 32 processes at once, none unenforced"


def local():
    with mounts.folder() as root:
        return ordinary(Lane(root, budget=99))


def memory():
    with mounts.tmpfs() as root:
        return ordinary(Lane(root, budget=99))


def overlay():
    """Everything in the lower layer: the first booking copies the record, the lock and the ledger up under the others."""
    with mounts.folder() as base, mounts.tmpfs() as upper:
        root = base / "root"
        root.mkdir()
        here = Lane(root, budget=99)
        book(here, "round")
        root.rename(base / "lower")
        for name in ("changes", "work"):
            (upper / name).mkdir()
        options = f"lowerdir={base}/lower,upperdir={upper}/changes,workdir={upper}/work"
        with mounts.mounted(root, "-t", "overlay", "-o", options, "overlay"):
            below = (base / "lower/w/MANDATE.md").read_bytes()
            exactly(here, together(here, 20, "round", *WAIT), range(2, 22))
            exactly(here, together(here, 20, "round", *WAIT), range(22, 42))
            check(here.run("show").value("unenforced") == "0", "none of them went unenforced")
            next_works(here)
            check((upper / "changes/w/MANDATE.md").read_bytes() == here.record.read_bytes(), "the upper layer has it whole")
            check((base / "lower/w/MANDATE.md").read_bytes() == below, "the lower layer is as it was")
        return "2 x 20 processes, 40 rounds, from the lower layer up"


def read_only():
    with mounts.folder() as base:
        root = base / "root"
        root.mkdir()
        here = Lane(root, budget=99)
        book(here, "round")
        for what in (root, here.path):  # all of it; then the worktree alone, the repository writable
            with mounts.mounted(what, "--bind", what):
                mounts.run("mount", "-o", "remount,bind,ro", what)
                for words in (("round",), ("grant", "merge", "--by", "me"), ("reviewed", "--findings", "0"),
                              ("round", "--unenforced"), (*INIT, "--force")):
                    answer = refused(here, "read-only", *words)
                    check(answer.exit == 4, "exit 4", answer)
                reads_answer(here)
            next_works(here)
        with mounts.mounted(here.path, "--bind", here.path):  # the lock is not there and cannot be made
            (here.path / ".MANDATE.lock").unlink()
            mounts.run("mount", "-o", "remount,bind,ro", here.path)
            refused(here, "read-only", "round")
        next_works(here)
        with mounts.mounted(here.repo, "--bind", here.repo):  # the ledger cannot be written
            mounts.run("mount", "-o", "remount,bind,ro", here.repo)
            refused(here, "ledger-unwritable", "round")
            reads_answer(here)
        next_works(here)
    return "all of it, the worktree alone, the repository alone"


def fill(place):
    """Writes until there is no page left; the file that took them."""
    filler = place / "filler"
    with open(filler, "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass
    return filler


def free_pages(filler, count):
    os.truncate(filler, max(0, filler.stat().st_size - count * 4096))


def tally(answers):
    done = sum(a.exit == 0 for a in answers)
    check(all(a.exit == 0 or a.value("error") in ("write-failed", "ledger-unwritable") for a in answers), "which", answers)
    return f"{done} of {len(answers)} booked"


def full_disk():
    """Every number of free pages, 0 to 6, for a first record; then rounds until the ledger needs a page that is not there."""
    answers = []
    for pages in range(7):
        with mounts.tmpfs("size=2m") as root:
            here = Lane(root, record=False)
            filler = fill(root)
            free_pages(filler, pages)
            answers += [book(here, *INIT)]
            if answers[-1].exit == 0:
                filler = filler if pages < 2 else fill(root)
                for free in (0, 1, 2):
                    free_pages(filler, free)
                    answers += [book(here, "round", "--lock-timeout", "1") for _ in range(8)]
                    filler.unlink()
                    filler = fill(root)
            filler.unlink()
            if not here.record.exists():
                check(book(here, *INIT).exit == 0, "with room again, it is written")
            next_works(here)
    return tally(answers)


def no_inodes():
    """Every number of free inodes, 0 to 8, for a first record and a round after it."""
    answers = []
    for free in range(9):
        with mounts.tmpfs("size=16m,nr_inodes=600") as root:
            here = Lane(root, record=False)
            (root / "many").mkdir()
            made = []
            while os.statvfs(root).f_favail > free:
                made.append(root / "many" / str(len(made)))
                made[-1].touch()
            answers += [book(here, *INIT)]
            if answers[-1].exit == 0:
                answers += [book(here, "round"), book(here, "round")]
            for file in made:
                file.unlink()
            if not here.record.exists():
                check(book(here, *INIT).exit == 0, "with inodes again, it is written")
            next_works(here)
    return tally(answers)


class Fuse:
    """A lane on the passthrough file system, mounted anew for each block with other options."""

    def __init__(self, base):
        self.backing, self.root = base / "backing", base / "root"
        self.backing.mkdir()
        with self.mounted():
            self.lane = Lane(self.root, budget=99)
            book(self.lane, "round")

    def mounted(self, *options):
        return mounts.fuse(self.backing, self.root, *options)


def fuse_ordinary():
    with mounts.folder() as base:
        disk = Fuse(base)
        with disk.mounted():
            check(disk.lane.run("init", "--force", "--preset", "standard", "task=u", "authorized_by=me",
                                "review_budget=99").exit == 0, "init works")
            return ordinary(disk.lane)


def no_flock():
    with mounts.folder() as base:
        disk = Fuse(base)
        here = disk.lane
        for error in ("ENOSYS", "EOPNOTSUPP", "ENOLCK"):
            with disk.mounted(f"--flock={error}"):
                used = here.used()
                answer = refused(here, "lock-unsupported", "round")
                check(answer.exit == 4 and error in answer.err and "fuse" in answer.err, "system and errno are named", answer)
                for answer in together(here, 8, "round"):
                    check(answer.value("error") == "lock-unsupported", "nobody books beside the others", answer)
                check(here.used() == used, "nothing was booked")
                reads_answer(here)
                unenforced(here)
            with disk.mounted():
                next_works(here)
    return "ENOSYS, EOPNOTSUPP, ENOLCK: refused; with --unenforced booked and counted"


def unenforced(here):
    """`--unenforced` is the one way past it, and shows as a number wherever one looks."""
    before = int(here.run("show").value("unenforced"))
    answer = book(here, "round", "--unenforced")
    check(answer.value("round") == str(here.used()), "it is booked", answer)
    check(answer.value("enforced") == "no" and answer.value("reason").startswith("lock-unsupported "), "and says so", answer)
    shown, listed, verified = here.run("show"), here.run("unenforced"), here.run("verify")
    check(shown.value("unenforced") == str(before + 1), "counted in show", shown)
    check(listed.exit == 1 and "reason=lock-unsupported count=" in listed.out, "and in unenforced", listed)
    check(verified.exit == 0, "the ledger has it", verified)


def lying_flock():
    with mounts.folder() as base:
        disk = Fuse(base)
        here = disk.lane
        with disk.mounted("--flock=lie"):
            for answer in [refused(here, "lock-unsupported", "round")] + together(here, 8, "round"):
                check(answer.exit == 4 and answer.value("error") == "lock-unsupported", "it is seen through", answer)
                check("pretends" in answer.err, "and the message says it", answer)
            check(here.used() == 1, "nothing was booked")
            check(here.run("doctor").exit != 0, "doctor says so too", here.run("doctor"))
            unenforced(here)
        with disk.mounted():
            next_works(here)
    return "refused, nothing booked"


def failing_fsync():
    with mounts.folder() as base:
        disk = Fuse(base)
        here = disk.lane
        with disk.mounted("--fsync=fail"):
            for words in (("round",), ("grant", "merge", "--by", "me"), (*INIT, "--force")):
                answer = refused(here, "write-failed", *words)
                check(answer.exit == 4, "exit 4", answer)
            reads_answer(here)
        with disk.mounted():
            next_works(here)
        with disk.mounted("--fsync=fail-directories"):
            used = here.used()
            answer = refused(here, "booked-not-durable", "round")
            check(answer.exit == 4 and here.used() == used + 1, "the booking stands", answer)
        with disk.mounted():
            next_works(here)
            here.record.unlink()
            shutil.rmtree(here.ledger.parent)
        for option in ("--fsync=fail", "--fsync=fail-directories"):
            with disk.mounted(option):
                answer = book(here, *INIT)
                check(answer.exit == 4 and not here.record.exists(), "a first record is not written", answer)
        with disk.mounted():
            check(book(here, *INIT).exit == 0, "with syncs again, it is written")
            next_works(here)
    return "files: refused; directories: the booking stands, and says so"


def main():
    why = mounts.private_namespace()
    if why:
        def namespace():
            raise mounts.Skipped(why + ": only the local file system is tried")
        mounts.part(namespace)
        mounts.part(local)
    else:
        for case in (local, memory, overlay, read_only, full_disk, no_inodes, fuse_ordinary, no_flock, lying_flock,
                     failing_fsync):
            mounts.part(case)
    mounts.finish()


main()
