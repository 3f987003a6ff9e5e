"""What looks alike without colours is found; `test_contrast.py` looks for it in every game."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

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


def find_confused(page: Page, drawn: list[list[str]]) -> Any:
    """The elements that look alike in grey, and their labels; of pictures of moments in themes."""
    return page.evaluate(CONFUSION_SCRIPT, [drawn, PEOPLE])


def test_players_of_qin_look_alike_without_their_numbers(blank: Page) -> None:
    bare = [[re.sub(r">\d</text>", "></text>", drawn)] for drawn in pictures(GAMES["qin"])]
    assert find_confused(blank, bare)
