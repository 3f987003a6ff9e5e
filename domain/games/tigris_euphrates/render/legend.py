"""The line under the board that says what the signs mean."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.panel import FAINT
from domain.engine.svg import Attribute, Markup, circle, group, outline, path, rect, text
from domain.games.tigris_euphrates.board import LEADER_NAMES, TILE_NAMES
from domain.games.tigris_euphrates.render import pieces
from domain.games.tigris_euphrates.render.words import fighting
from domain.games.tigris_euphrates.view import View

HEIGHT = 62
SWATCH = 24
KINGDOM: dict[str, Attribute] = {"fill": "#f7d98a", "stroke": "#8a5a00", "stroke_width": 3}


def parts(view: View) -> Iterator[Markup]:
    """Two lines: tiles with their leaders, then all else."""
    yield from _row(_tiles(), 0, SWATCH)
    yield from _row(_others(view), 30)


def _row(entries: Iterator[tuple[str, Markup]], y: float, room: float = 0) -> Iterator[Markup]:
    """Each entry as its sign, so much more room, and its words."""
    x = 0.0
    for words, sign in entries:
        yield group(sign, at=(x + SWATCH / 2, y))
        yield text(x + SWATCH + room + 8, y + 5, words, 13.5, fill=FAINT)
        x += SWATCH + room + 20 + 6.6 * len(words)


def _tiles() -> Iterator[tuple[str, Markup]]:
    for color, (name, head) in enumerate(zip(TILE_NAMES, LEADER_NAMES, strict=True)):
        badge = group(
            circle(0, 0, 9, fill=pieces.TINTS[color]),
            text(0, 4.5, head[0].upper(), 12, fill=pieces.MARKS[color], text_anchor="middle"),
            at=(24, 0),
        )
        yield f"{name} and {head}", group(pieces.tile(color, SWATCH), badge, at=(0, 0))


def _others(view: View) -> Iterator[tuple[str, Markup]]:
    yield "kingdom", rect(-12, -10, 24, 20, rx=4, **KINGDOM)
    yield "river", rect(-12, -10, 24, 20, fill="url(#river)")
    yield "treasure", pieces.treasure()
    yield "taken first", pieces.treasure(corner=True)
    if view.face_down:
        yield "face down", pieces.face_down(SWATCH)
    if view.catastrophes:
        yield "catastrophe", pieces.catastrophe(SWATCH)
    if view.last is not None and view.last.cells:
        frame = pieces.last_frame(outline([(0, 0)], SWATCH, 2, 4))
        yield "last action", group(frame, at=(-SWATCH / 2, -SWATCH / 2))
    if fighting(view):
        yield "at odds", path("M-10 0H10", stroke="#d6208c", stroke_width=5)
