"""The legend under the board."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing.layout import Panel, plain_panel
from domain.engine.drawing.panel import FAINT, INK
from domain.engine.drawing.svg import Markup, group, outline, rect, text
from domain.engine.sentences import Words
from domain.games.qin.render.pieces import SIDE, double_pagoda, last_frame, pagoda, village
from domain.games.qin.view import View

COLUMNS, COLUMN, LINE = 2, 170, 30
"""The number of columns, the width of each, and the height of an entry."""
SWATCH = 22
SCALE = SWATCH / SIDE


def panel(view: View, words: Words) -> Panel:
    """The entries that this board needs, in two columns."""
    entries = [
        group(
            group(sign, at=(0, 0)),
            text(SWATCH + 9, 17, words(key), 15, fill=FAINT),
            at=(number % COLUMNS * COLUMN, number // COLUMNS * LINE),
        )
        for number, (key, sign) in enumerate(_entries(view))
    ]
    size = (COLUMNS * COLUMN, -(-len(entries) // COLUMNS) * LINE)
    return plain_panel(words, "legend", size, entries, folds=True)


def _entries(view: View) -> Iterator[tuple[str, Markup]]:
    """Each entry: the key of its text, and its sign."""
    yield "color_R", _surface("R")
    yield "color_Y", _surface("Y")
    yield "color_B", _surface("B")
    if any("~" in line for line in view.cells):
        yield "sign_water", _surface("water")
    yield "sign_village", group(village(), scale=SCALE)
    yield "sign_province", _piece(pagoda("white", ""))
    yield "sign_major", group(_piece(double_pagoda("white", "")), at=(-3, 0))
    if any("x" in line for line in view.owners):
        yield "sign_ruined", _surface("ruin")
    if view.last is not None:
        yield "sign_last", last_frame(outline([(0, 0)], SWATCH, 2, 4))


def _surface(name: str) -> Markup:
    return group(
        rect(0, 0, SIDE, SIDE, rx=5, fill=f"url(#{name})", stroke=INK, stroke_width=2), scale=SCALE
    )


def _piece(piece: Markup) -> Markup:
    return group(piece, at=(SWATCH / 2, SWATCH / 2), scale=0.62)
