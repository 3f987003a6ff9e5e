"""Cursors are words that lead to the next page, and nothing else does."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from projections.pages import BadCursor, read_cursor, write_cursor

URGENCY: msgspec.json.Decoder[Any] = msgspec.json.Decoder(tuple[int, int, str])
PLACE: msgspec.json.Decoder[Any] = msgspec.json.Decoder(str)


@pytest.mark.parametrize("place", [(1 << 62, 0, "m"), (0, 1_700, "ä?&=/+ "), (1, 2, "")])
def test_a_cursor_is_read_as_it_was_written(place: tuple[int, int, str]) -> None:
    assert read_cursor(write_cursor(place), URGENCY) == place


@pytest.mark.parametrize("place", ["a", "ab", "abc", "abcd", "\x7f?>"])
def test_a_cursor_needs_no_escaping_in_an_address(place: str) -> None:
    cursor = write_cursor(place)
    assert set(cursor) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
    assert read_cursor(cursor, PLACE) == place


@pytest.mark.parametrize(
    "cursor", ["", "x", "!", "ä", write_cursor("of another list"), write_cursor([1, 2]), "WzEsMg"]
)
def test_another_word_is_refused(cursor: str) -> None:
    with pytest.raises(BadCursor) as refused:
        read_cursor(cursor, URGENCY)
    assert refused.value.code == "bad_cursor"
