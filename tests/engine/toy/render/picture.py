"""The table as a picture."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing import svg as shapes
from domain.engine.drawing.layout import Panel, Picture
from domain.engine.drawing.panel import INK, PAPER
from domain.engine.sentences import Words
from tests.engine.toy.render.sentences import lines
from tests.engine.toy.touch import CARD, SEAT
from tests.engine.toy.view import View

WIDTH = 480
LINE = 20
OWN, CARD_SIDE = 340, 30
"""The width of the viewer's panel, and the side of a card."""


def draw(view: View, words: Words) -> Picture:
    """The lines of the text, one below the other, and the hand of the viewer below them."""
    head, *rest = lines(view, words)
    written = [shapes.text(8, LINE, head, 16, fill=INK)]
    for row, line in enumerate(rest):
        said = shapes.text(8, LINE * (row + 2), line, 16, fill=INK)
        written.append(_seat(row, said) if row < len(view.points) else said)
    high = LINE * (len(written) + 1)
    table = Panel("map", "map", words("title"), WIDTH, high, tuple(written))
    return Picture(words("title"), head, (table, *_own(view, words)))


def _seat(row: int, said: shapes.Markup) -> shapes.Markup:
    """The line of a seat with a ground, since pointers pass through texts."""
    ground = shapes.rect(4, LINE * row + 25, WIDTH - 8, LINE, rx=4, fill=PAPER)
    return shapes.mark(SEAT.of(row), ground, said)


def _own(view: View, words: Words) -> Iterator[Panel]:
    """The hand of the viewer; none for a spectator."""
    if view.hand is not None:
        cards = (
            shapes.group(_card(card), at=(8 + (CARD_SIDE + 4) * place, 4))
            for place, card in enumerate(view.hand)
        )
        yield Panel("own", "own", words("panel_own"), OWN, CARD_SIDE + 8, tuple(cards))


def _card(card: int) -> shapes.Markup:
    face = shapes.rect(0, 0, CARD_SIDE, CARD_SIDE, rx=4, fill=PAPER, stroke=INK)
    middle = CARD_SIDE / 2
    number = shapes.text(middle, LINE, str(card), 16, fill=INK, text_anchor="middle")
    return shapes.mark(CARD.of(card), face, number)
