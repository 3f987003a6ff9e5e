"""A kill of a backup, a restore or an upgrade before any change that it makes loses nothing, and
the next run finishes.

A change is a call that writes to a file, sends a command to Redis or starts a process.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from redis import Redis

from service.matches.container import Annals, open_annals
from service.runtime.settings import BadSetting, Settings, read_settings
from service.store.event_store import EventStore
from service.store.store_format import record_program
from tests.stored.keys import load_keys
from tests.stored.record import ARCHIVE, BACKUP, KEYS, LOG, PARTITIONS, STORED, service_on
from tests.support.archived import annals, entries_of, place, run_command, scheduled, settings
from tests.support.killing import draw_changes, kill_before_change
from tests.support.patience import eventually
from tests.test_upgrades import header_of
from workers.host.errors import CannotRun
from workers.host.redis.server import run_redis, state_of
from workers.processes.projector import build_projector
from workers.tools.store.archive import archive_matches
from workers.tools.store.backup import check_backup, write_backup
from workers.tools.store.restore import refuse_used_store
from workers.tools.store.scheduled_backup import attempt_backup

__all__ = ["annals", "place", "scheduled", "settings"]
pytestmark = pytest.mark.slow
kills = pytest.mark.parametrize("kills", [3, pytest.param(200, marks=pytest.mark.long)])
"""Before how many changes a command is killed, at most; each kill begins anew."""


def contents(redis: Redis) -> dict[bytes, Any]:
    """All keys of a store."""
    return {name: redis.dump(name) for name in redis.scan_iter()}


@kills
def test_a_scheduled_backup(annals: Annals, scheduled: Settings, place: Path, kills: int) -> None:
    archive_matches(annals, 1)
    (scheduled.data / "erased-players").write_text("u0\n")
    first = attempt_backup(scheduled, annals.store)
    before = contents(annals.store.redis)

    def work() -> None:
        attempt_backup(scheduled, open_annals(scheduled).store)

    for number in draw_changes(work, kills):
        kill_before_change(work, number)
        assert contents(annals.store.redis) == before, number
        good = list(place.glob("*.backup"))
        assert good, number
        for one in good:
            check_backup(one)
        state = attempt_backup(scheduled, annals.store)
        assert (state.failure, state.matches) == ("", first.matches), number
        others = [one.name for one in place.iterdir() if one not in place.glob("*.backup")]
        assert sorted(others) == ["erased-players", "packs"], number


@pytest.fixture
def backup(annals: Annals, tmp_path: Path) -> Path:
    """A backup with accounts and archived matches."""
    annals.players.register("Ann", 1)
    archive_matches(annals, 1)
    write_backup(annals.store, file := tmp_path / "backup")
    return file


@kills
def test_a_restore(
    annals: Annals, settings: Settings, backup: Path, monkeypatch: pytest.MonkeyPatch, kills: int
) -> None:
    """The Redis of the command ends with it."""
    data, before = settings.data / "restored", entries_of(annals.store)
    monkeypatch.delenv("REDIS_URL")
    monkeypatch.setenv("ANNALS_DATA", str(data))

    def empty() -> None:
        shutil.rmtree(data, ignore_errors=True)
        shutil.copytree(settings.data / ARCHIVE, data / ARCHIVE)

    def work() -> None:
        said = run_command("restore", backup)
        assert ", 0 faults found." in said.output

    empty()
    for number in draw_changes(work, kills):
        empty()
        kill_before_change(work, number)
        left = describe_store(data)
        if left == "interrupted":
            (data / "redis").rename(data / "interrupted")
        if left != "complete":
            work()
        assert run_command("verify", "--all").exit_code == 0, number
        with restored_store(data) as store:
            assert entries_of(store) == before, number


@contextmanager
def restored_store(data: Path) -> Iterator[EventStore]:
    """The store of a data folder, whose Redis has ended with its command."""
    run = read_settings({"ANNALS_DATA": str(data)})
    eventually(lambda: state_of(run.events_url) == "silent")
    with run_redis(data / "redis"):
        yield open_annals(run).store


def describe_store(data: Path) -> str:
    """What a killed restore has left: `empty`; `interrupted`, which each process refuses; or
    `complete`.
    """
    try:
        with restored_store(data) as store:
            refuse_used_store(store)
    except (BadSetting, CannotRun) as refusal:
        return "interrupted" if "was interrupted" in str(refusal) else "complete"
    return "empty"


@kills
def test_a_check_of_a_running_store(
    annals: Annals, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kills: int
) -> None:
    (scratch := tmp_path / "scratch").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    before = contents(annals.store.redis)

    def work() -> None:
        said = run_command("upgrade", "--check")
        assert said.exit_code == 0, said.output

    for number in draw_changes(work, kills):
        kill_before_change(work, number)
        assert contents(annals.store.redis) == before, number
        work()
        assert not list(scratch.iterdir()), number


@kills
def test_an_upgrade_in_place(
    redis_client: Redis, redis_url: str, tmp_path: Path, kills: int
) -> None:
    """The first start of this version on what the oldest one stored, as if all lists had another
    format since.
    """
    oldest = min(STORED.glob(f"*/{KEYS}"), key=lambda file: header_of(file.with_name(BACKUP)).at)
    data = tmp_path / "data"
    for name in (LOG, ARCHIVE):
        shutil.copytree(oldest.parent / name, data / name)

    def begin() -> None:
        redis_client.flushdb()
        load_keys(redis_client, oldest)
        for name in redis_client.scan_iter("{p*}:rm:*"):
            redis_client.delete(name)

    def work() -> None:
        store = service_on(redis_url, data).store
        record_program(store.redis)
        projector = build_projector(store, range(PARTITIONS), Event())
        while projector.fold_next(1_000):
            pass

    begin()
    environ = {
        "REDIS_URL": redis_url,
        "ANNALS_PARTITIONS": str(PARTITIONS),
        "ANNALS_DATA": str(data),
    }
    before = entries_of(service_on(redis_url, data).store)
    for number in draw_changes(work, kills):
        begin()
        kill_before_change(work, number)
        work()
        said = run_command("verify", "--all", **environ)
        assert said.exit_code == 0, f"{number}: {said.output}"
        assert entries_of(service_on(redis_url, data).store) == before, number
