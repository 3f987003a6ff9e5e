"""The map: routes with their posts, cities with their offices, markers, provinces."""

from __future__ import annotations

from collections.abc import Iterator
from math import dist

from domain.engine.drawing.panel import FAINT, INK
from domain.engine.drawing.svg import Attribute, Markup, group, mark, path, text
from domain.engine.sentences import seat_number
from domain.games.hansa_teutonica import touch
from domain.games.hansa_teutonica.board import City, Route
from domain.games.hansa_teutonica.render import ground, pieces, room
from domain.games.hansa_teutonica.render.sentences import Scene
from domain.games.hansa_teutonica.view import CityView, View

FINGER = 26
"""The width of a route for fingers."""
PRIZE = 41
"""From a space of special prestige to the next."""
ROW = 14
"""The height of a line of the name of a province."""


def parts(scene: Scene) -> Iterator[Markup]:
    """Everything on the map, bottom layer first."""
    view = scene.view
    yield ground.ground(view.map)
    yield from _borders(scene)
    yield from (_road(scene, route) for route in view.map.routes)
    yield from _leads(view)
    yield from _last(scene)
    yield from _provinces(scene)
    for city in view.map.cities:
        yield _city(scene, city)
    for route in view.map.routes:
        yield from _posts(scene, route)
    yield from _special(scene)
    yield from _markers(scene)


def _road(scene: Scene, route: Route) -> Markup:
    """A line from city to city through all posts."""
    line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in room.line(scene, route))
    unseen: dict[str, Attribute] = {"fill": "none", "stroke": INK, "stroke_opacity": 0}
    reach = path(line, stroke_width=FINGER, pointer_events="stroke", **unseen)
    return mark(touch.ROUTE.of(route.id), reach, pieces.along(line, route.country))


def _posts(scene: Scene, route: Route) -> Iterator[Markup]:
    view = scene.view
    kinds = route.post_requires or ("any",) * route.posts
    points = room.drawing(view.map).posts[route.id]
    posts = zip(points, view.routes[route.id], kinds, strict=True)
    for number, (point, sign, kind) in enumerate(posts):
        empty = pieces.merchant_slot(scene.words) if kind == "merchant" else pieces.slot()
        there = empty if sign is None else pieces.piece(view.colours, sign)
        yield group(mark(touch.post((route.id, number)), pieces.reach_around(), there), at=point)


def _leads(view: View) -> Iterator[Markup]:
    """A line from each marker and bonus to its route."""
    drawn = room.drawing(view.map)
    for route in view.map.routes:
        if route.permanent_bonus or view.markers.get(route.id):
            x, y = drawn.markers[route.id]
            a, b = min(drawn.posts[route.id], key=lambda post: dist(post, (x, y)))
            line = f"M{x:.0f} {y:.0f}L{a:.0f} {b:.0f}"
            style: dict[str, Attribute] = {"fill": "none", "pointer_events": "none"}
            yield path(line, stroke=FAINT, stroke_width=1.5, stroke_dasharray="2 3", **style)


def _markers(scene: Scene) -> Iterator[Markup]:
    """The markers and bonuses. A touch beside a route means the route."""
    spots = room.drawing(scene.view.map).markers
    for route in scene.view.map.routes:
        if drawn := _beside_route(scene, route):
            yield group(mark(touch.ROUTE.of(route.id), drawn), at=spots[route.id])


def _beside_route(scene: Scene, route: Route) -> Markup | None:
    if kind := scene.view.markers.get(route.id):
        return pieces.marker(scene.words, kind)
    if route.permanent_bonus:
        return pieces.bonus(scene.words, route.permanent_bonus)
    return pieces.tavern(scene.words) if route.tavern else None


def _city(scene: Scene, city: City) -> Markup:
    """The plate: its name and the flag of the controller, its offices, what it improves."""
    view = scene.view
    there = view.cities[city.id]
    plate = room.plate(scene, city, len(there.extra))
    red = city.id in view.map.east_west.cities
    country = city.countries[0] if city.countries else ""
    box = (plate.left, room.TOP - 1, -plate.left, plate.bottom)
    drawn = mark(
        touch.CITY.of(city.id),
        pieces.city(box, red=red, green=city.green, country=country),
        *_names(plate, red),
        *([group(pieces.leaf(), at=(plate.offices[0], 0))] if city.green else []),
        *_offices(scene, city, there, plate),
        *_extras(view, there, plate),
        *_control(view, there, plate),
    )
    return group(drawn, at=room.centre(view.map, city.id))


