"""Where things find room on the map."""

from __future__ import annotations

from functools import lru_cache
from math import cos, dist, sin, tau

from domain.engine.svg import Point
from domain.games.hansa_teutonica.board import City, Map, Province
from domain.games.hansa_teutonica.render.pieces import OFFICE
from domain.games.hansa_teutonica.render.words import ability_names

WIDTH = 1290
"""Of a whole map, of which only the part is drawn where something is."""
EDGE = 34
"""How much land there is around that."""
PLATE = OFFICE + 6
CLEAR = 22.0
"""How far the middle of a flag or a tray is from a post if it can be."""
MARKER, BONUS, POST = (28.0, 14.0), (52.0, 14.0), (11.0, 11.0)
"""Half the width and the height that they take."""
RINGS, STEP = 12, 5.0
"""A marker gives way in RINGS directions, on RINGS circles, each wider by STEP."""


def height(chart: Map) -> float:
    """How tall the map is."""
    return WIDTH / chart.aspect_width_over_height


def on_map(chart: Map, point: Point) -> Point:
    """Where something is on the map, in the units of the picture."""
    return point[0] * WIDTH, point[1] * height(chart)


@lru_cache(maxsize=8)
def frame(chart: Map) -> tuple[float, float, float, float]:
    """The part of the map where something is: left, top, width and height."""
    spots = [(spot, BONUS) for spot in (*_posts(chart), *marker_spots(chart))]
    spots += [
        (on_map(chart, space.layout), (24.0, 44.0)) for space in chart.special_prestige.spaces
    ]
    spots += [_plate(chart, city) for city in chart.cities]
    left = max(0.0, min(x - wide for (x, _), (wide, _) in spots) - EDGE)
    top = max(0.0, min(y - high for (_, y), (_, high) in spots) - EDGE)
    right = min(WIDTH, max(x + wide for (x, _), (wide, _) in spots) + EDGE)
    bottom = min(height(chart), max(y + high for (_, y), (_, high) in spots) + EDGE)
    return left, top, right - left, bottom - top


def plate_width(city: City) -> float:
    """How wide the plate with the offices is."""
    return PLATE * max(1, len(city.offices))


def label(city: City) -> str:
    """The name of a city, with what it improves."""
    return f"{city.name}: {ability_names(city)}" if city.ability else city.name


def label_width(city: City) -> float:
    """How wide the label of a city is."""
    return 9.3 * len(label(city)) + 12


@lru_cache(maxsize=8)
def beside(chart: Map) -> dict[str, tuple[bool, Point]]:
    """For each city whether its tray is below it, and where its flag is: both off the posts."""
    spots = [*_posts(chart), *marker_spots(chart)]
    places = {}
    for city in chart.cities:
        x, y = on_map(chart, city.layout.centre)
        near = [(a - x, b - y) for a, b in spots]
        half = plate_width(city) / 2
        trays = (-half - 15, 0.0), (15 - half, PLATE / 2 + 17)
        below = _room(trays[0], near) < min(CLEAR, _room(trays[1], near))
        places[city.id] = below, _flag_at(city, [*near, trays[below]])
    return places


def _flag_at(city: City, near: list[Point]) -> Point:
    """Beside the name, right of the plate, below it, or left of the name."""
    half = plate_width(city) / 2
    name = max(half, label_width(city) / 2)
    spots = (
        (name + 3, -PLATE / 2 - 8),
        (half + 8, -6),
        (half - 20, PLATE / 2 + 6),
        (-name - 23, -PLATE / 2 - 16),
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
    """For each province a place near its middle where little else is drawn."""
    drawn = _posts(chart)
    for city in chart.cities:
        x, y = on_map(chart, city.layout.centre)
        drawn += [(x + step * PLATE, y - rise) for step in (-1.5, 0, 1.5) for rise in (0, 24)]
    return {each.id: _clearest(on_map(chart, each.layout), drawn) for each in provinces}


def _clearest(middle: Point, drawn: list[Point]) -> Point:
    """Of the places round a point the one furthest from all that is drawn."""
    near = [
        (middle[0] + dx, middle[1] + dy)
        for dx in (0, -24, 24, -48, 48)
        for dy in (0, -24, 24, -48, 48)
    ]
    return max(near, key=lambda spot: min(55.0, min(dist(spot, other) for other in drawn)))


@lru_cache(maxsize=8)
def marker_spots(chart: Map) -> tuple[Point, ...]:
    """For each route where its marker or bonus lies: as near to its place as the rest lets it."""
    prizes = [on_map(chart, space.layout) for space in chart.special_prestige.spaces]
    taken = [(spot, POST) for spot in (*_posts(chart), *prizes)]
    taken += [_plate(chart, city) for city in chart.cities]
    spots: list[Point] = []
    for route in chart.routes:
        size = BONUS if route.permanent_bonus else MARKER
        spots.append(_free_spot(on_map(chart, route.layout.marker), size, taken))
        taken.append((spots[-1], size))
    return tuple(spots)


def _free_spot(middle: Point, size: Point, taken: list[tuple[Point, Point]]) -> Point:
    """The first place, going round in growing circles, where this lies on nothing else."""
    near = (
        (middle[0] + STEP * ring * cos(turn), middle[1] + STEP * ring * sin(turn))
        for ring in range(RINGS)
        for turn in (tau * part / RINGS for part in range(RINGS))
    )
    return next((spot for spot in near if _is_free(spot, size, taken)), middle)


def _is_free(spot: Point, size: Point, taken: list[tuple[Point, Point]]) -> bool:
    """Whether nothing of all that has these middles and half sizes is covered."""
    return all(
        abs(x - spot[0]) >= wide + size[0] or abs(y - spot[1]) >= high + size[1]
        for (x, y), (wide, high) in taken
    )


def _plate(chart: Map, city: City) -> tuple[Point, Point]:
    """The middle of a city with its name, and half of its size."""
    x, y = on_map(chart, city.layout.centre)
    return (x, y - 10), (max(plate_width(city), label_width(city)) / 2 + 4, PLATE / 2 + 12)
