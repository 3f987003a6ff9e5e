"""Work that the service has to do for a match, and when."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from domain.engine.play import Seat
from domain.match.decisions.absence import patience_ends
from domain.match.decisions.ending import awaits_next, awaits_series, is_rateable
from domain.match.state import Match

Work = Literal[
    "deadline", "patience", "lapse", "resume", "abort", "abandon", "begin", "score", "rate",
    "series", "bot", "think", "plan",
]  # fmt: skip
Queue = Literal["deadlines", "scoring", "bots", "thinking", "plans"]

QUEUE_OF: Mapping[Work, Queue] = {
    "deadline": "deadlines",
    "patience": "deadlines",
    "lapse": "deadlines",
    "resume": "deadlines",
    "abort": "deadlines",
    "abandon": "deadlines",
    "begin": "deadlines",
    "score": "scoring",
    "rate": "scoring",
    "series": "scoring",
    "bot": "bots",
    "think": "thinking",
    "plan": "plans",
}
"""Each kind of work and the queue of its jobs, most urgent queue first.

Searching bots have a separate queue, so that no other work waits behind them, and so have plans,
which a player can make due at many tables at once.

The job of a kind of work is the function of that name in `workers/jobs/match_jobs.py`. Metrics of
jobs have the kind as a label, metrics of queue length the queue.
"""

DUE_NOW = 0
"""Due time of work that waits for nothing. It is in the past for every clock, even a wrong one."""

CLAIMED = -1
"""Due time of work that the process which records the entry does next itself."""

IF_PLANNED = -2
"""Due time of work that waits for nothing if a player has a plan for the match, which only the
store knows; without a plan it is not due at all.
"""

IDLE_STEPS = 100
"""Number of steps of the time after which an idle match or the patience with a seat ends, in the
index of due work.
"""

QUEUES: tuple[Queue, ...] = tuple(dict.fromkeys(QUEUE_OF.values()))

BOT_QUEUES: tuple[Queue, ...] = ("bots", "thinking")
"""The queues of bot turns. Their number is unbounded, so hosts get fair shares of them."""

PROMPT_QUEUES: tuple[Queue, ...] = tuple(queue for queue in QUEUES if queue not in BOT_QUEUES)
"""The queues of all other work; it waits in no index behind bot turns."""

URGENT_QUEUES: tuple[Queue, ...] = ("deadlines", "scoring")
"""The queues of work that never waits for bots or plans."""


def idle_step_ms(match: Match) -> int:
    """Return how much later than its time an idle match ends at most: the index has that time
    rounded up, because each move of its only player changes it.
    """
    return max(1, (match.idle_ms or 0) // IDLE_STEPS)


def patience_step_ms(match: Match) -> int:
    """Return how much later than its time the patience with a seat ends at most."""
    return max(1, (match.patience_ms or 0) // IDLE_STEPS)


def due_work(match: Match) -> dict[Work, int]:
    """Due work and its due times: ms since the epoch (UTC), or DUE_NOW."""
    if match.status == "open" and match.nonces_due_at is not None:
        return {"begin": match.nonces_due_at}
    if match.status == "open" and match.expires is not None:
        return {"abort": match.expires}
    if match.status == "ended":
        return {"score": DUE_NOW}
    if match.status == "active":
        return _while_active(match)
    return _afterwards(match)


def due_changes(before: Mapping[Work, int], after: Mapping[Work, int]) -> dict[Work, int | None]:
    """The updates to the index of due work: new due times, and None for work that is no longer due.

    Work that is due now is always included: it goes to the end of its queue again.
    """
    removed: dict[Work, int | None] = dict.fromkeys(work for work in before if work not in after)
    return removed | {
        work: at for work, at in after.items() if at <= DUE_NOW or before.get(work) != at
    }


def starts_now(before: Match | None, after: Match) -> bool:
    """Whether the match started with the last entry."""
    return after.status == "active" and (before is None or before.status == "open")


def plan_changes(before: Match | None, after: Match) -> dict[Work, int | None]:
    """The update to the index for the plans of players, after an entry: look at them if a person
    has to decide, and erase them once the match is over.

    It is no part of `due_work`: plans are no part of the match.
    """
    if after.status == "active":
        waits = any(after.chairs[seat].human for seat in after.seats_to_move)
        return {"plan": IF_PLANNED} if waits else {}
    was_on = before is not None and before.status in ("open", "active")
    return {"plan": IF_PLANNED} if was_on and after.status != "open" else {}


def work_changes(before: Match | None, after: Match) -> dict[Work, int | None]:
    """All updates to the index after an entry; the first entry has no match before it."""
    due = due_work(before) if before else {}
    return due_changes(due, due_work(after)) | plan_changes(before, after)


def is_settled(match: Match) -> bool:
    """Whether nothing follows: the match is over, rated if it counts, and no match of a series
    comes after it.
    """
    is_over = match.status in ("scored", "aborted") and match.next_in_series is None
    return is_over and not due_work(match)


def is_complete(match: Match) -> bool:
    """Whether the result stands: it is rated if it counts, and the next match of its series is
    open. It stays so when the players play again.
    """
    is_rated = match.rated or not is_rateable(match)
    return match.status == "scored" and is_rated and not awaits_series(match)


def bot_to_move(match: Match) -> Seat | None:
    """The seat whose bot moves next; None if no bot has to move."""
    return next((seat for seat in match.seats_to_move if match.chairs[seat].bot), None)


def _searches(match: Match, seat: Seat) -> bool:
    level = match.chairs[seat].bot
    return any(known.deep for known in match.game.levels if known.key == level)


def _while_active(match: Match) -> dict[Work, int]:
    work: dict[Work, int] = {}
    requests = [one for one in (match.undo_request, match.proposal) if one is not None]
    if requests:
        work["lapse"] = min(one.expires for one in requests)
    waits = match.undo_request is not None or match.pause is not None  # bots, too
    if not waits and (seat := bot_to_move(match)) is not None:
        work["think" if _searches(match, seat) else "bot"] = DUE_NOW
    if match.clocks is not None and match.clocks.deadline is not None:
        work["deadline"] = match.clocks.deadline
    if match.pause is not None:
        work["resume"] = match.pause.until
    if ends := patience_ends(match):
        work["patience"] = _round_up(min(ends.values()), patience_step_ms(match))
    if match.ends_at is not None:
        work["abandon"] = _round_up(match.ends_at, idle_step_ms(match))
    return work


def _round_up(at: int, step: int) -> int:
    return -(-at // step) * step


def _afterwards(match: Match) -> dict[Work, int]:
    work: dict[Work, int] = {}
    if is_rateable(match) and not match.rated:
        work["rate"] = DUE_NOW
    if awaits_next(match):
        work["series"] = DUE_NOW
    return work
