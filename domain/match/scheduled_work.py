"""What the service itself has to do for a match, and when."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from domain.engine.play import Seat
from domain.match.decisions.ending import next_options, rateable
from domain.match.state import Match

Work = Literal["deadline", "lapse", "abort", "begin", "score", "rate", "series", "bot", "think"]
Queue = Literal["deadlines", "scoring", "bots", "thinking"]

QUEUE_OF: Mapping[Work, Queue] = {
    "deadline": "deadlines",
    "lapse": "deadlines",
    "abort": "deadlines",
    "begin": "deadlines",
    "score": "scoring",
    "rate": "scoring",
    "series": "scoring",
    "bot": "bots",
    "think": "thinking",
}
"""Every kind of work, and the queue in which its jobs wait; the most urgent queue comes first.

Bots that search wait in a queue of their own, so that nobody else waits behind them.

The job of a kind of work is the function of that name in `workers/jobs/match_jobs.py`; its metrics
are labelled with the kind, the length of the queue with the queue.
"""

AT_ONCE = 0
"""When work falls due that waits for nothing: no clock can delay it, wherever it is wrong."""

IN_HAND = -1
"""When work falls due that whoever records the entry goes on with."""

QUEUES: tuple[Queue, ...] = tuple(dict.fromkeys(QUEUE_OF.values()))

BOT_QUEUES: tuple[Queue, ...] = ("bots", "thinking")
"""The queues of bot turns, of which there may be any number: hosts have fair shares of them."""

PROMPT_QUEUES: tuple[Queue, ...] = tuple(queue for queue in QUEUES if queue not in BOT_QUEUES)
"""The queues of all other work, which never waits behind bot turns."""


def due(match: Match) -> dict[Work, int]:
    """Each work to be done and when it falls due: ms since the epoch, UTC, or AT_ONCE."""
    if match.status == "open" and match.opening is not None:
        return {"begin": match.opening}
    if match.status == "open" and match.expires is not None:
        return {"abort": match.expires}
    if match.status == "ended":
        return {"score": AT_ONCE}
    if match.status == "active":
        return _while_active(match)
    return _afterwards(match)


def changes(before: Mapping[Work, int], after: Mapping[Work, int]) -> dict[Work, int | None]:
    """What is to be noted where one follows the other: work that falls due at another time, None if
    it does no more. What is due at once gets a new place among all that is.
    """
    gone: dict[Work, int | None] = dict.fromkeys(work for work in before if work not in after)
    return gone | {
        work: at for work, at in after.items() if at <= AT_ONCE or before.get(work) != at
    }


def bot_to_move(match: Match) -> Seat | None:
    """The seat whose bot moves next, if one has to."""
    return next((seat for seat in match.awaited if match.chairs[seat].bot), None)


def _searches(match: Match, seat: Seat) -> bool:
    level = match.chairs[seat].bot
    return any(known.deep for known in match.game.levels if known.key == level)


def _while_active(match: Match) -> dict[Work, int]:
    work: dict[Work, int] = {}
    if match.undo_request is not None:
        work["lapse"] = match.undo_request.expires  # bots wait, so that the others can answer
    elif (seat := bot_to_move(match)) is not None:
        work["think" if _searches(match, seat) else "bot"] = AT_ONCE
    if match.clocks is not None and match.clocks.deadline is not None:
        work["deadline"] = match.clocks.deadline
    return work


def _afterwards(match: Match) -> dict[Work, int]:
    work: dict[Work, int] = {}
    if rateable(match) and not match.rated:
        work["rate"] = AT_ONCE
    if match.next_match is None and next_options(match) is not None:
        work["series"] = AT_ONCE
    return work
