"""Situations 57 to 75: records, values and command lines that somebody made to hurt."""

import json
import os
import pathlib
import resource
import subprocess

from fault_support import BINARY, Answer, check, finish, lane, run_cases

HEAD = "---\nmandate_version: 1\ntask: t\nauthorized_by: me\nallow: commit\nreview_budget: 3\nreview_rounds_used: 0\n"


def write(here, content):
    here.record.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape"))


def refused(here, code, **details):
    """Every verb that answers from the record refuses it, and nothing changes."""
    before = here.record.read_bytes() if here.record.is_file() and not here.record.is_symlink() else None
    answer = None
    for words in (("allows", "commit"), ("round",), ("show",), ("gate",), ("next",), ("cancel",), ("spend", "x"), ("grant", "merge", "--by", "me")):
        answer = here.run(*words, timeout=15)
        check(answer.exit == 2 and answer.value("error") == code, f"{words[0]}: {code}", answer)
        check(not any(answer.value(key) for key in ("verdict", "round_authorized", "review_rounds_used")), "no verdict, no counter", answer)
        for key, value in details.items():
            check(answer.value(key) == value, f"{key}={value}", answer)
        check("\x1b" not in answer.out + answer.err and len(answer.err) < 700, "escaped and bounded", answer)
    if before is not None:
        check(here.record.read_bytes() == before, "the record is untouched")
    check(not here.leftovers(), "nothing is left")
    return answer


def case_57_every_prefix_of_a_record():
    with lane() as here:
        whole = here.record.read_bytes()
        end = whole.index(b"\n---\n") + 4
        for size in range(0, end + 1, 7):
            write(here, whole[:size])
            answer = here.run("allows", "merge")
            check(answer.exit in (1, 2), "a clean answer", (size, answer))
            check(answer.value("verdict") != "allowed", "never a grant that the file does not make")


def case_58_and_59_numbers_have_one_spelling():
    with lane() as here:
        for number in ("0b11", "0o7", "0x10", "1_0", "+3", "3.0", '"3"', "03", "1e3", "-1", "1000001", "99999999999999999999", "３", "3 4", "3,"):
            write(here, HEAD.replace("review_budget: 3", f"review_budget: {number}") + "---\n")
            refused(here, "record-bad-value", line="6")
        for number in ("3", "  3", "3\t"):
            write(here, HEAD.replace("review_budget: 3", f"review_budget: {number}") + "---\n")
            check(here.run("show").value("review_budget") == "3", "trimmed by the record's rule", here.run("show"))
        write(here, HEAD.replace("review_budget: 3", "review_budget:") + "---\n")
        check(here.run("show").value("review_budget") == "", "empty is no limit")


def case_60_size_and_time():
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (1_000_000_000,) * 2)

    sanitized = b"__asan_init" in open(BINARY, "rb").read()
    for content in ("x" * (1 << 21), HEAD + "---\n" + "y\n" * (1 << 20), "---\n" + "a: b\n" * 300_000):
        with lane() as here:
            write(here, content)
            done = subprocess.run([BINARY, "show"], cwd=here.path, env=here.env, capture_output=True, text=True, timeout=15,
                                  preexec_fn=None if sanitized else limit)
            check(Answer(done).value("error") == "record-too-large", "refused by its size", Answer(done))
    with lane() as here:
        with open(here.record, "w") as sparse:
            sparse.truncate(300 << 20)
        refused(here, "record-too-large")
        write(here, "---\n" + "k: v\n" * 150_000 + HEAD[4:] + "---\n")
        check(here.run("allows", "commit").value("verdict") == "allowed", "many unknown keys are read in no time")


def case_61_and_62_escapes_and_look_alikes():
    with lane() as here:
        write(here, HEAD + "scope: \x1b]0;x\x07\x1b[2J \u202e \\ end\n---\n")
        answer = here.run("show")
        check(answer.value("scope") == "\\x1b]0;x\\x07\\x1b[2J \\u{202E} \\\\ end", "one escaping", answer)
        check(json.loads(here.run("show", "--json").out)["scope"] == answer.value("scope"), "JSON carries that same text")
        check("\x1b" not in answer.out + answer.err, "no escape reaches the screen")
        write(here, HEAD.replace("review_budget", "review_budg\u0435t") + "---\n")
        check(here.run("show").value("review_budget") == "", "a look-alike key is no key")
        check(here.run("check").exit == 1, "and check says so", here.run("check"))
        write(here, HEAD.replace("allow: commit", "allow: comm\u0456t") + "---\n")
        refused(here, "record-bad-value", line="5")
        write(here, HEAD.encode().replace(b"allow: commit", b"allow: commit\x00, merge") + b"---\n")
        refused(here, "record-bad-value", line="5")


def case_67_the_budget_is_one_whatever_the_way_in():
    with lane(budget=3) as here:
        ways = (("round",), ("round", "--token", "a"), ("round", "--branch", "f"), ("round", "-C", "."), ("round", "--strict", "--unenforced"))
        given = [here.run(*words).value("round_authorized") for words in ways]
        check(given == ["yes"] * 3 + ["no"] * 2, "the fourth is refused whatever the way in", given)
        check(here.used() == 3, "used")


def case_68_another_branch_is_another_thing():
    with lane() as here:
        here.git("checkout", "-q", "-b", "other")
        refused(here, "branch-mismatch")
        check(here.run("rebind", "--by", "me").exit == 0 and here.run("round").exit == 0, "until a person rebinds it")


def case_69_the_answer_agrees_with_the_record():
    # A closed pipe after the booking; the retry with the same token charges nothing.
    with lane() as here:
        script = '"$0" round --token T | true; exec "$0" round --token T'
        again = Answer(subprocess.run(["bash", "-c", script, BINARY], cwd=here.path, env=here.env, capture_output=True, text=True))
        check(again.value("round") == "1" and here.used() == 1, "charged once", again)


