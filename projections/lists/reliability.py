"""Reliability: how many of a player's last matches with other people they finished without a
time-out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec
from redis import Redis

from domain.engine.play import Seat
from projections.core.spaces import Change, Command, Projection
from projections.core.summary import Summary
from projections.lists.listing import SortedLists, read_page

MAX_MATCHES = 50
"""The latest matches of a player that count."""


class Reliability(msgspec.Struct, frozen=True):
    """How many matches count, and how many of them the player finished without a time-out."""

    matches: int = 0
    finished: int = 0


def read_reliability(redis: Redis, partitions: int, player: str) -> Reliability:
    """Return the reliability of a player in their last MAX_MATCHES matches."""
    lists = SortedLists(RELIABILITY, [f"of:{player}"], key_times=1, newest_first=True)
    found = read_page(redis, partitions, lists, None, MAX_MATCHES).values
    return Reliability(len(found), found.count(b"1"))


def apply(space: str, changes: Sequence[Change]) -> Iterator[Command]:
    """Add a match to the lists of its players: when their time is up, or when it ends."""
    for change in changes:
        for player, finished in _outcomes(change).items():
            name = f"{space}:of:{player}"
            key = f"{change.after.updated_at:014d}:{change.after.id}"
            yield "ZADD", name, 0, f"{key} {int(finished)}"
            yield "ZREMRANGEBYRANK", name, 0, -MAX_MATCHES - 1


def _outcomes(change: Change) -> Mapping[str, bool]:
    """Return the players for whom a public match begins to count, and whether they finished it.

    A player whose time was up, or who was replaced, is in the list from then on. A time-out of a
    seat that an outage has interrupted does not count.
    """
    before, after = change.before, change.after
    if before is None or after.visibility != "public" or len(after.holders) < 2:
        return {}
    newly_late = _late_players(after, after.interrupted) - _late_players(before)
    found = dict.fromkeys(sorted(newly_late), False)
    if before.status == "active" and after.status == "ended":
        found |= dict.fromkeys(sorted(after.holders - _late_players(after)), True)
    return found


def _late_players(match: Summary, excused: Collection[Seat] = ()) -> set[str]:
    """Return the players of a match who were replaced, or whose time was up at least once, at a
    seat that is not excused.
    """
    late = [seat for number, seat in enumerate(match.seats) if number not in excused]
    return {*match.leavers, *(seat.player for seat in late if seat.player and seat.timed_out)}


RELIABILITY = Projection("reliability", 1, apply)
