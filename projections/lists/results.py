"""Results: how often each competitor has played and won each game.

Rated matches are public. Private matches are counted separately, for their players only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import msgspec
from redis import Redis

from projections.core.query import query_all_partitions
from projections.core.seats import SeatSummary
from projections.core.spaces import Change, Command, Projection
from projections.core.summary import Summary

RecordKind = Literal["rated", "private"]


class GameRecord(msgspec.Struct, frozen=True):
    """Counts of matches of one game: all, won, shared victories, resigned, and lost on time."""

    played: int = 0
    won: int = 0
    shared: int = 0
    resigned: int = 0
    timed_out: int = 0


def read_record(
    redis: Redis, partitions: int, competitor: str, kind: RecordKind = "rated"
) -> Mapping[str, GameRecord]:
    """Return the record of a competitor (a player's id or `bot:<level>`) by game."""
    question = ("HGETALL", f":{kind}:{competitor}")
    games: dict[str, Counter[str]] = {}
    for [found] in query_all_partitions(redis, partitions, RESULTS, question):
        for name, count in zip(found[::2], found[1::2], strict=True):
            game, what = name.decode().rsplit(":", 1)
            games.setdefault(game, Counter())[what] += int(count)
    return {game: GameRecord(**counts) for game, counts in sorted(games.items())}


def apply(space: str, changes: Sequence[Change]) -> Iterator[Command]:
    """Count matches once they are rated, and private matches once they are scored."""
    for change in changes:
        kind = _record_kind(change.after)
        if kind and not (change.before and _record_kind(change.before)):
            for competitor, what in counts_of(change.after):
                name = f"{space}:{kind}:{competitor}"
                yield "HINCRBY", name, f"{change.after.game}:{what}", 1


def _record_kind(match: Summary) -> RecordKind | None:
    """Return the record in which a match counts now, or None if it does not count yet."""
    if match.unrated == "private" and match.result is not None:
        return "private"
    return "rated" if match.ratings is not None else None


def counts_of(match: Summary) -> Iterator[tuple[str, str]]:
    """Yield each competitor with each count to increase; once for those with several seats, and not
    for those whom a rated match leaves out. A player who was replaced played, and was late.
    """
    rated = {change.competitor for change in match.ratings or ()}
    first = {_competitor(match.seats[seat]) for seat in match.winners}
    for competitor in sorted({_competitor(seat) for seat in match.seats}):
        if rated and competitor not in rated:
            continue
        mine = [seat for seat in match.seats if _competitor(seat) == competitor]
        yield competitor, "played"
        if competitor in first:
            yield competitor, "won" if first == {competitor} else "shared"
        if any(seat.resigned for seat in mine):
            yield competitor, "resigned"
        if any(seat.timed_out for seat in mine):
            yield competitor, "timed_out"
    for leaver in match.leavers:
        if not rated or leaver in rated:
            yield leaver, "played"
            yield leaver, "timed_out"


def _competitor(seat: SeatSummary) -> str:
    return seat.player or f"bot:{seat.bot}"


RESULTS = Projection("results", 2, apply)
