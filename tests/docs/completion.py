#!/usr/bin/env python3
"""Completion in real shells: what bash, zsh and fish offer for a line that is typed, and the printed scripts.

In bash and zsh the line is typed into an interactive shell on a terminal, a key inserts every match, and the shell
prints the words of the line; fish says with `complete -C` what it would offer.
"""

import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import time

from fault_support import BINARY, check, lane, needs_pseudo_terminals

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "docs/completions"
FILES = {"bash": "mandate.bash", "zsh": "_mandate", "fish": "mandate.fish"}
STANDARD = ["commit", "push-own-branch", "open-pr", "local-review", "agreed-fixes", "rebase-own-branch", "merge", "deploy",
            "force-push-shared", "destructive"]

# (what is typed, all that is offered); None: at least the verbs of --help.
CASES = [
    ("mandate roun", ["round"]),
    ("mandate ", None),
    ("mandate revok", ["revoke"]),
    ("mandate close-", ["close-check", "close-request"]),
    ("mandate revoke --d", ["--deny"]),
    ("mandate round --t", ["--token"]),
    ("mandate round --token x --t", []),
    ("mandate --js", ["--json"]),
    ("mandate allows ", STANDARD + ["deploy-staging"]),
    ("mandate -C . allows deploy-", ["deploy-staging"]),
    ("mandate grant commit me", ["merge"]),
    ("mandate init --preset ", ["standard", "draft-only", "merge-delegated", "reviewer"]),
    ("mandate init --without commit,me", ["commit,merge"]),
    ("mandate init --preset=dr", ["--preset=draft-only"]),
    ("mandate init terminal_gate=", ["terminal_gate=reviewed-pr", "terminal_gate=merged", "terminal_gate=pushed-branch"]),
    ("mandate init allow=commit,mer", ["allow=commit,merge"]),
    ("mandate init authori", ["authorized_by="]),
    ("mandate show --branch ", ["f", "main"]),
    ("mandate show --branch=ma", ["--branch=main"]),
    ("mandate lane f", ["f"]),
    ("mandate gate --into m", ["main"]),
    ("mandate report --format m", ["markdown"]),
    ("mandate show --format ", ["kv", "json", "shell", "table"]),
    ("mandate hooks un", ["uninstall"]),
    ("mandate hook pre-m", ["pre-merge-commit"]),
    ("mandate spend sp", ["spawn"]),
    ("mandate close-request mes", ["message.txt"]),
    ("mandate show inn", ["inner"]),
    ("mandate nosuchverb ", []),
]


class Terminal:
    """An interactive shell on a terminal of its own."""

    def __init__(self, words, here):
        pid, self.fd = pty.fork()
        if pid == 0:
            os.chdir(here.path)
            os.execvpe(words[0], words, here.env | {"TERM": "dumb", "PS1": "", "INPUTRC": "/dev/null", "HISTFILE": "/dev/null"})
        self.pid = pid

    def send(self, text):
        os.write(self.fd, text.encode())

    def until(self, marker):
        out, end = "", time.monotonic() + 60
        while marker not in out:
            ready, _, _ = select.select([self.fd], [], [], max(0, end - time.monotonic()))
            check(ready, f"the shell answers with {marker!r}", out)
            out += os.read(self.fd, 65536).decode(errors="replace")
        return out

    def words_of(self, line, insert_all):
        """The words of the line once all matches stand in it, typed text included."""
        self.send(f"{line}{insert_all}\x01print_words \n")
        out = self.until("end-of-words\r\n")
        return re.findall(r"<([^<>\r\n]*)>", out[out.rindex("start-of-words"):])

    def close(self):
        self.send("\x15exit\n")
        os.waitpid(self.pid, 0)
        os.close(self.fd)


PRINT_WORDS = "print_words() { echo start-of-words; for each in \"$@\"; do echo \"<$each>\"; done; echo end-of-words; }\n"


def bash(here):
    shell = Terminal(["bash", "--norc", "--noprofile", "-i"], here)
    shell.send("bind 'set enable-bracketed-paste off'; source " + str(SCRIPTS / FILES["bash"]) + "; "
               + PRINT_WORDS + "echo read''y\n")
    shell.until("ready")
    return shell, "\x1b*"  # insert-completions


def zsh(here):
    functions = here.root / "functions"
    functions.mkdir(exist_ok=True)
    for name in ("_mandate", "_git-mandate"):  # as they are installed
        shutil.copy(SCRIPTS / FILES["zsh"], functions / name)
    shell = Terminal(["zsh", "-f", "-i"], here)
    shell.send(f"unset zle_bracketed_paste; bindkey -e; fpath=({functions} $fpath); autoload -Uz compinit; compinit -u -d "
               f"{here.root}/dump; zstyle ':completion:*' completer _all_matches _complete; "
               "zstyle ':completion:*' insert yes; setopt noautolist; " + PRINT_WORDS + "echo read''y\n")
    shell.until("ready")
    return shell, "\t"


