"""In every theme, letters and the pieces of all seats are clear on what they stand on, and seats
are told apart in grey.
"""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser

from domain.engine.drawing.layout import compose
from domain.engine.drawing.themes import THEMES, Theme, recolour
from service.drawing.pictures.fonts import FONT_FOLDER
from tests.games.every_panel import MAX_KB
from tests.games.modes import ALL
from tests.games.record import record
from tests.games.seen import AnyGame
from tests.page.test_grey import MOMENTS, PEOPLE, find_confused

CONTRAST_SCRIPT = Path(__file__).with_name("contrast.js").read_text()
LEAST = {"letter": 4.5, "seat": 3}
"""WCAG 2: success criteria 1.4.3 and 1.4.11."""
FACES = {"Roboto-Regular.ttf": 400, "Roboto-Bold.ttf": 700}
"""Inside the pictures: an image loads no other file."""
each_game = pytest.mark.parametrize("game", ALL, ids=lambda game: game.key)
each_theme = pytest.mark.parametrize("theme", THEMES)


class PictureSet(NamedTuple):
    """Pictures of moments of a game in the standard theme and in another one, with the colours of
    the seats.
    """

    standard: list[str]
    pictures: list[str]
    seats: list[list[str]]


def draw_in(game: AnyGame, theme: Theme) -> PictureSet:
    """What the seats that have to decide see in a match with the most seats."""
    count, themed = game.seats[-1], PictureSet([], [], [])
    words = game.words(names=PEOPLE[:count])
    for moment in record(game, count, 0).some(MOMENTS):
        view = game.view(moment.state, moment.move.seat)
        picture = game.draw(view, words)
        themed.standard.append(compose(picture))
        themed.pictures.append(recolour(themed.standard[-1], theme, picture.dark))
        themed.seats.append([game.seat_mark(view, seat).colour for seat in range(count)])
    return themed


def faint_things(browser: Browser, themed: PictureSet) -> list[str]:
    """Letters and pieces of seats that are less clear than they have to be."""
    faces = "".join(
        f"@font-face{{font-family:Roboto;font-weight:{weight};src:url(data:font/ttf;base64,{data})}}"
        for file, weight in FACES.items()
        for data in [b64encode((FONT_FOLDER / file).read_bytes()).decode()]
    )
    with browser.new_page() as page:
        found: list[Any] = page.evaluate(CONTRAST_SCRIPT, [*themed, faces])
    assert found
    return [
        f"{one['what']}: {one['value']:.2f}" for one in found if one["value"] < LEAST[one["kind"]]
    ]


@each_theme
@each_game
def test_letters_and_pieces_are_clear(browser: Browser, game: AnyGame, theme: Theme) -> None:
    assert faint_things(browser, draw_in(game, theme)) == []


@each_theme
@each_game
def test_nothing_depends_only_on_colour(browser: Browser, game: AnyGame, theme: Theme) -> None:
    pictures = draw_in(game, theme).pictures
    assert find_confused(browser, pictures) == []
    assert all(len(picture.encode()) <= MAX_KB * 1000 for picture in pictures)


def test_what_is_not_clear_is_found(browser: Browser) -> None:
    """Grey letters on paper, and a seat in the colour of the paper."""
    picture = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99">'
        '<rect width="99" height="99" fill="#ffffff"/><rect width="30" height="30" fill="#F0F0F0"/>'
        '<text x="40" y="40" font-size="20" fill="#999999">Faint</text></svg>'
    )
    assert len(faint_things(browser, PictureSet([picture], [picture], [["#F0F0F0"]]))) == 2
