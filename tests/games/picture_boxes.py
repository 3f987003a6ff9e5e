"""How much room things take in a picture: shapes exactly, curves as far as their control points."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from xml.etree.ElementTree import Element

from domain.engine.drawing.svg import Point
from tests.games.picture_texts import measure, read_transform

NUMBER = re.compile(r"-?[0-9]*\.?[0-9]+")
COMMAND = re.compile(r"([A-Za-z])([^A-Za-z]*)")
ARGUMENTS = {"M": 2, "L": 2, "T": 2, "H": 1, "V": 1, "Q": 4, "S": 4, "C": 6}
"""How many numbers each command of a path takes. Arcs are missing: no game draws one."""


class Box(NamedTuple):
    """The corners of the room that something takes."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def narrow(self) -> float:
        """Its width or its height, whichever is less."""
        return min(self.right - self.left, self.bottom - self.top)

    @property
    def middle(self) -> Point:
        """Its centre."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


class Thing(NamedTuple):
    """What players touch by this name, and the room it takes."""

    name: str
    box: Box


Style = dict[str, str]
"""The attributes that a shape has or inherits."""


def things_of(
    part: Element, at: Point = (0, 0), scale: float = 1, style: Style | None = None
) -> Iterator[Thing]:
    """All things in a part of a picture, which itself begins at this place with this scale."""
    style = style or {}
    for inner in part:
        if name := inner.get("data-at"):
            yield Thing(name, _around(_boxes(inner, at, scale, style)))
        yield from things_of(inner, *_move(inner, at, scale), {**style, **inner.attrib})


def frames_of(part: Element, at: Point = (0, 0), scale: float = 1) -> Iterator[Box]:
    """The rectangles in a part of a picture that have an edge."""
    at, scale = _move(part, at, scale)
    if part.tag.rpartition("}")[2] == "rect" and part.get("stroke", "none") != "none":
        yield _around(Box(*point, *point) for point in _corners(part, at, scale))
    for inner in part:
        yield from frames_of(inner, at, scale)


def _corners(rect: Element, at: Point, scale: float) -> Iterator[Point]:
    """Two corners of a rectangle."""
    return ((at[0] + scale * x, at[1] + scale * y) for x, y in _points("rect", rect.attrib))


def _boxes(part: Element, at: Point, scale: float, style: Style) -> Iterator[Box]:
    """The box of each shape and text in a part."""
    at, scale = _move(part, at, scale)
    style = {**style, **part.attrib}
    kind = part.tag.rpartition("}")[2]
    if kind == "text" and part.text:
        words = measure(part.text, style, at, scale)
        yield Box(words.left, words.top, words.right, words.bottom)
    elif points := [(at[0] + scale * x, at[1] + scale * y) for x, y in _points(kind, part.attrib)]:
        edge = scale * _line_width(style) / 2
        yield _around(Box(x - edge, y - edge, x + edge, y + edge) for x, y in points)
    for inner in part:
        yield from _boxes(inner, at, scale, style)


def _line_width(style: Style) -> float:
    return 0.0 if style.get("stroke", "none") == "none" else float(style.get("stroke-width", 1))


def _move(part: Element, at: Point, scale: float) -> tuple[Point, float]:
    """Where the inside of a part begins, and its scale."""
    if not (transform := part.get("transform")):
        return at, scale
    x, y, factor = read_transform(transform)
    return (at[0] + scale * x, at[1] + scale * y), scale * factor


def _around(boxes: Iterable[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Box(min(lefts), min(tops), max(rights), max(bottoms))


def _points(kind: str, drawn: Style) -> Iterable[Point]:
    """Points of a shape that reach as far as it does; none of a group."""
    match kind:
        case "rect":
            x, y, width, height = (float(drawn[key]) for key in ("x", "y", "width", "height"))
            return (x, y), (x + width, y + height)
        case "circle":
            x, y, radius = (float(drawn.get(key, 0)) for key in ("cx", "cy", "r"))
            return (x - radius, y - radius), (x + radius, y + radius)
        case "polygon":
            numbers = list(map(float, NUMBER.findall(drawn["points"])))
            return zip(numbers[::2], numbers[1::2], strict=True)
        case "path":
            return path_points(drawn["d"])
        case _:
            return ()


def path_points(drawn: str) -> Iterator[Point]:
    """The ends of all lines and curves of a path, and the control points of its curves."""
    x = y = start_x = start_y = 0.0
    for letter, numbers in COMMAND.findall(drawn):
        if letter in "Zz":
            x, y = start_x, start_y
            continue
        values, count = list(map(float, NUMBER.findall(numbers))), ARGUMENTS[letter.upper()]
        for first in range(0, len(values), count):
            step = values[first : first + count]
            from_x, from_y = (x, y) if letter.islower() else (0.0, 0.0)
            if letter in "Hh":
                step = [from_x + step[0], y]
            elif letter in "Vv":
                step = [x, from_y + step[0]]
            else:
                step = [
                    value + (from_y if number % 2 else from_x) for number, value in enumerate(step)
                ]
            yield from zip(step[::2], step[1::2], strict=True)
            x, y = step[-2:]
        if letter in "Mm":
            start_x, start_y = x, y
