"""Folds the facts of each finished public match, and folds them again once it is rated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from domain.analysis.facts import Facts, facts_of
from domain.engine.game import Game
from domain.match.log import CorruptEntry
from projections.core.months import month_of
from projections.core.spaces import Change, Command, Projection, Read
from projections.statistics.storage import row_of, write_row

NAME, VERSION = "statistics", 3
MONTHS = "months"


def statistics(games: Mapping[str, Game[Any]], read: Read) -> Projection:
    """Return the projection for these games; `read` returns the entries of a match."""

    def apply(space: str, changes: Sequence[Change]) -> Iterator[Command]:
        for change in changes:
            if _changes_facts(change):
                facts = _read_facts(change, games, read)
                if facts is not None:
                    yield from store_facts(space, facts, change.position)

    return Projection(NAME, VERSION, apply)


def months_key(game: str) -> str:
    """Within a space: the months of a game, each with the position of its last change."""
    return f":{MONTHS}:{game}"


def month_changes_key(game: str, month: str) -> str:
    """Within a space: the matches of a month, each with the position of its last change."""
    return f":in:{game}:{month}"


def facts_key(game: str, month: str) -> str:
    """Within a space: the facts of the matches of a month, by match id."""
    return f":facts:{game}:{month}"


def player_matches_key(player: str) -> str:
    """Within a space: the locations of a player's matches, by the position of their last change."""
    return f":of:{player}"


def _changes_facts(change: Change) -> bool:
    """Return whether a change scores a public match, or records its rating or why it has none."""
    before, after = change.before, change.after
    if after.visibility != "public" or after.result is None:
        return False
    if before is None or before.result is None:
        return True
    return (before.ratings, before.unrated) != (after.ratings, after.unrated)


def store_facts(space: str, facts: Facts, position: int) -> Iterator[Command]:
    """Yield the commands that store and index the facts of a match, at this feed position."""
    game, month = facts.game, month_of(facts.ended)
    yield "HSET", f"{space}{facts_key(game, month)}", facts.match, write_row(row_of(facts))
    yield "ZADD", f"{space}{month_changes_key(game, month)}", position, facts.match
    yield "ZADD", f"{space}{months_key(game)}", "GT", position, month
    for player in sorted({seat.player for seat in facts.seats if seat.player}):
        place = f"{game}:{month}:{facts.match}"
        yield "ZADD", f"{space}{player_matches_key(player)}", position, place


def _read_facts(change: Change, games: Mapping[str, Game[Any]], read: Read) -> Facts | None:
    """Return the facts of a match right after a change, or None if its game is unknown or an entry
    is corrupt.
    """
    game = games.get(change.after.game)
    if game is None:
        return None
    try:
        entries = [one for one in read(change.after.id) if one.version <= change.after.version]
        return facts_of(game, entries)
    except CorruptEntry:
        return None


STATISTICS = statistics({}, lambda match: ())
"""The projection for readers; it cannot fold."""
