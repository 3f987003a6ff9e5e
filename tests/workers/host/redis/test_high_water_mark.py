"""Annals detects a store that has less than its high-water mark."""

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

from service.matches.seeds import SEEDS_KEY as SEEDS
from service.runtime.errors import StoreUnavailable
from service.runtime.redis_urls import own_redis_url
from service.runtime.settings import Settings, read_settings
from service.store.event_store import EventStore
from service.store.redis_client import connect
from service.tlog.folder import Folder
from tests.match.table import NOON
from tests.projections.recorded import RecordedMatch
from tests.support.patience import eventually
from tests.support.redis_process import RedisProcess
from tests.support.whole_service import running_service
from workers.host.errors import CannotRun
from workers.host.redis.checks import await_both
from workers.host.redis.high_water_mark import FILE_NAME, MarkFile
from workers.host.redis.server import run_redis
from workers.processes.notary import open_signer
from workers.tools.store.accept_loss import accept_loss

PARTITIONS = 3


@contextmanager
def store_with_mark(data: Path) -> Iterator[tuple[EventStore, MarkFile]]:
    """The store of a data folder, and its high-water mark."""
    with run_redis(data / "redis") as url:
        redis = connect(url)
        yield EventStore(redis, PARTITIONS), MarkFile(data, redis, PARTITIONS)
        redis.close()


def play(store: EventStore, *matches: str) -> None:
    for match in matches:
        RecordedMatch(store, "ann bob", match=match).play(3)


def append_file(data: Path) -> Path:
    return max((data / "redis").glob("**/*.incr.aof"))


def test_the_same_or_a_longer_store_has_lost_nothing(tmp_path: Path) -> None:
    with store_with_mark(tmp_path) as (store, notes):
        assert notes.find_missing() == []
        play(store, "a")
        notes.update()
        assert notes.find_missing() == []
        play(store, "b", "c")
    with store_with_mark(tmp_path) as (_, notes):
        assert notes.find_missing() == []


def test_a_truncation_is_detected_if_it_removed_marked_entries(
    tmp_path: Path,
) -> None:
    """Also between two commands, where Redis finds nothing wrong."""
    with store_with_mark(tmp_path) as (store, notes):
        play(store, "a", "b")
        store.redis.hset("player:u1", "name", "Ann")
        notes.update()
        noted = append_file(tmp_path).stat().st_size
        play(store, "c")
    whole = append_file(tmp_path).read_bytes()
    commands = [
        at for at in range(1, len(whole)) if whole.startswith((b"*2\r\n", b"*3\r\n", b"*1\r\n"), at)
    ]
    before = [at for at in commands if at < noted]
    for at in (*before[-3:], *before[3::9], noted - 5, noted, commands[-2], commands[-2] + 9):
        append_file(tmp_path).write_bytes(whole[:at])
        with store_with_mark(tmp_path) as (_, notes):
            assert bool(notes.find_missing()) == (at < noted), at


def test_heartbeats_alone_write_no_mark(tmp_path: Path) -> None:
    with store_with_mark(tmp_path) as (store, notes):
        notes.update()
        before = (tmp_path / FILE_NAME).read_bytes()
        for second in range(0, 10, 3):
            store.uptime.beat(1000 * second)
            notes.update()
        assert (tmp_path / FILE_NAME).read_bytes() == before
        play(store, "a")
        notes.update()
        assert (tmp_path / FILE_NAME).read_bytes() != before


def test_another_history_of_the_same_length_is_detected(tmp_path: Path) -> None:
    with store_with_mark(tmp_path) as (store, notes):
        play(store, "a")
        store.redis.bgrewriteaof()
        eventually(lambda: not store.redis.info("persistence")["aof_rewrite_in_progress"])
        shutil.copytree(
            tmp_path / "redis", tmp_path / "older", ignore=shutil.ignore_patterns("*.sock")
        )
        play(store, "b")
        notes.update()
    shutil.rmtree(tmp_path / "redis")
    (tmp_path / "older").rename(tmp_path / "redis")
    with store_with_mark(tmp_path) as (store, notes):
        play(store, "c", "d", "e", "f")
        store.redis.set("annals:high_water_mark", 99)
        told = notes.find_missing()
        assert told
        assert all("missing" in one or "not the one in the mark" in one for one in told)


