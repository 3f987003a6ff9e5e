"""The map: routes with their posts, cities with their offices, markers, provinces."""

from __future__ import annotations

from collections.abc import Iterator
from math import dist
from textwrap import wrap

from domain.engine.panel import FAINT, INK
from domain.engine.svg import Attribute, Markup, Point, group, marked, path, rect, text
from domain.games.hansa_teutonica import touch
from domain.games.hansa_teutonica.board import City, Route
from domain.games.hansa_teutonica.render import pieces, room
from domain.games.hansa_teutonica.view import CityView, View

TRAY = 22


def parts(view: View) -> Iterator[Markup]:
    """Everything on the map, from the ground up."""
    left, top, across, down = room.frame(view.map)
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
    yield from _provinces(view)
    yield from (_road(view, route) for route in view.map.routes)
    yield from _leads(view)
    yield from _last_city(view)
    yield from (_city(view, city) for city in view.map.cities)
    for route in view.map.routes:
        yield from _posts(view, route)
    yield from _special(view)
    yield from _last(view)
    yield from _markers(view)
    yield from _pawn(view)


def _road(view: View, route: Route) -> Markup:
    """A line from city to city through all posts."""
    ends = {city.id: city.layout.centre for city in view.map.cities}
    stops = (ends[route.cities[0]], *route.layout.posts, ends[route.cities[1]])
    points = [room.on_map(view.map, stop) for stop in stops]
    line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    style: dict[str, Attribute] = {"fill": "none", "stroke_linejoin": "round"}
    edge, ground = pieces.ROADS[route.country]
    return marked(
        touch.ROUTE.of(route.id),
        path(line, stroke=edge, stroke_width=11, **style),
        path(line, stroke=ground, stroke_width=7, **style),
    )


def _posts(view: View, route: Route) -> Iterator[Markup]:
    kinds = route.post_requires or ("any",) * route.posts
    posts = zip(route.layout.posts, view.routes[route.id], kinds, strict=True)
    for number, (point, sign, kind) in enumerate(posts):
        empty = pieces.merchant_slot() if kind == "merchant" else pieces.slot()
        there = empty if sign is None else pieces.piece(view.colours, sign)
        name = touch.post((route.id, number))
        yield group(marked(name, there), at=room.on_map(view.map, point))


def _leads(view: View) -> Iterator[Markup]:
    """A line from each marker and bonus to its route."""
    for route, (x, y) in zip(view.map.routes, room.marker_spots(view.map), strict=True):
        if route.permanent_bonus or view.markers.get(route.id):
            posts = [room.on_map(view.map, post) for post in route.layout.posts]
            a, b = min(posts, key=lambda post: dist(post, (x, y)))
            line = f"M{x:.1f} {y:.1f}L{a:.1f} {b:.1f}"
            yield path(line, stroke=FAINT, stroke_width=1.5, stroke_dasharray="2 3", fill="none")


def _markers(view: View) -> Iterator[Markup]:
    for route, spot in zip(view.map.routes, room.marker_spots(view.map), strict=True):
        if kind := view.markers.get(route.id):
            yield group(pieces.marker(kind), at=spot)
        elif route.permanent_bonus:
            yield group(pieces.bonus(route.permanent_bonus), at=spot)
        elif route.tavern:
            yield group(pieces.tavern(), at=spot)


def _city(view: View, city: City) -> Markup:
    """The plate with its offices, the name above, the flag of who controls it."""
    there = view.cities[city.id]
    width = room.plate_width(city)
    red = city.id in view.map.east_west.cities
    edge = pieces.ROADS[city.countries[0]][0] if city.countries else INK
    drawn = marked(
        touch.CITY.of(city.id),
        *_extras(view, city, there),
        rect(
            -width / 2 - 4,
            -room.PLATE / 2 - 2,
            width + 8,
            room.PLATE + 4,
            rx=7,
            fill=pieces.GREEN if city.green else "#f9f3e0",
            stroke="#b3261e" if red else edge,
            stroke_width=3 if red or city.countries else 1.5,
        ),
        *_offices(view, city, there, -width / 2),
        *_name(city, red),
        *_control(view, city, there),
    )
    return group(drawn, at=room.on_map(view.map, city.layout.centre))


def _offices(view: View, city: City, there: CityView, left: float) -> Iterator[Markup]:
    for number, (place, sign) in enumerate(zip(city.offices, there.offices, strict=True)):
        x = left + room.PLATE * (number + 0.5)
        if sign is None:
            drawn = pieces.office(place.shape, place.privilege, place.coin)
        else:
            drawn = group(pieces.ground(place.privilege), pieces.piece(view.colours, sign))
        yield group(marked(touch.OFFICE.of(city.id, number), drawn), at=(x, 0))


