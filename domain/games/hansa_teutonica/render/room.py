"""Layout of the map, in pixels: where cities, posts, markers and names are drawn.

The places are those of `data/drawing.json`: the routes are as long as their posts need, so that all
letters and posts are large enough on a small screen. The view has the places of the printed board.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import inf
from typing import NamedTuple

import msgspec

from domain.engine.drawing.svg import Point
from domain.engine.drawing.terminal_width import wrap
from domain.games.hansa_teutonica.board import City, Map, Route, Soldier, read
from domain.games.hansa_teutonica.render.pieces import OFFICE
from domain.games.hansa_teutonica.render.sentences import Scene

NAME, SMALL = 13.0, 12.0
"""The sizes of the name of a city, and of all other words of the map."""
PITCH = OFFICE + 1
"""From the middle of an office to the middle of the next."""
EDGE = 2
"""Between the edge of a plate and its contents."""
TOP, MIDDLE, BOTTOM = -27.0, -12.5, 14.0
"""The top edges of the rows of a plate, which has its origin in the middle of its offices."""
LOWEST, LOWER = 15.0, 28.0
"""The bottom edge of a plate without and with a third row."""
FLAG = 19
"""The room for the flag of the controller at the end of the name."""
EXTRA = 17
"""The room for an extra office."""
PROVINCE = 12
"""How many columns a line of the name of a province has."""
PAWN = 22
"""The room for the pawn, on the left of the name of a province."""
_LETTERS = {
    **dict.fromkeys("ijlI.,:'|", 0.3),
    **dict.fromkeys("frt()- ", 0.38),
    **dict.fromkeys("mMW", 0.88),
}
"""About how wide bold letters of other widths are, as parts of their size."""


class CitySpot(msgspec.Struct, frozen=True, array_like=True):
    """Where a city is drawn: the middle of its offices, and how far its plate may reach."""

    x: float
    y: float
    width: float
    bottom: float


class Drawing(msgspec.Struct, frozen=True):
    """Where everything on a map is drawn."""

    size: Point
    cities: dict[str, CitySpot]
    posts: dict[str, tuple[Point, ...]]  # by route
    markers: dict[str, Point]  # by route, except those that never have a marker
    prizes: Point
    provinces: dict[str, Point] = {}
    soldiers: dict[str, Point] = {}  # by the two cities
    waters: tuple[tuple[Point, ...], ...] = ()  # the coasts of seas
    rivers: tuple[tuple[Point, ...], ...] = ()
    trees: tuple[Point, ...] = ()


class Plate(NamedTuple):
    """What stands where on the plate of a city, around the middle of its offices."""

    width: float
    bottom: float
    name: str
    printed: str  # the name in the box if that is another, at `printed_at`
    printed_at: Point
    ability: str
    offices: tuple[float, ...]  # the middle of each
    extras: tuple[Point, ...]  # the middle of each

    @property
    def left(self) -> float:
        """The left edge."""
        return -self.width / 2

    @property
    def flag(self) -> Point:
        """The top left corner of the flag of the controller."""
        return self.width / 2 - FLAG + 2, TOP + 1


DRAWINGS = msgspec.convert(read("drawing.json"), dict[str, Drawing])


def drawing(chart: Map) -> Drawing:
    """Where everything on a map is drawn."""
    return DRAWINGS[chart.id]


def text_width(words: str, size: float) -> float:
    """About how wide bold words are, rather too much than too little."""
    return size * sum(map(_letter_width, words))


def _letter_width(letter: str) -> float:
    if letter >= "\u2e80":
        return 1.0
    return _LETTERS.get(letter, 0.71 if letter.isupper() else 0.57)


def centre(chart: Map, city: str) -> Point:
    """The middle of the offices of a city."""
    spot = drawing(chart).cities[city]
    return spot.x, spot.y


def posts(chart: Map) -> list[Point]:
    """All posts, in the order of the map."""
    return [post for route in chart.routes for post in drawing(chart).posts[route.id]]


def border(scene: Scene, soldier: Soldier) -> list[Point]:
    """The corners of a border: from the plate of a city through its soldier to the other plate."""
    chart = scene.view.map
    through = drawing(chart).soldiers["--".join(soldier.between)]
    cities = {city.id: city for city in chart.cities}
    first, last = (cities[city] for city in soldier.between)
    return [_start(scene, first, through), through, _start(scene, last, through)]


def line(scene: Scene, route: Route) -> list[Point]:
    """The corners of a route: from the plate of a city through its posts to the other plate."""
    chart = scene.view.map
    through = drawing(chart).posts[route.id]
    cities = {city.id: city for city in chart.cities}
    first, last = (cities[city] for city in route.cities)
    return [_start(scene, first, through[0]), *through, _start(scene, last, through[-1])]


def _start(scene: Scene, city: City, towards: Point) -> Point:
    """The point below the plate of a city where a route to this post begins."""
    x, y = centre(scene.view.map, city.id)
    reach = plate(scene, city).width / 2 - OFFICE / 2
    return x + max(-reach, min(reach, towards[0] - x)), y


def plate(scene: Scene, city: City, extras: int = 0) -> Plate:
    """The plate of a city with this many extra offices."""
    name = scene.city(city.id)
    printed = "" if name == city.name else city.name
    spot = drawing(scene.view.map).cities[city.id]
    return _arrange(name, printed, scene.abilities(city), max(1, len(city.offices)), extras, spot)


@lru_cache(maxsize=1024)
def _arrange(
    name: str, printed: str, ability: str, offices: int, extras: int, spot: CitySpot
) -> Plate:
    """The narrowest plate with room for everything; if there is none, without the printed name."""
    for words in dict.fromkeys((printed, "")):
        for row in (TOP, MIDDLE, BOTTOM) if words else (TOP,):
            found = _try(name, words, ability, offices, extras, spot, row)
            if found is not None:
                return found
    return _squeeze(name, ability, offices, extras, spot)


def _try(
    name: str, printed: str, ability: str, offices: int, extras: int, spot: CitySpot, row: float
) -> Plate | None:
    """The plate with the printed name in this row, if everything fits."""
    used = {
        TOP: text_width(name, NAME) + 3 + FLAG,
        MIDDLE: float(PITCH * offices),
        BOTTOM: text_width(ability, SMALL) + 4 if ability else 0.0,
    }
    start = used[row] - (FLAG if row == TOP else 0) + (4 if used[row] else 0)
    if printed:
        used[row] += text_width(printed, SMALL) + 4
    lowest = LOWER if used[BOTTOM] else LOWEST
    width = max(used.values()) + 2 * EDGE
    if width > spot.width or lowest > spot.bottom:
        return None
    spots = list(_extra_spots(width, used))
    if len(spots) < extras:
        width = spot.width
        spots = list(_extra_spots(width, used))
    if len(spots) < extras:
        return None
    left = -width / 2 + EDGE
    at = left + (0 if row == MIDDLE else start), row
    aside = extras or (printed and row == MIDDLE)
    first = width / 2 - EDGE - PITCH * offices if aside else -PITCH * offices / 2
    middles = tuple(first + PITCH * (number + 0.5) for number in range(offices))
    return Plate(width, lowest, name, printed, at, ability, middles, tuple(spots[:extras]))


def _extra_spots(width: float, used: dict[float, float]) -> Iterator[Point]:
    """Free places for extra offices: left of the offices, then after the name."""
    left = -width / 2 + EDGE
    for number in range(int((width - 2 * EDGE - used[MIDDLE]) // EXTRA)):
        yield left + EXTRA * (number + 0.5), 0.0
    for number in range(int((width - 2 * EDGE - used[TOP]) // EXTRA)):
        yield left + used[TOP] - FLAG + EXTRA * (number + 0.5), TOP + 7.0


def _squeeze(name: str, ability: str, offices: int, extras: int, spot: CitySpot) -> Plate:
    """The plate with so many extra offices that they overlap, above it."""
    found = _try(name, "", ability, offices, 0, CitySpot(spot.x, spot.y, inf, LOWER), TOP)
    assert found is not None, "everything fits into a plate without an edge"
    step = (found.width - EXTRA) / max(1, extras - 1)
    left = found.left + EXTRA / 2
    return found._replace(extras=tuple((left + step * n, TOP - 7.0) for n in range(extras)))


def province_lines(name: str) -> list[str]:
    """The name of a province, in short lines."""
    return wrap(name, PROVINCE)
