"""Folds the facts of each public match that is over; again once it is rated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from domain.analysis.facts import Facts, facts_of
from domain.engine.game import Game
from domain.match.log import Damaged
from projections.core.months import month_of
from projections.core.spaces import Change, Command, Projection, Read
from projections.statistics.storage import row_of, write

NAME, VERSION = "statistics", 2
MONTHS = "months"


def statistics(games: Mapping[str, Game[Any]], read: Read) -> Projection:
    """The projection, with what it needs to know of matches besides their changes."""

    def apply(space: str, changes: Sequence[Change]) -> Iterator[Command]:
        for change in changes:
            if _counts(change):
                facts = _facts(change, games, read)
                if facts is not None:
                    yield from written_down(space, facts, change.position)

    return Projection(NAME, VERSION, apply)


def months_of(game: str) -> str:
    """Within a space: the months of a game, each with the position of its last change."""
    return f":{MONTHS}:{game}"


def places_of(game: str, month: str) -> str:
    """Within a space: the matches of a month, by the position at which each changed last."""
    return f":in:{game}:{month}"


def facts_in(game: str, month: str) -> str:
    """Within a space: the facts of the matches of a month, by the ids of these."""
    return f":facts:{game}:{month}"


def matches_of(player: str) -> str:
    """Within a space: where the facts of a player's matches are, by their last change."""
    return f":of:{player}"


def _counts(change: Change) -> bool:
    """Whether a public match has been scored by this, or what its ratings make of it is told."""
    before, after = change.before, change.after
    if after.visibility != "public" or after.result is None:
        return False
    if before is None or before.result is None:
        return True
    return (before.ratings, before.unrated) != (after.ratings, after.unrated)


def written_down(space: str, facts: Facts, position: int) -> Iterator[Command]:
    """What writes the facts of a match into a space, as of a position in the feed, and where they
    are found.
    """
    game, month = facts.game, month_of(facts.ended)
    yield "HSET", f"{space}{facts_in(game, month)}", facts.match, write(row_of(facts))
    yield "ZADD", f"{space}{places_of(game, month)}", position, facts.match
    yield "ZADD", f"{space}{months_of(game)}", "GT", position, month
    for player in sorted({seat.player for seat in facts.seats if seat.player}):
        place = f"{game}:{month}:{facts.match}"
        yield "ZADD", f"{space}{matches_of(player)}", position, place


def _facts(change: Change, games: Mapping[str, Game[Any]], read: Read) -> Facts | None:
    """The facts of a match as they were after a change, whatever has been recorded since; None if
    nobody knows its game or its entries are damaged: it counts for nothing.
    """
    game = games.get(change.after.game)
    if game is None:
        return None
    try:
        entries = [one for one in read(change.after.id) if one.version <= change.after.version]
        return facts_of(game, entries)
    except Damaged:
        return None


STATISTICS = statistics({}, lambda match: ())
"""The projection for those who only read it."""
