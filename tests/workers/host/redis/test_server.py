"""The embedded Redis: finding, starting, and keeping its data."""

from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from redis import Redis

from service.runtime import redis_urls
from service.runtime.settings import read_settings
from tests.support.redis_process import cluster
from workers.host.errors import CannotRun
from workers.host.redis.checks import await_both, check_redis
from workers.host.redis.server import Engine, engines, run_redis
from workers.host.run import warnings


def count(url):
    with Redis.from_url(url) as redis:
        return redis.incr("count")


def test_data_survives_a_restart(tmp_path):
    with run_redis(tmp_path / "a folder") as url:
        assert count(url) == 1
    with run_redis(tmp_path / "a folder") as url:
        assert count(url) == 2


def test_it_syncs_every_write_and_evicts_nothing(tmp_path):
    with run_redis(tmp_path) as url, Redis.from_url(url, decode_responses=True) as redis:
        kept = redis.config_get("append*") | redis.config_get("maxmemory-policy")
    assert kept["appendonly"] == "yes"
    assert kept["appendfsync"] == "always"
    assert kept["maxmemory-policy"] == "noeviction"


def test_a_path_too_long_for_a_socket_gets_one_that_others_cannot_reach(tmp_path):
    with run_redis(tmp_path / ("deep" * 30)) as url:
        assert count(url) == 1
        socket = Path(urlsplit(url).path)
        assert socket.parent.stat().st_mode & 0o777 == 0o700
        assert socket.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("taken", ["by all", "as a link"])
def test_a_socket_folder_of_another_user_is_refused(tmp_path, monkeypatch, taken):
    short = tmp_path / "short"
    if taken == "by all":
        short.mkdir(mode=0o755)
    else:
        short.symlink_to(tmp_path)
    monkeypatch.setattr(redis_urls, "SOCKET_FOLDER", short)
    with (
        pytest.raises(CannotRun, match="belongs to another user"),
        run_redis(tmp_path / ("deep" * 30)),
    ):
        pass


def test_only_the_owner_can_read_its_configuration(tmp_path):
    with run_redis(tmp_path / "redis"):
        mode = (tmp_path / "redis" / "redis.conf").stat().st_mode
    assert mode & 0o777 == 0o600


def test_a_server_that_cannot_start_is_one_sentence(tmp_path):
    with run_redis(tmp_path) as url:
        count(url)
    manifest = tmp_path / "appendonlydir" / "appendonly.aof.manifest"
    manifest.write_text("nonsense\n")
    with (
        pytest.raises(
            CannotRun, match="Redis did not start: the file with the matches is damaged: "
        ),
        run_redis(tmp_path),
    ):
        pass


def test_data_of_a_newer_engine_is_refused(tmp_path):
    (tmp_path / "engine").write_text("valkey 99.0.0\n")
    with (
        pytest.raises(CannotRun, match=r"was written by valkey 99\.0\.0, which .* cannot read"),
        run_redis(tmp_path),
    ):
        pass


@pytest.mark.parametrize(
    ("engine", "stamp", "loads"),
    [
        (Engine("", "valkey", (9, 1, 2)), "valkey 9.1.5", True),
        (Engine("", "valkey", (9, 1, 2)), "redis 7.0.15", True),
        (Engine("", "valkey", (9, 1, 2)), "redis 7.4.0", False),
        (Engine("", "redis", (8, 2, 3)), "valkey 9.1.2", False),
        (Engine("", "redis", (7, 0, 15)), "redis 7.2.0", False),
    ],
)
def test_data_moves_one_way(engine, stamp, loads):
    assert engine.can_load(stamp) is loads


def test_servers_on_the_path_come_first_and_old_ones_never(tmp_path, monkeypatch):
    write_server(tmp_path / "redis-server", "Redis server v=6.0.16 sha=0")
    write_server(tmp_path / "valkey-server", "Valkey server v=8.1.0 sha=0")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert [str(engine) for engine in engines()][:1] == ["valkey 8.1.0"]


