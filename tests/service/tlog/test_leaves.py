"""The log has each leaf once, even if the signer is killed at any step."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from domain.audit.log_entries import HeadLeaf, OpenLeaf
from domain.audit.notes import Checkpoint
from domain.audit.tiles import nodes_of
from domain.audit.tree import check_consistency, consistency
from domain.match.decisions import ending
from service.matches.commands import Metadata, execute
from service.runtime.atomic_write import write_durably
from service.tlog import folder, signed_state, state
from service.tlog.checkpoint_signer import CheckpointSigner
from service.tlog.signed_state import SignedStateStore
from tests.service.tlog.harness import MINUTES, LogHarness


class ProcessKilled(BaseException):
    """Raised where a process is killed."""


def test_a_new_log_is_empty_and_signed(harness: LogHarness):
    harness.work()
    assert harness.checkpoint().size == 0


def test_the_opening_leaf_contains_the_commitments(harness: LogHarness):
    harness.open("m1")
    harness.work()
    [leaf] = harness.leaves()
    assert isinstance(leaf, OpenLeaf)
    assert leaf.match == "m1"
    assert leaf.seed_hash == harness.annals.matches.latest("m1").seed_hash


def test_running_matches_get_one_head_per_ten_minutes(harness: LogHarness):
    harness.open("m1")
    notary = harness.work()
    harness.move("m1")
    harness.move("m1")
    notary.step(harness.now + 9 * MINUTES)
    assert harness.list_leaves() == [("m1", "open")]
    notary.step(harness.now + 10 * MINUTES)
    assert harness.list_leaves() == [("m1", "open"), ("m1", "3 turn")]
    notary.step(harness.now + 30 * MINUTES)
    assert len(harness.list_leaves()) == 2


def test_pending_heads_survive_the_process(harness: LogHarness):
    harness.open("m1")
    harness.move("m1")
    harness.work()
    harness.open("m2")
    harness.work().step(harness.now + 10 * MINUTES)
    assert harness.list_leaves() == [("m1", "open"), ("m2", "open"), ("m1", "2 turn")]


def test_the_end_and_an_abort_are_logged_at_once(harness: LogHarness):
    harness.open("m1")
    harness.open("m2")
    harness.play("m1")
    harness.abort("m2")
    notary = harness.work()
    last = harness.annals.matches.latest("m1").version
    assert sorted(harness.list_leaves()) == [
        ("m1", f"{last} ended"), ("m1", "open"), ("m2", "2 aborted"), ("m2", "open"),
    ]  # fmt: skip
    notary.step(harness.now + 10 * MINUTES)
    assert len(harness.list_leaves()) == 4


@pytest.mark.parametrize(
    "decision",
    [lambda found, _: ending.rate(found, ()), lambda found, _: ending.leave_unrated(found, "seed")],
    ids=["rated", "unrated"],
)
def test_entries_after_the_end_are_logged_as_ended(harness: LogHarness, decision: Any):
    harness.open("m1")
    harness.play("m1")
    notary = harness.work()
    execute(harness.annals, "m1", Metadata("system"), decision)
    notary.step(harness.now)
    notary.step(harness.now + 10 * MINUTES)
    last = harness.annals.matches.latest("m1").version
    assert harness.list_leaves() == [
        ("m1", "open"),
        ("m1", f"{last - 1} ended"),
        ("m1", f"{last} ended"),
    ]


def test_a_leaf_has_the_head_of_its_entry(harness: LogHarness):
    harness.open("m1")
    harness.abort("m1")
    harness.work()
    [leaf] = [leaf for leaf in harness.leaves() if isinstance(leaf, HeadLeaf)]
    assert leaf.head == harness.annals.store.read("m1")[-1].head.hex()


def test_a_corrupt_match_does_not_stop_the_others(harness: LogHarness):
    harness.open("m1")
    harness.open("m2")
    store = harness.annals.store
    key = f"{{p{store.partition_of('m1')}}}:match:m1"
    store.redis.delete(key)
    store.redis.xadd(key, {"e": b"nothing that was recorded"}, id="1-0")
    harness.work()
    assert harness.list_leaves() == [("m2", "open")]


def test_every_checkpoint_is_consistent_with_all_before(harness: LogHarness):
    notary, seen = harness.work(), []
    for n in range(12):
        harness.open(f"m{n}")
        if n % 3 == 0:
            harness.abort(f"m{n}")
        notary.step(harness.now)
        seen.append(harness.checkpoint())
    read = nodes_of(seen[-1].size, harness.folder.tile)
    assert [one.size for one in seen] == sorted({one.size for one in seen})
    for at, old in enumerate(seen):
        for new in seen[at:]:
            proof = consistency(old.size, new.size, read)
            check_consistency(old.size, old.root, new.size, new.root, proof)


STEPS = [
    (state, "write_durably"),
    (folder, "write_durably"),
    (signed_state.SignedStateStore, "record"),
    (signed_state.SignedStateStore, "index"),
    (folder.Folder, "write_text"),
]


def kill_at(harness: LogHarness, where: object, step: str, when: str) -> None:
    """Let a signer die before or after a step."""
    real = getattr(where, step)

    def die(*given: object, **more: object) -> object:
        if when == "after":
            real(*given, **more)
        raise ProcessKilled

    notary = harness.notary()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(where, step, die)
        with pytest.raises(ProcessKilled):
            notary.step(harness.now)


def continues(harness: LogHarness, before: Checkpoint) -> None:
    after = harness.checkpoint()
    proof = consistency(before.size, after.size, nodes_of(after.size, harness.folder.tile))
    check_consistency(before.size, before.root, after.size, after.root, proof)


@pytest.mark.parametrize(("where", "step"), STEPS, ids=[f"{w.__name__}.{s}" for w, s in STEPS])
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_kill_at_any_step_loses_and_repeats_nothing(
    harness: LogHarness, where: object, step: str, when: str
):
    harness.open("m1")
    harness.work()
    before = harness.checkpoint()
    harness.open("m2")
    harness.abort("m1")
    kill_at(harness, where, step, when)
    harness.open("m3")  # a later match follows them in the log
    harness.work()
    said = harness.list_leaves()
    assert sorted(said) == [("m1", "2 aborted"), ("m1", "open"), ("m2", "open"), ("m3", "open")]
    continues(harness, before)
    assert all(SignedStateStore(harness.annals.store).leaf_indices(match) for match, _ in said)


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_kill_while_a_tile_becomes_full_loses_nothing(harness: LogHarness, when: str):
    for n in range(255):
        harness.open(f"m{n:03}")
    harness.work()
    before = harness.checkpoint()
    harness.open("m255")
    harness.abort("m000")
    kill_at(harness, folder.Folder, "drop_partial", when)
    harness.open("m256")
    harness.work()
    assert len(set(harness.list_leaves())) == len(harness.list_leaves()) == 258
    continues(harness, before)


def test_files_are_never_visible_half_written(harness: LogHarness, tmp_path: Path):
    path = tmp_path / "some" / "file"
    write_durably(path, b"before", 0o644)
    (path.parent / ".file.new").write_bytes(b"half")
    write_durably(path, b"after", 0o600)
    assert path.read_bytes() == b"after"
    assert path.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in path.parent.iterdir()] == ["file"]


def test_partial_tiles_are_deleted_once_they_are_full(harness: LogHarness):
    notary = harness.work()
    for n in range(257):
        harness.open(f"m{n}")
        if n > 250:
            notary.step(harness.now)
    names = sorted(str(path.relative_to(harness.folder.public)) for path in harness.files())
    assert names == [
        "checkpoint", "keys", "tile/0/000", "tile/0/001.p/1", "tile/1/000.p/1",
        "tile/entries/000", "tile/entries/001.p/1",
    ]  # fmt: skip
    served = harness.served
    assert served.tile("0/000.p/251") == served.tile("0/000")[: 251 * 32]
    assert served.tile("entries/000").startswith(served.tile("entries/000.p/253"))


def test_file_modes_separate_public_and_private(harness: LogHarness):
    harness.open("m1")
    harness.work()
    assert {path.stat().st_mode & 0o777 for path in harness.files()} == {0o644}
    private = [
        path for path in harness.folder.path.iterdir() if path.name in ("state", "secret-keys")
    ]
    assert [path.stat().st_mode & 0o777 for path in private] == [0o600, 0o600]


def test_sizes_only_grow(harness: LogHarness):
    sizes, notary = [], harness.work()
    for n in range(5):
        harness.open(f"m{n}")
        notary.step(harness.now)
        notary.step(harness.now)
        sizes.append(harness.checkpoint().size)
    assert all(old < new for old, new in pairwise(sizes))


def test_feeds_longer_than_a_batch_are_read_to_their_end(
    harness: LogHarness, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("service.tlog.feed.MAX_ENTRIES_PER_READ", 3)
    for n in range(20):
        harness.open(f"m{n}")
    harness.work()
    assert len(harness.list_leaves()) == 20
    assert isinstance(harness.notary(), CheckpointSigner)
