"""The whole life of a lane, and eight writers of four verbs at once: record and ledger agree at every step."""

import json
import subprocess

from fault_support import check, finish, lane


def commit(here, name, content, cwd=None):
    folder = cwd or here.path
    (folder / name).write_text(content)
    here.git("add", name, cwd=folder)
    here.git("commit", "-q", "-m", f"change {name}", cwd=folder)


def expect(here, words, exit_status=0, **values):
    answer = here.run(*words)
    check(answer.exit == exit_status, f"{words[0]} ends with {exit_status}", answer)
    for key, value in values.items():
        check(answer.value(key) == value, f"{words[0]}: {key}={value}", answer)
    return answer


def life_of_a_lane():
    with lane() as here:
        commit(here, "a", "one\n")
        expect(here, ["next"], next="review")
        expect(here, ["gate"], 1, gate_met="no")
        expect(here, ["round"], round="1")
        expect(here, ["next"], next="run-review")
        expect(here, ["reviewed", "--findings", "3", "--by", "r"], findings_open="3", booked="yes")
        expect(here, ["next"], next="fix")
        expect(here, ["fixed", "--findings", "2"], findings_open="1")
        expect(here, ["acknowledged", "--by", "me", "--findings", "1"], round_state="acknowledged")
        expect(here, ["gate"], gate_met="yes")
        expect(here, ["next"], next="done")
        commit(here, "b", "moved\n", cwd=here.repo)
        here.git("rebase", "-q", "main")
        expect(here, ["gate"], gate_met="yes")
        commit(here, "c", "more\n")
        answer = expect(here, ["gate"], 1, gate_met="no")
        check("reason=head-moved" in answer.out, "head-moved", answer)
        expect(here, ["next"], next="re-review")
        expect(here, ["verify"], consistent="yes")
        here.git("clean", "-fdxq")
        here.git("worktree", "remove", "--force", str(here.path), cwd=here.repo)
        here.git("worktree", "add", "-q", str(here.path), "f", cwd=here.repo)
        check("event=acknowledged" in here.run("log").out, "the ledger outlives clean and remove")
        expect(here, ["init", "--preset", "standard", "task=t", "authorized_by=me"])
        expect(here, ["show"], history_drift="1")
        expect(here, ["round"], round="1", enforced="no")
        expect(here, ["unenforced"], 1)
        expect(here, ["unenforced", "--ack", "--by", "me"])
        expect(here, ["show"], history_drift="0", unenforced="0")


def eight_writers():
    with lane(budget=1000) as here:
        expect(here, ["init", "--force", "--preset", "standard", "task=t", "authorized_by=me", "review_budget=1000", "budget_spawn=1000"])
        verbs = (lambda n: ("round", "--token", n), lambda n: ("spend", "spawn", "--token", n),
                 lambda n: ("grant", "merge", "--by", n), lambda n: ("extend", "--rounds", "1", "--by", n))
        answers = []
        for step in range(25):
            started = [here.popen(*verbs[w % 4](f"w{w}.{step}"), "--lock-timeout", "60") for w in range(8)]
            answers += [finish(process) for process in started]
        check(all(a.exit == 0 for a in answers), "all booked", [a for a in answers if a.exit])
        events = json.loads(here.run("log", "--json").out)["events"]
        notes = {e.get("token", e.get("by")) for e in events if e["event"] in ("round", "spend", "grant", "extend")}
        check(notes == {f"w{w}.{s}" for w in range(8) for s in range(25)}, "every note is there", len(notes))
        check([e["seq"] for e in events] == list(range(1, len(events) + 1)), "no line is missing")
        expect(here, ["verify"], consistent="yes", chain="ok", hand_edited="no", pending="no")
        expect(here, ["show"], review_rounds_used="50", review_budget="1050", budget_spawn_used="50")


def refuses_locks():
    with lane() as here:
        refusing = ("strace", "-f", "-o", "/dev/null", "-e", "inject=flock:error=ENOLCK")
        refused = here.run("round", prefix=refusing)
        check(refused.exit == 4 and refused.value("error") == "lock-unsupported", "without the flag it stays exit 4", refused)
        passed = here.run("round", "--unenforced", prefix=refusing)
        check(passed.value("round") == "1" and passed.value("enforced") == "no", "the only way past, counted", passed)
        check("reason=lock-unsupported count=1" in here.run("unenforced").out, "shows as a number", here.run("unenforced"))
        check(here.run("show").value("unenforced") == "1", "in show too")
    with lane(budget=100) as here:
        answers = [finish(p) for p in [here.popen("round", "--unenforced", "--lock-timeout", "60") for _ in range(32)]]
        check(all(a.exit == 0 for a in answers) and here.used() == 32, "32 at once on a real file system", answers)
        check(here.run("show").value("unenforced") == "0", "none of them unenforced")


for case in (life_of_a_lane, eight_writers, refuses_locks):
    case()
    print("ok", case.__name__)
