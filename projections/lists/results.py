"""Results: how often each competitor has played and won each game, in rated matches, which anybody
may know of, and in private ones, which they alone may.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import msgspec
from redis import Redis

from projections.core.query import everywhere
from projections.core.spaces import Change, Command, Projection
from projections.core.summary import SeatSummary, Summary

Counted = Literal["rated", "private"]


class GameRecord(msgspec.Struct, frozen=True):
    """Matches of one game: all, won alone, victory shared, resigned, out of time."""

    played: int = 0
    won: int = 0
    shared: int = 0
    resigned: int = 0
    timed_out: int = 0


def record_of(
    redis: Redis, partitions: int, competitor: str, counted: Counted = "rated"
) -> Mapping[str, GameRecord]:
    """The record of a competitor (a player's id or `bot:<level>`) by game."""
    question = ("HGETALL", f":{counted}:{competitor}")
    games: dict[str, Counter[str]] = {}
    for [found] in everywhere(redis, partitions, RESULTS, question):
        for name, count in zip(found[::2], found[1::2], strict=True):
            game, what = name.decode().rsplit(":", 1)
            games.setdefault(game, Counter())[what] += int(count)
    return {game: GameRecord(**counts) for game, counts in sorted(games.items())}


def apply(space: str, changes: Sequence[Change]) -> Iterator[Command]:
    """Count the matches that have been rated, and the private ones that have been scored."""
    for change in changes:
        counted = _counted(change.after)
        if counted and not (change.before and _counted(change.before)):
            for competitor, what in counts_of(change.after):
                name = f"{space}:{counted}:{competitor}"
                yield "HINCRBY", name, f"{change.after.game}:{what}", 1


def _counted(match: Summary) -> Counted | None:
    """Where a match counts by now."""
    if match.unrated == "private" and match.result is not None:
        return "private"
    return "rated" if match.ratings is not None else None


def counts_of(match: Summary) -> Iterator[tuple[str, str]]:
    """What counts for whom; once for a competitor with several seats."""
    assert match.result
    first = {_competitor(match.seats[line.seat]) for line in match.result if line.rank == 1}
    for competitor in sorted({_competitor(seat) for seat in match.seats}):
        mine = [seat for seat in match.seats if _competitor(seat) == competitor]
        yield competitor, "played"
        if competitor in first:
            yield competitor, "won" if first == {competitor} else "shared"
        if any(seat.resigned for seat in mine):
            yield competitor, "resigned"
        if any(seat.timed_out for seat in mine):
            yield competitor, "timed_out"


def _competitor(seat: SeatSummary) -> str:
    return seat.player or f"bot:{seat.bot}"


RESULTS = Projection("results", 2, apply)
