"""Situations 24 to 56: worktrees, excludes and repositories of every shape, as real git makes them."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from fault_support import BINARY, Answer, Lane, check, environment, finish, lane, run_cases

NEW = ("init", "--preset", "standard", "task=t", "authorized_by=me")


def at(here, folder, *words, prefix=(), **variables):
    """One run in any folder, with further variables."""
    done = subprocess.run([*prefix, BINARY, *words], cwd=folder, env=here.env | variables, text=True, errors="surrogateescape",
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    return Answer(done)


def tree(folder):
    """Every path below a folder, without git's objects and logs."""
    return sorted(str(p) for p in pathlib.Path(folder).rglob("*") if "/objects/" not in str(p) and "/logs/" not in str(p))


def refused(here, folder, code, words=NEW, exit_status=2, **variables):
    before = tree(here.root)
    answer = at(here, folder, *words, **variables)
    check(answer.exit == exit_status and answer.value("error") == code, f"{words[0]} is refused as {code}", answer)
    check(answer.value("verdict") is None and answer.value("mandate_exists") is None, "no verdict, no counter", answer)
    check(tree(here.root) == before, "nothing is made", set(tree(here.root)) ^ set(before))
    return answer


def clean(here, folder):
    check(here.git("status", "--porcelain", cwd=folder) == "", "git status stays empty", here.git("status", "--porcelain", cwd=folder))


def case_24_a_newline_in_a_path():
    with lane() as here:
        odd = here.root / "odd\nworktree /x"
        here.git("worktree", "add", "-q", "-b", "odd", str(odd), cwd=here.repo)
        answer = at(here, odd, *NEW, "--json")
        check(json.loads(answer.out)["lane"] == str(odd).replace("\n", "\\x0a"), "escaped in JSON", answer)
        check(at(here, odd, "round").value("round") == "1", "books there")
        lines = at(here, odd, "show").out.splitlines()
        check(all("=" in line for line in lines), "no line is forged", lines)


def case_25_and_27_from_a_hook_with_gits_variables():
    with lane(record=False) as here:
        here.run(*NEW)
        hook = here.repo / ".git/hooks/pre-commit"
        hook.write_text(f"#!/bin/sh\nexec {BINARY} round --strict >/dev/null\n")
        hook.chmod(0o755)
        (here.path / "x").write_text("x")
        here.git("add", "x")
        here.git("commit", "-q", "-m", "add x")
        (here.path / "x").write_text("y")
        here.git("commit", "-q", "-a", "-m", "change x")
        check(here.used() == 2, "booked once a commit, in this lane", here.record.read_text())
        check(here.git("show", "--name-only", "--format=", "HEAD").split() == ["x"], "the commit has only x")
        here.git("fsck")
        clean(here, here.path)
        check(not (here.repo / "MANDATE.md").exists(), "nothing in the main checkout")


def case_26_and_49_and_55_the_environment_decides_nothing():
    with lane() as here, lane(record=False) as other:
        for name, value in {"GIT_DIR": str(other.repo / ".git"), "GIT_WORK_TREE": str(other.repo), "GIT_INDEX_FILE": ".git/index",
                            "GIT_COMMON_DIR": "/x", "GIT_NAMESPACE": "n", "GIT_OBJECT_DIRECTORY": "/x",
                            "GIT_CONFIG_GLOBAL": "/tmp/none", "GIT_PREFIX": "x/"}.items():
            shown = at(here, here.path, "show", **{name: value})
            check(shown.value("lane") == str(here.path) and shown.value("mandate_exists") == "yes", f"{name} moves nothing", shown)
        booked = at(here, here.path, "round", GIT_DIR=str(other.repo / ".git"), GIT_INDEX_FILE=".git/index")
        check(booked.value("round") == "1" and here.used() == 1, "books in its own lane", booked)
        check(not (other.repo / "MANDATE.md").exists(), "nothing in the other repository")


def case_27_an_index_lock_in_the_way():
    with lane() as here:
        lock = here.repo / ".git/worktrees/w/index.lock"
        lock.touch()
        for words in (("round",), ("show",), (*NEW, "--force")):
            check(at(here, here.path, *words).exit == 0, f"{words[0]} works")
        check(lock.exists(), "index.lock is still there")


