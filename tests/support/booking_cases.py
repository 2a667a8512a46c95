"""One booking of every verb, each with the state of the lane in which it makes sense.

`before` leads a lane without a record there; `words` is the booking. `event` is set where the booking is a line of the
ledger alone and leaves the record as it is.
"""

import dataclasses

START = ("init", "--preset", "standard", "task=t", "authorized_by=me", "review_budget=3", "budget_spawn=5",
         "recorded_at=2026-01-02T03:04:05Z")
AGAIN = ("init", "--force", "--preset", "draft-only", "task=t", "authorized_by=you", "review_budget=4",
         "recorded_at=2026-01-02T03:04:06Z")
BOOKED = (START, ("round",))
REVIEWED = (*BOOKED, ("reviewed", "--findings", "2"))


@dataclasses.dataclass(frozen=True)
class Case:
    words: tuple
    before: tuple = (START,)
    git: tuple = ()
    event: str = ""


CASES = {
    "init": Case(START, ()),
    "init-force": Case(AGAIN),
    "grant": Case(("grant", "merge", "--by", "me")),
    "revoke": Case(("revoke", "commit", "--deny")),
    "extend": Case(("extend", "--rounds", "2", "--by", "me")),
    "rebind": Case(("rebind", "--by", "me"), git=("branch", "-m", "f", "g")),
    "round": Case(("round",)),
    "round-token": Case(("round", "--token", "k")),
    "round-refused": Case(("round",), ((*START, "review_rounds_used=3"),), event="refused"),
    "cancel": Case(("cancel", "--reason", "r"), BOOKED),
    "reviewed": Case(("reviewed", "--findings", "2", "--by", "me"), BOOKED),
    "fixed": Case(("fixed", "--findings", "1"), REVIEWED),
    "acknowledged": Case(("acknowledged", "--by", "me"), REVIEWED),
    "spend": Case(("spend", "spawn", "--amount", "2")),
    "spend-token": Case(("spend", "spawn", "--amount", "2", "--token", "k")),
    "refund": Case(("refund", "spawn"), (START, ("spend", "spawn", "--amount", "2"))),
    "ack": Case(("unenforced", "--ack", "--by", "me"), (*BOOKED, ("cancel", "--reason", "r")), event="ack"),
}


def prepare(lane, case):
    """Leads a lane without a record to where `case` begins."""
    for words in case.before:
        made = lane.run(*words)
        assert made.exit == 0, (words, made)
    if case.git:
        lane.git(*case.git)
