"""A backup has what the store has of matches in the archive, and names the packs it needs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from service.matches.container import Annals
from service.runtime.settings import Settings
from service.store.event_store import Store
from tests.support.archived import OVER, annals, entries_of, in_archive, said, settings
from workers.host.redis_server import embedded_redis
from workers.tools.store import backup as backup_tool
from workers.tools.store.archive import move
from workers.tools.store.backup import checked, write_backup

__all__ = ["annals", "settings"]


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[str]:
    """The address of another Redis, which is empty."""
    (folder := tmp_path / "other").mkdir()
    with embedded_redis(folder, fsync="no") as url:
        yield url


def restored(annals: Annals, url: str) -> Store:
    return Store(Redis.from_url(url), archive=annals.store.archive)


def test_a_restored_store_finds_its_matches_in_the_archive(
    annals: Annals, empty: str, tmp_path: Path
) -> None:
    before = entries_of(annals.store)
    move(annals, 1)
    assert "keep 1 packs of the archive with it" in said("backup", tmp_path / "b").output
    told = said("restore", tmp_path / "b", REDIS_URL=empty).output
    assert told.splitlines()[-1].endswith("0 faults found.")
    other = restored(annals, empty)
    assert in_archive(other) == OVER
    assert entries_of(other) == before
    assert said("verify", "--all", REDIS_URL=empty).exit_code == 0
    other.redis.close()


def test_it_names_the_packs(annals: Annals, tmp_path: Path) -> None:
    move(annals, 1)
    said("backup", tmp_path / "b")
    assert checked(tmp_path / "b").packs == [one.name for one in (tmp_path / "archive").iterdir()]


def test_a_restore_without_a_pack_names_it_and_does_the_rest(
    annals: Annals, empty: str, tmp_path: Path
) -> None:
    before = entries_of(annals.store)
    move(annals, 1)
    said("backup", tmp_path / "b")
    [pack] = (tmp_path / "archive").iterdir()
    pack.rename(tmp_path / pack.name)
    result = said("restore", tmp_path / "b", REDIS_URL=empty)
    assert result.exit_code == 1
    assert f"{pack.name} is not in the archive: its matches cannot be read." in result.output
    assert f"scored: the pack {pack.name} is not in the archive." in result.output
    other = restored(annals, empty)
    assert other.read("running") == before["running"]
    (tmp_path / pack.name).rename(pack)
    assert entries_of(other) == before
    other.redis.close()


@pytest.mark.parametrize("first", [True, False], ids=["goes there", "comes back"])
def test_what_moves_while_it_is_written_is_whole(
    annals: Annals,
    settings: Settings,
    empty: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    first: bool,
) -> None:
    """After each entry that is written, all matches go to the archive or come back."""
    before = entries_of(annals.store)
    if not first:
        move(annals, 1)
    there, real = not first, backup_tool.stored_entries

    def moving(store: Store, lengths: list[int]) -> Iterator[object]:
        nonlocal there
        monkeypatch.setattr("workers.tools.store.dump.PAGE", 1)
        for record in real(store, lengths):
            yield record
            if there:
                take_back(annals)
            else:
                move(annals, 1)
            there = not there

    monkeypatch.setattr(backup_tool, "stored_entries", moving)
    write_backup(annals.store, tmp_path / "b")
    assert said("restore", tmp_path / "b", REDIS_URL=empty).exit_code == 0
    other = restored(annals, empty)
    assert entries_of(other) == before
    other.redis.close()


def test_what_is_in_the_archive_and_came_after_the_backup_is_left_out(
    annals: Annals, empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = entries_of(annals.store)
    lengths = [0] * annals.store.partitions
    partition = annals.store.partition_of("hotseat")
    lengths[partition] = annals.store.feed_length(partition) - 1
    move(annals, 1)
    monkeypatch.setattr(backup_tool, "feed_lengths", lambda _: lengths)
    write_backup(annals.store, tmp_path / "b")
    said("restore", tmp_path / "b", REDIS_URL=empty)
    other = restored(annals, empty)
    last = before["hotseat"][: other.version("hotseat")]
    assert other.read("hotseat") == last
    assert sum(map(other.feed_length, range(16))) == lengths[partition]
    other.redis.close()


def take_back(annals: Annals) -> None:
    for match in OVER:
        if stub := annals.store.rows.stub(match):
            annals.store.rows.take_back(match, stub)
