"""Shapes for drawing boards: each function returns a piece of an SVG picture."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from functools import lru_cache
from html import escape
from itertools import pairwise
from typing import NewType

Markup = NewType("Markup", str)
"""A piece of SVG. All other text is escaped before it goes into a picture."""

Attribute = str | int | float
Point = tuple[float, float]
Cell = tuple[int, int]
"""A cell of a grid as row and column."""

_Node = tuple[int, int]
_Way = tuple[int, int]
_Edge = tuple[_Node, _Way]

_SIDES: dict[_Way, _Node] = {(1, 0): (0, 0), (0, 1): (1, 0), (-1, 0): (1, 1), (0, -1): (0, 1)}
"""The sides of a cell, clockwise: the direction of each, and the corner where it starts."""

_SIZE = re.compile(
    r'(?P<head><svg [^>]*?) width="(?P<width>[0-9]+)" height="(?P<height>[0-9]+)"', re.ASCII
)

_MAX_CACHED_ATTRIBUTES = 2_400
"""More than a picture has: those of the next picture are mostly the same."""
_MAX_CACHED_OUTLINES = 720
"""More than a board has, with one of each cell."""

FONT = "Roboto, 'Helvetica Neue', Helvetica, Arial, sans-serif"


def document(
    width: int, height: int, title: str, description: str, *parts: Markup, **style: Attribute
) -> Markup:
    """A whole picture, with a title and a description for screen readers."""
    return _element(
        "svg",
        _element("title", _escape(title)),
        _element("desc", _escape(description)),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
        font_family=FONT,
        **style,
    )


def resize(picture: str, width: int) -> str:
    """The picture scaled to this width in pixels, with the same proportions."""
    found = _SIZE.match(picture)
    assert found, "not a picture of `document`"
    height = max(1, round(width * int(found["height"]) / int(found["width"])))
    return f'{found["head"]} width="{width}" height="{height}"{picture[found.end() :]}'


def rect(x: float, y: float, width: float, height: float, **style: Attribute) -> Markup:
    """A rectangle by its top left corner; `rx` rounds it."""
    return _element("rect", x=x, y=y, width=width, height=height, **style)


def circle(x: float, y: float, radius: float, **style: Attribute) -> Markup:
    """A circle by its centre."""
    place = {name: value for name, value in (("cx", x), ("cy", y)) if value}
    return _element("circle", **place, r=radius, **style)


def path(d: str, **style: Attribute) -> Markup:
    """Lines and curves in the path language of SVG."""
    return _element("path", d=d, **style)


def polygon(points: Iterable[Point], **style: Attribute) -> Markup:
    """A closed shape with straight sides."""
    corners = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
    return _element("polygon", points=corners, **style)


def text(x: float, y: float, words: str, size: float | None, **style: Attribute) -> Markup:
    """Words on the baseline y. They start at x, or are aligned to it by `text_anchor`. Without a
    size they have that of a group around them.
    """
    sized: dict[str, Attribute] = {} if size is None else {"font_size": size}
    return _element("text", _escape(words), x=x, y=y, **sized, **style)


def group(*parts: Markup, at: Point | None = None, scale: float = 1, **style: Attribute) -> Markup:
    """Several parts, moved, scaled and styled as one."""
    moves = []
    if at is not None:
        moves.append(f"translate({_number(at[0])} {_number(at[1])})")
    if scale != 1:
        moves.append(f"scale({_number(scale)})")
    return _element("g", *parts, **({"transform": " ".join(moves)} if moves else {}), **style)


def mark(name: str, *parts: Markup) -> Markup:
    """The parts of a drawn thing, marked with the name by which players touch it."""
    return group(*parts, data_at=name)


def mark_last(*parts: Markup) -> Markup:
    """The mark of the last turn around other things, which is no piece: it neither comes nor goes
    with a move.
    """
    return group(*parts, data_last="")


def name_sign(*parts: Markup) -> Markup:
    """A sign that only names what it stands on, such as a number that a move may give to something
    else: it is no piece and no count.
    """
    return group(*parts, data_sign="")


def explain(words: str, *parts: Markup) -> Markup:
    """The parts as one, with words that appear below a pointer and that screen readers say."""
    return _element("g", _element("title", _escape(words)), *parts)


def panel_group(parts: Iterable[Markup], at: Point, size: Point, label: str, **data: str) -> Markup:
    """A panel of a picture, which pages can take out and show at another place and size."""
    width, height = map(_number, size)
    place = f"translate({_number(at[0])} {_number(at[1])})"
    described = {f"data_{name}": value for name, value in data.items()}
    described |= {"data_size": f"{width} {height}", "role": "group", "aria_label": label}
    return _element("g", *parts, transform=place, **described)


def touch_areas(*shapes: Markup) -> Markup:
    """Invisible shapes that players can touch, each with its name as `data_at`."""
    return group(*shapes, fill="none", pointer_events="all")


def touch_squares(cells: Mapping[str, Cell], side: float) -> Markup:
    """Touchable cells of a grid, by touch name."""
    return touch_areas(
        *(
            rect(col * side, row * side, side, side, data_at=name)
            for name, (row, col) in cells.items()
        )
    )


def definitions(*parts: Markup) -> Markup:
    """Patterns. They appear only where a shape refers to their name."""
    return _element("defs", *parts)


def pattern(name: str, side: float, *parts: Markup, **ground: Attribute) -> Markup:
    """A square that repeats, with a ground of this style. Fill a shape with it by `url(#name)`.

    The ground goes beyond the square: at other sizes its pixels would else be translucent along the
    edges, and show as seams.
    """
    if ground:
        parts = (rect(-1, -1, side + 2, side + 2, **ground), *parts)
    return _element(
        "pattern", *parts, id=name, width=side, height=side, patternUnits="userSpaceOnUse"
    )


def gradient(name: str, *colours: str) -> Markup:
    """A change of colours from the top to the bottom of a shape. Fill it by `url(#name)`."""
    stops = (
        _element("stop", offset=place / (len(colours) - 1), stop_color=colour)
        for place, colour in enumerate(colours)
    )
    return _element("linearGradient", *stops, id=name, x1=0, y1=0, x2=0, y2=1)


def clip(name: str, *parts: Markup) -> Markup:
    """Room beyond which nothing is seen of a group with `clip_path="url(#name)"`."""
    return _element("clipPath", *parts, id=name)


def style_sheet(rules: str) -> Markup:
    """CSS rules for the whole picture."""
    return _element("style", _escape(rules))


def curve(points: Sequence[Point]) -> str:
    """A smooth line as a path, from the first of at least three points to the last, and through the
    middles between the others.
    """
    first, *bends, last = points
    ends = [*(_middle(*pair) for pair in pairwise(bends)), last]
    return f"M{_pair(first)}{_bends(bends, ends)}"


def closed_curve(points: Sequence[Point]) -> str:
    """A smooth line around an area as a path, through the middles between these points."""
    bends = [*points[1:], points[0]]
    start, *ends = (_middle(*pair) for pair in zip(points, bends, strict=True))
    return f"M{_pair(start)}{_bends(bends, [*ends, start])}Z"


def outline(cells: Collection[Cell], side: float, inset: float = 0, radius: float = 0) -> str:
    """The borders of grid cells as a path, moved inwards by `inset`, with rounded corners."""
    return _outline(frozenset(cells), side, inset, radius)


@lru_cache(_MAX_CACHED_OUTLINES)
def _outline(cells: Set[Cell], side: float, inset: float, radius: float) -> str:
    borders = (_corners(loop, side, inset) for loop in _loops(cells))
    return "".join(_round_path(corners, radius) for corners in borders)


def _element(name: str, *children: Markup, **attributes: Attribute) -> Markup:
    """One element. Underscores in attribute names become hyphens."""
    written = "".join([_attribute(key, value) for key, value in attributes.items()])
    if not children:
        return Markup(f"<{name}{written}/>")
    return Markup(f"<{name}{written}>{''.join(children)}</{name}>")


@lru_cache(_MAX_CACHED_ATTRIBUTES)
def _attribute(key: str, value: Attribute) -> str:
    written = _escape(value) if isinstance(value, str) else _number(value)
    return f' {key.replace("_", "-")}="{written}"'


def _number(value: float) -> str:
    """The number with at most two decimals: a hundredth of a pixel is invisible."""
    return f"{round(value, 2) + 0.0:.9g}"


def _escape(words: str) -> Markup:
    """Words escaped for XML, which allows no control characters."""
    if not words.isprintable():
        words = "".join(c if c.isprintable() else "\ufffd" for c in words)
    return Markup(escape(words))


def _loops(cells: Set[Cell]) -> Iterable[list[_Edge]]:
    """The borders of the cells: each is a closed list of edges, with the cells on their right."""
    edges = _edges(cells)
    left = dict.fromkeys(edges)
    while left:
        edge, loop = next(iter(left)), []
        while edge in left:
            del left[edge]
            loop.append(edge)
            edge = _next(edge, edges)
        yield loop


def _edges(cells: Set[Cell]) -> dict[_Edge, None]:
    """All border edges of the cells, in a fixed order."""
    return {
        ((col + x, row + y), (dx, dy)): None
        for row, col in sorted(cells)
        for (dx, dy), (x, y) in _SIDES.items()
        if (row - dx, col + dy) not in cells
    }


def _next(edge: _Edge, edges: Collection[_Edge]) -> _Edge:
    """The edge that follows. It prefers a right turn, so that cells that meet at a corner stay
    separate.
    """
    (x, y), (dx, dy) = edge
    end = (x + dx, y + dy)
    return next((end, way) for way in ((-dy, dx), (dx, dy), (dy, -dx)) if (end, way) in edges)


def _corners(loop: list[_Edge], side: float, inset: float) -> list[Point]:
    """The corners of a border, moved into the cells by `inset`."""
    points = []
    for (_, (dx, dy)), ((x, y), way) in zip([loop[-1], *loop], loop, strict=False):
        if way != (dx, dy):
            points.append(
                (x * side - (dy + way[1]) * inset, y * side + (dx + way[0]) * inset),
            )
    return points


def _round_path(corners: list[Point], radius: float) -> str:
    """A closed line through these corners, each rounded if there is a radius."""
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
    """The point at this distance from `start`, but at most halfway to `end`."""
    length = abs(end[0] - start[0]) + abs(end[1] - start[1])
    part = min(distance / length, 0.5)
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def _bends(bends: Iterable[Point], ends: Iterable[Point]) -> str:
    """Curves, each to an end and bent by a point."""
    return "".join(f"Q{_pair(by)} {_pair(to)}" for by, to in zip(bends, ends, strict=True))


def _middle(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def _pair(point: Point) -> str:
    return f"{_number(point[0])} {_number(point[1])}"
