"""The map: routes with their posts, cities with their offices, markers, provinces."""

from __future__ import annotations

from collections.abc import Iterator
from math import dist

from domain.engine.drawing.panel import FAINT, INK
from domain.engine.drawing.svg import Attribute, Markup, Point, group, mark, path, rect, text
from domain.engine.drawing.terminal_width import wrap
from domain.games.hansa_teutonica import touch
from domain.games.hansa_teutonica.board import City, Route
from domain.games.hansa_teutonica.render import pieces, room
from domain.games.hansa_teutonica.render.sentences import Scene
from domain.games.hansa_teutonica.view import CityView, View

TRAY = 22
FINGER = 26
"""The least width of what players touch."""


def parts(scene: Scene) -> Iterator[Markup]:
    """Everything on the map, bottom layer first."""
    view, labels = scene.view, room.labels(scene)
    spots = room.marker_spots(view.map, labels)
    left, top, across, down = room.frame(view.map, labels)
    yield rect(
        left,
        top,
        across,
        down,
        rx=14,
        fill=pieces.LAND,
        stroke=pieces.ROAD,
        stroke_width=2,
    )
    yield from _provinces(scene)
    yield from (_road(view, route) for route in view.map.routes)
    yield from _leads(view, spots)
    yield from _last_city(view)
    beside = room.beside(view.map, labels)
    for city, label in zip(view.map.cities, labels, strict=True):
        yield _city(scene, city, label, beside[city.id])
    for route in view.map.routes:
        yield from _posts(scene, route)
    yield from _special(scene)
    yield from _last(view)
    yield from _markers(scene, spots)
    yield from _pawn(view)


def _road(view: View, route: Route) -> Markup:
    """A line from city to city through all posts."""
    ends = {city.id: city.layout.centre for city in view.map.cities}
    stops = (ends[route.cities[0]], *route.layout.posts, ends[route.cities[1]])
    points = [room.on_map(view.map, stop) for stop in stops]
    line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    unseen: dict[str, Attribute] = {"fill": "none", "stroke": INK, "stroke_opacity": 0}
    reach = path(line, stroke_width=FINGER, pointer_events="stroke", **unseen)
    return mark(touch.ROUTE.of(route.id), reach, pieces.along(line, route.country))


def _posts(scene: Scene, route: Route) -> Iterator[Markup]:
    view = scene.view
    kinds = route.post_requires or ("any",) * route.posts
    posts = zip(route.layout.posts, view.routes[route.id], kinds, strict=True)
    for number, (point, sign, kind) in enumerate(posts):
        empty = pieces.merchant_slot(scene.words) if kind == "merchant" else pieces.slot()
        there = empty if sign is None else pieces.piece(view.colours, sign)
        name = touch.post((route.id, number))
        yield group(mark(name, pieces.reach(FINGER), there), at=room.on_map(view.map, point))


def _leads(view: View, spots: tuple[Point, ...]) -> Iterator[Markup]:
    """A line from each marker and bonus to its route."""
    for route, (x, y) in zip(view.map.routes, spots, strict=True):
        if route.permanent_bonus or view.markers.get(route.id):
            posts = [room.on_map(view.map, post) for post in route.layout.posts]
            a, b = min(posts, key=lambda post: dist(post, (x, y)))
            line = f"M{x:.1f} {y:.1f}L{a:.1f} {b:.1f}"
            style: dict[str, Attribute] = {"fill": "none", "pointer_events": "none"}
            yield path(line, stroke=FAINT, stroke_width=1.5, stroke_dasharray="2 3", **style)


def _markers(scene: Scene, spots: tuple[Point, ...]) -> Iterator[Markup]:
    """The markers and bonuses. A touch beside a route means the route."""
    for route, spot in zip(scene.view.map.routes, spots, strict=True):
        if drawn := _beside_route(scene, route):
            yield group(mark(touch.ROUTE.of(route.id), drawn), at=spot)


def _beside_route(scene: Scene, route: Route) -> Markup | None:
    if kind := scene.view.markers.get(route.id):
        return pieces.marker(scene.words, kind)
    if route.permanent_bonus:
        return pieces.bonus(scene.words, route.permanent_bonus)
    return pieces.tavern(scene.words) if route.tavern else None


def _city(scene: Scene, city: City, label: room.Label, beside: tuple[bool, Point]) -> Markup:
    """The plate with its offices, the name above, the flag of the controller."""
    view = scene.view
    there = view.cities[city.id]
    width = room.plate_width(city)
    red = city.id in view.map.east_west.cities
    country = city.countries[0] if city.countries else ""
    below, flag = beside
    drawn = mark(
        touch.CITY.of(city.id),
        *_extras(view, city, there, below),
        pieces.city(width + 8, red=red, green=city.green, country=country),
        *_offices(scene, city, there, -width / 2),
        *_name(label, red, bool(city.ability)),
        *_control(view, there, flag),
    )
    return group(drawn, at=room.on_map(view.map, city.layout.centre))


def _offices(scene: Scene, city: City, there: CityView, left: float) -> Iterator[Markup]:
    for number, (place, sign) in enumerate(zip(city.offices, there.offices, strict=True)):
        x = left + room.PLATE * (number + 0.5)
        if sign is None:
            drawn = pieces.office(scene.words, place.shape, place.privilege, place.coin)
        else:
            drawn = group(pieces.ground(), pieces.piece(scene.view.colours, sign))
        yield group(mark(touch.OFFICE.of(city.id, number), drawn), at=(x, 0))


