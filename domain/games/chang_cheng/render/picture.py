"""The table as a picture: each board with Mongols in the north, its part of the wall, and China in
the south; the boards one below the other; the players, and what lies beside the boards.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from domain.engine.drawing.layout import Picture, plain_panel
from domain.engine.drawing.panel import INK
from domain.engine.drawing.svg import Markup, group, path, rect, text, touch_areas
from domain.engine.sentences import Words, seat_number
from domain.games.chang_cheng.render import legend, panel, pieces, regions
from domain.games.chang_cheng.render.sentences import summary
from domain.games.chang_cheng.touch import CELL
from domain.games.chang_cheng.view import CellView, View

SIDE = 52.0
"""The width of a cell."""
ACROSS = 13 * SIDE
LEFT, RIGHT = 27, 1
"""For the name of a board, and for its edge."""
NORTH, WALL, SOUTH = 27, pieces.NUMBERS + pieces.HIGH, 60
"""The heights of Mongol regions, the wall, and Chinese regions: four boards must fit a screen."""
BETWEEN = 7
STEP = NORTH + WALL + SOUTH + BETWEEN
"""From one board to the next."""


def draw(view: View, words: Words) -> Picture:
    """The table as this seat sees it."""
    boards = [
        group(*_board(view, name, words), at=(0, number * STEP))
        for number, name in enumerate(view.boards)
    ]
    panels = (
        plain_panel(words, "map", (LEFT + ACROSS + RIGHT, len(boards) * STEP - BETWEEN), boards),
        *panel.panels(view, words),
        legend.panel(view, words),
    )
    return Picture(words("title"), summary(view, words), panels)


def _board(view: View, name: str, words: Words) -> Iterator[Markup]:
    """The name of a board, both sides of its wall, and the wall."""
    yield text(4, NORTH + WALL / 2 + 5, name, 16, fill=INK, font_weight=700)
    yield group(*regions.north(view, name, words, SIDE, NORTH), at=(LEFT, 0))
    yield group(*regions.south(view, name, words, SIDE, SOUTH), at=(LEFT, NORTH + WALL))
    cells = [cell for cell in view.wall if cell.name.startswith(f"{name}:")]
    yield group(*_wall(view, cells, words), at=(LEFT, NORTH))


def _wall(view: View, cells: list[CellView], words: Words) -> Iterator[Markup]:
    """The numbers of the cells, the pieces below them, and a ring around the last ones."""
    yield rect(0, 0, ACROSS, WALL, fill=pieces.ROAD, stroke=INK, stroke_width=2)
    lines = "".join(f"M{n * SIDE:.2f} 0V{WALL}" for n in range(1, len(cells)))
    yield path(lines, stroke="#8d7a54", stroke_width=1)
    for n, cell in enumerate(cells):
        number, middle = cell.name.split(":")[1], (n + 0.5) * SIDE
        yield text(middle, 13, number, 13, fill="#3d3320", text_anchor="middle")
    for n, cell in enumerate(cells):
        parts = _piece(view, cell, n, words, seam=n + 1 == len(cells))
        yield from (group(part, at=(n * SIDE, pieces.NUMBERS)) for part in parts)
    for first, length in _last_cells(view, cells):
        yield pieces.last_ring(
            first * SIDE + 2, pieces.NUMBERS + 2, length * SIDE - 4, pieces.HIGH - 4
        )
    yield touch_areas(
        *(rect(n * SIDE, 0, SIDE, WALL, data_at=CELL.of(cell.name)) for n, cell in enumerate(cells))
    )


def _last_cells(view: View, cells: list[CellView]) -> Iterator[tuple[int, int]]:
    """Where each row of cells that the last turn touched begins, and its length."""
    touched = [cell.name in view.last.cells for cell in cells] if view.last else []
    first = 0
    for last, row in groupby(touched):
        length = len(list(row))
        if last:
            yield first, length
        first += length


def _piece(view: View, cell: CellView, n: int, words: Words, *, seam: bool) -> Iterator[Markup]:
    """What stands on a cell; the left half draws a double, unless a seam divides it."""
    colour = pieces.NEUTRAL_COLOUR if cell.seat is None else pieces.PLAYERS[view.colours[cell.seat]]
    sign = pieces.sign(words, cell.seat)
    match cell.kind:
        case None:
            if cell.kept_for:
                who = pieces.PLAYERS[view.colours[cell.kept_for[0]]]
                signs = "+".join(str(seat_number(seat)) for seat in cell.kept_for)
                yield pieces.reservation(who, signs, SIDE)
        case "double":
            divided = (seam and cell.joined) or (n == 0 and not cell.joined)
            if cell.joined or divided:
                width = SIDE if divided else 2 * SIDE
                yield pieces.wall(colour, sign, width)
        case "tower":
            yield pieces.tower(colour, sign, SIDE)
        case "ruin":
            yield pieces.ruin(colour, sign, SIDE)
        case _:
            yield pieces.wall(colour, sign, SIDE)
