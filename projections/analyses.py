"""Analyses of matches as they are kept: a cache, since each can be made again from the entries.

They are kept with their method, that is versions and curves: those of others count as none.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from redis import Redis

from domain.analysis.analysis import Analysis, method_of
from domain.engine.game import Game
from projections.core.spaces import tag

KEPT_S = 30 * 86_400
"""How long a whole analysis is kept; what it says of each seat in sum, for ever."""


class SeatSum(msgspec.Struct, frozen=True, array_like=True):
    """What an analysis says of a seat in sum: its luck and its mean error as chances to win, and
    its accuracy (0 to 100), if it ever had a choice.
    """

    luck: float
    accuracy: float | None
    error: float


class _Whole(msgspec.Struct, frozen=True, array_like=True):
    method: str
    analysis: Analysis


class _Sums(msgspec.Struct, frozen=True, array_like=True):
    method: str
    seats: tuple[SeatSum, ...]


_WHOLE, _SUMS = msgspec.json.Decoder(_Whole), msgspec.msgpack.Decoder(_Sums)


def analysis_of(redis: Redis, partition: int, game: Game[Any], match: str) -> Analysis | None:
    """The analysis of a match, if one is kept that was made as it would be now."""
    kept = redis.get(_key(partition, match))
    if not isinstance(kept, bytes):
        return None
    try:
        found = _WHOLE.decode(zlib.decompress(kept))
    except msgspec.MsgspecError:  # kept by a version of the service that wrote it otherwise
        return None
    return found.analysis if found.method == method_of(game) else None


def keep_analysis(redis: Redis, partition: int, game: Game[Any], analysis: Analysis) -> None:
    """Keep an analysis that was made now, in the place of an earlier one."""
    method = method_of(game)
    seats = tuple(SeatSum(seat.luck, seat.accuracy, seat.error) for seat in analysis.seats)
    sums = _Sums(method, seats)
    with redis.pipeline(transaction=False) as pipe:
        text = zlib.compress(msgspec.json.encode(_Whole(method, analysis)))
        pipe.set(_key(partition, analysis.match), text, ex=KEPT_S)
        pipe.hset(_sums_key(partition, analysis.game), analysis.match, msgspec.msgpack.encode(sums))
        pipe.execute()


def how_many(redis: Redis, partitions: int, game: Game[Any]) -> int:
    """Of how many matches of a game there are sums, whichever way they were made."""
    with redis.pipeline(transaction=False) as pipe:
        for partition in range(partitions):
            pipe.hlen(_sums_key(partition, game.key))
        return sum(pipe.execute())


def sums_of(
    redis: Redis, game: Game[Any], matches: Mapping[str, int]
) -> Mapping[str, Sequence[SeatSum]]:
    """By match, what analyses say of each seat in sum, of those that were made as they would be
    now; of some matches, given with their partitions; in one round trip.
    """
    with redis.pipeline(transaction=False) as pipe:
        for match, partition in matches.items():
            pipe.hget(_sums_key(partition, game.key), match)
        kept = pipe.execute()
    method, found = method_of(game), dict[str, Sequence[SeatSum]]()
    for match, text in zip(matches, kept, strict=True):
        with suppress(msgspec.MsgspecError):  # as above
            if text and (one := _SUMS.decode(text)).method == method:
                found[match] = one.seats
    return found


def _key(partition: int, match: str) -> str:
    return f"{tag(partition)}:analysis:{match}"


def _sums_key(partition: int, game: str) -> str:
    return f"{tag(partition)}:analyses:{game}"
