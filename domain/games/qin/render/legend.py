"""The legend under the board."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing.panel import FAINT, INK
from domain.engine.drawing.svg import Markup, group, outline, rect, text
from domain.engine.drawing.terminal_width import column_width
from domain.engine.sentences import Words
from domain.games.qin.render.pieces import SIDE, double_pagoda, last_frame, pagoda, village
from domain.games.qin.view import View

HEIGHT = 34
WIDTH = 1000
SWATCH = 22
SCALE = SWATCH / SIDE


def parts(view: View, words: Words) -> Iterator[Markup]:
    """The entries that this board needs, from left to right."""
    x = 0.0
    for key, sign in _entries(view):
        said = words(key)
        yield group(sign, at=(x, -8))
        yield text(x + SWATCH + 7, 9, said, 17, fill=FAINT)
        x += SWATCH + 26 + 8.5 * column_width(said)


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
    return rect(0, 0, SWATCH, SWATCH, rx=3, fill=f"url(#{name})", stroke=INK)


def _piece(piece: Markup) -> Markup:
    return group(piece, at=(SWATCH / 2, SWATCH / 2), scale=0.62)
