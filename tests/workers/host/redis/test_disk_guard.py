"""The guard asks Redis seldom, and notices each restart at once."""

from __future__ import annotations

from contextlib import closing

import pytest
from redis import Redis
from redis.exceptions import RedisError

from workers.host.redis import disk_guard
from workers.host.redis.disk_guard import READ_ONLY, WRITABLE, WRITE_SWITCH, WriteSwitch


def test_a_restart_is_noticed_and_nothing_is_asked_otherwise(
    redis_client: Redis, redis_url: str
) -> None:
    def switches() -> int:
        return int(redis_client.info("commandstats").get("cmdstat_config|get", {}).get("calls", 0))

    with closing(WriteSwitch(redis_url)) as switch:
        before = switches()
        for state in (READ_ONLY, *[WRITABLE] * 50):
            switch.set(state)
        assert switches() - before == 2  # once for each state
        redis_client.client_kill_filter(_type="normal", skipme=True)  # as if it had ended
        with pytest.raises(RedisError):
            switch.set(WRITABLE)
        redis_client.config_set(WRITE_SWITCH, READ_ONLY)  # as it starts
        switch.set(WRITABLE)
        assert redis_client.config_get(WRITE_SWITCH) == {WRITE_SWITCH: WRITABLE}


def test_the_pool_keeps_no_connection_of_earlier_checks(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk_guard, "CONFIRM_S", 0.0)
    with closing(WriteSwitch(redis_url)) as switch:
        for _ in range(20):
            switch.set(WRITABLE)
        pool = switch._redis.connection_pool
        assert len(pool._in_use_connections) == 1
    assert not pool._in_use_connections
