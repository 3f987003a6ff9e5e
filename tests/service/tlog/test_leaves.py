"""Which leaves there are, and that each comes once, wherever the notary was killed."""

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
from service.matches.commands import Metadata, carry_out
from service.runtime.atomic_write import write_durably
from service.tlog import folder, signed_state, state
from service.tlog.checkpoint_signer import Notary
from service.tlog.signed_state import Noted
from tests.service.tlog.desk import MINUTES, Desk


class Killed(BaseException):
    """The process is no more."""


def test_a_log_begins_empty_and_signed(desk: Desk):
    desk.work()
    assert desk.checkpoint().size == 0


def test_a_match_that_is_opened_is_in_the_log_with_what_it_is_committed_to(desk: Desk):
    desk.open("m1")
    desk.work()
    [leaf] = desk.leaves()
    assert isinstance(leaf, OpenLeaf)
    assert leaf.match == "m1"
    assert leaf.seed_hash == desk.annals.matches.latest("m1").seed_hash


def test_moves_are_gathered_for_ten_minutes(desk: Desk):
    desk.open("m1")
    notary = desk.work()
    desk.move("m1")
    desk.move("m1")
    notary.step(desk.now + 9 * MINUTES)
    assert desk.said() == [("m1", "open")]
    notary.step(desk.now + 10 * MINUTES)
    assert desk.said() == [("m1", "open"), ("m1", "3 turn")]
    notary.step(desk.now + 30 * MINUTES)
    assert len(desk.said()) == 2


def test_what_was_gathered_is_not_lost_with_the_process(desk: Desk):
    desk.open("m1")
    desk.move("m1")
    desk.work()
    desk.open("m2")
    desk.work().step(desk.now + 10 * MINUTES)
    assert desk.said() == [("m1", "open"), ("m2", "open"), ("m1", "2 turn")]


def test_the_end_and_an_abort_are_logged_at_once(desk: Desk):
    desk.open("m1")
    desk.open("m2")
    desk.play("m1")
    desk.abort("m2")
    notary = desk.work()
    last = desk.annals.matches.latest("m1").version
    assert sorted(desk.said()) == [
        ("m1", f"{last} ended"), ("m1", "open"), ("m2", "2 aborted"), ("m2", "open"),
    ]  # fmt: skip
    notary.step(desk.now + 10 * MINUTES)
    assert len(desk.said()) == 4


@pytest.mark.parametrize(
    "decision",
    [lambda found, _: ending.rate(found, ()), lambda found, _: ending.leave_unrated(found, "seed")],
    ids=["rated", "unrated"],
)
def test_what_comes_after_the_end_is_logged_as_such(desk: Desk, decision: Any):
    desk.open("m1")
    desk.play("m1")
    notary = desk.work()
    carry_out(desk.annals, "m1", Metadata("system"), decision)
    notary.step(desk.now)
    notary.step(desk.now + 10 * MINUTES)
    last = desk.annals.matches.latest("m1").version
    assert desk.said() == [("m1", "open"), ("m1", f"{last - 1} ended"), ("m1", f"{last} ended")]


def test_a_leaf_has_the_head_of_its_entry(desk: Desk):
    desk.open("m1")
    desk.abort("m1")
    desk.work()
    [leaf] = [leaf for leaf in desk.leaves() if isinstance(leaf, HeadLeaf)]
    assert leaf.head == desk.annals.store.read("m1")[-1].head.hex()


def test_what_is_damaged_takes_nobody_else_with_it(desk: Desk):
    desk.open("m1")
    desk.open("m2")
    store = desk.annals.store
    key = f"{{p{store.partition_of('m1')}}}:match:m1"
    store.redis.delete(key)
    store.redis.xadd(key, {"e": b"nothing that was recorded"}, id="1-0")
    desk.work()
    assert desk.said() == [("m2", "open")]


def test_every_checkpoint_continues_every_one_before(desk: Desk):
    notary, seen = desk.work(), []
    for n in range(12):
        desk.open(f"m{n}")
        if n % 3 == 0:
            desk.abort(f"m{n}")
        notary.step(desk.now)
        seen.append(desk.checkpoint())
    read = nodes_of(seen[-1].size, desk.folder.tile)
    assert [one.size for one in seen] == sorted({one.size for one in seen})
    for at, old in enumerate(seen):
        for new in seen[at:]:
            proof = consistency(old.size, new.size, read)
            check_consistency(old.size, old.root, new.size, new.root, proof)


