"""The signer refuses to contradict an earlier signature, and says why."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from redis import Redis

from domain.audit.notes import Checkpoint
from domain.audit.tiles import ENTRIES_LEVEL, Tile
from service.runtime.settings import BadSetting
from service.tlog.errors import LogBusy, LogInconsistent
from service.tlog.folder import Folder
from service.tlog.signed_state import SignedState, SignedStateStore
from service.tlog.state import load
from tests.service.tlog.harness import LogHarness


def sign_checkpoint(harness: LogHarness) -> Checkpoint:
    return harness.checkpoint()


def copy_of(harness: LogHarness, to: Path) -> Path:
    return Path(shutil.copytree(harness.folder.path, to))


def put_back(harness: LogHarness, copy: Path) -> None:
    shutil.rmtree(harness.folder.path)
    shutil.copytree(copy, harness.folder.path)


@pytest.fixture
def grown(harness: LogHarness, tmp_path: Path) -> tuple[LogHarness, Path]:
    """A log of three leaves, and a copy of it with two."""
    harness.open("m1")
    harness.open("m2")
    harness.work()
    copy = copy_of(harness, tmp_path / "copy")
    harness.open("m3")
    harness.work()
    return harness, copy


def test_an_old_copy_of_the_folder_is_refused(grown: tuple[LogHarness, Path]):
    harness, copy = grown
    put_back(harness, copy)
    harness.open("m4")
    with pytest.raises(LogInconsistent, match=r"with 3 leaves, but the folder has .* with 2"):
        harness.work()
    assert sign_checkpoint(harness).size == 2


def test_a_lost_folder_is_refused(grown: tuple[LogHarness, Path]):
    harness, _ = grown
    shutil.rmtree(harness.folder.path)
    with pytest.raises(LogInconsistent, match="The last signature is for"):
        harness.work()
    assert harness.folder.text("checkpoint") is None


def test_a_store_older_than_the_log_is_refused(harness: LogHarness, redis_client: Redis):
    for n in range(4):
        harness.open(f"m{n}")
    older = {name: redis_client.dump(name) for name in redis_client.scan_iter()}
    harness.open("m4")
    harness.work()
    redis_client.flushdb()
    for name, value in older.items():
        redis_client.restore(name, 0, value)
    with pytest.raises(LogInconsistent, match="older backup"):
        harness.work()
    harness.open("m5")  # another feed of the same length
    with pytest.raises(LogInconsistent, match="annals tlog resume"):
        harness.work()


def test_an_empty_store_beside_a_log_is_refused(
    grown: tuple[LogHarness, Path], redis_client: Redis
):
    harness, _ = grown
    redis_client.flushdb()
    with pytest.raises(LogInconsistent, match="not the one that the log has read"):
        harness.work()


def test_a_store_without_the_signed_state_is_accepted(
    grown: tuple[LogHarness, Path], redis_client: Redis
):
    harness, _ = grown
    redis_client.delete("tlog:signed", "tlog:indexed")
    harness.open("m4")
    harness.work()
    assert sign_checkpoint(harness).size == 4
    assert SignedStateStore(harness.annals.store).leaf_indices("m1")


def test_two_services_with_one_folder(harness: LogHarness):
    with (
        harness.folder.lock(),
        pytest.raises(LogBusy, match="Only one may run"),
        harness.folder.lock(),
    ):
        pass
    with harness.folder.lock():
        pass


def test_two_services_with_one_key_and_a_folder_each(grown: tuple[LogHarness, Path]):
    """Both have the same log at first; the second one finds that the other has continued it."""
    harness, _ = grown
    names = sorted((f"n{n}" for n in range(9)), key=harness.annals.store.partition_of)
    one = harness.notary()
    before, here = one.checkpoint(), harness.folder
    harness.folder = Folder(copy_of(harness, here.path.parent / "elsewhere"))
    other = harness.notary()
    harness.open(names[-1])
    one.step(harness.now)
    harness.open(names[0])  # the other one finds it first
    with pytest.raises(LogInconsistent, match="two services continue this log with one key"):
        other.step(harness.now)
    assert other.checkpoint() == before != one.checkpoint()


def test_a_service_may_continue_with_the_folder_of_another(
    grown: tuple[LogHarness, Path],
):
    harness, _ = grown
    one, here = harness.notary(), harness.folder
    harness.folder = Folder(copy_of(harness, here.path.parent / "elsewhere"))
    other = harness.notary()
    harness.open("m4")
    one.step(harness.now)
    other.step(harness.now)
    assert one.checkpoint().text == other.checkpoint().text
    harness.open("m5")
    other.step(harness.now)
    one.step(harness.now)
    assert one.checkpoint().text == other.checkpoint().text


def test_two_services_that_sign_at_the_same_moment(harness: LogHarness):
    harness.open("m1")
    noted = SignedStateStore(harness.annals.store)
    before = SignedState("origin", 1, "00")
    assert noted.record(None, before)
    assert noted.record(before, SignedState("origin", 2, "01"))
    assert noted.record(before, SignedState("origin", 2, "01"))  # the same process repeats the step
    assert not noted.record(before, SignedState("origin", 2, "02"))
    assert noted.latest() == SignedState("origin", 2, "01")


def test_a_tree_that_differs_from_the_signed_one_is_refused(grown: tuple[LogHarness, Path]):
    harness, _ = grown
    noted = SignedStateStore(harness.annals.store)
    was = noted.latest()
    assert was
    noted.record(was, SignedState(was.origin, 2, "ab" * 32))
    with pytest.raises(LogInconsistent, match="The signed tree of 2 leaves differs"):
        harness.work()


@pytest.mark.parametrize(
    "tile", [Tile(0, 0, 3), Tile(ENTRIES_LEVEL, 0, 3)], ids=["hashes", "entries"]
)
def test_a_changed_tile_is_detected_before_signing(grown: tuple[LogHarness, Path], tile: Tile):
    harness, _ = grown
    notary, was = harness.notary(), harness.served.checkpoint()
    path = harness.folder.public / tile.path
    content = bytearray(path.read_bytes())
    content[40] ^= 1
    path.write_bytes(bytes(content))
    harness.open("m4")
    with pytest.raises(LogInconsistent, match="differ from the signed ones"):
        notary.step(harness.now)
    assert harness.served.checkpoint() == was


def test_a_missing_tile_is_detected(grown: tuple[LogHarness, Path]):
    harness, _ = grown
    notary = harness.notary()
    (harness.folder.public / "tile/0/000.p/3").unlink()
    harness.open("m4")
    with pytest.raises(LogInconsistent, match="is missing"):
        notary.step(harness.now)


def test_a_changed_checkpoint_is_written_again(grown: tuple[LogHarness, Path]):
    harness, _ = grown
    was = harness.served.checkpoint()
    harness.folder.write_text("checkpoint", was.replace("\n3\n", "\n4\n"))
    harness.work()
    assert harness.served.checkpoint() == was


def test_a_corrupt_state_file_is_refused(grown: tuple[LogHarness, Path]):
    harness, _ = grown
    file = harness.folder.path / "state"
    content = bytearray(file.read_bytes())
    content[100] ^= 1
    file.write_bytes(bytes(content))
    with pytest.raises(LogInconsistent, match="state is corrupt"):
        load(harness.folder.path)


def test_a_log_keeps_its_origin(grown: tuple[LogHarness, Path]):
    harness, _ = grown
    assert harness.notary("elsewhere.example/log").state.origin == "annals.example/v1/log"
    with pytest.raises(LogInconsistent, match="ANNALS_TLOG_ORIGIN"):
        harness.notary("elsewhere.example/log", given=True)


def test_a_key_file_readable_by_others_is_refused(grown: tuple[LogHarness, Path]):
    harness, _ = grown
    (harness.folder.path / "secret-keys").chmod(0o644)
    with pytest.raises(BadSetting, match="readable by others"):
        harness.work()
