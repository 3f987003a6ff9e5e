"""The table as a picture: each board with Mongols in the north, its part of the wall, and China in
the south; the boards one below the other; the players, and what lies beside the boards.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from domain.engine.drawing.layout import Picture, plain_panel
from domain.engine.drawing.svg import Markup, group, path, rect, text, touch_areas
from domain.engine.sentences import Words, seat_number
from domain.games.chang_cheng.render import landscape, legend, panel, pieces, regions
from domain.games.chang_cheng.render.landscape import ACROSS, NORTH, NUMBERS, SOUTH, WALL, WIDTH
from domain.games.chang_cheng.render.sentences import summary
from domain.games.chang_cheng.touch import CELL, SIDE
from domain.games.chang_cheng.view import CellView, View

EDGE = 27
"""Beside both ends of a board: for its name, the lines to the next board, and more boards."""
BETWEEN = 7
STEP = landscape.HIGH + BETWEEN
"""From one board to the next."""


def draw(view: View, words: Words) -> Picture:
    """The table as this seat sees it."""
    boards = [
        group(*_board(view, name, words), at=(0, number * STEP))
        for number, name in enumerate(view.boards)
    ]
    size = (ACROSS + 2 * EDGE, max(1, len(boards)) * STEP - BETWEEN)  # also before the first board
    table = rect(0, 0, *size, rx=8, fill=pieces.TABLE)
    drawn = [table, *_seams(len(boards)), *boards, *_ends(view)]
    panels = (
        plain_panel(words, "map", size, drawn),
        *panel.panels(view, words),
        legend.panel(view, words),
    )
    return Picture(words("title"), summary(view, words), panels, (landscape.patterns(),))


def _board(view: View, name: str, words: Words) -> Iterator[Markup]:
    """The name of a board, both sides of its wall, and the wall."""
    yield group(landscape.ground(name), at=(EDGE, 0))
    yield pieces.plaque(words(f"board_{name}"), EDGE - 4)
    yield group(*regions.north(view, name, words, WIDTH, NORTH), at=(EDGE, 0))
    yield group(*regions.south(view, name, words, WIDTH, SOUTH), at=(EDGE, NORTH + WALL))
    cells = [cell for cell in view.wall if cell.name.startswith(f"{name}:")]
    yield group(*_wall(view, cells, words), at=(EDGE, NORTH))


def _seams(boards: int) -> Iterator[Markup]:
    """A line from the right end of each board to the left end of the next one, with an arrow."""
    for number in range(boards - 1):
        top = number * STEP
        here, below = top + NORTH + WALL / 2, top + STEP + NORTH + WALL / 2
        out = f"M{EDGE + ACROSS:g} {here:g}h12V{top + STEP - BETWEEN / 2:g}"
        seam = f"{out}H3V{below:g}H{EDGE - 3}m-6 -5l6 5l-6 5"
        yield path(
            seam, fill="none", stroke=pieces.LACQUER, stroke_width=2, stroke_linejoin="round"
        )


def _ends(view: View) -> Iterator[Markup]:
    """The ends of the wall to which boards may still be added."""
    if not view.extensions:
        return
    last = (len(view.boards) - 1) * STEP
    for side, x, y in (("left", 0, NORTH), ("right", EDGE + ACROSS, last + NORTH)):
        yield group(pieces.open_end(EDGE, WALL), at=(x, y))
        yield touch_areas(rect(x, y, EDGE, WALL, data_at=SIDE.of(side)))


def _wall(view: View, cells: list[CellView], words: Words) -> Iterator[Markup]:
    """The numbers of the cells, the pieces below them, and a ring around the last ones."""
    for n, cell in enumerate(cells):
        number, middle = cell.name.split(":")[1], (n + 0.5) * WIDTH
        yield text(middle, 13, number, 13, fill="#33291a", text_anchor="middle")
    for n, cell in enumerate(cells):
        parts = _piece(view, cell, n, words, seam=n + 1 == len(cells))
        yield from (group(part, at=(n * WIDTH, NUMBERS)) for part in parts)
    for first, length in _last_cells(view, cells):
        yield pieces.last_ring(
            first * WIDTH + 2, NUMBERS + 2, length * WIDTH - 4, WALL - NUMBERS - 4
        )
    yield touch_areas(
        *(
            rect(n * WIDTH, 0, WIDTH, WALL, data_at=CELL.of(cell.name))
            for n, cell in enumerate(cells)
        )
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
                yield pieces.reservation(who, signs, WIDTH)
        case "double":
            divided = (seam and cell.joined) or (n == 0 and not cell.joined)
            if cell.joined or divided:
                width = WIDTH if divided else 2 * WIDTH
                yield pieces.wall(colour, sign, width)
        case "tower":
            yield pieces.tower(colour, sign, WIDTH)
        case "ruin":
            yield pieces.ruin(colour, sign, WIDTH)
        case _:
            yield pieces.wall(colour, sign, WIDTH)
