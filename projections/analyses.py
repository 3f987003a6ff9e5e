"""Analyses of matches as they are kept: a cache, since each can be made again from the entries.

They are kept by version of the rules and of the method: others count as none.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from redis import Redis

from domain.analysis.analysis import MODEL, Analysis
from domain.engine.game import Game
from projections.spaces import tag

KEPT_S = 30 * 86_400
"""How long a whole analysis is kept; what it says of each seat in sum, for ever."""


class SeatSum(msgspec.Struct, frozen=True, array_like=True):
    """What an analysis says of a seat in sum: its luck and its mean error as chances to win, and
    its accuracy (0 to 100), if it ever had a choice.
    """

    luck: float
    accuracy: float | None
    error: float


class _Sums(msgspec.Struct, frozen=True, array_like=True):
    rules: int
    model: int
    seats: tuple[SeatSum, ...]


_ANALYSIS, _SUMS = msgspec.json.Decoder(Analysis), msgspec.msgpack.Decoder(_Sums)


def analysis_of(redis: Redis, partition: int, game: Game[Any], match: str) -> Analysis | None:
    """The analysis of a match, if one is kept that was made as it would be now."""
    kept = redis.get(_key(partition, match))
    if not isinstance(kept, bytes):
        return None
    found = _ANALYSIS.decode(zlib.decompress(kept))
    return found if (found.rules, found.model) == (game.rules, MODEL) else None


def keep_analysis(redis: Redis, partition: int, analysis: Analysis) -> None:
    """Keep an analysis, in the place of an earlier one."""
    sums = _Sums(
        analysis.rules,
        analysis.model,
        tuple(SeatSum(seat.luck, seat.accuracy, seat.error) for seat in analysis.seats),
    )
    with redis.pipeline(transaction=False) as pipe:
        text = zlib.compress(msgspec.json.encode(analysis))
        pipe.set(_key(partition, analysis.match), text, ex=KEPT_S)
        pipe.hset(_sums_key(partition, analysis.game), analysis.match, msgspec.msgpack.encode(sums))
        pipe.execute()


def sums(redis: Redis, partitions: int, game: Game[Any]) -> Mapping[str, Sequence[SeatSum]]:
    """By match, what analyses say of each seat in sum: all that were made as they would be now."""
    found: dict[str, Sequence[SeatSum]] = {}
    for partition in range(partitions):
        kept: Any = redis.hgetall(_sums_key(partition, game.key))
        for match, text in kept.items():
            said = _SUMS.decode(text)
            if (said.rules, said.model) == (game.rules, MODEL):
                found[match.decode()] = said.seats
    return found


def how_many(redis: Redis, partitions: int, game: Game[Any]) -> int:
    """Of how many matches of a game there are sums, whichever way they were made."""
    with redis.pipeline(transaction=False) as pipe:
        for partition in range(partitions):
            pipe.hlen(_sums_key(partition, game.key))
        return sum(pipe.execute())


def sums_of(
    redis: Redis, game: Game[Any], matches: Mapping[str, int]
) -> Mapping[str, Sequence[SeatSum]]:
    """The same of some matches, given with their partitions; in one round trip."""
    with redis.pipeline(transaction=False) as pipe:
        for match, partition in matches.items():
            pipe.hget(_sums_key(partition, game.key), match)
        kept = pipe.execute()
    said = {match: _SUMS.decode(text) for match, text in zip(matches, kept, strict=True) if text}
    return {
        match: one.seats
        for match, one in said.items()
        if (one.rules, one.model) == (game.rules, MODEL)
    }


def _key(partition: int, match: str) -> str:
    return f"{tag(partition)}:analysis:{match}"


def _sums_key(partition: int, game: str) -> str:
    return f"{tag(partition)}:analyses:{game}"
