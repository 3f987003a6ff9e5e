"""A store with faults has backups, and operators who read of them see no values of a match."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from msgspec.structs import replace as with_members

from domain.match.log import UnreadableEntry
from service.matches.container import Annals
from service.runtime.errors import StoreUnavailable
from service.runtime.settings import Settings
from service.store.backup_state import HOUR_MS, BackupState, read_state, write_state
from tests.match.table import NOON
from tests.support.archived import annals, place, run_command, scheduled, settings
from tests.support.damage import damage
from tests.support.receiver import receiving
from workers.host.errors import CannotRun
from workers.tools.store import scheduled_backup as tool
from workers.tools.store.backup import write_backup
from workers.tools.store.backup_file import StoredKey, backup_writer, read_backup
from workers.tools.store.backup_place import FAULTY, parse_name
from workers.tools.store.scheduled_backup import attempt_backup

__all__ = ["annals", "place", "scheduled", "settings"]


def test_a_store_with_faults_sends_an_alert_and_harms_no_good_backup(
    annals: Annals, scheduled: Settings, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with receiving() as receiver:
        alerting = replace(scheduled, alert_url=f"{receiver.url}/alert")
        monkeypatch.setattr(tool, "wall_clock", lambda: NOON)
        good = attempt_backup(alerting, annals.store)
        damage(annals.store, "running", 2)
        for hours in (1, 2):  # the second says nothing new
            now = NOON + hours * HOUR_MS
            monkeypatch.setattr(tool, "wall_clock", lambda now=now: now)
            failed = attempt_backup(alerting, annals.store)
            assert "running: version 2 has a fault: see `annals verify`." in failed.failure
        names = sorted(one.name for one in place.iterdir())
        assert names[0] == good.name
        faulty = [one.at for one in map(parse_name, names[1:]) if one and one.kind == FAULTY]
        assert faulty == [NOON + HOUR_MS, now]
        assert failed == with_members(
            good, failure=failed.failure, failed_at=now, alerted=failed.failure, faulty=True
        )
        damage(annals.store, "running", 2)  # as it was
        assert attempt_backup(alerting, annals.store).failure == ""
        began, ended = (one.body for one in receiver.got)
        assert (began["type"], ended["type"]) == ("backup.failed", "backup.recovered")
        assert failed.failure in began["text"]
    assert not list(place.glob("*.faulty"))


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (KeyError("seed 7"), "KeyError: (message withheld)"),
        (UnreadableEntry("version 3 cannot be decoded: hand 7.", 3), "version 3 has a fault"),
        (CannotRun("m: version 3 was not allowed: hand 7."), "m: version 3 has a fault"),
        (
            StoreUnavailable("The storage of a.pack does not answer."),
            "The storage of a.pack does not answer.",
        ),
    ],
)
def test_a_failure_has_no_values_of_a_match(
    annals: Annals,
    scheduled: Settings,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    text: str,
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(tool, "write_backup", fail)
    failure = attempt_backup(scheduled, annals.store).failure
    assert failure.startswith(text)
    assert "7" not in failure


def test_known_faults_can_be_accepted_until_there_are_others(
    annals: Annals, scheduled: Settings, place: Path
) -> None:
    damage(annals.store, "running", 2)
    assert attempt_backup(scheduled, annals.store).faulty
    said = run_command("backup", "--accept-faults", ANNALS_BACKUP=str(place))
    assert "Accepted: running: version 2 has a fault: see `annals verify`.\n" in said.output
    assert ", verified." in said.output
    assert [one.suffix for one in place.iterdir()] == [".backup"]
    known = read_state(scheduled.data)
    assert attempt_backup(scheduled, annals.store).failure == ""
    damage(annals.store, "open", 1)
    failed = attempt_backup(scheduled, annals.store)
    assert "open: version 1 has a fault" in failed.failure
    assert failed.accepted == known.accepted


def test_too_many_faults_are_not_accepted(
    annals: Annals, scheduled: Settings, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_state(scheduled.data, BackupState(name="b", at=NOON, accepted=("m: old.",)))
    monkeypatch.setattr(tool, "MAX_ACCEPTED", 1)
    monkeypatch.setattr(tool, "run_trial", lambda *_: iter(["m: one.", "m: two.", "m: two."]))
    said = run_command("backup", "--accept-faults", ANNALS_BACKUP=str(place))
    assert "2 faults are too many to accept (1)" in said.output
    assert "Accepted" not in said.output
    assert read_state(scheduled.data).accepted == ("m: old.",)


def test_failures_that_differ_in_numbers_are_one_alert() -> None:
    last = "a-20231115T120000Z-10.new: Permission denied."
    now = "a-20231115T130000Z-11.new: Permission denied."
    assert not BackupState(failure=now, alerted=last).is_news
    assert BackupState(failure="no room.", alerted=last).is_news
    assert BackupState(alerted=last).is_news
    fault = BackupState(failure="m: version 9 is corrupt.", alerted="m: version 2 is corrupt.")
    assert with_members(fault, faulty=True).is_news


@pytest.mark.parametrize(
    "name", ["rq:job:1", "rq:queue:bots", "operators:code", "seeds:key", "somebody:else", "\x1b[2J"]
)
def test_a_backup_with_a_key_that_none_has_is_refused(
    annals: Annals, tmp_path: Path, name: str
) -> None:
    """Such as a job, which is code that a worker runs: nothing of it is written."""
    write_backup(annals.store, tmp_path / "b")
    with backup_writer(tmp_path / "c") as writer:
        for record in list(read_backup(tmp_path / "b"))[:-1]:
            writer.write(record)
        writer.write(StoredKey(name, "hash", {"data": "x"}))
        writer.end()
    annals.store.redis.flushdb()
    said = str(run_command("restore", tmp_path / "c").exception)
    assert f"it has the key {name!a}, which Annals writes into no backup: " in said
    assert annals.store.redis.dbsize() == 0