def _names(plate: room.Plate, red: bool) -> Iterator[Markup]:
    """The name of a city, its printed name, and what it improves."""
    ink = "#FFFFFF" if red else INK
    width, left = plate.width - 2, plate.left + 1
    if red:
        yield pieces.strip(left, room.TOP, width, pieces.RED)
    yield text(left + 2, room.TOP + 11, plate.name, room.NAME, fill=ink, font_weight=700)
    if plate.ability:
        yield pieces.strip(left, room.BOTTOM - 1, width, pieces.GOLD)
        yield text(left + 2, room.BOTTOM + 9.5, plate.ability, room.SMALL, fill=INK)
    if plate.printed:
        x, row = plate.printed_at
        style: dict[str, Attribute] = {"fill": ink if row == room.TOP else INK}
        yield text(x, row + (17 if row == room.MIDDLE else 10.5), plate.printed, 12, **style)


def _offices(scene: Scene, city: City, there: CityView, plate: room.Plate) -> Iterator[Markup]:
    signs = zip(city.offices, there.offices, plate.offices, strict=False)
    for number, (place, sign, x) in enumerate(signs):
        if sign is None:
            drawn = pieces.office(scene.words, place.shape, place.privilege, place.coin)
        else:
            drawn = group(pieces.ground(), pieces.piece(scene.view.colours, sign))
        yield group(mark(touch.OFFICE.of(city.id, number), drawn), at=(x, 0))


def _extras(view: View, there: CityView, plate: room.Plate) -> Iterator[Markup]:
    """Extra offices, left of the printed ones or beside the name."""
    for sign, spot in zip(there.extra, plate.extras, strict=True):
        if sign is not None:
            yield group(pieces.piece(view.colours, sign, room.EXTRA - 1), at=spot)


def _control(view: View, there: CityView, plate: room.Plate) -> Iterator[Markup]:
    if there.controller is not None:
        colour = view.colours[there.controller]
        yield group(pieces.flag(colour, str(seat_number(there.controller))), at=plate.flag)


def _special(scene: Scene) -> Iterator[Markup]:
    """The spaces of special prestige, with their points and their city."""
    view = scene.view
    prizes = view.map.special_prestige
    words = scene.words("map_special", city=scene.city(prizes.city))
    style: dict[str, Attribute] = {"fill": INK, "text_anchor": "middle"}
    drawn = [text(0, -10, words, room.SMALL, **style)]
    for number, (space, sign) in enumerate(zip(prizes.spaces, view.special, strict=True)):
        if sign is None:
            spot = pieces.office(scene.words, "merchant", space.privilege, 0)
        else:
            spot = pieces.piece(view.colours, sign, pieces.OFFICE - 2)
        x = PRIZE * (number - 1.5)
        drawn.append(group(mark(touch.PRIZE.of(number), spot), at=(x + 8, 9)))
        drawn.append(text(x - 12, 14, str(space.points), 13, font_weight=700, **style))
    yield group(*drawn, at=room.drawing(view.map).prizes)


def _borders(scene: Scene) -> Iterator[Markup]:
    """Soldiers on borders of provinces, between two cities."""
    view = scene.view
    for soldier in view.soldiers:
        line = "L".join(f"{x:.0f} {y:.0f}" for x, y in room.border(scene, soldier))
        yield path(f"M{line}", stroke=FAINT, stroke_width=2, stroke_dasharray="3 5", fill="none")
        yield group(pieces.soldier(), at=room.border(scene, soldier)[1])


def _provinces(scene: Scene) -> Iterator[Markup]:
    """The names of the provinces, and the pawn on the left of one."""
    view = scene.view
    spots = room.drawing(view.map).provinces
    for province in view.provinces:
        here = view.pawn == province.id
        words = room.province_lines(scene.province(province.id))
        wide = max(room.text_width(line, room.SMALL) for line in words)
        style: dict[str, Attribute] = {"font_style": "italic", "text_anchor": "middle"}
        top = 4.5 - ROW * (len(words) - 1) / 2
        lines = [
            text(
                room.PAWN / 2 * here, top + ROW * row, line, room.SMALL, fill=pieces.FADED, **style
            )
            for row, line in enumerate(words)
        ]
        if here:
            lines.append(group(pieces.pawn(), at=(-wide / 2, 0)))
        reach = pieces.reach(wide + room.PAWN, max(24, ROW * len(words)))
        yield group(mark(touch.PROVINCE.of(province.id), reach, *lines), at=spots[province.id])


def _last(scene: Scene) -> Iterator[Markup]:
    """Rings around the city and the posts of the last deed, below all pieces and names."""
    view = scene.view
    if view.last is None:
        return
    for city in view.map.cities:
        if city.id == view.last.city:
            plate = room.plate(scene, city, len(view.cities[city.id].extra))
            x, y = room.centre(view.map, city.id)
            middle = y + (room.TOP + plate.bottom) / 2
            ring = pieces.last_ring(plate.width + 9, plate.bottom - room.TOP + 9)
            yield group(ring, at=(x, middle))
    points = room.posts(view.map)
    for post in dict.fromkeys(view.last.posts):
        yield group(pieces.last_ring(), at=points[post])
