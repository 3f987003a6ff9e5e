"""Backups by themselves are verified and pruned, and an alert says when one fails."""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from threading import Event
from time import process_time
from types import SimpleNamespace
from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from service.live.exposition import BackupMetrics
from service.matches.container import Annals, open_annals
from service.runtime.errors import StoreUnavailable
from service.runtime.settings import Settings
from service.store.archive.targets import FolderTarget, open_target
from service.store.backup_state import (
    HOUR_MS,
    RETRY_MS,
    BackupState,
    is_requested,
    read_state,
    request_backup,
    write_state,
)
from service.store.store_format import store_id
from tests.support.archived import annals, place, run_command, scheduled, settings
from tests.support.killing import killing, run_in_child
from tests.support.receiver import receiving
from workers.host.errors import CannotRun
from workers.tools.store import backup, stall_watch, trial
from workers.tools.store import scheduled_backup as tool
from workers.tools.store.archive import archive_matches
from workers.tools.store.backup import check_backup
from workers.tools.store.backup_place import FAULTY, BackupName
from workers.tools.store.scheduled_backup import (
    attempt_backup,
    is_due,
    keep_backups,
    run_scheduled,
)

__all__ = ["annals", "place", "scheduled", "settings"]
DAY_MS = 24 * HOUR_MS
NOON = 1_700_049_600_000
"""2023-11-15T12:00:00Z."""


def test_a_backup_is_verified_and_has_all_that_is_only_beside_the_data(
    annals: Annals, scheduled: Settings, place: Path
) -> None:
    archive_matches(annals, 1)
    (scheduled.data / "erased-players").write_text("u0\n")
    state = attempt_backup(scheduled, annals.store)
    assert state == read_state(scheduled.data)
    assert (state.failure, state.matches) == ("", len(list(annals.store.match_ids())))
    end = check_backup(place / state.name)
    assert {one.name for one in (place / "packs").iterdir()} == set(end.packs) != set()
    assert (place / "erased-players").read_text() == "u0\n"
    assert not (scheduled.data / tool.STAGE / "files").exists()


