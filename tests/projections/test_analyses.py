"""Stored analyses that another release wrote count as missing."""

from __future__ import annotations

import zlib

from redis import Redis

from domain.games import GAMES
from projections import analyses
from projections.analyses import read_analysis, read_seat_sums


def test_an_unreadable_analysis_counts_as_missing(redis_client: Redis) -> None:
    game = GAMES["qin"]
    redis_client.set(analyses._key(0, "m"), zlib.compress(b'{"match":"m"}'))
    redis_client.hset(analyses._sums_key(0, game.key), "m", b"\x93\x01\x01\x90")
    assert read_analysis(redis_client, 0, game, "m") is None
    assert read_seat_sums(redis_client, game, {"m": 0}) == {}
