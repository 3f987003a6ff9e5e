"""Rules read from a RULES.md."""

from __future__ import annotations

import pytest

from domain.engine.resources import rulebook
from domain.engine.sentences import LANGUAGES
from tests.engine.toy import GAME

BOOK = """# A game

About it.

## 1 Opening

### ABC-1.1
Take a tile
and lay it.

### ABC-1.2 Passing
You may pass.

Nobody may pass twice. See ABC-1.1.

| a | b |
| - | - |

## 2 End
No rule has a number here.

### ABC-2.1

The last one wins."""


def test_each_rule_is_found_by_its_number():
    assert rulebook.parse(BOOK).rules == {
        "ABC-1.1": "Take a tile and lay it.",
        "ABC-1.2": "You may pass. Nobody may pass twice. See ABC-1.1. | a | b | | - | - |",
        "ABC-2.1": "The last one wins.",
    }


def test_lines_of_chinese_are_joined_without_a_space():
    """Browsers show a line break as a space."""
    book = "### ABC-1.1\n\u4e00\u3002\n\u4e8c`x`\n\u4e09 4.\n"
    assert rulebook.parse(book).rules == {"ABC-1.1": "\u4e00\u3002\u4e8c`x` \u4e09 4."}


def test_a_book_without_numbers_has_no_rules():
    assert rulebook.parse("# A game\n\nNothing is forbidden.\n").rules == {}


def test_the_toy_has_its_rules_at_hand():
    assert GAME.rulebook.rules["TOY-3.3"] == (
        "Who gives in pays the other one point, if there is one to pay."
    )


def test_a_rule_book_keeps_its_whole_text():
    assert rulebook.parse(BOOK).text == BOOK


def test_the_book_is_read_from_the_folder_of_the_game():
    assert rulebook.read("tests.engine.toy") == GAME.resources.rulebooks
    assert {*GAME.resources.rulebooks} == {*LANGUAGES}
    assert GAME.rulebook.text.startswith("# Toy\n")


def test_a_folder_without_a_book_is_an_error():
    with pytest.raises(FileNotFoundError):
        rulebook.read("tests.engine.toy.rules")
