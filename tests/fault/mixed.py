"""Up to 64 processes, every verb, four lanes of one repository: budgets hold, and nobody is in a booking beside another.

usage: mixed.py [--full]     64 processes and 6 seeds instead of 24 and 1

The lock's log comes from strace beside each process (overlap.py). Situations: `init` by all in lanes without a record;
mixed verbs; the same while the lock files are deleted, an editor saves, processes are stopped, go on, and are killed;
waiters that queued one behind another.
"""

import dataclasses
import fcntl
import pathlib
import random
import sys
import time

import ledger_lines
import overlap
from booking_cases import START
from fault_support import Lane, check, finish, lane
from trouble import Trouble

LANES, BUDGET, SPAWN = 4, 5, 4
WAIT = ("--lock-timeout", "60")
ACK = ("unenforced", "--ack", "--by", "me")  # takes the ledger's lock alone, and waits for it five seconds at most


class Sibling(Lane):
    """One more lane of the same repository."""

    def __init__(self, first, name):
        self.root, self.env, self.repo, self.path = first.root, first.env, first.repo, first.root / name
        self.git("worktree", "add", "-q", "-b", f"b-{name}", str(self.path), cwd=self.repo)

    @property
    def ledger(self):
        return self.repo / f".git/mandate/worktrees/{self.path.name}.jsonl"


@dataclasses.dataclass
class Asked:
    lane: Lane
    words: tuple
    process: object
    answer: object = None
    killed: bool = False


def ask(lanes, all_words, log):
    """Starts them all at once, each under its own strace; the process is the program itself, not the tracer."""
    log.mkdir()
    return [Asked(here, words, here.popen(*words, prefix=(*overlap.FLAGS, "-o", str(log / "p"))))
            for here, words in zip(lanes, all_words)]


def words_of(dice, number):
    choices = ([("round", "--token", f"t{number}")] * 8 + [("spend", "spawn", "--token", f"s{number}")] * 4 +
               [("reviewed", "--findings", "1"), ("grant", "merge", "--by", "me"), ("revoke", "merge"),
                ("acknowledged", "--by", "me"), ("fixed",), ACK])
    words = dice.choice(choices)
    return words if words == ACK else (*words, *WAIT)


def forget_exclude(first):
    """So that all of them find the lines missing in the same instant."""
    (first.repo / ".git/info/exclude").write_text("# ours\nno newline at the end")


def check_shared(first, asked):
    lines = (first.repo / ".git/info/exclude").read_text().split("\n")
    check(lines[:2] == ["# ours", "no newline at the end"], "old bytes of the exclude file are kept", lines)
    check(lines.count("/MANDATE.md") == 1 and lines.count("/.MANDATE.*") == 1, "each line once", lines)
    starved = [one for one in asked if one.answer.value("error") == "lock-held"]
    check(not starved, "nobody starves", starved)
    loud = [one for one in asked if one.answer.err.count("waiting for") > 1]
    check(not loud, "waiting adds one line", loud)


def check_locks(asked, log):
    traces = overlap.read(log)
    for suffix in ("/.MANDATE.lock", ".jsonl"):
        found = overlap.overlaps(traces, suffix)
        check(not found, f"nobody holds the lock of {suffix} beside another", found)
    outside = overlap.renames_outside(traces, ".jsonl")
    check(not outside, "records are renamed under the lock of the ledger", outside)
    losers = {one.process.pid for one in asked if one.answer.exit > 0 or one.answer.value("round_authorized") == "no"
              or one.answer.value("spend_authorized") == "no"}
    touched = [trace.pid for trace in traces if trace.renames and trace.pid in losers]
    check(not touched, "losers left the record untouched", touched)
    return traces


