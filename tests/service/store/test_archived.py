"""What is in the archive is read as before, and what is wrong there is named."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from redis.exceptions import ResponseError

from domain.match.log import Damaged
from projections import PROJECTIONS
from projections.core import changes, history
from service.matches.container import Annals, open_annals
from service.runtime.async_redis import LoopPool
from service.runtime.errors import StoreUnavailable
from service.runtime.event_loop import run
from service.runtime.settings import BadSetting, Settings, read_settings
from service.store.archive.packs import Packing, file_of, index_of, name_of
from service.store.archive.reader import Archive
from service.store.archive.targets import Elsewhere, Folder, target_of
from service.store.event_store import Appended, Stale, Store
from service.store.redis_client import connect
from service.tlog.feed import Known, Reader
from service.tlog.state import Standing
from tests.engine.toy import GAME as TOY
from tests.projections.recorded import Recorded, fold_all, folded
from tests.support.archived import OVER, annals, entries_of, in_archive, said, settings
from tests.support.redis_process import cluster
from workers.tools.rebuild import fold_anew
from workers.tools.store import archive as tool
from workers.tools.store.archive import move

__all__ = ["annals", "settings"]


def test_any_part_of_an_archived_match_is_read(annals: Annals) -> None:
    whole = annals.store.read("scored")
    move(annals, 1)
    for after in range(len(whole) + 2):
        assert annals.store.read("scored", after) == whole[after:]
        assert annals.store.read("scored", after, limit=2) == whole[after : after + 2]
        assert annals.store.read("scored", after, to=3) == whole[after:3]


# What becomes of an archived match


def test_a_match_id_is_never_used_again(annals: Annals) -> None:
    [first, *later] = annals.store.read("scored")
    move(annals, 1)
    other = replace(first, cmd=b"another")
    assert annals.store.append("scored", other, {}) == Stale([first, *later])
    assert annals.store.append("scored", first, {}) == Appended(1, before=True)
    assert in_archive(annals.store) == OVER


def test_on_an_event_loop_it_is_read_and_written_to_as_well(
    annals: Annals, settings: Settings
) -> None:
    before = entries_of(annals.store)
    move(annals, 1)

    def ask() -> None:
        store = open_annals(settings, pool=LoopPool).store
        assert {match: store.read(match) for match in before} == before
        assert store.version("scored") == len(before["scored"])
        assert [[*entries] for _, entries in store.histories({"scored": 2})] == [
            before["scored"][:2]
        ]
        assert store.work_of("scored") == (len(before["scored"]), {})
        first = before["scored"][0]
        assert store.append("scored", first, {}) == Appended(1, before=True)
        more = replace(first, version=len(before["scored"]) + 1)
        assert store.append("scored", more, {}) == Appended(more.version)

    asyncio.run(run(ask))


def test_work_that_is_left_of_an_archived_match_holds_up_nobody(annals: Annals) -> None:
    store = annals.store
    move(annals, 1)
    partition = store.partition_of("scored")
    store.redis.zadd(f"{{p{partition}}}:work:scoring", {"rate:scored": 1})
    assert "scored" not in {due.match for due in store.due(partition, 10**15, 100)}


def test_whoever_is_behind_is_told_what_came(annals: Annals) -> None:
    whole = annals.store.read("scored")
    move(annals, 1)
    late = replace(whole[2], cmd=b"late")
    assert annals.store.append("scored", late, {}) == Stale(whole[2:])


def test_a_match_to_which_something_is_added_comes_back(annals: Annals) -> None:
    whole = annals.store.read("scored")
    move(annals, 1)
    more = replace(whole[-1], version=len(whole) + 1, cmd=b"more")
    assert annals.store.append("scored", more, {}) == Appended(more.version)
    assert annals.store.read("scored") == [*whole, more]
    assert in_archive(annals.store) == OVER - {"scored"}


def test_what_leaves_a_gap_is_not_added(annals: Annals) -> None:
    whole = annals.store.read("scored")
    move(annals, 1)
    beyond = replace(whole[-1], version=len(whole) + 2, cmd=b"beyond")
    assert annals.store.append("scored", beyond, {}) == Stale([])


def test_projections_are_folded_from_the_archive_as_from_the_store(
    annals: Annals, settings: Settings
) -> None:
    before = folded(annals.store.redis)
    move(annals, 1)
    for name in annals.store.redis.scan_iter("*:rm:*"):
        annals.store.redis.delete(name)
    fold_all(annals.store, batch=2)
    assert folded(annals.store.redis) == before


def test_a_rebuild_reads_the_archive(
    annals: Annals, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (changes, history):
        monkeypatch.setattr(module, "TOLD", 1)
    fold_anew(settings, PROJECTIONS)
    before = folded(annals.store.redis)
    move(annals, 1)
    assert fold_anew(settings, PROJECTIONS)[1] == {}
    after = folded(annals.store.redis)
    assert sorted(map(repr, after.values())) == sorted(
        repr(b"2" if value == b"1" and b":at" not in key else value)
        for key, value in before.items()
    )


def test_the_log_reads_it_as_before_and_goes_on_from_it(annals: Annals) -> None:
    reader = Reader(annals.store, Standing("log"), Known(iter(())))
    leaves, _ = reader.read()
    move(annals, 1)
    assert reader.read() == ([], False)
    assert Reader(annals.store, Standing("log"), Known(iter(()))).read() == (leaves, False)


def test_verify_finds_no_fault(annals: Annals) -> None:
    verified = said("verify", "--all")
    assert "7 matches checked" in verified.output
    move(annals, 1)
    assert said("verify", "--all").output == verified.output


# What is wrong with packs


def broken(annals: Annals, how: Callable[[Path], None]) -> None:
    """Archive each match in a pack of its own, and do this to that of one."""
    stub = annals.store.rows.stub("scored")
    assert stub
    how(annals.settings.data / "archive" / file_of(stub.pack))


def flip(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[20] ^= 1
    file.write_bytes(data)


@pytest.mark.parametrize(
    "how",
    [Path.unlink, flip, lambda file: os.truncate(file, 30), lambda file: file.write_bytes(b"")],
    ids=["gone", "flipped", "cut off", "empty"],
)
def test_a_damaged_pack_takes_only_its_own_matches_with_it(
    annals: Annals,
    settings: Settings,
    how: Callable[[Path], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tool, "PACK_BYTES", 1)
    move(annals, 1)
    broken(annals, how)
    store = open_annals(settings).store
    with pytest.raises(Damaged, match=r"pack [0-9a-f]{32}\.pack"):
        store.read("scored")
    assert store.read("hotseat")
    told = said("verify", "--all").output
    assert next(line for line in told.splitlines() if ".pack" in line).startswith("scored: ")
    assert "while scored cannot be read" in told
    assert "annals rebuild" not in told, "the lists would lose what they still have"


def test_what_is_left_of_a_match_is_checked(annals: Annals) -> None:
    move(annals, 1)
    name = f"{{p{annals.store.partition_of('scored')}}}:match:scored"
    stub = bytearray(annals.store.redis.get(name) or b"")
    stub[1] ^= 1
    annals.store.redis.set(name, bytes(stub))
    with pytest.raises(Damaged, match="archive is damaged"):
        annals.store.read("scored")
    [portion] = annals.store.portion({annals.store.partition_of("scored"): 0}, 100).values()
    assert {type(entry) for pointer, entry in portion if pointer.match == "scored"} == {Damaged}


def test_a_stub_belongs_to_its_match(annals: Annals) -> None:
    move(annals, 1)
    redis = annals.store.redis
    names = [f"{{p{annals.store.partition_of(one)}}}:match:{one}" for one in ("scored", "hotseat")]
    redis.set(names[0], redis.get(names[1]) or b"")
    with pytest.raises(Damaged):
        annals.store.read("scored")


def test_an_archive_that_does_not_answer_is_said_so(annals: Annals) -> None:
    move(annals, 1)

    class Silent(Folder):
        def read(self, file: str, offset: int = 0, length: int | None = None) -> bytes:
            raise StoreUnavailable("The archive does not answer.")

    redis = annals.store.redis
    store = Store(redis, archive=Archive(Silent(Path("x"))))
    with pytest.raises(StoreUnavailable):
        store.read("scored")
    assert store.read("running")


def test_a_process_without_an_archive_says_so(annals: Annals) -> None:
    move(annals, 1)
    with pytest.raises(Damaged, match="not told"):
        Store(annals.store.redis).read("scored")


def test_any_other_key_in_the_place_of_a_match_is_refused(annals: Annals) -> None:
    store = annals.store
    store.redis.rpush(f"{{p{store.partition_of('listed')}}}:match:listed", "x")
    with pytest.raises(Damaged):
        store.read("listed")
    with pytest.raises(ResponseError):
        store.append("listed", store.read("scored")[0], {})


# Where packs are


@pytest.mark.parametrize("place", ["memory://packs", "local://{}/packs"])
def test_packs_may_be_wherever_fsspec_reaches(
    annals: Annals, settings: Settings, tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANNALS_ARCHIVE", place.format(tmp_path))
    elsewhere = open_annals(read_settings(os.environ))
    before = entries_of(annals.store)
    move(elsewhere, 1)
    assert in_archive(annals.store) == OVER
    again = open_annals(read_settings(os.environ))
    assert entries_of(again.store) == before


def test_a_pack_that_fsspec_does_not_find_is_missing() -> None:
    with pytest.raises(Damaged, match=r"x\.pack is not in the archive"):
        Elsewhere("memory://nothing").read("x.pack", 1, 2)


def test_a_place_that_nobody_reaches_is_refused(settings: Settings) -> None:
    with pytest.raises(BadSetting, match="ANNALS_ARCHIVE"):
        target_of(Settings(archive="nosuch://place"))


def test_a_folder_may_be_named(tmp_path: Path) -> None:
    target = target_of(Settings(archive=str(tmp_path / "packs")))
    target.write("a.pack", b"all of it")
    assert (tmp_path / "packs" / "a.pack").read_bytes() == b"all of it"
    assert target.read("a.pack", 4, 2) == b"of"
    assert (target.has("a.pack"), target.has("b.pack")) == (True, False)


def test_a_cluster_has_an_archive_too(tmp_path: Path) -> None:
    with cluster(tmp_path) as url:
        redis = connect(url)
        annals = open_annals(Settings(events_url=url, data=tmp_path), {"toy": TOY})
        Recorded(annals.store, "ann ann", match="hotseat").play_out().score()
        before = entries_of(annals.store)
        assert move(annals, 1).matches == 1
        assert entries_of(annals.store) == before
        redis.close()


def test_a_pack_is_named_by_what_is_in_it() -> None:
    packing = Packing()
    packing.add("m", [b"row one", b"row two"], bytes(32))
    pack = packing.closed()
    assert pack.name == name_of(pack.data)
    [place] = index_of(pack.name, pack.data)
    assert (place.match, place.version) == ("m", 2)
    with pytest.raises(Damaged):
        index_of(pack.name, pack.data + b"x")
