"""The guard asks Redis seldom, and notices each restart at once."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from threading import Event, Thread

import pytest
from redis import Redis
from redis.exceptions import RedisError, ResponseError

from service.runtime.settings import read_settings
from tests.support.patience import eventually
from workers.host.redis import disk_guard
from workers.host.redis.disk_guard import (
    READ_ONLY,
    WRITABLE,
    WRITE_SWITCH,
    WriteSwitch,
    guard_disk,
)
from workers.host.redis.server import run_redis, state_of


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


def test_on_a_read_only_disk_redis_is_read_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_only, stop, checked = Event(), Event(), Event()
    monkeypatch.setattr(disk_guard, "is_mounted_read_only", lambda _: read_only.is_set())
    settings = read_settings({"ANNALS_DATA": str(tmp_path), "ANNALS_DISK_RESERVE_MB": "0"})
    with run_redis(tmp_path / "redis") as url, closing(Redis.from_url(url)) as redis:
        thread = Thread(target=guard_disk, args=(settings, checked, stop))
        thread.start()
        try:
            assert redis.set("match", "recorded")
            assert redis.set("passing", "soon", px=1_000)
            read_only.set()
            eventually(lambda: not redis.info("persistence")["aof_enabled"])
            before = sizes(tmp_path)
            with pytest.raises(ResponseError, match="NOREPLICAS"):
                redis.set("match", "lost")
            eventually(lambda: redis.get("passing") is None)
            assert redis.get("match") == b"recorded"
            assert sizes(tmp_path) == before
            read_only.clear()
            eventually(lambda: state_of(url) == "silent")
        finally:
            stop.set()
            thread.join()
    with run_redis(tmp_path / "redis") as url, closing(Redis.from_url(url)) as redis:
        assert redis.get("match") == b"recorded"


def sizes(folder: Path) -> dict[str, int]:
    """The sizes of the files with the data of a Redis."""
    return {path.name: path.stat().st_size for path in folder.rglob("*.aof*") if path.is_file()}
