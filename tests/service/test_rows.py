"""What is stored is not taken for what was recorded when a single bit of it is another."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from domain.match.log import Damaged, Entry
from service.rows import FIELDS, SUM, Key, Repeated, entry_of, pointer_of, row_of, seal, unseal

ENTRY = Entry(7, "Moved", "u1", 1_700_000_000_000, b'{"seat":0}', b"[]", 3, "größer", b"\0\xff")
ROW = dict(zip((*FIELDS, SUM), row_of("m", ENTRY), strict=True))


def flips(value: bytes) -> Iterator[bytes]:
    """The value with each of its bits flipped in turn."""
    for bit in range(8 * len(value)):
        number = int.from_bytes(value, "big") ^ (1 << bit)
        yield number.to_bytes(len(value), "big")


def test_an_entry_is_read_as_it_was_written() -> None:
    assert entry_of("m", b"7-0", ROW) == ENTRY


@pytest.mark.parametrize("field", ROW)
def test_no_flipped_bit_of_an_entry_goes_unseen(field: bytes) -> None:
    rows = [{**ROW, field: value} for value in flips(ROW[field])]
    names = [
        {name if name != field else other: ROW[name] for name in ROW} for other in flips(field)
    ]
    for row in rows + names:
        with pytest.raises(Damaged, match=r"^version 7 is damaged: its checksum is wrong\.$"):
            entry_of("m", b"7-0", row)


@pytest.mark.parametrize(("match", "row_id"), [("n", b"7-0"), ("m", b"5-0"), ("m", b"7-1")])
def test_an_entry_in_another_place_is_damaged(match: str, row_id: bytes) -> None:
    with pytest.raises(Damaged):
        entry_of(match, row_id, ROW)


def test_what_moves_from_one_field_to_another_is_seen() -> None:
    with pytest.raises(Damaged):
        entry_of("m", b"7-0", {**ROW, b"k": b"Move", b"a": b"du1"})


def test_no_flipped_bit_of_an_idempotency_key_goes_unseen() -> None:
    sealed = seal("m", 7, Key("u1:k", "print|of|ü")).encode()
    assert unseal("m", "u1:k", sealed) == Repeated(7, "print|of|ü")
    for value in flips(sealed):
        with pytest.raises(Damaged, match="the idempotency key u1:k is damaged"):
            unseal("m", "u1:k", value)
    for match, name in (("n", "u1:k"), ("m", "u1:j")):
        with pytest.raises(Damaged):
            unseal(match, name, sealed)


@pytest.mark.parametrize("fields", [{}, {b"m": b"\xff", b"v": b"x", b"k": b"\xff"}])
def test_a_damaged_pointer_leads_nowhere(fields: dict[bytes, bytes]) -> None:
    assert pointer_of(b"3-0", fields).version == 0
