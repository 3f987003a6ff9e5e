"""Stored analyses of matches: a cache, since the entries are enough to compute each of them again.

An analysis is stored with its method, that is with the versions of the rules, the features and the
curves. An analysis of another method counts as missing.
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
from projections.core.spaces import slot_tag

ANALYSIS_TTL_S = 30 * 86_400
"""How long a whole analysis is kept. The sums of each seat do not expire."""


class SeatSum(msgspec.Struct, frozen=True, array_like=True):
    """The sums of an analysis for a seat: luck and mean error as win probabilities, and the
    accuracy (0 to 100) or None if the seat never had a choice.
    """

    luck: float
    accuracy: float | None
    error: float


class _StoredAnalysis(msgspec.Struct, frozen=True, array_like=True):
    method: str
    analysis: Analysis


class _StoredSums(msgspec.Struct, frozen=True, array_like=True):
    method: str
    seats: tuple[SeatSum, ...]


_ANALYSIS, _SEAT_SUMS = msgspec.json.Decoder(_StoredAnalysis), msgspec.msgpack.Decoder(_StoredSums)


def read_analysis(redis: Redis, partition: int, game: Game[Any], match: str) -> Analysis | None:
    """Return the stored analysis of a match, or None if there is none of the current method."""
    stored = redis.get(_key(partition, match))
    if not isinstance(stored, bytes):
        return None
    try:
        found = _ANALYSIS.decode(zlib.decompress(stored))
    except msgspec.MsgspecError:  # written by a release with another format
        return None
    return found.analysis if found.method == method_of(game) else None


def store_analysis(redis: Redis, partition: int, game: Game[Any], analysis: Analysis) -> None:
    """Store an analysis and its sums; they replace earlier ones of the same match."""
    method = method_of(game)
    seats = tuple(SeatSum(seat.luck, seat.accuracy, seat.error) for seat in analysis.seats)
    sums = _StoredSums(method, seats)
    with redis.pipeline(transaction=False) as pipe:
        text = zlib.compress(msgspec.json.encode(_StoredAnalysis(method, analysis)))
        pipe.set(_key(partition, analysis.match), text, ex=ANALYSIS_TTL_S)
        pipe.hset(_sums_key(partition, analysis.game), analysis.match, msgspec.msgpack.encode(sums))
        pipe.execute()


def count_analyses(redis: Redis, partitions: int, game: Game[Any]) -> int:
    """Return the number of matches of a game with stored sums, of any method."""
    with redis.pipeline(transaction=False) as pipe:
        for partition in range(partitions):
            pipe.hlen(_sums_key(partition, game.key))
        return sum(pipe.execute())


def read_seat_sums(
    redis: Redis, game: Game[Any], matches: Mapping[str, int]
) -> Mapping[str, Sequence[SeatSum]]:
    """Return the stored sums of each seat by match, in one round trip; only those of the current
    method.

    `matches` gives the partition of each match.
    """
    with redis.pipeline(transaction=False) as pipe:
        for match, partition in matches.items():
            pipe.hget(_sums_key(partition, game.key), match)
        stored = pipe.execute()
    method, found = method_of(game), dict[str, Sequence[SeatSum]]()
    for match, text in zip(matches, stored, strict=True):
        with suppress(msgspec.MsgspecError):  # as above
            if text and (one := _SEAT_SUMS.decode(text)).method == method:
                found[match] = one.seats
    return found


def _key(partition: int, match: str) -> str:
    return f"{slot_tag(partition)}:analysis:{match}"


def _sums_key(partition: int, game: str) -> str:
    return f"{slot_tag(partition)}:analyses:{game}"
