"""Layout of the map: where labels, flags, markers and provinces go."""

from __future__ import annotations

from functools import lru_cache
from math import cos, dist, sin, tau
from typing import NamedTuple

from domain.engine.drawing.svg import Point
from domain.engine.drawing.terminal_width import column_width
from domain.games.hansa_teutonica.board import City, Map, Province
from domain.games.hansa_teutonica.render.pieces import OFFICE
from domain.games.hansa_teutonica.render.sentences import Scene

WIDTH = 1290
"""The width of a whole map. The picture shows only the part with something on it."""
EDGE = 34
"""The margin around that part."""
PLATE = OFFICE + 6
LABEL, ASIDE = 21, 40
"""The height of the label of a city, and how far it can move aside."""
CLEAR = 22.0
"""The distance of the middle of a flag or a tray from a post, if possible."""
MARKER, BONUS, POST = (28.0, 14.0), (52.0, 14.0), (11.0, 11.0)
"""Half the width and half the height of each."""
RINGS, STEP = 12, 5.0
"""Markers are tried in RINGS directions on RINGS circles, each wider by STEP."""


class Label(NamedTuple):
    """The label above a city: its name with what it improves, and its printed name if that differs;
    moved aside where posts would hide it.
    """

    said: str
    printed: str
    aside: float = 0

    @property
    def said_width(self) -> float:
        """The width of the name with what it improves."""
        letters = column_width(self.said) - len(self.said)
        return 9.3 * (len(self.said) - letters) + 17.0 * letters

    @property
    def width(self) -> float:
        """The width of the whole label."""
        return self.said_width + (6.7 * column_width(self.printed) + 5 if self.printed else 0) + 12


Labels = tuple[Label, ...]
"""The labels of all cities of a map, in their order; long ones need more space."""


def labels(scene: Scene) -> Labels:
    """The labels of all cities."""
    chart = scene.view.map
    return _move_aside(chart, tuple(_label(scene, city) for city in chart.cities))


@lru_cache(maxsize=16)
def _move_aside(chart: Map, labels: Labels) -> Labels:
    """The labels moved aside, as little as necessary."""
    posts = _posts(chart)
    rows = zip(chart.cities, labels, strict=True)
    return tuple(
        label._replace(aside=_find_shift(on_map(chart, city.layout.centre), label, posts))
        for city, label in rows
    )


def _find_shift(centre: Point, label: Label, posts: list[Point]) -> float:
    """How far a label moves, left or right, so that posts hide as little of it as possible."""
    line, half, high = centre[1] - PLATE / 2 - 12, label.width / 2 + 7, LABEL / 2 + POST[1]
    near = [(x - centre[0], high - abs(y - line)) for x, y in posts if abs(y - line) < high]
    least = max(-ASIDE, int(half - centre[0]))
    most = min(ASIDE, int(WIDTH - half - centre[0]))
    steps = sorted(range(least, most + 1, 2), key=abs) or [0]

    def cost(step: int) -> float:
        return 4 * abs(step) + sum(max(0, half - abs(x - step)) * deep for x, deep in near)

    return min(steps, key=cost)


def _label(scene: Scene, city: City) -> Label:
    name = scene.city(city.id)
    abilities = scene.abilities(city)
    said = scene.words("map_city", city=name, abilities=abilities) if abilities else name
    return Label(said, "" if name == city.name else city.name)


def height(chart: Map) -> float:
    """The height of the map."""
    return WIDTH / chart.aspect_width_over_height


def on_map(chart: Map, point: Point) -> Point:
    """A point of the map in the units of the picture."""
    return point[0] * WIDTH, point[1] * height(chart)


@lru_cache(maxsize=16)
def frame(chart: Map, labels: Labels) -> tuple[float, float, float, float]:
    """The part of the map with something on it: left, top, width and height."""
    spots = [(spot, BONUS) for spot in (*_posts(chart), *marker_spots(chart, labels))]
    spots += [
        (on_map(chart, space.layout), (24.0, 44.0)) for space in chart.special_prestige.spaces
    ]
    spots += _plates(chart, labels)
    left = max(0.0, min(x - wide for (x, _), (wide, _) in spots) - EDGE)
    top = max(0.0, min(y - high for (_, y), (_, high) in spots) - EDGE)
    right = min(WIDTH, max(x + wide for (x, _), (wide, _) in spots) + EDGE)
    bottom = min(height(chart), max(y + high for (_, y), (_, high) in spots) + EDGE)
    return left, top, right - left, bottom - top


def plate_width(city: City) -> float:
    """The width of the plate with the offices."""
    return PLATE * max(1, len(city.offices))


