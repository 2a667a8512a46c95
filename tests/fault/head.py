"""A HEAD that cannot be read is no detached one: a record bound to a branch must not answer on another.

The lane has left the branch of its record, so every answer is a refusal; with one read of HEAD failing it must not
become a verdict. The same for `--branch`: a worktree whose HEAD is refused may be the one that holds the branch.
"""

import injection
from fault_support import check, lane


def points_at_head(here, *words):
    """Every call that reaches for a HEAD file, and the calls on its descriptor."""
    log = here.root / "trace"
    here.run(*words, prefix=("strace", "-f", "-y", "-s", "4096", "-o", str(log)))
    found = [point for point in injection.points(log.read_text()) if '/HEAD"' in point.line or "/HEAD>" in point.line
             or '"HEAD"' in point.line]
    check(found, "HEAD is read", log.read_text())
    return [point for point in found if point.call != "close"]


def answers_nothing(here, codes, *words):
    tried = 0
    for point in points_at_head(here, *words):
        for fault in ("error=EIO", "error=EACCES"):
            answer = here.run(*words, prefix=injection.prefix(point, fault, here.root / "log"))
            check(answer.exit == 2 and answer.value("error") in codes, f"{fault} at {point} is a refusal", answer)
            tried += 1
    print("ok", *words, tried, "faults")


def main():
    place = ("repository-broken", "not-a-worktree", "not-a-repository")
    with lane() as here:
        check(here.run("allows", "commit").exit == 0, "allowed on the record's branch")
        here.git("checkout", "-q", "-b", "other")
        check(here.run("allows", "commit").value("error") == "branch-mismatch", "not on another")
        answers_nothing(here, (*place, "branch-mismatch"), "allows", "commit")
        answers_nothing(here, (*place, "branch-mismatch"), "round")
        here.record.unlink()
        refused = here.run("allows", "commit", "--branch", "g")
        check(refused.value("lane_source") == "cwd", "nobody holds the branch", refused)
        here.git("branch", "g")
        here.git("worktree", "add", "-q", str(here.root / "v"), "g")
        # The reads of v's HEAD come after those of the place where the question is asked.
        words = ("allows", "commit", "--branch", "g")
        for point in points_at_head(here, *words):
            if "worktrees/v" in point.line:
                answer = here.run(*words, prefix=injection.prefix(point, "error=EIO", here.root / "log"))
                check(answer.value("lane_source") != "cwd", f"another lane does not answer, {point}", answer)
        print("ok", *words)


main()
