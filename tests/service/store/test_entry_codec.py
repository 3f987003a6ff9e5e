"""The codec rejects stored bytes in which a single bit has changed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from domain.engine.codecs.binary_codec import pack
from domain.match.log import CorruptEntry, Entry
from service.store.entry_codec import (
    ENTRY_FIELD,
    checksum,
    decode_pointer,
    decode_row,
    encode_entry,
)

MOVE, EVENTS = pack([7, 0]), pack([[8, 0], [9]])
ENTRY = Entry(7, "Moved", "größer", 1_700_000_000_000, MOVE, EVENTS, 3, b"\0\xff", b"\xff\0")
ROW = encode_entry("m", ENTRY)


def flips(value: bytes) -> Iterator[bytes]:
    """The value with each of its bits flipped in turn."""
    for bit in range(8 * len(value)):
        number = int.from_bytes(value, "big") ^ (1 << bit)
        yield number.to_bytes(len(value), "big")


@pytest.mark.parametrize("move", [b"", MOVE])
def test_an_entry_is_read_as_it_was_written(move: bytes) -> None:
    entry = Entry(1, "Moved", "u1", 0, move, EVENTS, 3, b"c")
    assert decode_row("m", b"1-0", {ENTRY_FIELD: encode_entry("m", entry)}) == entry


def test_no_flipped_bit_of_an_entry_goes_unseen() -> None:
    assert decode_row("m", b"7-0", {ENTRY_FIELD: ROW}) == ENTRY
    rows = [{ENTRY_FIELD: value} for value in flips(ROW)] + [
        {name: ROW} for name in flips(ENTRY_FIELD)
    ]
    for row in rows:
        with pytest.raises(CorruptEntry, match=r"^version 7 is corrupt: its checksum is wrong\.$"):
            decode_row("m", b"7-0", row)


def test_no_entry_that_is_cut_off_goes_unseen() -> None:
    for length in range(len(ROW)):
        with pytest.raises(CorruptEntry):
            decode_row("m", b"7-0", {ENTRY_FIELD: ROW[:length]})


@pytest.mark.parametrize(("match", "row_id"), [("n", b"7-0"), ("m", b"5-0"), ("m", b"7-1")])
def test_an_entry_under_another_id_is_corrupt(match: str, row_id: bytes) -> None:
    with pytest.raises(CorruptEntry):
        decode_row(match, row_id, {ENTRY_FIELD: ROW})


def test_other_data_with_a_valid_checksum_is_corrupt() -> None:
    nonsense = pack(["Moved", 7])
    value = nonsense + checksum(b"m 7-0", nonsense)
    with pytest.raises(CorruptEntry, match=r"^version 7 cannot be decoded: "):
        decode_row("m", b"7-0", {ENTRY_FIELD: value})


@pytest.mark.parametrize("fields", [{}, {b"m": b"\xff", b"v": b"x"}])
def test_a_corrupt_pointer_leads_nowhere(fields: dict[bytes, bytes]) -> None:
    assert decode_pointer(b"3-0", fields).version == 0
