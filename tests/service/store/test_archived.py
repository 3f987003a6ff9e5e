"""Reads from the archive answer as before, and name what is corrupt."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from redis.exceptions import ResponseError

from domain.match.log import CorruptEntry
from projections import PROJECTIONS
from projections.core import changes, history
from service.matches.container import Annals, open_annals
from service.runtime.async_redis import LoopPool
from service.runtime.errors import StoreUnavailable
from service.runtime.event_loop import run
from service.runtime.settings import BadSetting, Settings, read_settings
from service.store.archive.packs import PackBuilder, pack_file, pack_name, read_index
from service.store.archive.reader import Archive
from service.store.archive.targets import FolderTarget, FsspecTarget, archive_target
from service.store.event_store import AppendConflict, AppendSuccess, EventStore
from service.store.redis_client import connect
from service.tlog.feed import FeedReader, LoggedLeaves
from service.tlog.state import LogState
from tests.engine.toy import GAME as TOY
from tests.projections.recorded import RecordedMatch, fold_all, read_all
from tests.support import bucket as bucket
from tests.support.archived import OVER, annals, entries_of, in_archive, run_command, settings
from tests.support.redis_process import cluster
from workers.tools.rebuild import rebuild_projections
from workers.tools.store import archive as tool
from workers.tools.store.archive import archive_matches

__all__ = ["annals", "settings"]


def test_any_part_of_an_archived_match_is_read(annals: Annals) -> None:
    whole = annals.store.read("scored")
    archive_matches(annals, 1)
    for after in range(len(whole) + 2):
        assert annals.store.read("scored", after) == whole[after:]
        assert annals.store.read("scored", after, limit=2) == whole[after : after + 2]
        assert annals.store.read("scored", after, to=3) == whole[after:3]


# Archived matches


def test_a_match_id_is_never_used_again(annals: Annals) -> None:
    [first, *later] = annals.store.read("scored")
    archive_matches(annals, 1)
    other = replace(first, cmd=b"another")
    assert annals.store.append("scored", other, {}) == AppendConflict([first, *later])
    assert annals.store.append("scored", first, {}) == AppendSuccess(1, is_repeated=True)
    assert in_archive(annals.store) == OVER


def test_on_an_event_loop_it_is_read_and_written_to_as_well(
    annals: Annals, settings: Settings
) -> None:
    before = entries_of(annals.store)
    archive_matches(annals, 1)

    def ask() -> None:
        store = open_annals(settings, pool=LoopPool).store
        assert {match: store.read(match) for match in before} == before
        assert store.version("scored") == len(before["scored"])
        assert [[*entries] for _, entries in store.read_histories({"scored": 2})] == [
            before["scored"][:2]
        ]
        assert store.work_of("scored") == (len(before["scored"]), {})
        first = before["scored"][0]
        assert store.append("scored", first, {}) == AppendSuccess(1, is_repeated=True)
        more = replace(first, version=len(before["scored"]) + 1)
        assert store.append("scored", more, {}) == AppendSuccess(more.version)

    asyncio.run(run(ask))


def test_leftover_work_of_an_archived_match_blocks_no_worker(annals: Annals) -> None:
    store = annals.store
    archive_matches(annals, 1)
    partition = store.partition_of("scored")
    store.redis.zadd(f"{{p{partition}}}:work:scoring", {"rate:scored": 1})
    assert "scored" not in {due.match for due in store.due_work(partition, 10**15, 100)}


def test_a_reader_who_is_behind_gets_the_newer_entries(annals: Annals) -> None:
    whole = annals.store.read("scored")
    archive_matches(annals, 1)
    late = replace(whole[2], cmd=b"late")
    assert annals.store.append("scored", late, {}) == AppendConflict(whole[2:])


def test_a_match_to_which_something_is_added_comes_back(annals: Annals) -> None:
    whole = annals.store.read("scored")
    archive_matches(annals, 1)
    more = replace(whole[-1], version=len(whole) + 1, cmd=b"more")
    assert annals.store.append("scored", more, {}) == AppendSuccess(more.version)
    assert annals.store.read("scored") == [*whole, more]
    assert in_archive(annals.store) == OVER - {"scored"}


def test_what_leaves_a_gap_is_not_added(annals: Annals) -> None:
    whole = annals.store.read("scored")
    archive_matches(annals, 1)
    beyond = replace(whole[-1], version=len(whole) + 2, cmd=b"beyond")
    assert annals.store.append("scored", beyond, {}) == AppendConflict([])


def test_projections_are_folded_from_the_archive_as_from_the_store(
    annals: Annals, settings: Settings
) -> None:
    before = read_all(annals.store.redis)
    archive_matches(annals, 1)
    for name in annals.store.redis.scan_iter("*:rm:*"):
        annals.store.redis.delete(name)
    fold_all(annals.store, batch=2)
    assert read_all(annals.store.redis) == before


def test_a_rebuild_reads_the_archive(
    annals: Annals, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (changes, history):
        monkeypatch.setattr(module, "MAX_FEED_UPDATES", 1)
    rebuild_projections(settings, PROJECTIONS)
    before = read_all(annals.store.redis)
    archive_matches(annals, 1)
    assert rebuild_projections(settings, PROJECTIONS)[1] == {}
    after = read_all(annals.store.redis)
    assert sorted(map(repr, after.values())) == sorted(
        repr(b"2" if value == b"1" and b":at" not in key else value)
        for key, value in before.items()
    )


def test_the_log_reads_it_as_before_and_goes_on_from_it(annals: Annals) -> None:
    reader = FeedReader(annals.store, LogState("log"), LoggedLeaves(iter(())))
    leaves, _ = reader.read()
    archive_matches(annals, 1)
    assert reader.read() == ([], False)
    assert FeedReader(annals.store, LogState("log"), LoggedLeaves(iter(()))).read() == (
        leaves,
        False,
    )


def test_verify_finds_no_fault(annals: Annals) -> None:
    verified = run_command("verify", "--all")
    assert "7 matches checked" in verified.output
    archive_matches(annals, 1)
    assert run_command("verify", "--all").output == verified.output


# Corrupt packs


def break_pack(annals: Annals, how: Callable[[Path], None]) -> None:
    """Archive each match in a separate pack, and apply this to the pack of one."""
    stub = annals.store.rows.read_stub("scored")
    assert stub
    how(annals.settings.data / "archive" / pack_file(stub.pack))


def flip(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[20] ^= 1
    file.write_bytes(data)


@pytest.mark.parametrize(
    "how",
    [Path.unlink, flip, lambda file: os.truncate(file, 30), lambda file: file.write_bytes(b"")],
    ids=["gone", "flipped", "cut off", "empty"],
)
def test_a_corrupt_pack_affects_only_its_own_matches(
    annals: Annals,
    settings: Settings,
    how: Callable[[Path], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tool, "PACK_BYTES", 1)
    archive_matches(annals, 1)
    break_pack(annals, how)
    store = open_annals(settings).store
    with pytest.raises(CorruptEntry, match=r"pack [0-9a-f]{32}\.pack"):
        store.read("scored")
    assert store.read("hotseat")
    received = run_command("verify", "--all").output
    assert next(line for line in received.splitlines() if ".pack" in line).startswith("scored: ")
    assert "while scored cannot be read" in received
    assert "annals rebuild" not in received, "the lists would lose what they still have"


def test_the_rest_of_a_match_is_checked(annals: Annals) -> None:
    archive_matches(annals, 1)
    name = f"{{p{annals.store.partition_of('scored')}}}:match:scored"
    stub = bytearray(annals.store.redis.get(name) or b"")
    stub[1] ^= 1
    annals.store.redis.set(name, bytes(stub))
    with pytest.raises(CorruptEntry, match="archive stub is corrupt"):
        annals.store.read("scored")
    [portion] = annals.store.read_batch({annals.store.partition_of("scored"): 0}, 100).values()
    assert {type(entry) for pointer, entry in portion if pointer.match == "scored"} == {
        CorruptEntry
    }


def test_a_stub_belongs_to_its_match(annals: Annals) -> None:
    archive_matches(annals, 1)
    redis = annals.store.redis
    names = [f"{{p{annals.store.partition_of(one)}}}:match:{one}" for one in ("scored", "hotseat")]
    redis.set(names[0], redis.get(names[1]) or b"")
    with pytest.raises(CorruptEntry):
        annals.store.read("scored")


def test_an_archive_that_does_not_answer_is_reported(annals: Annals) -> None:
    archive_matches(annals, 1)

    class Silent(FolderTarget):
        def read(self, file: str, offset: int = 0, length: int | None = None) -> bytes:
            raise StoreUnavailable("The storage of a.pack does not answer.")

    redis = annals.store.redis
    store = EventStore(redis, archive=Archive(Silent(Path("x"))))
    with pytest.raises(StoreUnavailable):
        store.read("scored")
    assert store.read("running")


def test_a_process_without_an_archive_says_so(annals: Annals) -> None:
    archive_matches(annals, 1)
    with pytest.raises(CorruptEntry, match="no archive"):
        EventStore(annals.store.redis).read("scored")


def test_any_other_key_instead_of_a_match_is_refused(annals: Annals) -> None:
    store = annals.store
    store.redis.rpush(f"{{p{store.partition_of('listed')}}}:match:listed", "x")
    with pytest.raises(CorruptEntry):
        store.read("listed")
    with pytest.raises(ResponseError):
        store.append("listed", store.read("scored")[0], {})


# The location of packs


@pytest.mark.parametrize("place", ["bucket://packs", "local://{}/packs"])
def test_packs_may_be_on_any_fsspec_file_system(
    annals: Annals, settings: Settings, tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANNALS_ARCHIVE", place.format(tmp_path))
    elsewhere = open_annals(read_settings(os.environ))
    before = entries_of(annals.store)
    archive_matches(elsewhere, 1)
    assert in_archive(annals.store) == OVER
    again = open_annals(read_settings(os.environ))
    assert entries_of(again.store) == before


def test_a_pack_that_fsspec_does_not_find_is_missing() -> None:
    with pytest.raises(CorruptEntry, match=r"x\.pack is not in the archive"):
        FsspecTarget("memory://nothing").read("x.pack", 1, 2)


def test_an_unreachable_archive_is_refused(settings: Settings) -> None:
    with pytest.raises(BadSetting, match="ANNALS_ARCHIVE"):
        archive_target(Settings(archive="nosuch://place"))


def test_a_folder_may_be_named(tmp_path: Path) -> None:
    target = archive_target(Settings(archive=str(tmp_path / "packs")))
    target.write("a.pack", b"all of it")
    assert (tmp_path / "packs" / "a.pack").read_bytes() == b"all of it"
    assert target.read("a.pack", 4, 2) == b"of"
    assert (target.has("a.pack"), target.has("b.pack")) == (True, False)


def test_a_cluster_has_an_archive_too(tmp_path: Path) -> None:
    with cluster(tmp_path) as url:
        redis = connect(url)
        annals = open_annals(Settings(events_url=url, data=tmp_path), {"toy": TOY})
        RecordedMatch(annals.store, "ann ann", match="hotseat").play_out().score()
        before = entries_of(annals.store)
        assert archive_matches(annals, 1).matches == 1
        assert entries_of(annals.store) == before
        redis.close()


def test_a_pack_has_the_hash_of_its_content_as_name() -> None:
    packing = PackBuilder()
    packing.add("m", [b"row one", b"row two"], bytes(32))
    pack = packing.build()
    assert pack.name == pack_name(pack.data)
    [place] = read_index(pack.name, pack.data)
    assert (place.match, place.version) == ("m", 2)
    with pytest.raises(CorruptEntry):
        read_index(pack.name, pack.data + b"x")
