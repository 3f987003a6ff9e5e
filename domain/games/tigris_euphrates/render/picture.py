"""The table as a picture: the board, the players, what lies beside it, and the legend."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing import svg as shapes
from domain.engine.drawing.layout import Picture, plain_panel
from domain.engine.drawing.panel import FAINT
from domain.engine.drawing.relief import cast_shadow
from domain.engine.drawing.svg import Markup, group, name_sign, outline, path, rect
from domain.engine.drawing.themes import Palettes
from domain.engine.sentences import Words
from domain.games.tigris_euphrates.board import COLOR_NUMBER, MONUMENT_COLORS, Cell, board_of
from domain.games.tigris_euphrates.render import legend, panel, pieces
from domain.games.tigris_euphrates.render.pieces import SIDE
from domain.games.tigris_euphrates.render.sentences import fighting, summary
from domain.games.tigris_euphrates.touch import CELL, leader
from domain.games.tigris_euphrates.view import View

MARGIN, EDGE = 30, 9
"""Left of the board and above it, with coordinates; right of it and below."""
GRID, RIPPLE = "#c9b57d", "#6fadc2"
"""The lines between cells, on land and on rivers."""
PALETTES = Palettes(sharp={"#c9b57d": "#4a3c12", "#6fadc2": "#123f50"})
"""High contrast shows these lines."""
CLAY, RIM = "#f4ead1", "#a9854a"
"""What the land lies on, and the line along its edge."""


def draw(view: View, words: Words) -> Picture:
    """The table as the seat of this view sees it."""
    rows, columns = len(view.rows), len(view.rows[0])
    size = (columns * SIDE + MARGIN + EDGE, rows * SIDE + MARGIN + EDGE)
    board = group(*_board(view, words), at=(MARGIN, MARGIN))
    panels = (
        plain_panel(words, "map", size, [*_tablet(*size), board]),
        *panel.panels(view, words),
        legend.panel(view, words),
    )
    patterns = (shapes.definitions(*pieces.patterns()),)
    return Picture(words("title"), summary(view, words), panels, patterns, PALETTES)


def _tablet(width: float, height: float) -> Iterator[Markup]:
    """The surface around the land."""
    yield rect(0, 0, width, height, rx=8, fill=CLAY)
    yield rect(3, 3, width - 6, height - 6, rx=6, fill="none", stroke=RIM)


def _board(view: View, words: Words) -> Iterator[Markup]:
    """The board from the ground up."""
    yield from _coordinates(view)
    yield from _ground(view)
    for number, kingdom in enumerate(view.kingdoms):
        border = outline(list(map(place, kingdom)), SIDE, 0, 9)
        yield path(border, fill_opacity=0.66, **legend.kingdom(number))
    for name, color in view.tiles.items():
        yield group(pieces.tile(COLOR_NUMBER[color]), at=middle(name))
    for name in view.face_down:
        yield group(pieces.face_down(), at=middle(name))
    for name in view.catastrophes:
        yield group(pieces.catastrophe(), at=middle(name))
    yield from _monuments(view)
    yield from _last(view)
    yield from _conflict(view)
    for piece in view.leaders:
        number, dynasty = COLOR_NUMBER[piece.color], view.dynasties[piece.seat]
        sign = words(f"sign_leader_{piece.color}")
        yield group(pieces.leader(number, dynasty, sign), at=middle(piece.at))
    if view.unification:
        yield group(pieces.unification(), at=middle(view.unification))
    yield from _treasures(view)
    for number, kingdom in enumerate(view.kingdoms):
        row, col = min(map(place, kingdom))
        yield group(name_sign(legend.badge(number)), at=(col * SIDE + 5, row * SIDE + 5))
    yield _cells(view)


def _cells(view: View) -> Markup:
    """All cells with their touch names, and above them the viewer's leaders."""
    names: dict[str, shapes.Cell] = {
        CELL.of(name): place(name) for name in board_of(view.rows).names
    }
    own = (piece for piece in view.leaders if piece.seat == view.seat)
    names.update((leader(piece.color), place(piece.at)) for piece in own)
    return shapes.touch_squares(names, SIDE)


def _coordinates(view: View) -> Iterator[Markup]:
    """Letters along the top and numbers on the left."""
    for col in range(len(view.rows[0])):
        letter = chr(ord("A") + col)
        yield shapes.text((col + 0.5) * SIDE, -12, letter, 15, fill=FAINT, text_anchor="middle")
    for row in range(len(view.rows)):
        words = str(row + 1)
        yield shapes.text(-19, (row + 0.5) * SIDE + 5, words, 15, fill=FAINT, text_anchor="middle")


def _ground(view: View) -> Iterator[Markup]:
    """Land, rivers, frames for the corner temples, and the lines between the cells."""
    signs = {
        (row, col): sign for row, line in enumerate(view.rows) for col, sign in enumerate(line)
    }
    land = list(signs)
    river = [at for at, sign in signs.items() if sign == "~"]
    coast = outline(land, SIDE, -4, 8)
    yield cast_shadow(coast, (2.5, 5))
    yield path(coast, fill="#b58f4f", stroke="#6b5228", stroke_width=1.5)
    yield path(outline(land, SIDE), fill="url(#sand)")
    yield path("".join(outline([at], SIDE) for at in land), fill="none", stroke=GRID)
    banks = outline(river, SIDE, 1, 14)
    yield path(banks, fill="url(#river)", stroke="#a3b56a", stroke_width=7)
    yield path(banks, fill="none", stroke="#4a86a0", stroke_width=1.5)
    yield path("".join(outline([at], SIDE) for at in river), fill="none", stroke=RIPPLE)
    for at in (at for at, sign in signs.items() if sign == "C"):
        yield path(outline([at], SIDE, -1), **legend.CORNER)


def _monuments(view: View) -> Iterator[Markup]:
    for number, built in enumerate(view.monuments):
        if built.at is not None:
            row, col = place(built.at)
            at = ((col + 1) * SIDE, (row + 1) * SIDE + 4)
            yield group(pieces.monument(MONUMENT_COLORS[number], 1.15), at=at)


def _last(view: View) -> Iterator[Markup]:
    """A frame around the last action; a moved leader has two."""
    if view.last is not None and view.last.cells:
        cells = view.last.cells if view.last.deed == "monument" else view.last.cells[-1:]
        yield pieces.last_frame(outline(list(map(place, cells)), SIDE, 0, 6))


def _conflict(view: View) -> Iterator[Markup]:
    """A ring around each of two leaders in conflict."""
    if conflict := fighting(view):
        for name in (conflict.attacker_at, conflict.defender_at):
            yield group(pieces.at_odds(), at=middle(name))


def _treasures(view: View) -> Iterator[Markup]:
    """Treasures in the upper right of their temples."""
    board = board_of(view.rows)
    for name in view.treasures:
        x, y = middle(name)
        corner = board.number[name] in board.corners
        yield group(pieces.treasure(corner), at=(x + 14, y - 13))


def place(name: Cell) -> shapes.Cell:
    """Row and column of a cell."""
    return int(name[1:]) - 1, ord(name[0]) - ord("A")


def middle(name: Cell) -> tuple[float, float]:
    """The centre of a cell in pixels."""
    row, col = place(name)
    return (col + 0.5) * SIDE, (row + 0.5) * SIDE
