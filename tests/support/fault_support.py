"""What the fault tests share: a lane in a scratch repository, the binary, and its answers.

Every test is a program: it prints what it did, and exits non-zero with the first promise that did not hold.
MANDATE_BINARY names the binary under test.
"""

import contextlib
import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys
import tempfile

BINARY = os.environ["MANDATE_BINARY"]


def environment(home):
    kept = {k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")}
    # These tests run the binary under strace, where the leak checker cannot work; unit and cli tests look for leaks.
    leaks = {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}
    return kept | leaks | {
        "PATH": os.environ["PATH"], "HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config"),
        "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"), "LC_ALL": "C.UTF-8",
        "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org",
    }


class Answer:
    def __init__(self, done):
        self.exit, self.out, self.err = done.returncode, done.stdout, done.stderr

    def value(self, key):
        found = re.findall(rf"^{re.escape(key)}=(.*)$", self.out, re.M)
        return found[0] if found else None

    def __repr__(self):
        return f"exit {self.exit}\n{self.out}{self.err}"


class Lane:
    """A linked worktree `w` of a fresh repository, with a record of `budget` rounds."""

    def __init__(self, root, budget=3, record=True):
        self.root = pathlib.Path(root)
        self.env = environment(self.root)
        self.repo, self.path = self.root / "repo", self.root / "w"
        self.git("init", "-q", "-b", "main", str(self.repo), cwd=self.root)
        self.git("commit", "-q", "--allow-empty", "-m", "one", cwd=self.repo)
        self.git("worktree", "add", "-q", "-b", "f", str(self.path), cwd=self.repo)
        if record:
            made = self.run("init", "--preset", "standard", "task=t", "authorized_by=me", f"review_budget={budget}")
            check(made.exit == 0, "init works", made)

    def git(self, *words, cwd=None):
        return subprocess.run(["git", *words], cwd=cwd or self.path, env=self.env, check=True,
                              capture_output=True, text=True).stdout

    def popen(self, *words, prefix=(), **more):
        return subprocess.Popen([*prefix, BINARY, *words], cwd=self.path, env=self.env, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)

    def run(self, *words, prefix=(), timeout=60):
        return Answer(subprocess.run([*prefix, BINARY, *words], cwd=self.path, env=self.env, text=True,
                                     stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout))

    @property
    def record(self):
        return self.path / "MANDATE.md"

    @property
    def ledger(self):
        return self.repo / ".git/mandate/worktrees/w.jsonl"

    def used(self):
        return int(re.search(r"^review_rounds_used: (\d+)$", self.record.read_text(), re.M).group(1))

    def leftovers(self):
        return sorted(p.name for p in self.path.iterdir() if p.name.startswith(".MANDATE.tmp"))


@contextlib.contextmanager
def lane(**how):
    root = tempfile.mkdtemp(prefix="mandate-fault-")
    try:
        yield Lane(root, **how)
    finally:
        shutil.rmtree(root, ignore_errors=True)


def finish(process):
    out, err = process.communicate(timeout=120)
    return Answer(subprocess.CompletedProcess(process.args, process.returncode, out, err))


def check(holds, promise, evidence=""):
    if not holds:
        print(f"BROKEN: {promise}\n{evidence}")
        sys.exit(1)


def needs_pseudo_terminals():
    """A bare tree without devpts has none, and there is nothing to look at: 77 skips the test."""
    try:
        for descriptor in pty.openpty():
            os.close(descriptor)
    except OSError as error:
        print(f"skipped: no pseudo-terminals here (is devpts mounted?): {error}")
        sys.exit(77)


def run_cases(names):
    """Each function that is named case_…; with a word on the command line, those that have it in their name."""
    for name in [name for name in names if name.startswith("case_") and (len(sys.argv) < 2 or sys.argv[1] in name)]:
        names[name]()
        print("ok", name)