def case_28_to_31_the_exclude():
    with lane(record=False) as here:
        (here.repo / "docs").mkdir()
        (here.repo / "docs/MANDATE.md").write_text("mine")
        for _ in range(5):
            here.run(*NEW, "--force")
        lines = (here.repo / ".git/info/exclude").read_text().splitlines()
        check(lines.count("/MANDATE.md") == 1 and lines.count("/.MANDATE.*") == 1, "each line once", lines)
        check("docs/" in here.git("status", "--porcelain", cwd=here.repo), "somebody's own file is still shown")
        check(not (here.repo / ".git/worktrees/w/info").exists(), "nothing in the worktree's own git directory")
        clean(here, here.path)
        check("MANDATE" not in here.git("add", "-A", "-n"), "git add takes nothing of ours")
    with lane(record=False) as here:
        exclude, target = here.repo / ".git/info/exclude", here.root / "elsewhere"
        exclude.rename(target)
        exclude.symlink_to(target)
        before = target.read_bytes()
        answer = here.run(*NEW)
        check(answer.value("excluded") == "yes" and exclude.is_symlink(), "a symlink is followed and stays", answer)
        check(target.read_bytes().startswith(before) and b"/MANDATE.md\n" in target.read_bytes(), "appended behind it")
    with lane(record=False) as here:
        shutil.rmtree(here.repo / ".git/info")
        check(here.run(*NEW).value("excluded") == "yes", "a missing info/ is made")
    for make, reason in ((lambda p: p.write_text(""), "not-a-directory"), (lambda p: (p.mkdir(), os.mkfifo(p / "exclude")), "not-regular")):
        with lane(record=False) as here:
            shutil.rmtree(here.repo / ".git/info")
            make(here.repo / ".git/info")
            answer = here.run(*NEW)
            check(answer.exit == 0 and answer.value("excluded") == "no" and answer.value("excluded_reason") == reason, reason, answer)
            check(here.run("show").value("unenforced") == "1", "counted once", here.run("show"))
            here.run("round")
            check(here.run("show").value("unenforced") == "1", "counted when it is new, not again", here.run("show"))


def case_29_a_missing_final_newline_and_a_rule_that_outranks():
    with lane(record=False) as here:
        (here.repo / ".git/info/exclude").write_bytes(b"*.o")
        check(here.run(*NEW).value("excluded") == "yes", "works")
        check((here.repo / ".git/info/exclude").read_bytes().startswith(b"*.o\n/"), "the newline is supplied")
    with lane(record=False) as here:
        (here.path / ".gitignore").write_text("!*.md\n")
        answer = here.run(*NEW)
        check(answer.value("excluded") == "no" and answer.value("excluded_reason") == "negated", "an in-tree rule outranks it", answer)


def case_32_a_half_made_worktree():
    with lane() as here:
        half = here.repo / ".git/worktrees/x"
        half.mkdir()
        for name in ("commondir", "gitdir", "HEAD"):
            (half / name).write_text("")
            check(here.run("round", "--branch", "f").exit == 0, "other lanes are unaffected", here.run("show"))
        adders = [subprocess.Popen(["git", "worktree", "add", "-q", "-b", f"n{n}", str(here.root / f"n{n}")], cwd=here.repo, env=here.env,
                                   stderr=subprocess.DEVNULL) for n in range(20)]
        while any(a.poll() is None for a in adders):
            check(here.run("lane", "f").out == f"{here.path}\n", "found while others are being made")


def case_33_core_bare():
    with lane(record=False) as here:
        here.git("config", "core.bare", "true", cwd=here.repo)
        refused(here, here.repo, "not-a-worktree")
        check(here.run(*NEW).exit == 0, "a linked worktree of it works", here.run("show"))
        here.git("config", "extensions.worktreeConfig", "true", cwd=here.repo)
        refused(here, here.path, "not-a-worktree", ("round",))