def write_server(path: Path, says: str) -> None:
    path.write_text(f"#!/bin/sh\necho '{says}'\n")
    path.chmod(0o755)


def test_a_redis_that_evicts_is_refused(tmp_path):
    with run_redis(tmp_path) as url, Redis.from_url(url) as redis:
        redis.config_set("maxmemory-policy", "allkeys-lru")
        with pytest.raises(CannotRun, match="set it to noeviction"):
            check_redis("REDIS_URL", url)


def test_a_redis_that_may_lose_moves_gets_a_warning(tmp_path):
    with run_redis(tmp_path) as url, Redis.from_url(url) as redis:
        assert check_redis("REDIS_URL", url) == []
        redis.config_set("appendfsync", "everysec")
        assert "a power failure loses the latest moves" in check_redis("REDIS_URL", url)[0]
        redis.config_set("appendonly", "no")
        assert "a crash of the server loses moves" in check_redis("REDIS_URL", url)[0]


def test_queues_need_no_persistence(tmp_path):
    with run_redis(tmp_path) as url, Redis.from_url(url) as redis:
        redis.config_set("appendonly", "no")
        assert check_redis("QUEUE_REDIS_URL", url, keeps=False) == []
        redis.config_set("maxmemory-policy", "allkeys-lru")
        with pytest.raises(CannotRun, match="deletes jobs"):
            check_redis("QUEUE_REDIS_URL", url, keeps=False)


@pytest.mark.parametrize(
    ("named", "warned"),
    [
        (("REDIS_URL",), True),
        (("EVENTS_REDIS_URL",), True),
        (("QUEUE_REDIS_URL",), False),
        (("QUEUE_REDIS_URL", "REDIS_URL"), True),
        (("EVENTS_REDIS_URL", "QUEUE_REDIS_URL"), True),
    ],
)
def test_only_the_redis_of_the_events_needs_persistence(tmp_path, named, warned):
    with run_redis(tmp_path) as url, Redis.from_url(url) as redis:
        redis.config_set("appendonly", "no")
        said = list(warnings(read_settings(dict.fromkeys(named, url))))
    assert bool(said) == warned
    assert all("a crash of the server loses moves" in warning for warning in said)


def test_redis_url_may_serve_only_the_queues(tmp_path):
    with (
        run_redis(tmp_path / "events") as events,
        run_redis(tmp_path / "queues") as queues,
        Redis.from_url(queues) as redis,
    ):
        redis.config_set("appendonly", "no")
        settings = read_settings({"EVENTS_REDIS_URL": events, "REDIS_URL": queues})
        assert list(warnings(settings)) == []


def test_a_redis_that_hides_its_configuration_gets_a_warning(tmp_path):
    with run_redis(tmp_path) as url, Redis.from_url(url) as redis:
        redis.acl_setuser(
            "guest",
            enabled=True,
            passwords="+pw",
            categories=["+@all"],
            commands=["-config"],
            keys=["*"],
        )
        guest = url.replace("unix://", "unix://guest:pw@")
        assert "cannot read the configuration" in check_redis("REDIS_URL", guest)[0]


def test_one_server_of_a_cluster_is_refused(tmp_path):
    with run_redis(tmp_path / "queue") as queue, cluster(tmp_path) as whole:
        part = whole.removesuffix("?cluster=true")
        settings = read_settings({"EVENTS_REDIS_URL": whole, "QUEUE_REDIS_URL": queue})
        await_both(settings)
        with pytest.raises(CannotRun, match=r"EVENTS_REDIS_URL: .* add .cluster=true"):
            await_both(replace(settings, events_url=part))


def test_an_unreachable_redis_is_one_sentence():
    with pytest.raises(CannotRun, match=r"no Redis answers at 127\.0\.0\.1:1;"):
        check_redis("REDIS_URL", "redis://127.0.0.1:1/0")
