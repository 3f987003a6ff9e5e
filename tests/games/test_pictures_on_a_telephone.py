"""At 550 pixels, as chats show them, pictures of all games can be read: no word is over another."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from domain.engine.drawing.layout import MARGIN, compose
from tests.games.drawn import draw_in_turn
from tests.games.every_panel import WIDTHS
from tests.games.modes import tables
from tests.games.picture_texts import length, overlaps, words_of
from tests.games.seen import AnyGame
from tests.support.for_each import for_each

WIDE = 550
MIN_FONT_PIXELS = 5.0
"""Pixels; a capital is 0.7 of that."""
TABLES = [
    pytest.param(
        table.game,
        table.seats,
        id=table.id,
        marks=[pytest.mark.xdist_group(table.id), *([pytest.mark.long] if table.between else ())],
    )
    for table in tables(all_seats=True)
]


def faults(picture: ElementTree.Element) -> Iterator[str]:
    """What readers cannot read in a picture of this width, and why."""
    width, height = float(picture.attrib["width"]), float(picture.attrib["height"])
    found = list(words_of(picture))
    for words in found:
        if words.size * WIDE / width < MIN_FONT_PIXELS:
            yield f"{words.words!r} is too small: {words.size * WIDE / width:.1f}"
        if min(words.left, words.top) < 0 or words.right > width or words.bottom > height:
            yield f"{words.words!r} is not all in the picture"
    for one, other in overlaps(found):
        yield f"{other.words!r} is over {one.words!r}"


@pytest.mark.parametrize("turn", [0, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_all_words_of_a_picture_can_be_read(game: AnyGame, seats: int, turn: int) -> None:
    """Of moments of a game, and of its end."""
    for language, drawing in draw_in_turn(game, seats, WIDTHS, turn):
        assert [*faults(drawing.root)] == [], language


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_tall_picture_is_as_wide_as_its_widest_panel(game: AnyGame, seats: int) -> None:
    """So that the map fills the width of a telephone."""
    for _, drawing in draw_in_turn(game, seats, WIDTHS):
        picture = game.draw(drawing.view, drawing.words)
        tall = ElementTree.fromstring(compose(picture, "tall"))
        widest = max(panel.width for panel in picture.panels)
        assert float(tall.attrib["width"]) == round(widest + 2 * MARGIN)


def make_picture(*texts: str) -> ElementTree.Element:
    """A picture with these elements, as wide as chats show it."""
    return ElementTree.fromstring(f'<svg width="{WIDE}" height="100">{"".join(texts)}</svg>')


@for_each(
    ("text", "fault"),
    [
        ('<text x="1" y="50" font-size="4">Red</text>', "'Red' is too small: 4.0"),
        ('<text x="535" y="50" font-size="9">Red</text>', "'Red' is not all in the picture"),
        ('<text x="9" y="6" font-size="9">Red</text>', "'Red' is not all in the picture"),
        ('<text x="30" y="85" font-size="9">Red</text>', "'Red' is over 'Seat 0'"),
        (
            '<g transform="translate(60 60) scale(0.5)"><g text-anchor="end">'
            '<text x="20" y="44" font-size="18">Red</text></g></g>',
            "'Red' is over 'Seat 0'",
        ),
    ],
)
def test_what_cannot_be_read_is_found(text: str, fault: str) -> None:
    seat = '<text x="20" y="80" font-size="16" font-weight="700">Seat 0</text>'
    assert list(faults(make_picture(seat))) == []
    assert list(faults(make_picture(seat, text))) == [fault]


def test_words_are_as_long_as_their_letters() -> None:
    """2.3 times the size for five letters, of which `l` is slender and `W` is wide."""
    assert length("Hello") == pytest.approx(2.3, abs=0.02)
    assert length("ll") < length("Wl") < length("WW", bold=True)
