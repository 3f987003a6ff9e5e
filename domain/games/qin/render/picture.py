"""The table as a picture: the board, the players, the pile, and the legend."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from domain.engine.drawing import svg as shapes
from domain.engine.drawing.layout import Picture, plain_panel
from domain.engine.drawing.panel import FAINT, INK
from domain.engine.drawing.svg import Markup, definitions, group, outline, path, rect, text
from domain.engine.sentences import Words, seat_number
from domain.games.qin.board import name_of
from domain.games.qin.render import legend, panel, pieces
from domain.games.qin.render.pieces import EDGES, PLAYERS, SIDE
from domain.games.qin.render.sentences import Area, areas, summary
from domain.games.qin.touch import space
from domain.games.qin.view import View

MARGIN, EDGE = 30, 9
"""Left of the board and above it, with coordinates; right of it and below."""
GRASS = "#dbe3bd"
GRID = "#b9c396"


def draw(view: View, words: Words) -> Picture:
    """The table as the seat of this view sees it."""
    rows, columns = len(view.cells), len(view.cells[0])
    size = (columns * SIDE + MARGIN + EDGE, rows * SIDE + MARGIN + EDGE)
    board = group(*_board(view, words), at=(MARGIN, MARGIN))
    panels = (
        plain_panel(words, "map", size, [board]),
        *panel.panels(view, words),
        legend.panel(view, words),
    )
    patterns = (definitions(*pieces.patterns()),)
    return Picture(words("title"), summary(view, words), panels, patterns)


def _board(view: View, words: Words) -> Iterator[Markup]:
    """The board from the ground up."""
    yield from _coordinates(view)
    yield from _ground(view, words)
    provinces = areas(view)
    for area in provinces:
        yield _border(view, area)
    yield from _last(view)
    for area in provinces:
        yield from _pagodas(view, area)
    yield from _villages(view)
    yield _spaces(view)


def _spaces(view: View) -> Markup:
    """The touchable spaces, each with its name."""
    land = (at for sign, places in _by_sign(view).items() if sign != "#" for at in places)
    return shapes.touch_squares({space(*at): at for at in land}, SIDE)


def _coordinates(view: View) -> Iterator[Markup]:
    """Letters along the top and numbers on the left."""
    style = {"fill": FAINT, "text_anchor": "middle"}
    for col in range(len(view.cells[0])):
        yield text((col + 0.5) * SIDE, -13, name_of(0, col)[:-1], 15, **style)
    for row in range(len(view.cells)):
        yield text(-20, (row + 0.5) * SIDE + 5, str(row + 1), 15, **style)


def _ground(view: View, words: Words) -> Iterator[Markup]:
    """Grassland, water, the colours and the lines between cells."""
    cells = _by_sign(view)
    land = sorted(at for sign, places in cells.items() if sign != "#" for at in places)
    yield path(outline(land, SIDE, -5, 8), fill="#c9b98f", stroke="#8d7a4e", stroke_width=1.5)
    yield path(outline(land, SIDE), fill=GRASS)
    yield path(outline(cells.get("~", []), SIDE), fill="url(#water)")
    for sign in "RYB":
        for row, col in (*cells.get(sign, []), *cells.get(sign.lower(), [])):
            yield group(rect(0, 0, SIDE, SIDE, fill=f"url(#{sign})"), at=(col * SIDE, row * SIDE))
    yield path("".join(outline([at], SIDE) for at in land), fill="none", stroke=GRID)
    for sign in "RYB":
        for row, col in cells.get(sign, []):
            yield group(pieces.start_space(words, sign), at=(col * SIDE, row * SIDE))


def _by_sign(view: View) -> dict[str, list[tuple[int, int]]]:
    cells: dict[str, list[tuple[int, int]]] = {}
    for row, line in enumerate(view.cells):
        for col, sign in enumerate(line):
            cells.setdefault(sign, []).append((row, col))
    return cells


def _border(view: View, area: Area) -> Markup:
    """The outline of a province in its owner's colour, or the ruins."""
    line = outline(area.spaces, SIDE, 4, 7)
    if area.owner == "x":
        return path(line, fill="url(#ruin)", stroke=INK, stroke_width=2)
    colour = view.colours[int(area.owner)]
    return group(
        path(line, stroke=EDGES[colour], stroke_width=7),
        path(line, stroke=PLAYERS[colour], stroke_width=4),
        fill="none",
    )


def _last(view: View) -> Iterator[Markup]:
    """A frame around the tile that was placed last."""
    if view.last is not None:
        spaces = [(half.row, half.col) for half in view.last.halves]
        yield pieces.last_frame(outline(spaces, SIDE, 0, 5))


def _pagodas(view: View, area: Area) -> Iterator[Markup]:
    """The pagodas on a province."""
    if area.owner != "x":
        row, col = area.middle
        piece = pieces.double_pagoda if area.major else pieces.pagoda
        middle = ((col + 0.5) * SIDE, (row + 0.5) * SIDE)
        yield group(_owned(view, area.owner, piece), at=middle)


def _villages(view: View) -> Iterator[Markup]:
    for row, col in _by_sign(view).get("V", []):
        owner = view.owners[row][col]
        yield group(_village(view, owner), at=(col * SIDE, row * SIDE))


def _village(view: View, owner: str) -> Markup:
    """A village, with a pagoda if it has an owner."""
    if owner == ".":
        return pieces.village()
    return _owned(view, owner, pieces.connected_village)


def _owned(view: View, owner: str, piece: Callable[[str, str], Markup]) -> Markup:
    """A piece in the colour of a player, with the number of their seat."""
    seat = int(owner)
    return piece(view.colours[seat], str(seat_number(seat)))
