"""Qualities of the picture: nothing hidden or empty, every sign explained, readable."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import dist
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from domain.engine.drawing.svg import Point
from domain.engine.sentences import LANGUAGES
from domain.games.hansa_teutonica import GAME
from domain.games.hansa_teutonica.board import MAPS, MARKERS, PROVINCES, SOLDIERS, City, Map, read
from domain.games.hansa_teutonica.render import pieces, room
from domain.games.hansa_teutonica.render.picture import SCALE
from domain.games.hansa_teutonica.render.sentences import Scene
from tests.games.hansa_teutonica.test_render import SVG, labels, show, some_table
from tests.games.record import record
from tests.support.for_each import for_each

TWO_PLAYERS = "two_player_provinces.json"


class Thing(NamedTuple):
    """Something on a map, and its edges."""

    name: str
    left: float
    top: float
    right: float
    bottom: float

    def has(self, point: Point) -> bool:
        """Whether a point is in it."""
        return self.left < point[0] < self.right and self.top < point[1] < self.bottom


def test_the_ring_of_the_last_move_hides_no_name():
    """The ring around a city is below its label and its flag."""
    played = record(GAME, 3, 1)
    touched = next(
        moment.state
        for moment in played.moments
        if moment.state.last is not None and GAME.view(moment.state, None).last.city
    )
    view = GAME.view(touched, None)
    name = next(city.name for city in view.map.cities if city.id == view.last.city)
    picture = GAME.render_svg(view, GAME.words())
    ring = picture.index('stroke-dasharray="5 4"')
    assert ring < picture.index(f">{name}<")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("chart", MAPS.values(), ids=lambda chart: chart.id)
def test_nothing_on_a_map_is_over_anything_else(chart: Map, language: str) -> None:
    """HT-8.4: neither a post, a plate, a marker nor a name; fingers hit one post only."""
    things = list(things_on(chart, language))
    width, height = room.drawing(chart).size
    for number, thing in enumerate(things):
        assert thing.left >= 0, thing.name
        assert thing.right <= width, thing.name
        assert thing.top >= 0, thing.name
        assert thing.bottom <= height, thing.name
        for other in things[:number]:
            across = min(thing.right, other.right) - max(thing.left, other.left)
            down = min(thing.bottom, other.bottom) - max(thing.top, other.top)
            assert min(across, down) <= 0, (thing.name, other.name)
    posts = room.posts(chart)
    for number, post in enumerate(posts):
        assert all(dist(post, other) >= 2 * pieces.FINGER for other in posts[:number])


@pytest.mark.parametrize("chart", MAPS.values(), ids=lambda chart: chart.id)
def test_routes_neither_cross_nor_touch_what_is_of_others(chart: Map) -> None:
    """Through the posts of a route goes only its own line, and below no plate but at its ends."""
    scene = map_scene(chart, "en")
    plates = {city.id: plate_box(scene, city) for city in chart.cities}
    lines = {route.id: room.line(scene, route) for route in chart.routes}
    for route in chart.routes:
        for a, b in pairwise(lines[route.id]):
            steps = [at_part(a, b, part / 20) for part in range(21)]
            for city in set(plates) - set(route.cities):
                assert not any(plates[city].has(step) for step in steps), (route.id, city)
            for other in chart.routes:
                if other is not route:
                    near = room.drawing(chart).posts[other.id]
                    assert all(dist(step, post) > pieces.RING for step in steps for post in near)


def test_no_route_crosses_a_border_of_a_soldier():
    """HT-11.1: none but those that begin in a city at its end, at their beginning."""
    scene = map_scene(MAPS["board_2_3"], "en")
    routes = {route.id: room.line(scene, route) for route in scene.view.map.routes}
    for soldier in SOLDIERS:
        for border in pairwise(room.border(scene, soldier)):
            for route, line in routes.items():
                steps = list(pairwise(line))
                near = set(soldier.between) & set(route.split("--"))
                for step in steps[1:-1] if near else steps:
                    assert not cross(border, step), (soldier, route)


def test_the_name_of_each_province_is_between_its_routes():
    """HT-11.2: a route, city or border is between it and each route of others."""
    scene = map_scene(MAPS["board_2_3"], "en")
    routes = {route.id: room.line(scene, route) for route in scene.view.map.routes}
    walls = {route: list(pairwise(line)) for route, line in routes.items()}
    walls |= {str(each): list(pairwise(room.border(scene, each))) for each in SOLDIERS}
    for city in scene.view.map.cities:
        box = plate_box(scene, city)
        _, y = room.centre(scene.view.map, city.id)
        walls[city.id] = [((box.left, y), (box.right, y))]
    drawn = room.drawing(scene.view.map)
    inner = [province["id"] for province in read(TWO_PLAYERS)["provinces"] if not province["rim"]]
    for province in PROVINCES:
        name = drawn.provinces[province.id]
        seen = {
            route
            for route, posts in drawn.posts.items()
            for post in posts
            if not any(
                cross((name, post), step)
                for wall, steps in walls.items()
                if wall != route
                for step in steps
            )
        }
        assert len(seen & set(province.routes)) >= 2, province.name
        assert province.id not in inner or seen <= set(province.routes), province.name


@for_each("chart", MAPS.values())
def test_each_marker_is_beside_its_route(chart: Map) -> None:
    """HT-8.4: and no route that can have one lacks a place for it."""
    drawn = room.drawing(chart)
    bare = {route.id for route in chart.routes if route.country != "England"}
    bonuses = {route.id for route in chart.routes if route.permanent_bonus}
    assert {route.id for route in chart.routes} - (bare - bonuses) == set(drawn.markers)
    for route, marker in drawn.markers.items():
        assert min(dist(marker, post) for post in drawn.posts[route]) < 60


@for_each("language", LANGUAGES)
@for_each("extras", range(4))
@for_each("chart", MAPS.values())
def test_a_plate_shows_everything_of_its_city(chart: Map, extras: int, language: str) -> None:
    """HT-7.1, HT-7.3: the flag, the offices and up to three extra ones, side by side; the
    printed name, unless what the city improves takes its room.
    """
    scene = map_scene(chart, language)
    for city in chart.cities:
        plate = room.plate(scene, city, extras)
        assert plate.width <= room.drawing(chart).cities[city.id].width
        name_end = plate.left + room.EDGE + room.text_width(plate.name, room.NAME)
        assert name_end <= plate.flag[0]
        row = sorted(
            [(x, room.PITCH) for x in plate.offices]
            + [(x, room.EXTRA) for x, y in plate.extras if y == 0]
        )
        assert len(plate.extras) == extras
        for (x, wide), (other, wider) in pairwise(row):
            assert other - x >= (wide + wider) / 2 - 0.01
        for x, y in plate.extras:
            assert plate.left <= x - room.EXTRA / 2
            assert x + room.EXTRA / 2 <= (plate.flag[0] if y else -plate.left)
            assert y == 0 or x - room.EXTRA / 2 >= name_end
        if not extras:
            printed = "" if plate.name == city.name else city.name
            assert plate.printed in ({printed, ""} if plate.ability else {printed})


def test_more_extra_offices_than_fit_are_still_shown():
    """HT-7.3"""
    scene = map_scene(MAPS["board_4_5"], "zh-Hant")
    [minden] = (city for city in scene.view.map.cities if city.id == "minden")
    plate = room.plate(scene, minden, 9)
    assert len(set(plate.extras)) == 9
    assert all(plate.left <= x <= -plate.left for x, _ in plate.extras)


def map_scene(chart: Map, language: str) -> Scene:
    """A table with this map."""
    return Scene(replace(show(some_table()), map=chart), GAME.words(language))


def plate_box(scene: Scene, city: City) -> Thing:
    """The room that the plate of a city takes."""
    x, y = room.centre(scene.view.map, city.id)
    plate = room.plate(scene, city)
    return Thing(city.id, x + plate.left, y + room.TOP, x - plate.left, y + plate.bottom)


def things_on(chart: Map, language: str) -> Iterator[Thing]:
    """All that is on a map, with a marker beside each route."""
    scene, drawn = map_scene(chart, language), room.drawing(chart)
    yield from (plate_box(scene, city) for city in chart.cities)
    for number, post in enumerate(room.posts(chart)):
        yield around(f"post {number}", post, pieces.PIECE, pieces.PIECE)
    for route in chart.routes:
        if marker := drawn.markers.get(route.id):
            kinds = [route.permanent_bonus] if route.permanent_bonus else MARKERS
            width = max(pieces.tag_width(scene.words, str(kind)) for kind in kinds)
            yield around(f"marker {route.id}", marker, width, 20)
    yield around("prizes", drawn.prizes, 164, 44)
    for province in PROVINCES if drawn.provinces else ():
        lines = room.province_lines(scene.province(province.id))
        width = max(room.text_width(line, room.SMALL) for line in lines) + room.PAWN
        yield around(province.name, drawn.provinces[province.id], width, 14 * len(lines))
    for border, soldier in drawn.soldiers.items():
        yield around(border, soldier, 18, 22)


def around(name: str, middle: Point, width: float, height: float) -> Thing:
    x, y = middle
    return Thing(name, x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def cross(one: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
    """Whether two lines cross."""
    return all(
        side(line, points[0]) * side(line, points[1]) < 0
        for line, points in ((one, other), (other, one))
    )


def side(line: tuple[Point, Point], point: Point) -> float:
    """Above 0 on one side of a line, and below 0 on the other."""
    (a, b), (c, d) = line
    return (c - a) * (point[1] - b) - (d - b) * (point[0] - a)


def at_part(a: Point, b: Point, part: float) -> Point:
    """A point between two others."""
    return a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part


def test_every_sign_of_the_map_is_explained():
    words = set(labels(GAME.render_svg(show(some_table()), GAME.words())))
    assert {"tavern", "remove three", "improve ability", "white", "purple"} <= words
    assert "Special prestige: Coellen" in words


def test_a_picture_is_narrow_enough_for_a_telephone():
    """At 550 pixels, as in chats, the names of cities are at least 7 pixels high."""
    picture = ElementTree.fromstring(GAME.render_svg(show(some_table()), GAME.words()))
    width = float(picture.get("width") or 0)
    [name] = (part for part in picture.iter(f"{SVG}text") if part.text == "Hamburg")
    assert float(name.get("font-size") or 0) * SCALE * 550 / width > 7
