"""Analyses that were kept by a version of the service that wrote them otherwise count as none."""

from __future__ import annotations

import zlib

from redis import Redis

from domain.games import GAMES
from projections import analyses
from projections.analyses import analysis_of, sums_of


def test_what_cannot_be_read_counts_as_none(redis_client: Redis) -> None:
    game = GAMES["qin"]
    redis_client.set(analyses._key(0, "m"), zlib.compress(b'{"match":"m"}'))
    redis_client.hset(analyses._sums_key(0, game.key), "m", b"\x93\x01\x01\x90")
    assert analysis_of(redis_client, 0, game, "m") is None
    assert sums_of(redis_client, game, {"m": 0}) == {}
