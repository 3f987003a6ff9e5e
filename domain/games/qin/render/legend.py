"""The line under the board that says what the signs mean."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.panel import FAINT, INK
from domain.engine.svg import Markup, group, outline, rect, text
from domain.games.qin.render.pieces import SIDE, double_pagoda, last_frame, pagoda, village
from domain.games.qin.view import View

HEIGHT = 34
WIDTH = 1000
SWATCH = 22
SCALE = SWATCH / SIDE


def parts(view: View) -> Iterator[Markup]:
    """What there is on this board, from left to right."""
    x = 0.0
    for words, sign in _entries(view):
        yield group(sign, at=(x, -8))
        yield text(x + SWATCH + 7, 9, words, 17, fill=FAINT)
        x += SWATCH + 26 + 8.5 * len(words)


def _entries(view: View) -> Iterator[tuple[str, Markup]]:
    yield "red", _surface("R")
    yield "yellow", _surface("Y")
    yield "blue", _surface("B")
    if any("~" in line for line in view.cells):
        yield "water", _surface("water")
    yield "village", group(village(), scale=SCALE)
    yield "province", _piece(pagoda("white", ""))
    yield "major province", group(_piece(double_pagoda("white", "")), at=(-3, 0))
    if any("x" in line for line in view.owners):
        yield "ruined", _surface("ruin")
    if view.last is not None:
        yield "last tile", last_frame(outline([(0, 0)], SWATCH, 2, 4))


def _surface(name: str) -> Markup:
    return rect(0, 0, SWATCH, SWATCH, rx=3, fill=f"url(#{name})", stroke=INK)


def _piece(piece: Markup) -> Markup:
    return group(piece, at=(SWATCH / 2, SWATCH / 2), scale=0.62)
