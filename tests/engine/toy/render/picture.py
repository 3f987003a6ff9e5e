"""The table as a picture."""

from __future__ import annotations

from domain.engine import svg as shapes
from domain.engine.panel import INK
from tests.engine.toy.render.words import lines
from tests.engine.toy.view import View

WIDTH = 480
LINE = 20


def svg(view: View) -> str:
    """The lines of the text, one below the other."""
    written = lines(view)
    rows = [shapes.text(8, LINE * y, line, 16, fill=INK) for y, line in enumerate(written, 1)]
    return shapes.document(WIDTH, LINE * (len(written) + 1), "Toy", written[0], *rows)
