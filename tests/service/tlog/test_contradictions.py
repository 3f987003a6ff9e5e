"""What would contradict something that was signed is not signed, and it is said why."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from redis import Redis

from domain.audit.notes import Checkpoint
from domain.audit.tiles import ENTRIES, Tile
from service.runtime.settings import BadSetting
from service.tlog.errors import Busy, Contradiction
from service.tlog.folder import Folder
from service.tlog.signed_state import Noted, Signed
from service.tlog.state import load
from tests.service.tlog.desk import Desk


def signed(desk: Desk) -> Checkpoint:
    return desk.checkpoint()


def copy_of(desk: Desk, to: Path) -> Path:
    return Path(shutil.copytree(desk.folder.path, to))


def put_back(desk: Desk, copy: Path) -> None:
    shutil.rmtree(desk.folder.path)
    shutil.copytree(copy, desk.folder.path)


@pytest.fixture
def grown(desk: Desk, tmp_path: Path) -> tuple[Desk, Path]:
    """A log of three leaves, and a copy of it when it had two."""
    desk.open("m1")
    desk.open("m2")
    desk.work()
    copy = copy_of(desk, tmp_path / "copy")
    desk.open("m3")
    desk.work()
    return desk, copy


def test_a_folder_older_than_what_was_signed_is_refused(grown: tuple[Desk, Path]):
    desk, copy = grown
    put_back(desk, copy)
    desk.open("m4")
    with pytest.raises(Contradiction, match=r"with 3 leaves, and the folder has .* with 2"):
        desk.work()
    assert signed(desk).size == 2


def test_a_folder_that_was_lost_is_refused(grown: tuple[Desk, Path]):
    desk, _ = grown
    shutil.rmtree(desk.folder.path)
    with pytest.raises(Contradiction, match="What was signed last"):
        desk.work()
    assert desk.folder.text("checkpoint") is None


def test_a_store_older_than_the_log_is_refused(desk: Desk, redis_client: Redis):
    for n in range(4):
        desk.open(f"m{n}")
    older = {name: redis_client.dump(name) for name in redis_client.scan_iter()}
    desk.open("m4")
    desk.work()
    redis_client.flushdb()
    for name, value in older.items():
        redis_client.restore(name, 0, value)
    with pytest.raises(Contradiction, match="older backup"):
        desk.work()
    desk.open("m5")  # the feed is as long as before, and is another one
    with pytest.raises(Contradiction, match="annals tlog resume"):
        desk.work()


def test_an_empty_store_beside_a_log_is_refused(grown: tuple[Desk, Path], redis_client: Redis):
    desk, _ = grown
    redis_client.flushdb()
    with pytest.raises(Contradiction, match="not the one that the log has read"):
        desk.work()


def test_a_store_that_lost_only_its_note_of_the_log_is_not(
    grown: tuple[Desk, Path], redis_client: Redis
):
    desk, _ = grown
    redis_client.delete("tlog:signed", "tlog:indexed")
    desk.open("m4")
    desk.work()
    assert signed(desk).size == 4
    assert Noted(desk.annals.store).leaves("m1")


def test_two_services_with_one_folder(desk: Desk):
    with desk.folder.held(), pytest.raises(Busy, match="one at a time"), desk.folder.held():
        pass
    with desk.folder.held():
        pass


def test_two_services_with_one_key_and_a_folder_each(grown: tuple[Desk, Path]):
    """Both have the same log at first; who comes second finds that it was continued elsewhere."""
    desk, _ = grown
    names = sorted((f"n{n}" for n in range(9)), key=desk.annals.store.partition_of)
    one = desk.notary()
    before, here = one.checkpoint(), desk.folder
    desk.folder = Folder(copy_of(desk, here.path.parent / "elsewhere"))
    other = desk.notary()
    desk.open(names[-1])
    one.step(desk.now)
    desk.open(names[0])  # which the other one finds first
    with pytest.raises(Contradiction, match="two services continue this log with one key"):
        other.step(desk.now)
    assert other.checkpoint() == before != one.checkpoint()


def test_who_continues_what_another_service_has_signed_contradicts_nobody(
    grown: tuple[Desk, Path],
):
    desk, _ = grown
    one, here = desk.notary(), desk.folder
    desk.folder = Folder(copy_of(desk, here.path.parent / "elsewhere"))
    other = desk.notary()
    desk.open("m4")
    one.step(desk.now)
    other.step(desk.now)
    assert one.checkpoint().text == other.checkpoint().text
    desk.open("m5")
    other.step(desk.now)
    one.step(desk.now)
    assert one.checkpoint().text == other.checkpoint().text


def test_two_services_that_sign_at_the_same_moment(desk: Desk):
    desk.open("m1")
    noted = Noted(desk.annals.store)
    before = Signed("origin", 1, "00")
    assert noted.sign(None, before)
    assert noted.sign(before, Signed("origin", 2, "01"))
    assert noted.sign(before, Signed("origin", 2, "01"))  # the same process, once more
    assert not noted.sign(before, Signed("origin", 2, "02"))
    assert noted.signed() == Signed("origin", 2, "01")


def test_a_tree_other_than_the_one_that_was_signed_is_refused(grown: tuple[Desk, Path]):
    desk, _ = grown
    noted = Noted(desk.annals.store)
    was = noted.signed()
    assert was
    noted.sign(was, Signed(was.origin, 2, "ab" * 32))
    with pytest.raises(Contradiction, match="Another tree of 2 leaves was signed"):
        desk.work()


@pytest.mark.parametrize("tile", [Tile(0, 0, 3), Tile(ENTRIES, 0, 3)], ids=["hashes", "entries"])
def test_a_tile_that_was_changed_is_found_before_anything_is_signed(
    grown: tuple[Desk, Path], tile: Tile
):
    desk, _ = grown
    notary, was = desk.notary(), desk.served.checkpoint()
    path = desk.folder.public / tile.path
    content = bytearray(path.read_bytes())
    content[40] ^= 1
    path.write_bytes(bytes(content))
    desk.open("m4")
    with pytest.raises(Contradiction, match="are not those that were signed"):
        notary.step(desk.now)
    assert desk.served.checkpoint() == was


def test_a_tile_that_is_gone_is_found(grown: tuple[Desk, Path]):
    desk, _ = grown
    notary = desk.notary()
    (desk.folder.public / "tile/0/000.p/3").unlink()
    desk.open("m4")
    with pytest.raises(Contradiction, match="is not there"):
        notary.step(desk.now)


def test_a_checkpoint_that_was_changed_is_written_anew(grown: tuple[Desk, Path]):
    desk, _ = grown
    was = desk.served.checkpoint()
    desk.folder.write_text("checkpoint", was.replace("\n3\n", "\n4\n"))
    desk.work()
    assert desk.served.checkpoint() == was


def test_how_it_stands_is_not_believed_if_a_bit_of_it_flipped(grown: tuple[Desk, Path]):
    desk, _ = grown
    file = desk.folder.path / "state"
    content = bytearray(file.read_bytes())
    content[100] ^= 1
    file.write_bytes(bytes(content))
    with pytest.raises(Contradiction, match="state is damaged"):
        load(desk.folder.path)


def test_a_log_keeps_its_origin(grown: tuple[Desk, Path]):
    desk, _ = grown
    assert desk.notary("elsewhere.example/log").standing.origin == "annals.example/v1/log"
    with pytest.raises(Contradiction, match="ANNALS_TLOG_ORIGIN"):
        desk.notary("elsewhere.example/log", given=True)


def test_a_key_that_others_may_read_is_not_used(grown: tuple[Desk, Path]):
    desk, _ = grown
    (desk.folder.path / "secret-keys").chmod(0o644)
    with pytest.raises(BadSetting, match="open to others"):
        desk.work()