def case_70_every_note_is_kept():
    with lane(budget=1000) as here:
        def worker(n):
            verbs = [("round", "--token", f"{n}.{k}") if n % 2 else ("acknowledged", "--by", f"w{n}.{k}", "--findings", "0") for k in range(25)]
            return [here.popen(*words, "--lock-timeout", "60") for words in verbs]

        booked = [finish(p) for n in (1, 3, 5, 7) for p in worker(n)]
        check(all(a.exit == 0 for a in booked), "all booked", [a for a in booked if a.exit])
        events = json.loads(here.run("log", "--json").out)["events"]
        tokens = [e["token"] for e in events if e["event"] == "round"]
        check(len(tokens) == len(set(tokens)) == 100, "every booking has its line", len(tokens))
        check([e["round"] for e in events if e["event"] == "round"] == list(range(1, 101)), "numbered in order")


def case_71_two_claims_two_numbers():
    with lane() as here:
        answers = [finish(p) for p in [here.popen("round") for _ in range(2)]]
        check({a.value("round") for a in answers} == {"1", "2"}, "two different numbers", answers)
        check(all("=" in line for a in answers for line in a.out.splitlines()), "nothing else on stdout")


def case_74_nobody_is_asked_on_a_terminal():
    with lane() as here:
        never_written, held_open = os.pipe()
        for n, how in enumerate(({"stdin": subprocess.DEVNULL, "start_new_session": True}, {"stdin": never_written},
                                 {"preexec_fn": lambda: os.close(0)}), start=1):
            done = subprocess.run([BINARY, "round"], cwd=here.path, env=here.env, capture_output=True, text=True, timeout=15, **how)
            check(Answer(done).value("round") == str(n), "booked without asking or reading stdin", Answer(done))
        os.close(held_open)


def case_75_tracked_on_one_branch():
    with lane() as here:
        here.git("add", "-f", "MANDATE.md")
        refused(here, "record-tracked")
        here.git("commit", "-q", "-m", "swept in")
        here.git("checkout", "-q", "--detach", "main")
        check(here.run("show").value("mandate_exists") == "no", "no record here")
        here.git("checkout", "-q", "f")
        refused(here, "record-tracked")
        check(here.run("init", "--force", "--preset", "standard", "task=t", "authorized_by=me").value("error") == "record-tracked",
              "nor does init replace it")
        here.record.unlink()
        check(here.run("show").value("mandate_exists") == "no", "in the index but not on disk: none to read")
        check(here.run("init", "--preset", "standard", "task=t", "authorized_by=me").value("error") == "record-tracked", "init refuses")


def case_an_index_that_tells_nothing():
    with lane() as here:
        here.git("add", "-f", "MANDATE.md")
        index = pathlib.Path(here.git("rev-parse", "--path-format=absolute", "--git-path", "index").strip())
        whole = index.read_bytes()
        for bytes_left in (whole[:len(whole) // 2], b"not an index"):
            index.write_bytes(bytes_left)
            refused(here, "record-tracked-unknown")
        index.write_bytes(whole)
        refused(here, "record-tracked")


def case_what_stands_in_the_records_place():
    makers = {"record-symlink": lambda p: os.symlink("/etc/hostname", p), "record-not-regular": os.mkfifo}
    for code, make in [*makers.items(), ("record-symlink", lambda p: os.symlink("/nonexistent", p)), ("record-not-regular", os.mkdir)]:
        with lane() as here:
            here.record.unlink()
            make(here.record)
            refused(here, code)
            forced = here.run("init", "--force", "--preset", "standard", "task=t", "authorized_by=me")
            check(forced.value("error") == code, "nor does init --force", forced)
            check(here.run("check").exit == 1, "check reports it as its finding", here.run("check"))
            check(here.run("log").exit == 0, "log answers")


def case_text_refusals_in_their_order():
    for content, code, line in (
            ("", "record-no-frontmatter", "1"), (" ---\n", "record-no-frontmatter", "1"), ("---\ntask: t\n", "record-unclosed", "1"),
            ("---\ntask: a\ntask: b\nallow: |\n---\n", "record-duplicate-key", "3"), ("---\nallow: >-2\nreview_budget: x\n---\n", "record-block-scalar", "2"),
            ("---\nallow: [commit]\n---\n", "record-bad-value", "2"), ("---\nallow: 'commit'\n---\n", "record-bad-value", "2"),
            ("---\nterminal_gate: merge\n---\n", "record-bad-value", "2"), ("---\nmandate_version: 2\n---\n", "record-bad-value", "2"),
            ("---\nexpires_at: 2026-13-01T00:00:00Z\n---\n", "record-bad-value", "2")):
        with lane() as here:
            write(here, content)
            answer = refused(here, code)
            check(answer.value("line") == line, f"line {line}", answer)


def case_the_body_never_matters():
    with lane() as here:
        body = "---\nallow: merge, deploy\n" * 50 + "task: other\nreview_budget: 1000\n|\n\x1b[2J"
        write(here, "\ufeff" + HEAD.replace("\n", "\r\n") + "---\r\n" + body)
        before = here.record.read_bytes()
        check(here.run("allows", "merge").value("verdict") == "unlisted", "a body full of grants")
        check(here.run("round").value("round") == "1", "CRLF and BOM are read")
        after = here.record.read_bytes()
        check(after.endswith(before[before.index(b"---\r\n---\n") + 5:]) and after.startswith("\ufeff---\r\n".encode()), "kept byte for byte")
        front = after[:after.index(b"\r\n---\r\n")]
        check(front.count(b"\n") == front.count(b"\r\n"), "new lines end as the opening one does", front)


run_cases(globals())
