"""The table as a picture: each board with Mongols in the north, its part of the wall, and China in
the south; the boards one below the other; the players, and what lies beside the boards.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing.layout import Picture, plain_panel
from domain.engine.drawing.panel import INK
from domain.engine.drawing.svg import Markup, group, path, rect, text, touch_areas
from domain.engine.sentences import Words
from domain.games.chang_cheng.render import legend, panel, pieces, regions
from domain.games.chang_cheng.render.sentences import summary
from domain.games.chang_cheng.touch import CELL
from domain.games.chang_cheng.view import CellView, View

SIDE = 56.0
"""The width of a cell."""
ACROSS = 13 * SIDE
NORTH, SOUTH = 72, 124
BETWEEN = 22
STEP = NORTH + pieces.HIGH + SOUTH + BETWEEN
"""From one board to the next."""


def draw(view: View, words: Words) -> Picture:
    """The table as this seat sees it."""
    boards = [
        group(*_board(view, name, words), at=(0, number * STEP))
        for number, name in enumerate(view.boards)
    ]
    panels = (
        plain_panel(words, "map", (ACROSS, len(boards) * STEP - BETWEEN), boards),
        *panel.panels(view, words),
        legend.panel(view, words),
    )
    return Picture(words("title"), summary(view, words), panels)


def _board(view: View, name: str, words: Words) -> Iterator[Markup]:
    """Both sides of the wall, and the wall."""
    yield group(*regions.north(view, name, words, SIDE, NORTH))
    yield group(*regions.south(view, name, words, SIDE, SOUTH), at=(0, NORTH + pieces.HIGH))
    cells = [cell for cell in view.wall if cell.name.startswith(f"{name}:")]
    yield group(*_wall(view, cells), at=(0, NORTH))


def _wall(view: View, cells: list[CellView]) -> Iterator[Markup]:
    """The road below the wall, its pieces, and a mark on the last ones."""
    yield rect(0, 0, ACROSS, pieces.HIGH, fill=pieces.ROAD)
    lines = "".join(f"M{n * SIDE:.2f} 0V{pieces.HIGH}" for n in range(1, len(cells)))
    yield path(lines, stroke="#8d7a54", stroke_width=1)
    yield rect(0, 0, ACROSS, pieces.HIGH, fill="none", stroke=INK, stroke_width=2)
    yield group(
        *(
            piece
            for n, cell in enumerate(cells)
            for piece in _piece(view, cell, n, seam=n + 1 == len(cells))
        ),
        at=(0, 7),
    )
    for n, cell in enumerate(cells):
        yield text(n * SIDE + 4, 14, cell.name.split(":")[1], 14, fill="#4a3f29")
    touched = view.last.cells if view.last else ()
    for n, cell in enumerate(cells):
        if cell.name in touched:
            yield pieces.last_mark((n + 0.5) * SIDE, -2)
    yield touch_areas(
        *(
            rect(n * SIDE, 0, SIDE, pieces.HIGH, data_at=CELL.of(cell.name))
            for n, cell in enumerate(cells)
        )
    )


def _piece(view: View, cell: CellView, n: int, seam: bool) -> Iterator[Markup]:
    """What stands on a cell; the left half draws a double, unless a seam divides it."""
    colour = pieces.NEUTRAL_COLOUR if cell.seat is None else pieces.PLAYERS[view.colours[cell.seat]]
    sign = "n" if cell.seat is None else str(cell.seat)
    match cell.kind:
        case None:
            if cell.kept_for:
                who = pieces.PLAYERS[view.colours[cell.kept_for[0]]]
                signs = "+".join(map(str, cell.kept_for))
                yield group(pieces.reservation(who, signs, SIDE), at=(n * SIDE, 0))
        case "double":
            divided = (seam and cell.joined) or (n == 0 and not cell.joined)
            if cell.joined or divided:
                width = SIDE if divided else 2 * SIDE
                yield group(pieces.wall(colour, sign, width), at=(n * SIDE, 0))
        case "tower":
            yield group(pieces.tower(colour, sign, SIDE), at=(n * SIDE, 0))
        case "ruin":
            yield group(pieces.ruin(colour, sign, SIDE), at=(n * SIDE, 0))
        case _:
            yield group(pieces.wall(colour, sign, SIDE), at=(n * SIDE, 0))