@lru_cache(maxsize=16)
def beside(chart: Map, labels: Labels) -> dict[str, tuple[bool, Point]]:
    """By city, whether its tray is below it, and where its flag is, both away from the posts."""
    spots = [*_posts(chart), *marker_spots(chart, labels)]
    places = {}
    for city, label in zip(chart.cities, labels, strict=True):
        x, y = on_map(chart, city.layout.centre)
        near = [(a - x, b - y) for a, b in spots]
        half = plate_width(city) / 2
        trays = (-half - 15, 0.0), (15 - half, PLATE / 2 + 17)
        below = _room(trays[0], near) < min(CLEAR, _room(trays[1], near))
        places[city.id] = below, _flag_at(city, label, [*near, trays[below]])
    return places


def _flag_at(city: City, label: Label, near: list[Point]) -> Point:
    """The place for a flag: beside the name, right of the plate, below it, or left of the name."""
    half = plate_width(city) / 2
    left = min(-half, label.aside - label.width / 2)
    right = max(half, label.aside + label.width / 2)
    spots = (
        (right + 3, -PLATE / 2 - 8),
        (half + 8, -6),
        (half - 20, PLATE / 2 + 6),
        (left - 23, -PLATE / 2 - 16),
    )
    rooms = [_room((x + 10, y + 5), near) for x, y in spots]
    free = (spot for spot, room in zip(spots, rooms, strict=True) if room >= CLEAR)
    return next(free, spots[rooms.index(max(rooms))])


def _posts(chart: Map) -> list[Point]:
    return [on_map(chart, post) for route in chart.routes for post in route.layout.posts]


def _room(spot: Point, near: list[Point]) -> float:
    return min(dist(spot, other) for other in near)


@lru_cache(maxsize=4)
def province_spots(chart: Map, provinces: tuple[Province, ...]) -> dict[str, Point]:
    """By province, a point near its middle with little drawn around it."""
    drawn = _posts(chart)
    for city in chart.cities:
        x, y = on_map(chart, city.layout.centre)
        drawn += [(x + step * PLATE, y - rise) for step in (-1.5, 0, 1.5) for rise in (0, 24)]
    return {each.id: _clearest(on_map(chart, each.layout), drawn) for each in provinces}


def _clearest(middle: Point, drawn: list[Point]) -> Point:
    """The point around the middle that is furthest from everything drawn."""
    near = [
        (middle[0] + dx, middle[1] + dy)
        for dx in (0, -24, 24, -48, 48)
        for dy in (0, -24, 24, -48, 48)
    ]
    return max(near, key=lambda spot: min(55.0, min(dist(spot, other) for other in drawn)))


@lru_cache(maxsize=16)
def marker_spots(chart: Map, labels: Labels) -> tuple[Point, ...]:
    """By route, the point for its marker or bonus, as near to the printed one as possible."""
    prizes = [on_map(chart, space.layout) for space in chart.special_prestige.spaces]
    taken = [(spot, POST) for spot in (*_posts(chart), *prizes)]
    taken += _plates(chart, labels)
    spots: list[Point] = []
    for route in chart.routes:
        size = BONUS if route.permanent_bonus else MARKER
        spots.append(_free_spot(on_map(chart, route.layout.marker), size, taken))
        taken.append((spots[-1], size))
    return tuple(spots)


def _free_spot(middle: Point, size: Point, taken: list[tuple[Point, Point]]) -> Point:
    """The first point, in growing circles, where this overlaps nothing."""
    near = (
        (middle[0] + STEP * ring * cos(turn), middle[1] + STEP * ring * sin(turn))
        for ring in range(RINGS)
        for turn in (tau * part / RINGS for part in range(RINGS))
    )
    return next((spot for spot in near if _is_free(spot, size, taken)), middle)


def _is_free(spot: Point, size: Point, taken: list[tuple[Point, Point]]) -> bool:
    """Whether a box at this point overlaps none of the others, given by middle and half size."""
    return all(
        abs(x - spot[0]) >= wide + size[0] or abs(y - spot[1]) >= high + size[1]
        for (x, y), (wide, high) in taken
    )


def _plates(chart: Map, labels: Labels) -> list[tuple[Point, Point]]:
    """By city, the middle and half the size of its plate with its name."""
    rows = zip(chart.cities, labels, strict=True)
    return [_plate(chart, city, label) for city, label in rows]


def _plate(chart: Map, city: City, label: Label) -> tuple[Point, Point]:
    x, y = on_map(chart, city.layout.centre)
    across = max(plate_width(city), label.width + 2 * abs(label.aside))
    return (x, y - 10), (across / 2 + 4, PLATE / 2 + 12)
