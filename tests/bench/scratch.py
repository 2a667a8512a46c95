"""Repositories to measure in. All are made by git itself; only the many index entries are fed to `git update-index`."""

import os
import subprocess

from measure import BINARY, turns


def git(directory, *words, **more):
    return subprocess.run(["git", *words], cwd=directory, check=True, capture_output=True, text=True, **more).stdout


def mandate(directory, *words):
    return subprocess.run([BINARY, *words], cwd=directory, check=True, capture_output=True, text=True).stdout


def value(directory, key, *words):
    found = [line for line in mandate(directory, *words).splitlines() if line.startswith(key + "=")]
    return found[0].partition("=")[2]


def record(lane, budget="unlimited"):
    mandate(lane, "init", "--force", "--preset", "standard", "task=bench", "authorized_by=bench",
            f"review_budget={budget}")


def repository(root, name):
    path = root / name
    git(root, "init", "-q", "-b", "main", str(path))
    git(path, "commit", "-q", "--allow-empty", "-m", "one")
    return path


def lane(root, name, budget="1000000"):
    """A linked worktree of a fresh repository, with a record."""
    path = root / f"{name}-lane"
    git(repository(root, name), "worktree", "add", "-q", "-b", name, str(path))
    record(path, budget)
    return path


def index_lane(root, entries, where):
    """A lane with so many index entries, whose names sort before or after MANDATE.md."""
    path = lane(root, f"index-{where}-{entries}")
    blob = git(path, "hash-object", "-w", "--stdin", input="x").strip()
    top = {"before": "A", "after": "z"}[where]
    lines = "".join(f"100644 {blob}\t{top}/{number // 1000:04}/{number:07}\n" for number in range(entries))
    git(path, "update-index", "--index-info", input=lines)
    return path


def grow_ledger(path, lines):
    """Books rounds, two lines each, from two processes at a time, until the ledger has so many lines."""
    ledger = git(path, "rev-parse", "--path-format=absolute", "--git-common-dir").strip()
    ledger = os.path.join(ledger, "mandate", "worktrees", path.name + ".jsonl")
    missing = lines - sum(1 for _ in open(ledger, "rb"))
    if missing > 3:
        turns(missing // 4, [(path, [BINARY, "round"])], together=2)


def add_worktrees(root, repository_path, wanted):
    """Linked worktrees with a record each, up to the number wanted."""
    have = len(git(repository_path, "worktree", "list").splitlines()) - 1
    for number in range(have, wanted):
        path = root / f"many-{number}"
        git(repository_path, "worktree", "add", "-q", "-b", f"many-{number}", str(path))
        record(path)


def files_lane(root, files, merged=True):
    """A lane with so many tracked files, merged as a lane is that shall be closed or not; an ignored file, and the record."""
    name = f"files-{files}{'' if merged else '-open'}"
    path = lane(root, name)
    for number in range(files):
        directory = path / f"d{number // 100}"
        directory.mkdir(exist_ok=True)
        (directory / f"f{number}").write_text(f"{number}\n")
    (path / ".gitignore").write_text("*.o\n")
    git(path, "add", "-A")
    git(path, "commit", "-q", "-m", "files")
    if merged:
        git(root / name, "merge", "-q", "--ff-only", name)
    else:
        git(root / name, "commit", "-q", "--allow-empty", "-m", "somebody else's")
    (path / "d0" / "x.o").write_text("x")
    git(path, "status")  # writes the index's fresh times back, as any user's git does
    return path
