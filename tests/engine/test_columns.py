"""Lines for terminals."""

from __future__ import annotations

import textwrap

import pytest

from domain.engine.drawing.terminal_width import column_width, pad, wrap
from tests.support.for_each import for_each

CHINESE = "最後一次放置：座位 1（白色），黃色於 c3，黃色於 d3。牌堆剩下 7 塊板塊（「秦」）。"


@for_each(("words", "columns"), [("", 0), ("seat 0", 6), ("座位 0", 6), ("（）", 4), ("Ä·é", 3)])
def test_a_chinese_letter_takes_two_columns(words, columns):
    assert column_width(words) == columns


def test_words_are_padded_to_columns_and_not_to_letters():
    assert [pad(words, 6) for words in ("ab", "座位", "longer than that")] == [
        "ab    ",
        "座位  ",
        "longer than that",
    ]


@for_each("columns", [20, 33, 80])
def test_words_with_spaces_are_broken_there(columns):
    words = "Seat 1 (white) to place a tile. Nobody has more than all of the others together."
    assert wrap(words, columns) == textwrap.wrap(words, columns)


@pytest.mark.parametrize("words", [CHINESE, CHINESE.replace("「", "“").replace("」", "”")])
def test_no_line_is_too_wide_or_begins_with_a_stop(words):
    for columns in range(12, 90):
        lines = wrap(words, columns)
        assert max(map(column_width, lines)) <= columns
        assert "".join(lines).replace(" ", "") == words.replace(" ", ""), columns
        assert not any(line[0] in "，。：；）」”" or line[-1] in "（「“" for line in lines), columns


def test_a_name_without_spaces_is_broken_somewhere():
    assert max(map(column_width, wrap("x" * 300, 80))) <= 80


def test_nothing_makes_no_line():
    assert wrap("") == wrap("  ") == []
