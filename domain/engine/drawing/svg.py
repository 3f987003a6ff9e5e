"""Shapes for drawing boards: each function gives a piece of an SVG picture."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from html import escape
from typing import NewType

Markup = NewType("Markup", str)
"""A piece of SVG; whatever else goes into a picture is escaped on its way."""

Attribute = str | int | float
Point = tuple[float, float]
Cell = tuple[int, int]
"""A cell of a grid as row and column."""

_Node = tuple[int, int]
_Way = tuple[int, int]
_Edge = tuple[_Node, _Way]

_SIDES: dict[_Way, _Node] = {(1, 0): (0, 0), (0, 1): (1, 0), (-1, 0): (1, 1), (0, -1): (0, 1)}
"""The sides of a cell, clockwise: the direction of each, and the corner where it begins."""

_SIZE = re.compile(
    r'(?P<head><svg [^>]*?) width="(?P<width>[0-9]+)" height="(?P<height>[0-9]+)"', re.ASCII
)

FONT = "Roboto, 'Helvetica Neue', Helvetica, Arial, sans-serif"


def document(
    width: int, height: int, title: str, description: str, *parts: Markup, **style: Attribute
) -> Markup:
    """A whole picture that also says what it shows, for those who cannot see it."""
    return _element(
        "svg",
        _element("title", _escaped(title)),
        _element("desc", _escaped(description)),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
        font_family=FONT,
        **style,
    )


def resized(picture: str, width: int) -> str:
    """The same picture, shown so many pixels wide, with its proportions kept."""
    found = _SIZE.match(picture)
    assert found, "not a picture of `document`"
    height = max(1, round(width * int(found["height"]) / int(found["width"])))
    return f'{found["head"]} width="{width}" height="{height}"{picture[found.end() :]}'


def rect(x: float, y: float, width: float, height: float, **style: Attribute) -> Markup:
    """A rectangle by its top left corner; `rx` rounds it."""
    return _element("rect", x=x, y=y, width=width, height=height, **style)


def circle(x: float, y: float, radius: float, **style: Attribute) -> Markup:
    """A circle by its centre."""
    return _element("circle", cx=x, cy=y, r=radius, **style)


def path(d: str, **style: Attribute) -> Markup:
    """Lines and curves in the path language of SVG."""
    return _element("path", d=d, **style)


def polygon(points: Iterable[Point], **style: Attribute) -> Markup:
    """A closed shape with straight sides."""
    corners = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
    return _element("polygon", points=corners, **style)


def text(x: float, y: float, words: str, size: float, **style: Attribute) -> Markup:
    """Words that begin at x, or end or centre there by `text_anchor`, standing on y."""
    return _element("text", _escaped(words), x=x, y=y, font_size=size, **style)


def group(*parts: Markup, at: Point | None = None, scale: float = 1, **style: Attribute) -> Markup:
    """Several parts that are moved, scaled and styled as one."""
    moves = []
    if at is not None:
        moves.append(f"translate({_number(at[0])} {_number(at[1])})")
    if scale != 1:
        moves.append(f"scale({_number(scale)})")
    return _element("g", *parts, **({"transform": " ".join(moves)} if moves else {}), **style)


def marked(name: str, *parts: Markup) -> Markup:
    """Parts that are drawn of a thing, marked with the name by which it is touched."""
    return group(*parts, data_at=name)


def spots(*shapes: Markup) -> Markup:
    """Shapes that are not seen but can be touched, each with its name as `data_at`."""
    return group(*shapes, fill="none", pointer_events="all")


def squares(cells: Mapping[str, Cell], side: float) -> Markup:
    """Cells of a grid as such shapes, by the names by which they are touched."""
    return spots(
        *(
            rect(col * side, row * side, side, side, data_at=name)
            for name, (row, col) in cells.items()
        )
    )


def definitions(*parts: Markup) -> Markup:
    """Patterns, which are drawn only where something refers to their name."""
    return _element("defs", *parts)


def pattern(name: str, side: float, *parts: Markup) -> Markup:
    """A square that repeats; fill a shape with `url(#name)`."""
    return _element(
        "pattern", *parts, id=name, width=side, height=side, patternUnits="userSpaceOnUse"
    )


def sheet(rules: str) -> Markup:
    """Rules in CSS for the whole picture."""
    return _element("style", _escaped(rules))


def outline(cells: Collection[Cell], side: float, inset: float = 0, radius: float = 0) -> str:
    """The borders of cells of a grid as a path, inset into the cells, its corners round."""
    borders = (_corners(loop, side, inset) for loop in _loops(set(cells)))
    return "".join(_rounded(corners, radius) for corners in borders)


def _element(name: str, *children: Markup, **attributes: Attribute) -> Markup:
    """One element; an underscore in the name of an attribute stands for a hyphen."""
    written = "".join(
        f' {key.replace("_", "-")}="{_value(value)}"' for key, value in attributes.items()
    )
    if not children:
        return Markup(f"<{name}{written}/>")
    return Markup(f"<{name}{written}>{''.join(children)}</{name}>")


def _value(value: Attribute) -> str:
    return _escaped(value) if isinstance(value, str) else _number(value)


def _number(value: float) -> str:
    """At most two decimals: a hundredth of a pixel is nothing anybody sees."""
    return f"{round(value, 2) + 0.0:.9g}"


def _escaped(words: str) -> Markup:
    """Words as they may stand in XML, which has no place for control characters."""
    return Markup(escape("".join(c if c.isprintable() else "\ufffd" for c in words)))


def _loops(cells: set[Cell]) -> Iterable[list[_Edge]]:
    """The borders of the cells, each as its edges one after another, the cells on their right."""
    edges = _edges(cells)
    left = dict.fromkeys(edges)
    while left:
        edge, loop = next(iter(left)), []
        while edge in left:
            del left[edge]
            loop.append(edge)
            edge = _next(edge, edges)
        yield loop


def _edges(cells: set[Cell]) -> dict[_Edge, None]:
    """All edges of the border of the cells, in a fixed order."""
    return {
        ((col + x, row + y), (dx, dy)): None
        for row, col in sorted(cells)
        for (dx, dy), (x, y) in _SIDES.items()
        if (row - dx, col + dy) not in cells
    }


def _next(edge: _Edge, edges: Collection[_Edge]) -> _Edge:
    """The edge that follows: a right turn first, so that cells that meet at a corner stay apart."""
    (x, y), (dx, dy) = edge
    end = (x + dx, y + dy)
    return next((end, way) for way in ((-dy, dx), (dx, dy), (dy, -dx)) if (end, way) in edges)


def _corners(loop: list[_Edge], side: float, inset: float) -> list[Point]:
    """Where a border bends, moved to the inside of the cells."""
    points = []
    for (_, (dx, dy)), ((x, y), way) in zip([loop[-1], *loop], loop, strict=False):
        if way != (dx, dy):
            points.append(
                (x * side - (dy + way[1]) * inset, y * side + (dx + way[0]) * inset),
            )
    return points


def _rounded(corners: list[Point], radius: float) -> str:
    """A closed line through corners that are cut in a curve, if there is a radius."""
    if not radius:
        return f"M{'L'.join(map(_pair, corners))}Z"
    parts = []
    for before, corner, after in zip(
        [corners[-1], *corners], corners, [*corners[1:], corners[0]], strict=False
    ):
        start, end = _towards(corner, before, radius), _towards(corner, after, radius)
        parts.append(f"{_pair(start)}Q{_pair(corner)} {_pair(end)}")
    return f"M{'L'.join(parts)}Z"


def _towards(start: Point, end: Point, distance: float) -> Point:
    """A point on the way from one to the other, at most half of it."""
    length = abs(end[0] - start[0]) + abs(end[1] - start[1])
    part = min(distance / length, 0.5)
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def _pair(point: Point) -> str:
    return f"{_number(point[0])} {_number(point[1])}"
