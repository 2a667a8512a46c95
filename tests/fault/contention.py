"""N processes on a budget of B give exactly B rounds, numbered 1 to B, whatever happens meanwhile.

usage: contention.py [TIMES]     every situation that often
"""

import random
import subprocess
import sys
import time

from fault_support import check, finish, lane

WAIT = ["--lock-timeout", "60"]


def book_together(here, count, meanwhile=None):
    """Starts `count` bookings at once; `meanwhile(processes)` runs beside them."""
    processes = [here.popen("round", *WAIT) for _ in range(count)]
    if meanwhile:
        meanwhile(processes)
    return [finish(process) for process in processes]


def numbers(answers):
    return sorted(int(a.value("round")) for a in answers if a.value("round_authorized") == "yes")


def check_after(here, answers, budget):
    given = numbers(answers)
    check(len(given) == len(set(given)), "no number is given twice", given)
    check(here.used() <= budget, "the budget holds", here.record.read_text())
    check(here.leftovers() == [], "no temporary file is left", here.leftovers())
    after = here.run("round")
    check(after.exit == 0, "the next booking just works", after)
    check(here.run("show").value("history_drift") == "0", "record and ledger agree")
    return given


def plain(count, budget):
    with lane(budget=budget) as here:
        answers = book_together(here, count)
        check(all(a.exit == 0 for a in answers), "everybody is answered", [a for a in answers if a.exit])
        check(check_after(here, answers, budget) == list(range(1, budget + 1)), "exactly the budget, each number once", answers)


def lock_deleted(count, budget):
    with lane(budget=budget) as here:
        deleter = subprocess.Popen(["sh", "-c", "while :; do rm -f .MANDATE.lock; done"], cwd=here.path)
        try:
            answers = book_together(here, count)
        finally:
            deleter.kill()
            deleter.wait()
        check(all(a.exit == 0 or a.value("error") == "lock-replaced" for a in answers), "booked or refused", answers)
        given = check_after(here, answers, budget)
        check(given == list(range(1, len(given) + 1)), "numbers have no gap", given)
        if all(a.exit == 0 for a in answers):
            check(len(given) == budget, "exactly the budget", given)


def half_killed(count, budget):
    def kill(processes):
        for victim in random.sample(processes, count // 2):
            time.sleep(random.random() * 0.004)  # spread over the bookings, nothing is awaited here
            victim.kill()

    with lane(budget=budget) as here:
        answers = book_together(here, count, kill)
        used = here.used()
        given = check_after(here, answers, budget)
        check(all(n <= used for n in given), "an answer that was printed is never lost", (given, used))


def main():
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    for n in range(times):
        plain(40, 5)
        lock_deleted(40, 5)
        half_killed(40, 5)
        print(f"pass {n + 1}: 40 processes, budget 5: plain, lock file deleted, half of them killed")
    plain(64, 64)
    plain(64, 10)
    print("64 processes: budget 64 gives 64, budget 10 gives 10")


main()
