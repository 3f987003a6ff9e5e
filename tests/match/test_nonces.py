"""What seats add to the dice: nonces, given at once, or committed first and opened later."""

from __future__ import annotations

from typing import Any

import pytest

from domain.match.decisions import lobby
from domain.match.decisions.lobby import NONCE_OPENING_MS
from domain.match.dice import commitment_to, dice_key
from domain.match.errors import Impossible
from domain.match.scheduled_work import due_work
from tests.match.second_reading import NONCE, OTHER, draws, key_of, seat_with_nonces
from tests.match.table import NOON, SEED, Table, kinds


def test_one_nonce_changes_every_draw_wherever_it_comes_from() -> None:
    tables = [
        seat_with_nonces(b"", b""),
        seat_with_nonces(NONCE, b""),
        seat_with_nonces(b"", NONCE),
        seat_with_nonces(NONCE, NONCE),
        seat_with_nonces(NONCE, OTHER),
        seat_with_nonces(OTHER, NONCE),
    ]
    keys = {table.match.dice_key for table in tables}
    assert len(keys) == len(tables)
    dealt = [str(draws(table)) for table in tables]
    assert len(set(dealt)) == len(tables)


def test_the_nonces_are_in_the_dice_as_the_seats_gave_them() -> None:
    table = seat_with_nonces(NONCE, b"", OTHER)
    assert table.match.nonces == (NONCE.hex(), None, OTHER.hex())
    assert table.match.dice_key == key_of(SEED, table.match.nonces)
    assert table.match.dice_key == dice_key(SEED, table.match.nonces)


def test_the_id_that_the_service_gives_a_match_has_no_part_in_its_dice() -> None:
    one, other = (Table("ann bob", match=match, nonces=(NONCE,)) for match in ("m", "n"))
    assert draws(one) == draws(other)


def test_before_the_start_only_the_hash_of_a_nonce_is_public() -> None:
    table = Table("ann . .", nonces=(NONCE,))
    table.act(lobby.take_seat(table.match, "bob", 2, table.now, OTHER), "bob")
    promised = [chair.commitment for chair in table.match.chairs]
    assert promised == [commitment_to(NONCE), None, commitment_to(OTHER)]
    assert table.match.nonces == ()
    for record in table.entries:
        for nonce in (NONCE, OTHER):
            assert nonce not in record.events
            assert nonce.hex().encode() not in record.events
    table.act(lobby.take_seat(table.match, "cid", None, table.now), "cid")
    assert NONCE.hex().encode() in table.entries[-1].events
    assert table.match.nonces_by_hash == {}


def commit_to_nonce(nonce: bytes = NONCE) -> Table:
    """Take all seats; the host only commits to a nonce."""
    table = Table("ann .", promised=commitment_to(nonce))
    table.act(lobby.take_seat(table.match, "bob", None, table.now, OTHER), "bob")
    return table


def open_nonce(table: Table, player: str, nonce: bytes) -> list[Any]:
    """Open a nonce."""
    return table.act(lobby.open_nonce(table.match, player, nonce, table.now), player)


def test_the_start_waits_for_a_nonce_that_no_player_can_know_before() -> None:
    table = commit_to_nonce()
    assert (table.match.status, table.match.nonces_due_at) == ("open", table.now + NONCE_OPENING_MS)
    assert due_work(table.match) == {"begin": table.now + NONCE_OPENING_MS}
    events = open_nonce(table, "ann", NONCE)
    assert kinds(events) == ["NonceOpened", "Started"]
    assert table.match.nonces == (NONCE.hex(), OTHER.hex())
    assert table.match.nonces_due_at is None
    assert NONCE not in b"".join(record.events for record in table.entries)


def test_a_nonce_that_is_not_opened_in_time_does_not_count_and_that_shows() -> None:
    table = commit_to_nonce()
    with pytest.raises(Impossible):
        lobby.begin(table.match, table.now + NONCE_OPENING_MS - 1)
    table.wait(NONCE_OPENING_MS / 1000)
    table.act(lobby.begin(table.match, table.now), "system")
    assert table.match.nonces == (None, OTHER.hex())
    assert table.match.chairs[0].commitment == commitment_to(NONCE)


def test_only_what_was_committed_to_is_opened_once_by_who_did_and_not_too_early() -> None:
    early = Table("ann . .", promised=commitment_to(NONCE))
    with pytest.raises(Impossible, match="once all seats"):
        lobby.open_nonce(early.match, "ann", NONCE, NOON)
    table = Table("ann . .", promised=commitment_to(NONCE))
    for player in ("bob", "cid"):
        promised = commitment_to(player.encode().ljust(32))
        table.act(lobby.take_seat(table.match, player, None, NOON, commitment=promised), player)
    open_nonce(table, "bob", b"bob".ljust(32))
    for player, nonce in (
        ("ann", OTHER),
        ("bob", NONCE),
        ("bob", b"bob".ljust(32)),
        ("dan", NONCE),
    ):
        with pytest.raises(Impossible, match="not commit"):
            lobby.open_nonce(table.match, player, nonce, NOON)
    with pytest.raises(Impossible, match="once all nonces"):
        lobby.start(table.match, "ann", None, NOON)


def test_who_leaves_meanwhile_leaves_a_free_seat() -> None:
    table = commit_to_nonce()
    table.act(lobby.leave_seat(table.match, "bob", 1), "bob")
    assert table.match.nonces_due_at is None
    assert set(due_work(table.match)) == {"abort"}
    table.act(lobby.start(table.match, "ann", None, table.now), "ann")
    assert table.match.nonces_due_at is not None
    assert open_nonce(table, "ann", NONCE)[-1]
    assert table.match.nonces == (NONCE.hex(), None)


def test_who_stands_up_takes_their_nonce_along() -> None:
    table = Table("ann .", nonces=(NONCE,))
    table.act(lobby.take_seat(table.match, "bob", None, table.now, OTHER), "bob")
    table = Table("ann . .")
    table.act(lobby.take_seat(table.match, "bob", 1, table.now, OTHER), "bob")
    table.act(lobby.leave_seat(table.match, "bob", 1), "bob")
    assert table.match.chairs[1].commitment is None
    table.act(lobby.start(table.match, "ann", None, table.now), "ann")
    assert table.match.nonces == (None, None, None)