def check_lane(here, asked, traces, edited=False):
    """Numbers, budgets and history of one lane, its last booking made by us."""
    last = here.run("grant", "open-pr", "--by", "us")
    check(last.exit == 0, "the next booking just works", last)
    check(here.leftovers() == [], "nothing is left over", here.leftovers())
    look, lines = here.run("verify"), ledger_lines.read(here.ledger)
    drift = int(look.value("history_drift") or 0)
    standing = lines.standing()
    booked = [line["round"] for line in standing if line["event"] == "round"]
    mine = [one for one in asked if one.lane is here]
    given = [int(one.answer.value("round")) for one in mine if one.answer.value("round_authorized") == "yes"]
    check(not lines.chain_breaks(), "every line follows the one before", lines.chain_breaks())
    check(look.value("pending") == "no" and look.value("chain") == "ok", "verify sees no more than the editor", look)
    check(set(given) <= set(booked), "an answered round is in the ledger", (given, booked))
    check(here.used() + drift == len(booked), "every booked round is in the record or counted as drift", (booked, look))
    check(len(given) <= BUDGET + drift, "never over budget", given)
    if edited:
        return
    check(look.exit == 0 and look.value("hand_edited") == "no" and drift == 0, "verify is content", look)
    check(sorted(booked) == list(range(1, len(booked) + 1)), "numbers are distinct and without a gap", booked)
    check(len(given) == len(set(given)), "no number is answered twice", given)
    spent = sum(line["amount"] for line in standing if line["event"] == "spend")
    shown = here.run("show")
    check(spent <= SPAWN and shown.value("budget_spawn_used") == str(spent), "the further budget holds", (spent, shown))
    check(standing[-1]["record"] == ledger_lines.blob_id(here.record.read_bytes()), "the newest booking left the record")
    renames = sum(directory == str(here.path) for trace in traces for directory, _ in trace.renames)
    check(renames == len(standing) - 2, "one rename a booking", (renames, standing))  # not traced: `init`, and ours
    if not any(one.killed or one.answer.value("error") == "lock-replaced" for one in mine):
        wanted = sum(one.words[0] == "round" for one in mine)
        check(len(given) == min(wanted, BUDGET), "exactly the budget", given)


def finish_all(asked):
    for one in asked:
        one.answer = finish(one.process)


def everybody_inits(count, first, lanes, log):
    forget_exclude(first)
    asked = ask([lanes[n % LANES] for n in range(count)], [(*START[:5], f"review_budget={BUDGET}", f"budget_spawn={SPAWN}",
                                                            *WAIT) for _ in range(count)], log)
    finish_all(asked)
    check_shared(first, asked)
    check_locks(asked, log)
    for here in lanes:
        mine = [one.answer for one in asked if one.lane is here]
        check(sum(a.exit == 0 for a in mine) == 1, "one init wins", mine)
        check(all(a.exit == 0 or a.value("error") == "record-exists" for a in mine), "the others are told", mine)
        check(here.run("verify").exit == 0, "verify is content", here.run("verify"))


def everybody_books(count, first, lanes, log, seed, trouble):
    forget_exclude(first)
    dice = random.Random(seed)
    asked = ask([lanes[n % LANES] for n in range(count)], [words_of(dice, n) for n in range(count)], log)
    beside = Trouble(seed, lanes, asked, log, trouble)
    finish_all(asked)
    beside.stop()
    check_shared(first, asked)
    fine = {None, "out-of-order"} | ({"record-changed"} if "save_records" in trouble else set())
    if "delete_locks" in trouble:
        fine.add("lock-replaced")  # where it goes faster than a booking, none can be made
    strange = [one for one in asked if not one.killed and one.answer.value("error") not in fine]
    check(not strange, "everybody is answered", strange)
    traces = check_locks(asked, log)
    for here in lanes:
        check_lane(here, asked, traces, edited="save_records" in trouble and here is lanes[-1])


def with_lanes(situation, count, *more):
    with lane(record=False) as first:
        lanes = [first, *(Sibling(first, f"w{n}") for n in range(1, LANES))]
        if situation is not everybody_inits:
            for here in lanes:
                made = here.run(*START[:5], f"review_budget={BUDGET}", f"budget_spawn={SPAWN}")
                check(made.exit == 0, "init works", made)
        situation(count, first, lanes, first.root / "log", *more)


def stands_in_the_queue(process, path):
    waits = f" {process.pid} "
    return any("->" in line and waits in line and f":{path.stat().st_ino} " in line
               for line in pathlib.Path("/proc/locks").read_text().splitlines())


def first_come_first_served(count):
    with lane(budget=count) as here:
        path = here.path / ".MANDATE.lock"
        with open(path, "r+b") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            waiters = []
            for _ in range(count):
                waiters.append(here.popen("round", *WAIT))
                while not stands_in_the_queue(waiters[-1], path):
                    check(waiters[-1].poll() is None, "it waits", waiters[-1])
                    time.sleep(0.001)
        rounds = [int(finish(waiter).value("round")) for waiter in waiters]
        check(rounds == list(range(1, count + 1)), "served in the order in which they came", rounds)


def main():
    full = "--full" in sys.argv[1:]
    count, seeds = (64, 6) if full else (24, 1)
    for seed in range(seeds):
        with_lanes(everybody_inits, count)
        with_lanes(everybody_books, count, seed, ())
        with_lanes(everybody_books, count, seed, ("delete_locks", "kill", "stop_and_go_on"))
        with_lanes(everybody_books, count, seed, ("delete_locks", "kill", "stop_and_go_on", "save_records"))
        first_come_first_served(count)
        print(f"seed {seed}: {count} processes in {LANES} lanes: init, mixed verbs, with locks deleted and processes "
              "stopped and killed, with an editor besides; first come, first served; bad: 0", flush=True)


main()
