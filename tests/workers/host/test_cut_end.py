"""An end of the data that was cut off is told, with what it means."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from redis import Redis

from service.runtime.settings import own_redis, read_settings
from service.store.store_format import admit
from tests.support.whole_service import running_service
from workers.host.redis_server import embedded_redis
from workers.host.redis_up import redis_up

SENTENCE = (
    r"The last (\d+) bytes of appendonly\.aof\S* were cut off in the middle of what they said"
)


def cut(data: Path) -> int:
    """Cut what a Redis appended in the middle of its last command; the bytes left of that."""
    with embedded_redis(data / "redis") as url, Redis.from_url(url) as redis:
        admit(redis, 16)
        file = appended(data)
        sound = file.stat().st_size
        redis.set("player:u1", "x" * 100)
    file.write_bytes(file.read_bytes()[:-60])
    return file.stat().st_size - sound


def appended(data: Path) -> Path:
    return max((data / "redis").glob("**/*.incr.aof"))


def test_a_command_tells_it_once(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    lost = cut(tmp_path)
    settings = read_settings({"ANNALS_DATA": str(tmp_path)})
    with redis_up(settings), Redis.from_url(own_redis(tmp_path)) as redis:
        assert redis.exists("player:u1") == 0
    assert re.findall(SENTENCE, capfd.readouterr().err) == [str(lost)]
    with redis_up(settings):
        pass
    assert capfd.readouterr().err == ""


@pytest.mark.slow
def test_a_run_tells_it_before_it_says_where_it_is(tmp_path: Path) -> None:
    lost = cut(tmp_path)
    with running_service(tmp_path) as service:
        assert re.findall(SENTENCE, "".join(service.notes)) == [str(lost)]
