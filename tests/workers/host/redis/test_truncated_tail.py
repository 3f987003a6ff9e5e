"""A truncated end of the data is reported with what it means."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from redis import Redis

from service.runtime.redis_urls import own_redis_url
from service.runtime.settings import read_settings
from service.store.store_format import prepare_store
from tests.support.whole_service import running_service
from workers.host.redis.on_demand import running_redis
from workers.host.redis.server import run_redis

SENTENCE = r"Redis dropped the last (\d+) bytes of appendonly\.aof\S*, which were incomplete"


def truncate(data: Path) -> int:
    """Cut the last command of the append-only file in the middle; returns the remaining bytes of
    it.
    """
    with run_redis(data / "redis") as url, Redis.from_url(url) as redis:
        prepare_store(redis, 16)
        file = append_file(data)
        sound = file.stat().st_size
        redis.set("player:u1", "x" * 100)
    file.write_bytes(file.read_bytes()[:-60])
    return file.stat().st_size - sound


def append_file(data: Path) -> Path:
    return max((data / "redis").glob("**/*.incr.aof"))


def test_a_command_reports_it_once(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    lost = truncate(tmp_path)
    settings = read_settings({"ANNALS_DATA": str(tmp_path)})
    with running_redis(settings), Redis.from_url(own_redis_url(tmp_path)) as redis:
        assert redis.exists("player:u1") == 0
    assert re.findall(SENTENCE, capfd.readouterr().err) == [str(lost)]
    with running_redis(settings):
        pass
    assert capfd.readouterr().err == ""


@pytest.mark.slow
def test_a_run_reports_it_before_its_address(tmp_path: Path) -> None:
    lost = truncate(tmp_path)
    with running_service(tmp_path) as service:
        assert re.findall(SENTENCE, "".join(service.notes)) == [str(lost)]