def case_34_and_52_bare_with_worktrees():
    with lane(record=False) as here:
        bare, work = here.root / "b.git", here.root / "bw"
        here.git("clone", "-q", "--bare", str(here.repo), str(bare), cwd=here.root)
        here.git("worktree", "add", "-q", "-b", "x", str(work), cwd=bare)
        check(at(here, work, *NEW).exit == 0 and at(here, work, "round").value("round") == "1", "all verbs work")
        check("/MANDATE.md" in (bare / "info/exclude").read_text(), "excluded in the bare repository")
        clean(here, work)
        refused(here, bare, "not-a-worktree")
        refused(here, bare / "hooks", "not-a-worktree", ("show",))


def case_35_a_moved_repository():
    with lane() as here:
        here.repo.rename(here.root / "moved")
        refused(here, here.path, "not-a-worktree", ("round",))
    with lane(record=False) as here:
        inner = here.repo / "wt"
        here.git("worktree", "add", "-q", "-b", "inner", str(inner), cwd=here.repo)
        shutil.rmtree(here.repo / ".git/worktrees")
        refused(here, inner, "not-a-worktree", ("round",))
        refused(here, inner, "not-a-worktree")


def case_37_and_38_a_record_that_git_removed():
    with lane() as here:
        here.run("round")
        here.git("clean", "-fdq")
        check(here.record.exists(), "git clean -fd keeps what is ignored")
        here.git("clean", "-fdxq")
        check(here.run("show").value("mandate_exists") == "no", "gone")
        refused(here, here.path, "no-mandate", ("round",), 3)
        here.git("worktree", "remove", "--force", str(here.path), cwd=here.repo)
        here.git("worktree", "add", "-q", str(here.path), "f", cwd=here.repo)
        refused(here, here.path, "no-mandate", ("round",), 3)
        check("event=round" in here.run("log").out, "the ledger has outlived the worktree")


def case_39_nothing_of_ours_can_be_staged_at_any_moment():
    with lane(record=False) as here:
        making = here.popen(*NEW, prefix=("strace", "-f", "-o", "/dev/null", "-e", "inject=fsync:delay_enter=150000"))
        while making.poll() is None:
            check("MANDATE" not in here.git("add", "-A", "-n"), "nothing of ours is ever listed")
        check(finish(making).exit == 0, "made")


def case_40_one_branch_in_two_lanes():
    with lane() as here:
        here.git("worktree", "add", "-q", "--force", str(here.root / "w2"), "f", cwd=here.repo)
        check(at(here, here.root / "w2", *NEW, "review_budget=1").exit == 0, "a budget belongs to a lane")
        check(at(here, here.root / "w2", "round").value("round") == "1" and here.used() == 0, "charged where it was asked")
        refused(here, here.repo, "branch-ambiguous", ("round", "--branch", "f"))


def case_41_unborn_detached_and_odd_branches():
    with lane(record=False) as here:
        here.git("init", "-q", str(here.root / "U"), cwd=here.root)
        for words in (NEW, ("allows", "commit"), ("round",), ("show",)):
            check(at(here, here.root / "U", *words).exit == 0, f"{words[0]} on an unborn branch", at(here, here.root / "U", *words))
        here.git("checkout", "-q", "--detach")
        check(here.run(*NEW).exit == 0 and here.run("round").exit == 0, "detached")
        check(here.run("show").value("branch") == "", "no branch is recorded")
        for branch in (b"a/b/c", b"x\xff"):
            subprocess.run([b"git", b"checkout", b"-q", b"-b", branch], cwd=here.path, env=here.env, check=True)
            answer = here.run(*NEW, "--force")
            check(answer.exit == 0 and here.run("round").exit == 0, "an odd branch", answer)
        check(here.run("show").value("branch") == "x\\xff", "escaped", here.run("show"))
        check(not (here.path / "a").exists(), "no directory is made of a branch")


def case_42_a_submodule():
    with lane(record=False) as here:
        here.git("clone", "-q", str(here.repo), str(here.root / "lib"), cwd=here.root)
        here.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(here.root / "lib"), "sub")
        before = here.git("status", "--porcelain")
        check(at(here, here.path / "sub", *NEW).exit == 0, "in the submodule")
        check((here.path / "sub/MANDATE.md").exists() and not here.record.exists(), "the record is the submodule's")
        check(here.git("status", "--porcelain") == before, "the superproject's status is as before")
        shutil.copytree(here.path / "sub", here.path / "copy", symlinks=True)
        refused(here, here.path / "copy", "worktree-mismatch", ("round",))


