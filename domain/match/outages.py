"""Outages: a time in which players could not reach the service counts for none of them.

This is the only place that takes outages into account: every decision on a match goes through it.
docs/clocks.md has the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from domain.match.errors import TooEarly
from domain.match.events import TimeReturned
from domain.match.log import Draft
from domain.match.scheduled_work import DUE_NOW, due_work
from domain.match.state import Match

Decision = Callable[[Match, int], Draft]
"""Turns a match and a time (ms since the epoch) into events, or refuses."""


class Outage(msgspec.Struct, frozen=True, array_like=True):
    """A time in which the service could not be reached, in ms since the epoch."""

    start: int
    end: int


def outage_ms(outages: Iterable[Outage], since: int, until: int) -> int:
    """How much of the time from `since` to `until` belongs to outages, which do not overlap."""
    return sum(max(0, min(one.end, until) - max(one.start, since)) for one in outages)


def decide(match: Match, decision: Decision, now: int, outages: Iterable[Outage]) -> Draft:
    """Decide as if the outages since the last entry had taken no time.

    The draft begins with the time that it returns. A deadline that is no longer due becomes an
    entry of its own, so that readers and the index of due work have the new deadline.
    """
    ms = outage_ms(outages, match.updated_at, now)
    if not ms or all(at <= DUE_NOW for at in due_work(match).values()):
        return decision(match, now)
    returned, after = TimeReturned(ms), match.copy()
    returned.apply(after)
    try:
        draft = decision(after, now)
    except TooEarly:
        return Draft("TimeReturned", (returned,))
    return msgspec.structs.replace(draft, events=(returned, *draft.events))
