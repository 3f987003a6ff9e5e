"""The legend under the board."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing.layout import Panel, plain_panel
from domain.engine.drawing.panel import FAINT, PAPER
from domain.engine.drawing.svg import Attribute, Markup, circle, group, outline, rect, text
from domain.engine.drawing.terminal_width import wrap
from domain.engine.sentences import Sentence, Words
from domain.games.tigris_euphrates.board import COLORS
from domain.games.tigris_euphrates.render import pieces
from domain.games.tigris_euphrates.render.sentences import fighting
from domain.games.tigris_euphrates.view import View

COLUMNS, COLUMN, LINE = 2, 170, 34
"""The number of columns, the width of each, and the height of an entry."""
LETTERS = 21
"""The width of a line of an entry, in letters."""
SWATCH = 26
KINGDOMS = (
    ("#f7d98a", "#8a5a00"),
    ("#f3c1ae", "#9c3d1e"),
    ("#cfe0b4", "#4c6b1f"),
    ("#c9d6ee", "#2f4f86"),
    ("#e2cbe8", "#74398a"),
    ("#dcd3c4", "#5c5142"),
)
"""The ground and border of each kingdom; they repeat after the last."""
CORNER: dict[str, Attribute] = {"fill": "none", "stroke": "#7d6a3d", "stroke_width": 3}


def kingdom(number: int) -> dict[str, Attribute]:
    """The style of a kingdom, numbered from 0."""
    ground, border = KINGDOMS[number % len(KINGDOMS)]
    return {"fill": ground, "stroke": border, "stroke_width": 3}


def badge(number: int) -> Markup:
    """The badge of a kingdom, numbered from 0, with its number counted from 1."""
    _, border = KINGDOMS[number % len(KINGDOMS)]
    return group(
        circle(0, 0, 10, fill=border, stroke="#ffffff", stroke_width=1.2),
        text(0, 5.2, str(number + 1), 15, fill="#ffffff", font_weight=700, text_anchor="middle"),
    )


def panel(view: View, words: Words) -> Panel:
    """Tiles with their leaders, then the signs, in two columns."""
    labels = (*_label(_always(), words), *_label(_others(view), words))
    entries = [
        *(_entry(sign, said, 52) for said, sign in _tiles(words)),
        *(_entry(sign, said, 34) for said, sign in labels),
    ]
    signs = [
        group(*entry, at=(place % COLUMNS * COLUMN, place // COLUMNS * LINE))
        for place, entry in enumerate(entries)
    ]
    size = (COLUMNS * COLUMN, -(-len(entries) // COLUMNS) * LINE)
    return plain_panel(words, "legend", size, signs, folds=True)


def _entry(sign: Markup, said: str, left: float) -> Iterator[Markup]:
    """A sign, and at this distance from the left edge what it means in one line or two."""
    yield group(sign, at=(SWATCH / 2, LINE / 2))
    lines = wrap(said, LETTERS)
    for number, line in enumerate(lines):
        middle = LINE / 2 + (number - (len(lines) - 1) / 2) * 15
        yield text(left, middle + 5, line, 13, fill=FAINT)


def _label(signs: Iterator[tuple[str, Markup]], words: Words) -> Iterator[tuple[str, Markup]]:
    """Signs with their texts."""
    for key, sign in signs:
        yield words(f"legend_{key}"), sign


def _tiles(words: Words) -> Iterator[tuple[str, Markup]]:
    for number, color in enumerate(COLORS):
        tile, leader = Sentence(f"tile_{color}"), Sentence(f"leader_{color}")
        letter = group(pieces.initial(number, words(f"sign_leader_{color}")), at=(24, 0))
        said = words("legend_tile", tile=tile, leader=leader)
        yield said, group(pieces.tile(number, SWATCH), letter, at=(0, 0))


def _always() -> Iterator[tuple[str, Markup]]:
    yield "kingdom", group(rect(-12, -10, 24, 20, rx=4, **kingdom(0)), badge(0))
    yield "river", rect(-12, -10, 24, 20, fill="url(#river)")
    yield "treasure", pieces.treasure()
    yield "corner", group(rect(-12, -12, 24, 24, **CORNER), pieces.treasure(corner=True))


def _others(view: View) -> Iterator[tuple[str, Markup]]:
    if view.face_down:
        yield "face_down", pieces.face_down(SWATCH)
    if view.catastrophes:
        yield "catastrophe", pieces.catastrophe(SWATCH)
    if view.last is not None and view.last.cells:
        frame = pieces.last_frame(outline([(0, 0)], SWATCH, 2, 4))
        yield "last", group(frame, at=(-SWATCH / 2, -SWATCH / 2))
    if fighting(view):
        yield "at_odds", group(pieces.at_odds(0.5), circle(0, 0, 9, fill=PAPER))