def _extras(view: View, city: City, there: CityView) -> Iterator[Markup]:
    """Extra offices in a tray on the left, or below where posts are in the way."""
    if there.extra:
        width, left = TRAY * len(there.extra), -room.plate_width(city) / 2
        below = room.beside(view.map)[city.id][0]
        corner = (left + 4, room.PLATE / 2 + 17) if below else (left - width, 0.0)
        tray = rect(-4, -13, width + 8, 26, rx=5, fill="#f9f3e0", stroke=INK, stroke_width=1.5)
        signs = [
            group(pieces.piece(view.colours, sign, 17), at=(TRAY * number + 9, 0))
            for number, sign in enumerate(there.extra)
            if sign is not None
        ]
        yield group(tray, *signs, at=corner)


def _name(city: City, red: bool) -> Iterator[Markup]:
    """The name, and what a city improves."""
    width = room.label_width(city)
    fill = "#b3261e" if red else pieces.GOLD if city.ability else "#f9f3e0"
    yield rect(
        -width / 2,
        -room.PLATE / 2 - 22,
        width,
        21,
        rx=4,
        fill=fill,
        fill_opacity=0.92,
        stroke="none",
    )
    yield text(
        0,
        -room.PLATE / 2 - 6,
        room.label(city),
        17,
        fill="#ffffff" if red else INK,
        font_weight=700,
        text_anchor="middle",
    )


def _control(view: View, city: City, there: CityView) -> Iterator[Markup]:
    if there.controller is not None:
        colour = view.colours[there.controller]
        yield group(
            pieces.flag(colour, str(there.controller)), at=room.beside(view.map)[city.id][1]
        )


def _special(view: View) -> Iterator[Markup]:
    """The spaces of special prestige, with their points and the city that gives them."""
    prizes = view.map.special_prestige
    city = next(city.name for city in view.map.cities if city.id == prizes.city)
    x, y = room.on_map(view.map, prizes.spaces[0].layout)
    yield text(x - 16, y + 34, f"Special prestige: {city}", 15, fill=INK)
    for number, (space, sign) in enumerate(zip(prizes.spaces, view.special, strict=True)):
        point = room.on_map(view.map, space.layout)
        if sign is None:
            drawn = pieces.office("merchant", space.privilege, 0)
        else:
            drawn = pieces.merchant(view.colours[int(sign[0])], sign[0], 27)
        yield group(marked(touch.PRIZE.of(number), drawn), at=point)
        yield text(
            point[0],
            point[1] - 21,
            str(space.points),
            18,
            fill=INK,
            font_weight=700,
            text_anchor="middle",
        )


def _provinces(view: View) -> Iterator[Markup]:
    """Names of the provinces, and soldiers on their borders."""
    centres = {city.id: room.on_map(view.map, city.layout.centre) for city in view.map.cities}
    for post in view.soldiers:
        (a, b), (c, d) = (centres[city] for city in post.between)
        line = f"M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}"
        yield path(line, stroke=FAINT, stroke_width=2, stroke_dasharray="3 5", fill="none")
        yield group(pieces.soldier(), at=((a + c) / 2, (b + d) / 2))
    names = {province.id: province.name for province in view.provinces}
    for province, (x, y) in room.province_spots(view.map, view.provinces).items():
        style: dict[str, Attribute] = {"font_style": "italic", "text_anchor": "middle"}
        lines = (
            text(x, y + 5 + 17 * number, words, 16, fill=FAINT, **style)
            for number, words in enumerate(wrap(names[province], 12))
        )
        yield marked(touch.PROVINCE.of(province), *lines)


def _pawn(view: View) -> Iterator[Markup]:
    if view.pawn is not None:
        x, y = room.province_spots(view.map, view.provinces)[view.pawn]
        yield group(pieces.pawn(), at=(x, y - 24))


def _last(view: View) -> Iterator[Markup]:
    """Rings round the posts that were touched last."""
    if view.last is None:
        return
    points = [point for route in view.map.routes for point in route.layout.posts]
    yield pieces.last_frame(
        [room.on_map(view.map, points[post]) for post in dict.fromkeys(view.last.posts)]
    )


def _last_city(view: View) -> Iterator[Markup]:
    """A ring round the city that was touched last, below its name and its flag."""
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
