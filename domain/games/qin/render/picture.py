"""The table as a picture: the board, the players, the pile, and the legend."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from domain.engine.drawing import svg as shapes
from domain.engine.drawing.layout import Picture, plain_panel
from domain.engine.drawing.panel import FAINT, INK
from domain.engine.drawing.relief import cast_shadow
from domain.engine.drawing.svg import Markup, definitions, group, outline, path, rect, text
from domain.engine.sentences import Words, seat_number
from domain.games.qin.board import name_of
from domain.games.qin.night import PALETTES
from domain.games.qin.render import legend, panel, pieces
from domain.games.qin.render.pieces import EDGES, PLAYERS, SIDE
from domain.games.qin.render.sentences import Area, areas, summary
from domain.games.qin.touch import space
from domain.games.qin.view import View

MARGIN, EDGE = 30, 9
"""Left of the board and above it, with coordinates; right of it and below."""
GRID = "#a7b67e"
MIN_ROWS = 10
"""A smaller board, such as that of an example, has no room for a brook."""
SILK, HEM = "#efe6cf", "#b79a5c"
"""What the land is painted on, and the line along its edge."""


def draw(view: View, words: Words) -> Picture:
    """The table as the seat of this view sees it."""
    rows, columns = len(view.cells), len(view.cells[0])
    size = (columns * SIDE + MARGIN + EDGE, rows * SIDE + MARGIN + EDGE)
    board = group(*_board(view, words), at=(MARGIN, MARGIN))
    panels = (
        plain_panel(words, "map", size, [*_silk(*size), board]),
        *panel.panels(view, words),
        legend.panel(view, words),
    )
    patterns = (definitions(*pieces.patterns()),)
    return Picture(words("title"), summary(view, words), panels, patterns, PALETTES)


def _silk(width: float, height: float) -> Iterator[Markup]:
    """The surface around the land."""
    yield rect(0, 0, width, height, rx=8, fill=SILK)
    yield rect(3, 3, width - 6, height - 6, rx=6, fill="none", stroke=HEM)


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
    coast = outline(land, SIDE, -5, 8)
    yield cast_shadow(coast, (2.5, 5))
    yield path(coast, fill="#b99c64", stroke="#6d5a33", stroke_width=1.5)
    yield path(outline(land, SIDE, -1.5, 5), fill="url(#grass)", stroke="#efe3bd")
    yield path("".join(outline([at], SIDE) for at in land), fill="none", stroke=GRID)
    if len(view.cells) >= MIN_ROWS:
        yield from pieces.brook(len(view.cells[0]) * SIDE, len(view.cells) * SIDE)
    banks = outline(cells.get("~", []), SIDE, 2, 16)
    yield path(banks, fill="url(#water)", stroke="#e3d09a", stroke_width=6)
    yield path(banks, fill="none", stroke="#4f8ba1", stroke_width=1.6)
    placed = {sign: [*cells.get(sign, []), *cells.get(sign.lower(), [])] for sign in "RYB"}
    covered = [at for places in placed.values() for at in places]
    yield cast_shadow(outline(covered, SIDE, 1, 5), (2, 3))
    for sign, places in placed.items():
        for row, col in places:
            yield group(rect(0, 0, SIDE, SIDE, fill=f"url(#{sign})"), at=(col * SIDE, row * SIDE))
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