def offered(line, words):
    """What a shell added to the line: the typed words less the one that was completed stay in front."""
    typed = line.split(" ")
    return [word.rstrip("/") for word in words[len(typed) - 1:] if word != ""]


def in_terminal(start, here, verbs):
    shell, key = start(here)
    for line, wanted in CASES:
        found = offered(line, shell.words_of(line, key))
        last = line.split(" ")[-1]
        wanted = verbs if wanted is None else wanted
        wanted = wanted or ([last] if last else [])  # without a match the line stays as it was typed
        if start is bash:  # its words end at `=`, so that only the first of several stands behind what was typed
            found, wanted = ([re.sub("^.*=(?=.)", "", each) for each in words] for words in (found, wanted))
        check(sorted(found) == sorted(wanted), f"{start.__name__}: {line!r} offers {wanted}", found)
    shell.close()


def in_fish(here, verbs):
    # Read at the start of a shell, where it is installed for git's sake: git's completion comes later and goes on from it.
    start = here.root / ".config/fish/conf.d"
    start.mkdir(parents=True)
    (start / "git-mandate.fish").symlink_to(SCRIPTS / FILES["fish"])
    through_git = [(f"git -C . {line}", wanted) for line, wanted in CASES if wanted and "allows" in line]
    for line, wanted in [*CASES, *through_git]:
        done = subprocess.run(["fish", "-c", "complete -C $argv[1]", line],
                              cwd=here.path, env=here.env, capture_output=True, text=True, timeout=60)
        found = [each.split("\t")[0].rstrip("/") for each in done.stdout.splitlines()]
        wanted = verbs if wanted is None else wanted
        check(sorted(found) == sorted(wanted), f"fish: {line!r} offers {wanted}", f"{found}\n{done.stderr}")


def through_git(start, here):
    """`git mandate`: git's own completion calls ours. bash's stands in a file of git's that may be elsewhere or missing,
    so there the call is made for it."""
    shell, key = start(here)
    if start is bash:
        shell.send("_git() { _git_mandate; }; complete -F _git git; echo read''y\n")
        shell.until("ready")
    found = shell.words_of("git -C . mandate allows deploy-", key)
    check(found == ["git", "-C", ".", "mandate", "allows", "deploy-staging"], f"git mandate is completed in {start.__name__}", found)
    shell.close()


def main():
    needs_pseudo_terminals()
    for shell, name in FILES.items():
        printed = subprocess.run([BINARY, "completion", shell], capture_output=True, check=True).stdout
        check(printed == (SCRIPTS / name).read_bytes(), f"completion {shell} prints docs/completions/{name}")

    missing = [shell for shell in FILES if shutil.which(shell) is None]
    with lane() as here:
        here.env["PATH"] = f"{here.root}/bin:{here.env['PATH']}"
        (here.root / "bin").mkdir()
        for name in ("mandate", "git-mandate"):
            (here.root / "bin" / name).symlink_to(BINARY)
        config = here.repo / ".git/mandate/config.toml"
        config.write_text('[vocabulary]\nactions = ["deploy-staging"]\n[presets.reviewer]\nallow = ["commit"]\n')
        here.run("init", "--force", "--preset", "standard", "task=t", "authorized_by=me", "budget_spawn=5")
        (here.path / "message.txt").write_text("")
        (here.path / "inner").mkdir()
        ledger = here.ledger.read_bytes()
        listed = subprocess.run([BINARY, "--help"], capture_output=True, text=True, check=True).stdout
        verbs = re.findall(r"^  ([a-z][a-z-]+) ", listed.split("\nverbs\n")[1].split("\n\n")[0], re.M)
        check(len(verbs) > 30, "--help lists the verbs", verbs)
        if "bash" not in missing:
            in_terminal(bash, here, verbs)
            through_git(bash, here)
        if "zsh" not in missing:
            in_terminal(zsh, here, verbs)
            through_git(zsh, here)
        if "fish" not in missing:
            in_fish(here, verbs)
        check(here.ledger.read_bytes() == ledger, "completion writes nothing")
    if missing:
        print(f"skipped: not installed: {', '.join(missing)}")
        sys.exit(77)
    print(f"{len(CASES)} lines in bash, zsh and fish, and behind git")


if __name__ == "__main__":
    main()