def test_archiving_a_match_is_no_loss(tmp_path: Path) -> None:
    with store_with_mark(tmp_path) as (store, notes):
        play(store, "a")
        notes.update()
        [key] = store.redis.keys("*:match:a")
        store.redis.set(key, "what tells where it is")
        assert notes.find_missing() == []
        store.redis.delete(key)
        assert len(notes.find_missing()) == 1


@pytest.mark.parametrize("fsync", ["always", "everysec"])
def test_a_kill_is_no_loss(tmp_path: Path, fsync: str) -> None:
    """At any moment of appending and marking."""
    process = RedisProcess(tmp_path, "--appendfsync", fsync)
    for number in range(4):
        redis = connect(process.url)
        notes = MarkFile(tmp_path, redis, PARTITIONS)
        assert notes.find_missing() == []
        writer = Thread(target=write_until_killed, args=(process.url, number))
        writer.start()
        for _ in range(3):
            notes.update()
        process.kill()
        writer.join()
        process.start()
    assert MarkFile(tmp_path, connect(process.url), PARTITIONS).find_missing() == []
    process.kill()


def write_until_killed(url: str, number: int) -> None:
    try:
        store = EventStore(Redis.from_url(url, retry=None), PARTITIONS)
        for match in range(1_000):
            play(store, f"m{number}-{match}")
    except (RedisError, StoreUnavailable):
        return


@pytest.mark.parametrize("keeping", ["appendfsync", "appendonly"])
def test_the_mark_covers_only_what_is_on_disk(
    tmp_path: Path, keeping: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.host.redis.high_water_mark.SYNC_TIMEOUT_MS", 50)
    with store_with_mark(tmp_path) as (store, notes):
        notes.update()
        before = (tmp_path / FILE_NAME).read_bytes()
        store.redis.config_set(keeping, "no")
        play(store, "a")
        notes.update()
        assert (tmp_path / FILE_NAME).read_bytes() == before


def test_no_process_starts_on_a_loss_until_the_operator_accepts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log, which the command continues, keeps the leaves of what is lost."""
    with store_with_mark(tmp_path) as (store, notes):
        url = own_redis_url(tmp_path)
        environ = {"REDIS_URL": url, "ANNALS_DATA": str(tmp_path), "ANNALS_PARTITIONS": "3"}
        for name, value in environ.items():
            monkeypatch.setenv(name, value)
        settings = read_settings(environ)
        play(store, "a", "b")
        leaves = sign(settings, store)
        notes.update()
        await_both(settings)
        store.redis.flushdb()
        with pytest.raises(CannotRun, match=r"has lost .*are missing.*`annals accept-loss`"):
            await_both(settings)
        assert CliRunner().invoke(accept_loss, input="n\n").exit_code == 1
        with pytest.raises(CannotRun):
            await_both(settings)
        store.redis.set(SEEDS, "k")
        accepted = CliRunner().invoke(accept_loss, ["--yes"])
        assert (accepted.exit_code, accepted.stdout) == (
            0,
            "The store as it is now is the new high-water mark.\n"
            f"The transparency log continues and keeps its {leaves} leaves.\n",
        )
        play(store, "c")
        assert sign(settings, store) == leaves + 1
        assert not store.redis.exists(SEEDS)  # known seeds do not repeat
        await_both(settings)
        assert (
            CliRunner().invoke(accept_loss).stdout
            == "The store has everything that its high-water mark names.\n"
        )


def sign(settings: Settings, store: EventStore) -> int:
    """Let the log grow over all matches; returns its number of leaves."""
    assert settings.tlog_folder
    signer = open_signer(settings, Folder(settings.tlog_folder), store)
    while signer.step(NOON):
        pass
    return signer.state.size


def test_a_corrupt_mark_is_reported(tmp_path: Path) -> None:
    with store_with_mark(tmp_path) as (_, notes):
        notes.update()
        (tmp_path / FILE_NAME).write_bytes(b"{")
        assert ["corrupt" in one for one in notes.find_missing()] == [True]
        notes.reset()
        assert notes.find_missing() == []


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
    assert "1 of " in said.stdout + said.stderr
    assert service.url not in said.stdout
