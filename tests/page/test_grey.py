"""Pieces and players are distinct without colours: by shape, pattern, letter or number."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from domain.games import GAMES
from tests.games.record import record
from tests.games.seen import AnyGame

CONFUSION_SCRIPT = Path(__file__).with_name("grey.js").read_text()
PEOPLE = ["Anna", "Berthold", "Cecilia", "Dietmar", "Eva"]
MOMENTS = 4


def pictures(game: AnyGame) -> list[str]:
    """The views of all seats that have to decide in a match with the most seats."""
    seats = game.seats[-1]
    words = game.words(names=PEOPLE[:seats])
    moments = record(game, seats, 0).some(MOMENTS)
    return [game.render_svg(game.view(each.state, each.move.seat), words) for each in moments]


def find_confused(browser: Browser, drawn: list[str]) -> Any:
    """The elements that look alike in grey, and their labels."""
    with browser.new_page() as page:
        return page.evaluate(CONFUSION_SCRIPT, [drawn, PEOPLE])


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_nothing_depends_only_on_colour(browser: Browser, game: AnyGame) -> None:
    assert find_confused(browser, pictures(game)) == []


def test_players_of_qin_look_alike_without_their_numbers(browser: Browser) -> None:
    bare = [re.sub(r">\d</text>", "></text>", drawn) for drawn in pictures(GAMES["qin"])]
    assert find_confused(browser, bare)
