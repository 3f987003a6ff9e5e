"""The table as a picture: Mongols in the north, the wall, China in the south, players below."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.panel import FAINT, INK, PAPER
from domain.engine.svg import Markup, document, group, path, rect, text
from domain.games.chang_cheng.render import panel, pieces, regions
from domain.games.chang_cheng.render.words import last_turn, scoring_now, status, summary
from domain.games.chang_cheng.view import CellView, View

MARGIN = 30
WIDTH = 1300
ACROSS = WIDTH - 2 * MARGIN
TOP = 118
NORTH_HIGH, SOUTH_HIGH = 104, 168
WALL_TOP = TOP + NORTH_HIGH
HEIGHT = WALL_TOP + pieces.HIGH + SOUTH_HIGH + 14


def svg(view: View) -> str:
    """The whole table as this seat sees it."""
    height = HEIGHT + panel.HEIGHT
    return document(
        WIDTH,
        height,
        "Chang Cheng",
        summary(view),
        rect(0, 0, WIDTH, height, fill=PAPER),
        *_head(view),
        *_middle(view),
        group(*panel.parts(view, ACROSS), at=(MARGIN, HEIGHT)),
    )


def side(view: View) -> float:
    """The width of a cell: all boards fit into one row."""
    return ACROSS / max(26, len(view.cells))


def _head(view: View) -> Iterator[Markup]:
    yield text(MARGIN, 50, "Chang Cheng", 30, fill=INK, font_weight=700)
    yield text(MARGIN + 190, 50, f"boards {', '.join(view.boards)}", 16, fill=FAINT)
    yield text(MARGIN, 80, status(view), 18, fill=INK, font_weight=700)
    yield text(MARGIN, 103, scoring_now(view) or last_turn(view), 14, fill=FAINT)


def _middle(view: View) -> Iterator[Markup]:
    """Both sides of the wall, and the wall."""
    if not view.cells:
        return
    width = side(view)
    yield group(*regions.north(view, width, NORTH_HIGH), at=(MARGIN, TOP))
    yield group(*regions.south(view, width, SOUTH_HIGH), at=(MARGIN, WALL_TOP + pieces.HIGH))
    yield group(*_wall(view, width), at=(MARGIN, WALL_TOP))


def _wall(view: View, width: float) -> Iterator[Markup]:
    """The road that the wall stands on, its pieces, and what was touched last."""
    across = width * len(view.cells)
    yield rect(0, 0, across, pieces.HIGH, fill=pieces.ROAD)
    lines = "".join(f"M{n * width:.2f} 0V{pieces.HIGH}" for n in range(1, len(view.cells)))
    yield path(lines, stroke="#8d7a54", stroke_width=1)
    for n in range(13, len(view.cells), 13):
        yield path(f"M{n * width:.2f} -6V{pieces.HIGH + 6}", stroke=INK, stroke_width=3)
    yield rect(0, 0, across, pieces.HIGH, fill="none", stroke=INK, stroke_width=2)
    for n, cell in enumerate(view.cells):
        number = cell.name.split(":")[1]
        yield text(n * width + 3, 10, number, 9, fill="#4a3f29")
    for n, cell in enumerate(view.cells):
        yield from _piece(view, cell, n, width)
    touched = view.last.cells if view.last else ()
    for n, cell in enumerate(view.cells):
        if cell.name in touched:
            yield pieces.last_mark((n + 0.5) * width, -2)


def _piece(view: View, cell: CellView, n: int, width: float) -> Iterator[Markup]:
    """What stands on a cell; the left half draws a double."""
    colour = pieces.NEUTRAL_COLOUR if cell.seat is None else pieces.PLAYERS[view.colours[cell.seat]]
    sign = "n" if cell.seat is None else str(cell.seat)
    match cell.kind:
        case None:
            if cell.kept_for:
                who = pieces.PLAYERS[view.colours[cell.kept_for[0]]]
                signs = "+".join(map(str, cell.kept_for))
                yield group(pieces.kept(who, signs, width), at=(n * width, 0))
        case "double":
            if cell.joined:
                yield group(pieces.wall(colour, sign, 2 * width), at=(n * width, 0))
        case "tower":
            yield group(pieces.tower(colour, sign, width), at=(n * width, 0))
        case "ruin":
            yield group(pieces.ruin(colour, sign, width), at=(n * width, 0))
        case _:
            yield group(pieces.wall(colour, sign, width), at=(n * width, 0))