def _extras(view: View, city: City, there: CityView, below: bool) -> Iterator[Markup]:
    """Extra offices in a tray on the left, or below if posts are in the way."""
    if there.extra:
        width, left = TRAY * len(there.extra), -room.plate_width(city) / 2
        corner = (left + 4, room.PLATE / 2 + 17) if below else (left - width, 0.0)
        tray = rect(-4, -13, width + 8, 26, rx=5, fill=pieces.PLATE, stroke=INK, stroke_width=1.5)
        signs = [
            group(pieces.piece(view.colours, sign, 17), at=(TRAY * number + 9, 0))
            for number, sign in enumerate(there.extra)
            if sign is not None
        ]
        yield group(tray, *signs, at=corner)


def _name(label: room.Label, red: bool, improves: bool) -> Iterator[Markup]:
    """The name of a city, and what it improves."""
    left, line = label.aside - label.width / 2, -room.PLATE / 2 - 6
    ink = "#ffffff" if red else INK
    yield pieces.name_plate(left, line - 16, label.width, red=red, improves=improves)
    if not label.printed:
        style: dict[str, Attribute] = {"font_weight": 700, "text_anchor": "middle"}
        yield text(label.aside, line, label.said, 17, fill=ink, **style)
        return
    yield text(left + 6, line, label.said, 17, fill=ink, font_weight=700)
    yield text(left + label.said_width + 11, line, label.printed, 12.6, fill=ink)


def _control(view: View, there: CityView, at: Point) -> Iterator[Markup]:
    if there.controller is not None:
        colour = view.colours[there.controller]
        yield group(pieces.flag(colour, str(there.controller)), at=at)


def _special(scene: Scene) -> Iterator[Markup]:
    """The spaces of special prestige, with their points and their city."""
    view = scene.view
    prizes = view.map.special_prestige
    x, y = room.on_map(view.map, prizes.spaces[0].layout)
    words = scene.words("map_special", city=scene.city(prizes.city))
    yield text(x - 16, y + 30, words, 14, fill=INK)
    for number, (space, sign) in enumerate(zip(prizes.spaces, view.special, strict=True)):
        point = room.on_map(view.map, space.layout)
        if sign is None:
            drawn = pieces.office(scene.words, "merchant", space.privilege, 0)
        else:
            drawn = pieces.merchant(view.colours[int(sign[0])], sign[0], 27)
        yield group(mark(touch.PRIZE.of(number), drawn), at=point)
        yield text(
            point[0],
            point[1] - 21,
            str(space.points),
            18,
            fill=INK,
            font_weight=700,
            text_anchor="middle",
        )


def _provinces(scene: Scene) -> Iterator[Markup]:
    """Names of the provinces, and soldiers on their borders."""
    view = scene.view
    centres = {city.id: room.on_map(view.map, city.layout.centre) for city in view.map.cities}
    for post in view.soldiers:
        (a, b), (c, d) = (centres[city] for city in post.between)
        line = f"M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}"
        yield path(line, stroke=FAINT, stroke_width=2, stroke_dasharray="3 5", fill="none")
        yield group(pieces.soldier(), at=((a + c) / 2, (b + d) / 2))
    for province, (x, y) in room.province_spots(view.map, view.provinces).items():
        style: dict[str, Attribute] = {"font_style": "italic", "text_anchor": "middle"}
        lines = (
            text(x, y + 5 + 17 * number, words, 16, fill=FAINT, **style)
            for number, words in enumerate(wrap(scene.province(province), 12))
        )
        reach = group(pieces.reach(90, 64), at=(x, y))
        yield mark(touch.PROVINCE.of(province), reach, *lines)


def _pawn(view: View) -> Iterator[Markup]:
    if view.pawn is not None:
        x, y = room.province_spots(view.map, view.provinces)[view.pawn]
        yield group(pieces.pawn(), at=(x, y - 24), pointer_events="none")


def _last(view: View) -> Iterator[Markup]:
    """Rings around the posts of the last deed."""
    if view.last is None:
        return
    points = [point for route in view.map.routes for point in route.layout.posts]
    yield pieces.last_frame(
        [room.on_map(view.map, points[post]) for post in dict.fromkeys(view.last.posts)]
    )


def _last_city(view: View) -> Iterator[Markup]:
    """A ring around the city of the last deed, below its name and its flag."""
    for city in view.map.cities:
        if view.last is not None and city.id == view.last.city:
            yield _city_frame(room.on_map(view.map, city.layout.centre), max(1, len(city.offices)))


def _city_frame(point: Point, offices: int) -> Markup:
    width, tall = room.PLATE * offices + 26, room.PLATE + 22
    frame: dict[str, Attribute] = {"rx": 11, "fill": "none"}
    return group(
        rect(-width / 2, -tall / 2, width, tall, stroke=INK, stroke_width=5, **frame),
        rect(
            -width / 2,
            -tall / 2,
            width,
            tall,
            stroke="#ffffff",
            stroke_width=2.6,
            stroke_dasharray="6 5",
            **frame,
        ),
        at=point,
    )
