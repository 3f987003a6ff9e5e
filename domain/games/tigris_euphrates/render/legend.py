"""The legend under the board."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing.layout import Panel, plain_panel
from domain.engine.drawing.panel import FAINT
from domain.engine.drawing.svg import Attribute, Markup, circle, group, outline, path, rect, text
from domain.engine.sentences import Sentence, Words
from domain.games.tigris_euphrates.board import COLORS
from domain.games.tigris_euphrates.render import pieces
from domain.games.tigris_euphrates.render.sentences import fighting
from domain.games.tigris_euphrates.view import View

WIDTH, LINE = 402, 32
"""The width of the legend, and the height of an entry."""
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
        circle(0, 0, 9.5, fill=border, stroke="#ffffff", stroke_width=1.2),
        text(0, 5, str(number + 1), 14, fill="#ffffff", font_weight=700, text_anchor="middle"),
    )


def panel(view: View, words: Words) -> Panel:
    """Tiles with their leaders, then the signs, one below the other."""
    entries = (*_tiles(words), *_label(_always(), words), *_label(_others(view), words))
    rows = [
        group(
            group(sign, at=(SWATCH / 2, SWATCH / 2)),
            text(2 * SWATCH + 6, SWATCH / 2 + 6, said, 16, fill=FAINT),
            at=(0, number * LINE),
        )
        for number, (said, sign) in enumerate(entries)
    ]
    return plain_panel(words, "legend", (WIDTH, len(rows) * LINE), rows, folds=True)


def _label(signs: Iterator[tuple[str, Markup]], words: Words) -> Iterator[tuple[str, Markup]]:
    """Signs with their texts."""
    for key, sign in signs:
        yield words(f"legend_{key}"), sign


def _tiles(words: Words) -> Iterator[tuple[str, Markup]]:
    for number, color in enumerate(COLORS):
        tile, leader = Sentence(f"tile_{color}"), Sentence(f"leader_{color}")
        letter = group(
            circle(0, 0, 9, fill=pieces.TINTS[number]),
            pieces.letter(words(f"sign_leader_{color}"), pieces.MARKS[number]),
            at=(24, 0),
        )
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
        yield "at_odds", path("M-10 0H10", stroke="#d6208c", stroke_width=5)
