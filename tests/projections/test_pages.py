"""A cursor leads to the next page; other texts are refused."""

from __future__ import annotations

import pytest

from projections.lists.pages import BadCursor, read_cursor, write_cursor

PLACE = "01700000000000:00000000001700:m-1"


@pytest.mark.parametrize("times", [1, 2])
def test_a_cursor_is_read_back(times: int) -> None:
    place = PLACE[15 * (2 - times) :]
    assert read_cursor(write_cursor(place), times) == place


@pytest.mark.parametrize("place", ["a", "ab", "abc", "abcd", "\x7f?>"])
def test_a_cursor_needs_no_escaping_in_an_address(place: str) -> None:
    cursor = write_cursor(place)
    assert set(cursor) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")


OTHERS = [
    "of another list", PLACE[15:], f"{PLACE}?", f"{PLACE} {{", "0" * 30, "",
    PLACE.replace("1", "\u0661"),
]  # fmt: skip


@pytest.mark.parametrize("cursor", ["", "x", "!", "ä", "WzEsMg", "_w", *map(write_cursor, OTHERS)])
def test_other_texts_are_refused(cursor: str) -> None:
    with pytest.raises(BadCursor) as refused:
        read_cursor(cursor, 2)
    assert refused.value.code == "bad_cursor"
