"""Matches that are over leave the store for packs, if they are what is in these then."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest
from msgspec.structs import replace

from domain.match.log import Damaged
from service.matches.container import Annals
from service.runtime.settings import Settings
from service.store.archive.packs import index_of
from service.store.archive.targets import Folder
from service.store.entry_codec import FIELD, row_of
from service.store.event_store import Appended
from tests.projections.recorded import Recorded
from tests.support.archived import OVER, annals, entries_of, in_archive, said, settings
from workers.host.errors import CannotRun
from workers.host.run import our_programs
from workers.tools.store import archive as tool
from workers.tools.store.archive import keep_moving, move
from workers.tools.store.daily_tasks import DAY_S, FIRST_S

__all__ = ["annals", "settings"]


def test_what_is_over_leaves_and_is_read_as_before(annals: Annals) -> None:
    before = entries_of(annals.store)
    versions = {match: annals.store.version(match) for match in before}
    moved = move(annals, 1)
    assert in_archive(annals.store) == OVER
    assert (moved.matches, moved.entries) == (3, sum(versions[match] for match in OVER))
    assert entries_of(annals.store) == before
    assert {match: annals.store.version(match) for match in before} == versions


def test_all_of_them_are_in_one_file_with_an_index(annals: Annals, tmp_path: Path) -> None:
    move(annals, 1)
    [pack] = (tmp_path / "archive").iterdir()
    places = index_of(bytes.fromhex(pack.stem), pack.read_bytes())
    assert {place.match: (place.version, place.head) for place in places} == {
        match: (last.version, last.head.hex())
        for match in OVER
        for last in annals.store.read(match)[-1:]
    }
    assert pack.stat().st_mode & 0o077 == 0


def test_a_pack_that_is_full_is_closed(annals: Annals, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool, "PACK_BYTES", 1)
    assert move(annals, 1).packs == 3
    assert in_archive(annals.store) == OVER


def test_the_same_matches_are_the_same_pack(annals: Annals, tmp_path: Path) -> None:
    """So that what is done again, from an older copy of a store, leaves nothing twice."""
    rows = {match: annals.store.rows.stored(match) for match in OVER}
    move(annals, 1)
    for match in sorted(OVER):
        stub = annals.store.rows.stub(match)
        assert stub
        annals.store.rows.take_back(match, stub)
    assert {match: annals.store.rows.stored(match) for match in OVER} == rows
    move(annals, 1)
    assert len(list((tmp_path / "archive").iterdir())) == 1


def test_what_ended_lately_stays(annals: Annals) -> None:
    years = 365 * 100
    assert move(annals, years).matches == 0
    assert in_archive(annals.store) == set()


def test_a_match_that_waits_for_something_stays(annals: Annals) -> None:
    """It is scored, but no rating has taken note of it yet."""
    Recorded(annals.store, "ann bob", match="unrated").play_out().score()
    move(annals, 1)
    assert in_archive(annals.store) == OVER


def test_a_match_that_goes_on_meanwhile_stays(annals: Annals) -> None:
    store = annals.store
    last = store.read("scored")[-1]
    more = replace(last, version=last.version + 1, cmd=b"more")

    class Slow(Folder):
        def write(self, file: str, data: bytes) -> None:
            super().write(file, data)
            assert store.append("scored", more, {}) == Appended(more.version)

    store.rows.archive.target = Slow(annals.settings.data / "archive")
    assert move(annals, 1).matches == 2
    assert in_archive(store) == OVER - {"scored"}
    assert store.read("scored")[-1] == more


def test_a_dry_run_only_tells(annals: Annals, tmp_path: Path) -> None:
    told = said("archive", "--days", 1, "--dry-run").output
    assert told.splitlines()[-1].startswith("3 matches, ")
    assert told.endswith(" would be archived.\n")
    assert in_archive(annals.store) == set()
    assert not (tmp_path / "archive").exists()


def test_the_command_says_what_it_did(annals: Annals) -> None:
    told = said("archive", "--days", 1)
    assert told.output.splitlines()[-1].startswith("3 matches, ")
    assert in_archive(annals.store) == OVER
    again = said("archive", "--days", 1).output.splitlines()[-1]
    assert again == "0 matches, 0 entries, in 0 packs of 0 bytes archived."


def test_the_command_wants_to_know_after_how_long(annals: Annals) -> None:
    with pytest.raises(CannotRun, match="After how many days"):
        raise said("archive").exception or AssertionError
    assert said("archive", ANNALS_ARCHIVE_DAYS="1").exit_code == 0


def test_two_at_once_are_refused(annals: Annals) -> None:
    with tool.alone(annals.store.redis), pytest.raises(CannotRun, match="already"):
        move(annals, 1)


def test_once_a_day_it_happens_by_itself(
    annals: Annals, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop, pauses = Event(), list[float]()

    def wait(seconds: float) -> bool:
        pauses.append(seconds)
        return len(pauses) > 2

    monkeypatch.setattr(stop, "wait", wait)
    keep_moving(annals, 1, stop)
    assert pauses == [FIRST_S, DAY_S, DAY_S]
    assert in_archive(annals.store) == OVER


def test_what_cannot_be_written_stays(annals: Annals, tmp_path: Path) -> None:
    (tmp_path / "archive").write_text("no folder")
    result = said("archive", "--days", 1)
    assert "all stays as it was" in str(result.exception)
    assert in_archive(annals.store) == set()


def test_what_is_read_back_otherwise_stays(annals: Annals, tmp_path: Path) -> None:
    class Forgetful(Folder):
        def write(self, file: str, data: bytes) -> None:
            super().write(file, data[:-1])

    annals.store.rows.archive.target = Forgetful(tmp_path / "archive")
    with pytest.raises(Damaged):
        move(annals, 1)
    assert in_archive(annals.store) == set()


def test_a_match_whose_chain_is_broken_is_named_and_stays(annals: Annals) -> None:
    [*before, last] = annals.store.read("scored")
    name = f"{{p{annals.store.partition_of('scored')}}}:match:scored"
    annals.store.redis.delete(name)
    for one in (*before, replace(last, head=bytes(32))):
        annals.store.redis.xadd(name, {FIELD: row_of("scored", one)}, f"{one.version}-0")
    assert move(annals, 1).damaged == {
        "scored": "its head is not that of the chain of its entries."
    }
    assert in_archive(annals.store) == OVER - {"scored"}


def test_a_damaged_match_is_named_and_stays(annals: Annals) -> None:
    name = f"{{p{annals.store.partition_of('scored')}}}:match:scored"
    annals.store.redis.xdel(name, "2-0")
    told = said("archive", "--days", 1).output
    assert "scored: version 2 is missing. It stays where it is.\n" in told
    assert in_archive(annals.store) == OVER - {"scored"}


def test_a_service_does_it_by_itself_only_if_it_is_told_to() -> None:
    names = {one.name for one in our_programs(Settings(archive_days=30))}
    assert names - {one.name for one in our_programs(Settings())} == {"archive-daily"}
