"""A backup has the stubs of archived matches, and names the packs that it needs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from service.matches.container import Annals
from service.runtime.settings import Settings
from service.store.event_store import EventStore
from tests.support.archived import OVER, annals, entries_of, in_archive, run_command, settings
from workers.host.redis.server import run_redis
from workers.tools.store import backup as backup_tool
from workers.tools.store.archive import archive_matches
from workers.tools.store.backup import check_backup, write_backup

__all__ = ["annals", "settings"]


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[str]:
    """The address of another, empty Redis."""
    (folder := tmp_path / "other").mkdir()
    with run_redis(folder, fsync="no") as url:
        yield url


def restore(annals: Annals, url: str) -> EventStore:
    return EventStore(Redis.from_url(url), archive=annals.store.archive)


def test_a_restored_store_finds_its_matches_in_the_archive(
    annals: Annals, empty: str, tmp_path: Path
) -> None:
    before = entries_of(annals.store)
    archive_matches(annals, 1)
    assert "keep its 1 archive packs with it" in run_command("backup", tmp_path / "b").output
    told = run_command("restore", tmp_path / "b", REDIS_URL=empty).output
    assert told.splitlines()[-1].endswith("0 faults found.")
    other = restore(annals, empty)
    assert in_archive(other) == OVER
    assert entries_of(other) == before
    assert run_command("verify", "--all", REDIS_URL=empty).exit_code == 0
    other.redis.close()


def test_it_names_the_packs(annals: Annals, tmp_path: Path) -> None:
    archive_matches(annals, 1)
    run_command("backup", tmp_path / "b")
    assert check_backup(tmp_path / "b").packs == [
        one.name for one in (tmp_path / "archive").iterdir()
    ]


def test_a_restore_without_a_pack_names_it_and_restores_the_rest(
    annals: Annals, empty: str, tmp_path: Path
) -> None:
    before = entries_of(annals.store)
    archive_matches(annals, 1)
    run_command("backup", tmp_path / "b")
    [pack] = (tmp_path / "archive").iterdir()
    pack.rename(tmp_path / pack.name)
    result = run_command("restore", tmp_path / "b", REDIS_URL=empty)
    assert result.exit_code == 1
    assert f"{pack.name} is not in the archive, so its matches cannot be read." in result.output
    assert f"scored: the pack {pack.name} is not in the archive." in result.output
    other = restore(annals, empty)
    assert other.read("running") == before["running"]
    (tmp_path / pack.name).rename(pack)
    assert entries_of(other) == before
    other.redis.close()


@pytest.mark.parametrize("first", [True, False], ids=["goes there", "comes back"])
def test_a_backup_is_consistent_while_matches_are_archived(
    annals: Annals,
    settings: Settings,
    empty: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    first: bool,
) -> None:
    """After each written entry, all matches are archived or restored."""
    before = entries_of(annals.store)
    if not first:
        archive_matches(annals, 1)
    there, real = not first, backup_tool.read_entries

    def moving(store: EventStore, lengths: list[int]) -> Iterator[object]:
        nonlocal there
        monkeypatch.setattr("workers.tools.store.dump.BATCH", 1)
        for record in real(store, lengths):
            yield record
            if there:
                take_back(annals)
            else:
                archive_matches(annals, 1)
            there = not there

    monkeypatch.setattr(backup_tool, "read_entries", moving)
    write_backup(annals.store, tmp_path / "b")
    assert run_command("restore", tmp_path / "b", REDIS_URL=empty).exit_code == 0
    other = restore(annals, empty)
    assert entries_of(other) == before
    other.redis.close()


def test_archived_entries_after_the_backup_are_left_out(
    annals: Annals, empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = entries_of(annals.store)
    lengths = [0] * annals.store.partitions
    partition = annals.store.partition_of("hotseat")
    lengths[partition] = annals.store.feed_length(partition) - 1
    archive_matches(annals, 1)
    monkeypatch.setattr(backup_tool, "feed_lengths", lambda _: lengths)
    write_backup(annals.store, tmp_path / "b")
    run_command("restore", tmp_path / "b", REDIS_URL=empty)
    other = restore(annals, empty)
    last = before["hotseat"][: other.version("hotseat")]
    assert other.read("hotseat") == last
    assert sum(map(other.feed_length, range(16))) == lengths[partition]
    other.redis.close()


def take_back(annals: Annals) -> None:
    for match in OVER:
        if stub := annals.store.rows.read_stub(match):
            annals.store.rows.restore_stream(match, stub)
