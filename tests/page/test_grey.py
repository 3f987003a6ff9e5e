"""Pieces and players are told apart without colours: by shape, pattern, letter or number."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from domain.games import GAMES
from tests.games.record import record
from tests.games.seen import AnyGame

CONFUSED = Path(__file__).with_name("grey.js").read_text()
PEOPLE = ["Anna", "Berthold", "Cecilia", "Dietmar", "Eva"]
MOMENTS = 4


def pictures(game: AnyGame) -> list[str]:
    """What those see who have to decide in a match of as many as can play."""
    seats = game.seats[-1]
    words = game.words(names=PEOPLE[:seats])
    moments = record(game, seats, 0).some(MOMENTS)
    return [game.svg(game.view(each.state, each.move.seat), words) for each in moments]


def confused(browser: Browser, drawn: list[str]) -> Any:
    """What can be taken for one another in grey, and what is on it."""
    with browser.new_page() as page:
        return page.evaluate(CONFUSED, [drawn, PEOPLE])


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_nothing_is_told_by_colour_alone(browser: Browser, game: AnyGame) -> None:
    assert confused(browser, pictures(game)) == []


def test_players_of_qin_look_alike_without_their_numbers(browser: Browser) -> None:
    bare = [re.sub(r">\d</text>", "></text>", drawn) for drawn in pictures(GAMES["qin"])]
    assert confused(browser, bare)
