"""What is stored is not taken for what was recorded when a single bit of it is another."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from domain.engine.codecs.binary_codec import pack
from domain.match.log import Damaged, Entry
from service.store.entry_codec import FIELD, checksum, entry_of, pointer_of, row_of

MOVE, EVENTS = pack([7, 0]), pack([[8, 0], [9]])
ENTRY = Entry(7, "Moved", "größer", 1_700_000_000_000, MOVE, EVENTS, 3, b"\0\xff", b"\xff\0")
ROW = row_of("m", ENTRY)


def flips(value: bytes) -> Iterator[bytes]:
    """The value with each of its bits flipped in turn."""
    for bit in range(8 * len(value)):
        number = int.from_bytes(value, "big") ^ (1 << bit)
        yield number.to_bytes(len(value), "big")


@pytest.mark.parametrize("move", [b"", MOVE])
def test_an_entry_is_read_as_it_was_written(move: bytes) -> None:
    entry = Entry(1, "Moved", "u1", 0, move, EVENTS, 3, b"c")
    assert entry_of("m", b"1-0", {FIELD: row_of("m", entry)}) == entry


def test_no_flipped_bit_of_an_entry_goes_unseen() -> None:
    assert entry_of("m", b"7-0", {FIELD: ROW}) == ENTRY
    rows = [{FIELD: value} for value in flips(ROW)] + [{name: ROW} for name in flips(FIELD)]
    for row in rows:
        with pytest.raises(Damaged, match=r"^version 7 is damaged: its checksum is wrong\.$"):
            entry_of("m", b"7-0", row)


def test_no_entry_that_is_cut_off_goes_unseen() -> None:
    for length in range(len(ROW)):
        with pytest.raises(Damaged):
            entry_of("m", b"7-0", {FIELD: ROW[:length]})


@pytest.mark.parametrize(("match", "row_id"), [("n", b"7-0"), ("m", b"5-0"), ("m", b"7-1")])
def test_an_entry_in_another_place_is_damaged(match: str, row_id: bytes) -> None:
    with pytest.raises(Damaged):
        entry_of(match, row_id, {FIELD: ROW})


def test_what_is_no_entry_although_its_checksum_fits_is_damaged() -> None:
    nonsense = pack(["Moved", 7])
    value = nonsense + checksum(b"m 7-0", nonsense)
    with pytest.raises(Damaged, match=r"^version 7 makes no sense: "):
        entry_of("m", b"7-0", {FIELD: value})


@pytest.mark.parametrize("fields", [{}, {b"m": b"\xff", b"v": b"x"}])
def test_a_damaged_pointer_leads_nowhere(fields: dict[bytes, bytes]) -> None:
    assert pointer_of(b"3-0", fields).version == 0
