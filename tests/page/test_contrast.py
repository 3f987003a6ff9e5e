"""In every theme, letters and the pieces of all seats are clear on what they stand on, and seats
are told apart in grey; in high contrast, spaces have lines between them.
"""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page

from domain.engine.drawing.layout import compose
from domain.engine.drawing.themes import THEMES, recolour
from service.drawing.pictures.fonts import FONT_FOLDER
from tests.games.every_panel import MAX_KB
from tests.games.modes import ALL
from tests.games.record import record
from tests.games.seen import AnyGame
from tests.page.test_grey import MOMENTS, PEOPLE, find_confused

CONTRAST_SCRIPT = Path(__file__).with_name("contrast.js").read_text()
LEAST = {"letter": 4.5, "seat": 3, "space": 3}
"""WCAG 2: success criteria 1.4.3 and 1.4.11."""
FACES = {"Roboto-Regular.ttf": 400, "Roboto-Bold.ttf": 700}
"""Inside the pictures: an image loads no other file."""


class Moments(NamedTuple):
    """Moments of a game: the pictures of each in all themes, and the colours of its seats."""

    pictures: list[list[str]]
    seats: list[list[str]]


def draw(game: AnyGame) -> Moments:
    """What the seats that have to decide see in a match with the most seats."""
    count, drawn = game.seats[-1], Moments([], [])
    words = game.words(names=PEOPLE[:count])
    for moment in record(game, count, 0).some(MOMENTS):
        view = game.view(moment.state, moment.move.seat)
        picture = game.draw(view, words)
        standard = compose(picture)
        drawn.pictures.append([recolour(standard, theme, picture.palettes) for theme in THEMES])
        drawn.seats.append([game.seat_mark(view, seat).colour for seat in range(count)])
    return drawn


@pytest.fixture(scope="module", params=ALL, ids=lambda game: game.key)
def drawn(request: pytest.FixtureRequest) -> Moments:
    """The moments of each game, drawn once for its tests."""
    return draw(request.param)


def faint_things(page: Page, drawn: Moments) -> list[str]:
    """Letters, pieces of seats and spaces that are less clear than they have to be, and in which
    theme.
    """
    faces = "".join(
        f"@font-face{{font-family:Roboto;font-weight:{weight};src:url(data:font/ttf;base64,{data})}}"
        for file, weight in FACES.items()
        for data in [b64encode((FONT_FOLDER / file).read_bytes()).decode()]
    )
    found: list[Any] = page.evaluate(CONTRAST_SCRIPT, [drawn.pictures, THEMES, drawn.seats, faces])
    assert found
    return [
        f"{one['what']}: {one['value']:.2f}" for one in found if one["value"] < LEAST[one["kind"]]
    ]


def test_letters_and_pieces_are_clear(blank: Page, drawn: Moments) -> None:
    assert faint_things(blank, drawn) == []


def test_nothing_depends_only_on_colour(blank: Page, drawn: Moments) -> None:
    assert find_confused(blank, drawn.pictures) == []
    assert all(
        len(one.encode()) <= MAX_KB * 1000 for pictures in drawn.pictures for one in pictures
    )


def test_what_is_not_clear_is_found(blank: Page) -> None:
    """Grey letters on paper, and a seat in the colour of the paper."""
    picture = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99">'
        '<rect width="99" height="99" fill="#ffffff"/><rect width="30" height="30" fill="#F0F0F0"/>'
        '<text x="40" y="40" font-size="20" fill="#999999">Faint</text></svg>'
    )
    assert len(faint_things(blank, Moments([[picture]], [["#F0F0F0"]]))) == 2