def case_43_inside_dot_git():
    with lane() as here:
        for folder in (".git", ".git/hooks", ".git/worktrees/w", ".git/objects"):
            refused(here, here.repo / folder, "not-a-worktree")
            refused(here, here.repo / folder, "not-a-worktree", ("round",), GIT_DIR=".")


def case_44_ownership_is_gits_verdict():
    with lane() as here:
        subprocess.run(["chown", "-R", "1234:1234", str(here.root)], check=True)
        config = here.root / ".gitconfig"
        for lines in ("", "directory = *", f"directory = {here.path}", f"directory = {here.root}/x", "directory = *\n\tdirectory ="):
            config.write_text(f"[safe]\n\t{lines}\n")
            git = subprocess.run(["git", "status"], cwd=here.path, env=here.env, capture_output=True).returncode
            answer = here.run("show")
            check((answer.exit == 0) == (git == 0), f"git's verdict for '{lines}' ({git})", answer)
            if answer.exit:
                check(answer.value("error") == "repository-owner" and str(here.path) in answer.err, "names the line to add", answer)
        config.write_text(f"[safe]\n\tdirectory = {here.path}/\n")  # git from 2.47 on takes it; docs/design.md says why we never do
        answer = here.run("show")
        check(answer.value("error") == "repository-owner" and str(here.path) in answer.err, "byte for byte", answer)
        config.write_text(f"[safe]\n\tdirectory = {here.root}/*\n")
        check(here.run("show").exit == 0, "/prefix/*")
        config.write_text("")
        given = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": str(here.path)}
        check(at(here, here.path, "show", **given).exit == 0, "given through the environment")


def case_45_relative_worktrees():
    with lane(record=False) as here:
        here.git("config", "core.repositoryformatversion", "1", cwd=here.repo)
        here.git("config", "extensions.relativeWorktrees", "true", cwd=here.repo)
        (here.path / ".git").write_text("gitdir: ../repo/.git/worktrees/w\n")
        (here.repo / ".git/worktrees/w/gitdir").write_text("../../../../w/.git\n")
        check(here.run(*NEW).exit == 0 and here.run("round").value("round") == "1", "relative pointers", here.run("show"))
        check(here.run("lane", "f").out == f"{here.path}\n", "found by its branch", here.run("lane", "f"))


def case_46_and_47_formats_that_cannot_be_read():
    with lane(record=False) as here:
        here.git("init", "-q", "--object-format=sha256", str(here.root / "S"), cwd=here.root)
        check("objectformat" in refused(here, here.root / "S", "repository-unsupported").err.lower(), "the extension is named")
        here.git("config", "core.repositoryformatversion", "1", cwd=here.repo)
        for key, value in (("extensions.refStorage", "reftable"), ("extensions.foo", "true")):
            here.git("config", key, value, cwd=here.repo)
            check(key.split(".")[1].lower() in refused(here, here.path, "repository-unsupported").err.lower(), "named")
            (here.repo / ".git/config").write_text((here.repo / ".git/config").read_text().split("[extensions]")[0])


def case_48_what_is_promised_is_what_git_does():
    rules = ["src", "tags\n!tags/\n.buildpath", "foo**/bar", "/MANDATE.md", "!MANDATE.md", "*.md\n!*.md", "!/.MANDATE.*", "*", "!*",
             "/*\n!/MANDATE.md", "MANDATE.md/", "[M]ANDATE.md\n!MANDATE.m[d]", "\\!x"]
    for rule in rules:
        with lane(record=False) as here:
            (here.path / ".gitignore").write_text(rule + "\n")
            answer = here.run(*NEW)
            listed = "MANDATE" in here.git("add", "-A", "-n")
            check(listed == (answer.value("excluded") == "no"), f"git agrees on {rule!r}", answer)
    with lane(record=False) as here:
        (here.path / "rules").write_text("/MANDATE.md\n")
        (here.path / ".gitignore").symlink_to("rules")
        (here.repo / ".git/info/exclude").write_text("/MANDATE.md\n/.MANDATE.*\n!/MANDATE.md\n")
        check(here.run(*NEW).value("excluded") == "no", "a symlinked .gitignore is none to git")