STEPS = [
    (state, "write_durably"),
    (folder, "write_durably"),
    (signed_state.Noted, "sign"),
    (signed_state.Noted, "index"),
    (folder.Folder, "write_text"),
]


def killed_at(desk: Desk, where: object, step: str, when: str) -> None:
    """Let a notary die at a step, before it or after it."""
    real = getattr(where, step)

    def killed(*given: object, **more: object) -> object:
        if when == "after":
            real(*given, **more)
        raise Killed

    notary = desk.notary()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(where, step, killed)
        with pytest.raises(Killed):
            notary.step(desk.now)


def continues(desk: Desk, before: Checkpoint) -> None:
    after = desk.checkpoint()
    proof = consistency(before.size, after.size, nodes_of(after.size, desk.folder.tile))
    check_consistency(before.size, before.root, after.size, after.root, proof)


@pytest.mark.parametrize(("where", "step"), STEPS, ids=[f"{w.__name__}.{s}" for w, s in STEPS])
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_kill_at_any_step_loses_and_repeats_nothing(
    desk: Desk, where: object, step: str, when: str
):
    desk.open("m1")
    desk.work()
    before = desk.checkpoint()
    desk.open("m2")
    desk.abort("m1")
    killed_at(desk, where, step, when)
    desk.open("m3")  # what comes meanwhile does not come in between
    desk.work()
    said = desk.said()
    assert sorted(said) == [("m1", "2 aborted"), ("m1", "open"), ("m2", "open"), ("m3", "open")]
    continues(desk, before)
    assert all(Noted(desk.annals.store).leaves(match) for match, _ in said)


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_kill_while_a_tile_becomes_full_loses_nothing(desk: Desk, when: str):
    for n in range(255):
        desk.open(f"m{n:03}")
    desk.work()
    before = desk.checkpoint()
    desk.open("m255")
    desk.abort("m000")
    killed_at(desk, folder.Folder, "drop_partial", when)
    desk.open("m256")
    desk.work()
    assert len(set(desk.said())) == len(desk.said()) == 258
    continues(desk, before)


def test_nothing_half_written_is_ever_shown(desk: Desk, tmp_path: Path):
    path = tmp_path / "some" / "file"
    write_durably(path, b"before", 0o644)
    (path.parent / ".file.new").write_bytes(b"half")
    write_durably(path, b"after", 0o600)
    assert path.read_bytes() == b"after"
    assert path.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in path.parent.iterdir()] == ["file"]


def test_partial_tiles_are_dropped_once_they_are_full(desk: Desk):
    notary = desk.work()
    for n in range(257):
        desk.open(f"m{n}")
        if n > 250:
            notary.step(desk.now)
    names = sorted(str(path.relative_to(desk.folder.public)) for path in desk.files())
    assert names == [
        "checkpoint", "keys", "tile/0/000", "tile/0/001.p/1", "tile/1/000.p/1",
        "tile/entries/000", "tile/entries/001.p/1",
    ]  # fmt: skip
    served = desk.served
    assert served.tile("0/000.p/251") == served.tile("0/000")[: 251 * 32]
    assert served.tile("entries/000").startswith(served.tile("entries/000.p/253"))


def test_anybody_may_read_what_is_public_and_nobody_what_is_not(desk: Desk):
    desk.open("m1")
    desk.work()
    assert {path.stat().st_mode & 0o777 for path in desk.files()} == {0o644}
    private = [path for path in desk.folder.path.iterdir() if path.name in ("state", "secret-keys")]
    assert [path.stat().st_mode & 0o777 for path in private] == [0o600, 0o600]


def test_sizes_only_grow(desk: Desk):
    sizes, notary = [], desk.work()
    for n in range(5):
        desk.open(f"m{n}")
        notary.step(desk.now)
        notary.step(desk.now)
        sizes.append(desk.checkpoint().size)
    assert all(old < new for old, new in pairwise(sizes))


def test_feeds_longer_than_what_is_read_at_once_are_read_to_their_end(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("service.tlog.feed.BATCH", 3)
    for n in range(20):
        desk.open(f"m{n}")
    desk.work()
    assert len(desk.said()) == 20
    assert isinstance(desk.notary(), Notary)
