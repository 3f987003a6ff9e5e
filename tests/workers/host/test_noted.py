"""A store that has less than was recorded for sure is never taken for the whole."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner
from redis import Redis
from redis.exceptions import RedisError

from service.matches.seeds import KEY as SEEDS
from service.runtime.errors import StoreUnavailable
from service.runtime.settings import own_redis, read_settings
from service.store.event_store import Store
from service.store.redis_client import connect
from tests.projections.recorded import Recorded
from tests.support.patience import eventually
from tests.support.redis_process import RedisProcess
from tests.support.whole_service import running_service
from workers.host.errors import CannotRun
from workers.host.high_water_mark import FILE, Notes
from workers.host.redis_check import await_both
from workers.host.redis_server import embedded_redis
from workers.tools.store.accept_loss import accept

PARTITIONS = 3


@contextmanager
def up(data: Path) -> Iterator[tuple[Store, Notes]]:
    """The store of a data folder, and what is noted of it."""
    with embedded_redis(data / "redis") as url:
        redis = connect(url)
        yield Store(redis, PARTITIONS), Notes(data, redis, PARTITIONS)
        redis.close()


def play(store: Store, *matches: str) -> None:
    for match in matches:
        Recorded(store, "ann bob", match=match).play(3)


def appended(data: Path) -> Path:
    return max((data / "redis").glob("**/*.incr.aof"))


def test_the_same_store_or_one_that_went_on_has_lost_nothing(tmp_path: Path) -> None:
    with up(tmp_path) as (store, notes):
        assert notes.missing() == []
        play(store, "a")
        notes.note()
        assert notes.missing() == []
        play(store, "b", "c")
    with up(tmp_path) as (_, notes):
        assert notes.missing() == []


def test_wherever_its_file_is_cut_it_is_told_if_and_only_if_something_noted_is_gone(
    tmp_path: Path,
) -> None:
    """Also between two commands, where Redis itself finds nothing wrong."""
    with up(tmp_path) as (store, notes):
        play(store, "a", "b")
        store.redis.hset("player:u1", "name", "Ann")
        notes.note()
        noted = appended(tmp_path).stat().st_size
        play(store, "c")
    whole = appended(tmp_path).read_bytes()
    commands = [
        at for at in range(1, len(whole)) if whole.startswith((b"*2\r\n", b"*3\r\n", b"*1\r\n"), at)
    ]
    before = [at for at in commands if at < noted]
    for at in (*before[-3:], *before[3::9], noted - 5, noted, commands[-2], commands[-2] + 9):
        appended(tmp_path).write_bytes(whole[:at])
        with up(tmp_path) as (_, notes):
            assert bool(notes.missing()) == (at < noted), at


def test_another_history_of_the_same_length_is_not_taken_for_the_one_noted(tmp_path: Path) -> None:
    with up(tmp_path) as (store, notes):
        play(store, "a")
        store.redis.bgrewriteaof()
        eventually(lambda: not store.redis.info("persistence")["aof_rewrite_in_progress"])
        shutil.copytree(
            tmp_path / "redis", tmp_path / "older", ignore=shutil.ignore_patterns("*.sock")
        )
        play(store, "b")
        notes.note()
    shutil.rmtree(tmp_path / "redis")
    (tmp_path / "older").rename(tmp_path / "redis")
    with up(tmp_path) as (store, notes):
        play(store, "c", "d", "e", "f")
        store.redis.set("annals:noted", 99)
        told = notes.missing()
        assert told
        assert all("missing" in one or "not the one noted" in one for one in told)


def test_a_match_that_went_into_the_archive_is_no_loss(tmp_path: Path) -> None:
    with up(tmp_path) as (store, notes):
        play(store, "a")
        notes.note()
        [key] = store.redis.keys("*:match:a")
        store.redis.set(key, "what tells where it is")
        assert notes.missing() == []
        store.redis.delete(key)
        assert len(notes.missing()) == 1


@pytest.mark.parametrize("fsync", ["always", "everysec"])
def test_a_kill_is_no_loss(tmp_path: Path, fsync: str) -> None:
    """However it falls among what is being recorded and noted."""
    process = RedisProcess(tmp_path, "--appendfsync", fsync)
    for number in range(4):
        redis = connect(process.url)
        notes = Notes(tmp_path, redis, PARTITIONS)
        assert notes.missing() == []
        writer = Thread(target=write_until_killed, args=(process.url, number))
        writer.start()
        for _ in range(3):
            notes.note()
        process.kill()
        writer.join()
        process.start()
    assert Notes(tmp_path, connect(process.url), PARTITIONS).missing() == []
    process.kill()


def write_until_killed(url: str, number: int) -> None:
    try:
        store = Store(Redis.from_url(url, retry=None), PARTITIONS)
        for match in range(1_000):
            play(store, f"m{number}-{match}")
    except (RedisError, StoreUnavailable):
        return


@pytest.mark.parametrize("keeping", ["appendfsync", "appendonly"])
def test_nothing_is_noted_that_is_not_on_the_disk(
    tmp_path: Path, keeping: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.host.high_water_mark.SYNC_MS", 50)
    with up(tmp_path) as (store, notes):
        notes.note()
        before = (tmp_path / FILE).read_bytes()
        store.redis.config_set(keeping, "no")
        play(store, "a")
        notes.note()
        assert (tmp_path / FILE).read_bytes() == before


def test_no_process_starts_on_a_store_that_lost_something_until_the_host_accepts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with up(tmp_path) as (store, notes):
        url = own_redis(tmp_path)
        environ = {"REDIS_URL": url, "ANNALS_DATA": str(tmp_path), "ANNALS_PARTITIONS": "3"}
        for name, value in environ.items():
            monkeypatch.setenv(name, value)
        settings = read_settings(environ)
        play(store, "a")
        notes.note()
        await_both(settings)
        store.redis.flushdb()
        with pytest.raises(CannotRun, match=r"has lost .*are missing.*`annals accept`"):
            await_both(settings)
        assert CliRunner().invoke(accept, input="n\n").exit_code == 1
        with pytest.raises(CannotRun):
            await_both(settings)
        store.redis.set(SEEDS, "k")
        assert CliRunner().invoke(accept, ["--yes"]).exit_code == 0
        assert not store.redis.exists(SEEDS)  # a seed that is known does not come again
        await_both(settings)
        assert CliRunner().invoke(accept).stdout == "All is there that was noted.\n"


def test_notes_that_are_damaged_are_told(tmp_path: Path) -> None:
    with up(tmp_path) as (_, notes):
        notes.note()
        (tmp_path / FILE).write_bytes(b"{")
        assert ["damaged" in one for one in notes.missing()] == [True]
        notes.accept()
        assert notes.missing() == []


@pytest.mark.slow
def test_a_service_does_not_run_on_older_data(tmp_path: Path) -> None:
    with running_service(tmp_path) as service:
        service.sign_up("Ada")
        older = tmp_path / "older"
        shutil.copytree(tmp_path / "redis", older, ignore=shutil.ignore_patterns("*.sock"))
        service.insist("POST", "/v1/matches", {"game": "qin", "seats": [{"me": True}] * 2})
    shutil.rmtree(tmp_path / "redis")
    older.rename(tmp_path / "redis")
    said = service.command("run")
    assert said.returncode == 1
    assert "1 entries of partition" in said.stdout + said.stderr
    assert service.url not in said.stdout