def case_50_the_ceiling():
    with lane() as here:
        deep = here.path / "x/y"
        deep.mkdir(parents=True)
        refused(here, deep, "not-a-repository", ("round",), GIT_CEILING_DIRECTORIES=str(here.path / "x"))
        check(at(here, deep, "round", GIT_CEILING_DIRECTORIES=str(here.root)).exit == 0, "a ceiling above it changes nothing")


def case_51_a_worktree_that_is_gone():
    for replace in (lambda p: None, lambda p: p.write_text("a file")):
        with lane(record=False) as here:
            gone = here.root / "gone"
            here.git("worktree", "add", "-q", "-b", "gone", str(gone), cwd=here.repo)
            shutil.rmtree(gone)
            replace(gone)
            check(here.run("lane", "gone").exit == 3 and here.run("lane", "gone").out == "", "no longer there")
            answer = here.run("show", "--branch", "gone")
            check(answer.value("lane_source") == "cwd" and answer.value("enforced") == "no", "the directory answers, counted", answer)
            refused(here, here.path, "no-lane", ("round", "--branch", "gone"), 3)


def case_53_and_54_configuration_of_git():
    with lane() as here:
        here.git("config", "include.path", "~/nope", cwd=here.repo)
        check(here.run("show").exit == 0, "a missing include is fine")
        for change in ({"HOME": "/nonexistent"}, {"HOME": ""}):
            check(at(here, here.path, "show", **change).exit == 0, "no home", at(here, here.path, "show", **change))
        (here.repo / ".git/config").write_text((here.repo / ".git/config").read_text() + "[broken\n")
        answer = refused(here, here.path, "repository-broken", ("round",))
        check("config" in answer.err, "file and line are named", answer)


def case_56_dot_git_is_a_symlink():
    with lane(record=False) as here:
        (here.repo / ".git").rename(here.root / "r.git")
        (here.repo / ".git").symlink_to("../r.git")
        check(at(here, here.repo, *NEW).exit == 0 and (here.repo / "MANDATE.md").exists(), "beside the link")
        check(not (here.root / "MANDATE.md").exists(), "nothing in the parent")
        clean(here, here.repo)


def case_copies_and_deleted_directories():
    with lane() as here:
        shutil.copytree(here.path, here.root / "copy", symlinks=True)
        before = here.record.read_bytes()
        refused(here, here.root / "copy", "worktree-mismatch", ("round",))
        check(here.record.read_bytes() == before, "never written into the original")
        script = 'mkdir gone && cd gone && rmdir ../gone && "$0" round'
        done = Answer(subprocess.run(["sh", "-c", script, BINARY], cwd=here.path, env=here.env, capture_output=True, text=True))
        check(done.exit == 2 and done.value("error") == "not-a-directory", "a deleted current directory", done)
        refused(here, here.path, "not-a-directory", ("round", "-C", "nowhere"))
        refused(here, tempfile.gettempdir(), "not-a-repository", ("round",))


def case_mid_operation_lanes_keep_their_branch():
    with lane() as here:
        for n in range(3):
            (here.path / "x").write_text(str(n))
            here.git("add", "x")
            here.git("commit", "-q", "-m", f"x{n}")
        here.env["GIT_SEQUENCE_EDITOR"] = "sed -i s/^pick/edit/"
        here.git("rebase", "-q", "-i", "HEAD~2")
        rebasing = here.run("round")
        check(rebasing.value("round") == "1", "mid-rebase is on its branch", rebasing)
        check(at(here, here.repo, "show", "--branch", "f").value("lane_source") == "branch", "found by it")
        here.git("rebase", "--abort")
        here.git("bisect", "start", "HEAD", "HEAD~2")
        bisecting = here.run("round")
        check(bisecting.value("round") == "2", "mid-bisect too", bisecting)
        here.git("bisect", "reset")
        here.git("checkout", "-q", "-b", "other")
        answer = here.run("round")
        check(answer.exit == 2 and answer.value("error") == "branch-mismatch" and here.used() == 2, "another branch is not charged", answer)


run_cases(globals())