def test_a_rename_while_accounts_are_read_again_is_no_fault(
    annals: Annals, scheduled: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _ = annals.players.register("Ann", NOON)
    real, scans = backup.keys_by_treatment, count(1)

    def scanning(*more: Any) -> Any:
        found = real(*more)
        if next(scans) == 2:  # the new name is not among the keys that are read next
            annals.players.rename(ann, "Anna")
        return found

    monkeypatch.setattr(backup, "keys_by_treatment", scanning)
    assert attempt_backup(scheduled, annals.store).failure == ""


def test_accounts_that_change_meanwhile_are_no_faults(
    annals: Annals, scheduled: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = (annals.players.register(name, NOON)[0] for name in ("Ann", "Bob"))
    real = backup.read_entries

    def reading(*more: Any) -> Iterator[Any]:
        annals.players.rename(ann, "Anna")
        annals.players.delete(bob, NOON)
        yield from real(*more)

    monkeypatch.setattr(backup, "read_entries", reading)
    assert attempt_backup(scheduled, annals.store).failure == ""


def test_a_place_that_is_not_there_is_named_and_not_created(
    annals: Annals, scheduled: Settings, place: Path
) -> None:
    place.rmdir()
    state = attempt_backup(scheduled, annals.store)
    assert f"{place} is not a folder: create it, or mount its disk." in state.failure
    assert not place.exists()
    assert "No good one is known." in state.describe_failure()


def test_a_backup_that_might_fill_the_disk_is_not_begun(
    annals: Annals, scheduled: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_state(scheduled.data, BackupState(name="huge", bytes=1 << 60))
    assert "MB are free in" in attempt_backup(scheduled, annals.store).failure
    write_state(scheduled.data, BackupState())
    monkeypatch.setattr(tool, "ENTRY_BYTES", 1 << 60)
    assert "MB are free in" in attempt_backup(scheduled, annals.store).failure, "the first one"
    monkeypatch.setattr(tool, "ENTRY_BYTES", 1)
    monkeypatch.setattr(tool.shutil, "disk_usage", lambda _: SimpleNamespace(free=0))
    failure = attempt_backup(replace(scheduled, disk_reserve_mb=0), annals.store).failure
    assert failure.startswith("less than 1 MB are free in")


def test_one_backup_is_written_at_a_time(annals: Annals, scheduled: Settings) -> None:
    with (
        tool.hold_stage(scheduled.data / tool.STAGE, "backup"),
        pytest.raises(CannotRun, match="Another backup is writing there"),
    ):
        attempt_backup(scheduled, annals.store)
    assert read_state(scheduled.data) == BackupState()


def test_a_stage_of_another_user_is_a_failure(annals: Annals, scheduled: Settings) -> None:
    (scheduled.data / tool.STAGE / "lock").mkdir(parents=True)  # no file can be opened there
    request_backup(scheduled.data)
    run_scheduled(scheduled, annals.store, Turns(2))
    assert "Cannot write in" in read_state(scheduled.data).failure
    assert not is_requested(scheduled.data), "it would be tried every few seconds"


def test_a_request_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="can't be requested: No such file or directory"):
        request_backup(tmp_path / "unmounted")


class Turns(Event):
    """Is set after some waits."""

    def __init__(self, turns: int) -> None:
        super().__init__()
        self._left = turns

    def wait(self, timeout: float | None = None) -> bool:
        self._left -= 1
        return self._left < 0


def test_an_alert_is_sent_until_it_arrives_and_only_once(
    annals: Annals, scheduled: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also on a disk so full that nothing can be recorded."""

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tool, "write_state", refuse)
    monkeypatch.setattr(tool, "hold_stage", refuse)
    clock = iter(range(NOON, NOON + DAY_MS, HOUR_MS // 9))
    monkeypatch.setattr(tool, "wall_clock", clock.__next__)
    with receiving() as receiver:
        alerting = replace(scheduled, alert_url=receiver.url)
        receiver.answers(503)
        run_scheduled(alerting, annals.store, Turns(1))
        assert len(receiver.got) == 1
        known = attempt_backup(alerting, annals.store)
        receiver.answers(204)
        known = attempt_backup(alerting, annals.store, known)
        assert known.alerted == known.failure != ""
        attempt_backup(alerting, annals.store, known)
        assert len(receiver.got) == 3
        run_scheduled(alerting, annals.store, Turns(5))
    assert len(receiver.got) == 4


def test_a_killed_attempt_is_a_failure(annals: Annals, scheduled: Settings) -> None:
    write_state(scheduled.data, BackupState(begun_at=NOON))
    with receiving() as receiver:
        state = attempt_backup(replace(scheduled, alert_url=receiver.url), annals.store)
        assert [one.type for one in receiver.got] == ["backup.failed", "backup.recovered"]
    assert (state.failure, state.begun_at, state.alerted) == ("", 0, "")


def test_an_attempt_that_hangs_is_a_failure_and_ends(
    annals: Annals, scheduled: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a mounted disk whose server is gone: the process can only end, and begin again."""
    good = attempt_backup(scheduled, annals.store)
    request_backup(scheduled.data)

    def hang(*_: object) -> None:
        stall_watch.STALL_S = 0.0  # an hour later
        while True:
            signal.pause()

    def work() -> None:
        monkeypatch.setattr(FolderTarget, "copy_in", hang)
        monkeypatch.setattr(stall_watch, "LOOK_S", 0.01)
        monkeypatch.setattr(os, "_exit", lambda _: os.kill(os.getpid(), signal.SIGKILL))
        run_scheduled(scheduled, annals.store, Turns(1))

    with receiving() as receiver:
        scheduled = replace(scheduled, alert_url=receiver.url)
        assert run_in_child(work) == signal.SIGKILL
        [alert] = receiver.got
        assert "it made no progress for 60 minutes" in alert.body["text"]
        state = read_state(scheduled.data)
        assert (state.name, state.begun_at, state.alerted) == (good.name, 0, state.failure)
        assert attempt_backup(scheduled, annals.store).failure == ""


def test_an_attempt_that_makes_progress_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it takes."""
    monkeypatch.setattr(stall_watch, "PROGRESS_S", 0.01)
    looks = int(stall_watch.STALL_S / stall_watch.LOOK_S)

    class Working(Turns):
        def wait(self, timeout: float | None = None) -> bool:
            begin = process_time()
            while self._left % (looks - 1) == 0 and process_time() < begin + 0.02:
                pass
            return super().wait(timeout)

    assert run_in_child(lambda: stall_watch.watch(Working(3 * looks), lambda: None)) == 0


def test_a_state_of_another_user_is_a_failure_and_replaced(
    annals: Annals, scheduled: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> bytes:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", refuse)
        assert "backup-state.json: Permission denied." in read_state(scheduled.data).failure
        assert is_due(read_state(scheduled.data), 24, NOON)
    attempt_backup(scheduled, annals.store)
    assert read_state(scheduled.data).failure == ""


STEPS = (
    (tool, "write_backup"),
    (tool, "check_backup"),
    (trial, "restore_derived"),
    (FolderTarget, "copy_in"),
    (os, "fsync"),
    (Path, "replace"),
    (FolderTarget, "remove"),
    (tool, "write_state"),
)


@pytest.mark.parametrize("after", [False, True])
def test_a_kill_at_any_step_loses_nothing(
    annals: Annals, scheduled: Settings, place: Path, monkeypatch: pytest.MonkeyPatch, after: bool
) -> None:
    first = attempt_backup(scheduled, annals.store)
    for number, (owner, name) in enumerate(STEPS, 1):
        now = first.at + number * HOUR_MS
        monkeypatch.setattr(tool, "wall_clock", lambda now=now: now)
        store = store_id(annals.store.redis)
        (
            place / str(BackupName(store, 0, 1, FAULTY))
        ).touch()  # so that there is something to delete

        def work(owner: object = owner, name: str = name) -> None:
            if owner is not trial:  # which takes time
                monkeypatch.setattr(tool, "run_trial", lambda *_: iter(()))
            killing(monkeypatch, owner, name, after, 1)
            attempt_backup(scheduled, open_annals(scheduled).store)

        assert run_in_child(work) == signal.SIGKILL, name
        good = list(place.glob("*.backup"))
        assert good, name
        for one in good:
            check_backup(one)
    state = attempt_backup(scheduled, annals.store)
    assert state.failure == ""
    left = [one.name for one in place.iterdir() if not one.name.endswith(".backup")]
    assert left == []
    assert place / state.name in place.iterdir()


def test_an_empty_store_deletes_no_backup_of_another_one_and_says_so(
    annals: Annals, scheduled: Settings, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sole = replace(scheduled, backup_keep=1)
    good = attempt_backup(sole, annals.store)
    assert check_backup(place / good.name).entries
    annals.store.redis.flushall()
    state = attempt_backup(sole, open_annals(sole).store)
    assert f"{good.name} beside it is of another store" in state.failure
    monkeypatch.setattr(tool, "wall_clock", lambda: state.at + HOUR_MS)
    assert attempt_backup(sole, annals.store).failure == "", "it is said once"
    assert len(list(place.iterdir())) == 2
    assert check_backup(place / good.name).entries


def test_what_a_killed_copy_left_goes_before_the_next_copy(
    annals: Annals, scheduled: Settings, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that a full place recovers."""
    left = place / f".{BackupName(store_id(annals.store.redis), 0, 1)}.new"
    left.touch()

    def fill(*_: object) -> None:
        assert not left.exists()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(tool, "run_trial", lambda *_: iter(()))
    monkeypatch.setattr(FolderTarget, "copy_in", fill)
    assert "No space left" in attempt_backup(scheduled, annals.store).failure


def test_a_bucket_has_the_same_files(annals: Annals, scheduled: Settings) -> None:
    url = f"memory://{scheduled.data.name}"
    state = attempt_backup(replace(scheduled, backup=url), annals.store)
    assert open_target(url, "").names() == [state.name]


@pytest.mark.parametrize(
    ("state", "due_ms"),
    [
        (BackupState(at=NOON), NOON + DAY_MS),
        (BackupState(at=NOON, failure="x", failed_at=NOON + 9), NOON + 9 + RETRY_MS),
        (BackupState(at=1, failure="x", failed_at=NOON + 9, faulty=True), NOON + 9 + DAY_MS),
        (BackupState(at=NOON, begun_at=NOON + 9), NOON + 9 + RETRY_MS),
    ],
)
def test_the_next_one_comes_in_time(state: BackupState, due_ms: int) -> None:
    assert is_due(state, 24, due_ms)
    assert not is_due(state, 24, due_ms - 1)
    assert is_due(state, 24, NOON - 1), "the clock was set back"
    assert is_due(BackupState(), 24, NOON)


def test_an_operator_need_not_wait(annals: Annals, scheduled: Settings) -> None:
    state = attempt_backup(scheduled, annals.store)
    run_scheduled(scheduled, annals.store, Turns(1))
    assert read_state(scheduled.data) == state
    request_backup(scheduled.data)
    run_scheduled(scheduled, annals.store, Turns(2))
    assert read_state(scheduled.data).at > state.at
    assert not is_requested(scheduled.data)


def test_metrics_have_the_last_one(tmp_path: Path) -> None:
    write_state(tmp_path, BackupState("b", NOON, 7, 1, "no room.", NOON))
    registry = CollectorRegistry()
    registry.register(BackupMetrics(tmp_path))
    found = {one.name: one.samples[0].value for one in registry.collect()}
    assert found == {
        "annals_backup_timestamp_seconds": NOON / 1000,
        "annals_backup_bytes": 7,
        "annals_backup_failing": 1,
    }


def test_a_place_has_to_be_named(settings: Settings) -> None:
    with pytest.raises(CannotRun, match="Name a FILE, or set ANNALS_BACKUP"):
        keep_backups(settings, scheduled=False)


@pytest.mark.parametrize("words", ["--check", "--overwrite", "b --scheduled", "b --accept-faults"])
def test_options_that_do_not_fit_make_no_backup(
    settings: Settings, place: Path, words: str
) -> None:
    said = run_command("backup", *words.split(), ANNALS_BACKUP=str(place))
    assert said.exit_code == 2
    assert "FILE" in said.output
    assert not list(place.iterdir())


def test_the_command_backs_up_now(annals: Annals, place: Path) -> None:
    said = run_command("backup", ANNALS_BACKUP=str(place))
    assert "verified." in said.output
    [file] = place.iterdir()
    assert file.name in said.output
