"""Finished matches leave the store for packs that hold exactly the same."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest
from msgspec.structs import replace

from domain.match.log import CorruptEntry
from service.matches.container import Annals
from service.runtime.settings import Settings
from service.store.archive.packs import read_index
from service.store.archive.targets import FolderTarget
from service.store.entry_codec import ENTRY_FIELD, encode_entry
from service.store.event_store import AppendSuccess
from tests.projections.recorded import RecordedMatch
from tests.support.archived import OVER, annals, entries_of, in_archive, run_command, settings
from workers.host.errors import CannotRun
from workers.host.run import build_programs
from workers.tools.store import archive as tool
from workers.tools.store.archive import archive_daily, archive_matches
from workers.tools.store.daily_tasks import DAY_S, FIRST_RUN_S

__all__ = ["annals", "settings"]


def test_finished_matches_leave_and_are_read_as_before(annals: Annals) -> None:
    before = entries_of(annals.store)
    versions = {match: annals.store.version(match) for match in before}
    moved = archive_matches(annals, 1)
    assert in_archive(annals.store) == OVER
    assert (moved.matches, moved.entries) == (3, sum(versions[match] for match in OVER))
    assert entries_of(annals.store) == before
    assert {match: annals.store.version(match) for match in before} == versions


def test_a_pack_has_all_matches_and_an_index(annals: Annals, tmp_path: Path) -> None:
    archive_matches(annals, 1)
    [pack] = (tmp_path / "archive").iterdir()
    places = read_index(bytes.fromhex(pack.stem), pack.read_bytes())
    assert {place.match: (place.version, place.head) for place in places} == {
        match: (last.version, last.head.hex())
        for match in OVER
        for last in annals.store.read(match)[-1:]
    }
    assert pack.stat().st_mode & 0o077 == 0


def test_a_full_pack_is_closed(annals: Annals, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool, "PACK_BYTES", 1)
    assert archive_matches(annals, 1).packs == 3
    assert in_archive(annals.store) == OVER


def test_the_same_matches_make_the_same_pack(annals: Annals, tmp_path: Path) -> None:
    """So archiving them again from an older store leaves nothing twice."""
    rows = {match: annals.store.rows.read_stream(match) for match in OVER}
    archive_matches(annals, 1)
    for match in sorted(OVER):
        stub = annals.store.rows.read_stub(match)
        assert stub
        annals.store.rows.restore_stream(match, stub)
    assert {match: annals.store.rows.read_stream(match) for match in OVER} == rows
    archive_matches(annals, 1)
    assert len(list((tmp_path / "archive").iterdir())) == 1


def test_recent_matches_stay(annals: Annals) -> None:
    years = 365 * 100
    assert archive_matches(annals, years).matches == 0
    assert in_archive(annals.store) == set()


def test_a_match_with_due_work_stays(annals: Annals) -> None:
    """It is scored, but not rated yet."""
    RecordedMatch(annals.store, "ann bob", match="unrated").play_out().score()
    archive_matches(annals, 1)
    assert in_archive(annals.store) == OVER


def test_a_match_that_continues_meanwhile_stays(annals: Annals) -> None:
    store = annals.store
    last = store.read("scored")[-1]
    more = replace(last, version=last.version + 1, cmd=b"more")

    class Slow(FolderTarget):
        def write(self, file: str, data: bytes) -> None:
            super().write(file, data)
            assert store.append("scored", more, {}) == AppendSuccess(more.version)

    store.rows.archive.target = Slow(annals.settings.data / "archive")
    assert archive_matches(annals, 1).matches == 2
    assert in_archive(store) == OVER - {"scored"}
    assert store.read("scored")[-1] == more


def test_a_dry_run_moves_nothing(annals: Annals, tmp_path: Path) -> None:
    told = run_command("archive", "--days", 1, "--dry-run").output
    assert told.splitlines()[-1].startswith("3 matches, ")
    assert told.endswith(" would be archived.\n")
    assert in_archive(annals.store) == set()
    assert not (tmp_path / "archive").exists()


def test_the_command_prints_what_it_moved(annals: Annals) -> None:
    told = run_command("archive", "--days", 1)
    assert told.output.splitlines()[-1].startswith("3 matches, ")
    assert in_archive(annals.store) == OVER
    again = run_command("archive", "--days", 1).output.splitlines()[-1]
    assert again == "0 matches, 0 entries, in 0 packs of 0 bytes archived."


def test_the_command_needs_a_number_of_days(annals: Annals) -> None:
    with pytest.raises(CannotRun, match="number of days"):
        raise run_command("archive").exception or AssertionError
    assert run_command("archive", ANNALS_ARCHIVE_DAYS="1").exit_code == 0


def test_a_second_process_is_refused(annals: Annals) -> None:
    with tool.archive_lock(annals.store.redis), pytest.raises(CannotRun, match="is archiving"):
        archive_matches(annals, 1)


def test_it_runs_once_a_day(
    annals: Annals, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop, pauses = Event(), list[float]()

    def wait(seconds: float) -> bool:
        pauses.append(seconds)
        return len(pauses) > 2

    monkeypatch.setattr(stop, "wait", wait)
    archive_daily(annals, 1, stop)
    assert pauses == [FIRST_RUN_S, DAY_S, DAY_S]
    assert in_archive(annals.store) == OVER


def test_nothing_leaves_if_the_pack_cannot_be_written(annals: Annals, tmp_path: Path) -> None:
    (tmp_path / "archive").write_text("no folder")
    result = run_command("archive", "--days", 1)
    assert "nothing has changed" in str(result.exception)
    assert in_archive(annals.store) == set()


def test_nothing_leaves_if_the_pack_differs(annals: Annals, tmp_path: Path) -> None:
    class Forgetful(FolderTarget):
        def write(self, file: str, data: bytes) -> None:
            super().write(file, data[:-1])

    annals.store.rows.archive.target = Forgetful(tmp_path / "archive")
    with pytest.raises(CorruptEntry):
        archive_matches(annals, 1)
    assert in_archive(annals.store) == set()


def test_a_match_with_a_broken_chain_is_named_and_stays(annals: Annals) -> None:
    [*before, last] = annals.store.read("scored")
    name = f"{{p{annals.store.partition_of('scored')}}}:match:scored"
    annals.store.redis.delete(name)
    for one in (*before, replace(last, head=bytes(32))):
        annals.store.redis.xadd(
            name, {ENTRY_FIELD: encode_entry("scored", one)}, f"{one.version}-0"
        )
    assert archive_matches(annals, 1).corrupt == {
        "scored": "its head does not match the chain of its entries."
    }
    assert in_archive(annals.store) == OVER - {"scored"}


def test_a_corrupt_match_is_named_and_stays(annals: Annals) -> None:
    name = f"{{p{annals.store.partition_of('scored')}}}:match:scored"
    annals.store.redis.xdel(name, "2-0")
    told = run_command("archive", "--days", 1).output
    assert "scored: version 2 is missing. It stays in the store.\n" in told
    assert in_archive(annals.store) == OVER - {"scored"}


def test_a_service_archives_only_if_configured() -> None:
    names = {one.name for one in build_programs(Settings(archive_days=30))}
    assert names - {one.name for one in build_programs(Settings())} == {"archive-daily"}
