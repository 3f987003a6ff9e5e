"""A reader without our fonts sees no word cut, over another one or beyond its card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.etree import ElementTree

import pytest

from domain.engine.drawing.themes import THEMES, recolour
from domain.games import GAMES
from service.drawing.pictures.text_lengths import hold_lengths
from tests.games.drawn import draw_in_turn, draw_moments
from tests.games.every_panel import MAX_KB, WIDTHS
from tests.games.modes import tables
from tests.games.picture_boxes import Box, frames_of
from tests.games.picture_texts import Words, overlaps, words_of
from tests.games.seen import AnyGame
from tests.support.for_each import for_each

WIDER = 1.25
"""How much wider bold letters of DejaVu Sans are than ours, on average; those of Arial are 1.05."""
HAIR = 1.0
"""A pixel."""
TABLES = [
    pytest.param(
        table.game,
        table.seats,
        id=table.id,
        marks=[
            pytest.mark.xdist_group(table.id),
            *([] if (table.most if table.is_usual else table.fewest) else [pytest.mark.long]),
        ],
    )
    for table in tables()
]


def faults(picture: ElementTree.Element) -> Iterator[str]:
    """The words that stand well in our fonts, but not in a wider one, and why."""
    own, other = list(words_of(picture)), list(words_of(picture, wider=WIDER))
    frames = list(frames_of(picture))
    for one, wide in zip(own, other, strict=True):
        if (wide.right - wide.left) - (one.right - one.left) > HAIR:
            yield from (f"{one.words!r} leaves its card" for _ in cards_left(one, wide, frames))
    for one, two in overlaps(other):
        yield f"{two.words!r} is over {one.words!r}"


def cards_left(one: Words, wide: Words, frames: Iterable[Box]) -> Iterator[Box]:
    """The frames around words that these leave in the wider font."""
    for frame in frames:
        down = frame.top - HAIR <= one.top and one.bottom <= frame.bottom + HAIR
        if down and is_across(one, frame) and not is_across(wide, frame):
            yield frame


def is_across(words: Words, frame: Box) -> bool:
    """Whether words end within both sides of a frame."""
    return frame.left - HAIR <= words.left and words.right <= frame.right + HAIR


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_words_stay_in_their_place_in_a_wider_font(game: AnyGame, seats: int) -> None:
    for language, drawing in draw_in_turn(game, seats, WIDTHS):
        held = hold_lengths(drawing.svg)
        assert [*faults(ElementTree.fromstring(held))] == [], language
        assert len(held.encode()) <= MAX_KB * 1000


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_words_have_the_same_lengths_in_all_themes(game: AnyGame) -> None:
    """So what holds in one holds in all: themes change only colours."""
    standard = draw_moments(game, game.seats[0], WIDTHS[0])[0].svg
    held = hold_lengths(standard)
    assert all(hold_lengths(recolour(standard, theme)) == recolour(held, theme) for theme in THEMES)


def test_words_without_a_length_are_found() -> None:
    """Those of The Great Wall would be cut."""
    game = GAMES["great_wall"]
    found = [*faults(draw_moments(game, game.seats[0], WIDTHS[0])[0].root)]
    assert '"Builders\' Encampment" leaves its card' in found


@for_each(
    ("text", "length"),
    [
        ('<text font-size="10">Hello</text>', "23"),
        ('<g font-size="20"><text>Hello</text></g>', "46"),
        ('<g font-size="20"><g/><text font-size="10">Hello</text></g>', "23"),
        ('<g font-weight="bold"><text font-size="10">Hello</text></g>', "23"),
        ('<text font-size="10">1</text>', None),
        ('<text font-size="10">\u5929\u547d</text>', None),
        ('<text font-size="10">Hello \u5929</text>', "35"),
        ('<text font-size="10">\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35 Hello</text>', None),
    ],
)
def test_a_text_of_several_letters_has_its_length(text: str, length: str | None) -> None:
    [part] = (
        one for one in ElementTree.fromstring(f"<svg>{hold_lengths(text)}</svg>").iter("text")
    )
    assert part.get("textLength") == length
