"""The table as a picture."""

from __future__ import annotations

from domain.engine.drawing import svg as shapes
from domain.engine.drawing.panel import INK
from domain.engine.sentences import Words
from tests.engine.toy.render.sentences import lines
from tests.engine.toy.touch import CARD, SEAT
from tests.engine.toy.view import View

WIDTH = 480
LINE = 20


def svg(view: View, words: Words) -> str:
    """The lines of the text, one below the other, and the cards of the hand."""
    head, *rest = lines(view, words)
    written = [shapes.text(8, LINE, head, 16, fill=INK)]
    for row, line in enumerate(rest):
        said = shapes.text(8, LINE * (row + 2), line, 16, fill=INK)
        written.append(shapes.mark(SEAT.of(row), said) if row < len(view.points) else said)
    bottom = LINE * (len(written) + 1)
    cards = (_card(card, 8 + LINE * place, bottom) for place, card in enumerate(view.hand or ()))
    return shapes.document(WIDTH, bottom + LINE, words("title"), head, *written, *cards)


def _card(card: int, x: int, y: int) -> shapes.Markup:
    return shapes.mark(CARD.of(card), shapes.text(x, y, str(card), 16, fill=INK))
