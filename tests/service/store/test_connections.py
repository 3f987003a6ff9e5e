"""Connections to Redis take few commands, since each process opens several."""

from __future__ import annotations

from contextlib import closing

from redis import Redis

from service.store.redis_client import connect


def test_a_new_connection_does_not_name_its_library(redis_client: Redis, redis_url: str) -> None:
    redis_client.config_resetstat()
    with closing(connect(redis_url)) as opened:
        assert opened.ping()
    commands = redis_client.info("commandstats")
    assert "cmdstat_ping" in commands
    assert "cmdstat_client|setname" in commands
    assert "cmdstat_client|setinfo" not in commands
