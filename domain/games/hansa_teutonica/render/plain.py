"""The table as lines of text, for terminals and screen readers. 80 columns are enough."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing.panel import seat_note
from domain.engine.drawing.terminal_width import MAX_COLUMNS, column_width, pad, wrap
from domain.engine.play import Seat
from domain.engine.sentences import SeatName, Words, seat_number
from domain.games.hansa_teutonica.board import City, Office, Route
from domain.games.hansa_teutonica.render.sentences import Scene
from domain.games.hansa_teutonica.view import View

HALF = MAX_COLUMNS // 2
NAME, ROW, HOLDER = 12, 46, 9
"""The least columns of a city: of its name, of the name with offices, and of its controller."""


def text(view: View, words: Words) -> str:
    """The whole table as this seat sees it."""
    scene = Scene(view, words)
    last = words("plain_last", deed=scene.last_deed) if view.last else words("plain_nothing")
    lines = [
        words("plain_title", title=words("title"), side=words(f"side_{view.map.id}")),
        *wrap(words("plain_turn", turn=view.turn, status=scene.status)),
        "",
        *_cities(scene),
        "",
        *_routes(scene),
        "",
        *_around(scene),
        "",
        *wrap(words("plain_legend", seat=SeatName(0))),
        *wrap(last),
        "",
    ]
    for seat in range(len(view.players)):
        lines += _player(scene, seat)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _cities(scene: Scene) -> Iterator[str]:
    """A line for each city: offices from left to right, controller, what it improves."""
    view = scene.view
    names = {city.id: _name_of_city(scene, city) for city in view.map.cities}
    column = max(NAME, *map(column_width, names.values()))
    for city in view.map.cities:
        there = view.cities[city.id]
        star = "*" if view.last and view.last.city == city.id else " "
        extra = "".join(f" {_piece(sign)}" for sign in there.extra if sign)
        offices = "".join(
            f" {pad(_piece(sign) if sign else _office(scene, office), 3)}"
            for sign, office in zip(there.offices, city.offices, strict=True)
        )
        row = f"{extra} |{offices}" if extra else f"  {offices}"
        named = pad(pad(names[city.id], column) + row, ROW)
        held = "" if there.controller is None else scene.words.person(there.controller)
        yield star + pad(f"{named} {held}", ROW + HOLDER) + _notes(scene, city)


def _piece(sign: str) -> str:
    """A piece of a view, such as `0m`, with the number of its seat as people count: `1m`."""
    return f"{seat_number(int(sign[0]))}{sign[1:]}"


def _name_of_city(scene: Scene, city: City) -> str:
    """The name of a city, and its printed name if that differs."""
    return " ".join(dict.fromkeys((scene.city(city.id), city.name)))


def _office(scene: Scene, office: Office) -> str:
    """A free office in two or three letters."""
    shape = "#" if office.shape == "trader" else "o"
    return f"{scene.words(f'letter_{office.privilege}')}{shape}{_coin(office)}"


def _coin(office: Office) -> str:
    """A coin, with its points if there are several."""
    return "" if not office.coin else "$" if office.coin == 1 else f"${office.coin}"


def _notes(scene: Scene, city: City) -> str:
    view, words = scene.view, scene.words
    notes = [scene.abilities(city)] if city.ability else []
    if city.green:
        notes.append(words("plain_green"))
    notes += [words(f"country_{country}") for country in city.countries]
    if city.id in view.map.east_west.cities:
        notes.append(words("plain_red"))
    if city.id == view.map.special_prestige.city:
        shown = [sign and _piece(sign) for sign in view.special]
        signs = (
            f"{p.points}:{s or words(f'letter_{p.privilege}')}"
            for p, s in zip(view.map.special_prestige.spaces, shown, strict=True)
        )
        notes.append(" ".join(signs))
    return scene.join_words(notes)


def _routes(scene: Scene) -> Iterator[str]:
    """Two routes in a line, with the pieces on their posts."""
    view = scene.view
    names = {route.id: scene.route(route.id) for route in view.map.routes}
    column = max(22, *map(column_width, names.values()))
    start, cells = 0, []
    touched = set(view.last.posts) if view.last else set()
    for route in view.map.routes:
        posts = "".join(
            f"{'*' if start + at in touched else ' '}{_piece(sign) if sign else _free(route, at):2}"
            for at, sign in enumerate(view.routes[route.id])
        )
        cells.append(f" {pad(names[route.id], column)}{posts}")
        start += route.posts
    half = (len(cells) + 1) // 2
    for left, right in zip(cells[:half], [*cells[half:], ""], strict=False):
        yield f"{pad(left, HALF)}{right}"


def _free(route: Route, at: int) -> str:
    """A free post, or one for merchants only."""
    return "o" if "merchant" in route.post_requires[at : at + 1] else "."


def _around(scene: Scene) -> Iterator[str]:
    """Markers, complete cities, the connection, the pawn."""
    view, words = scene.view, scene.words
    laid = [
        words("plain_on_route", route=scene.route(route), what=scene.marker(kind))
        for route, kind in view.markers.items()
    ]
    yield from _line(scene, "plain_markers", laid)
    pile = [
        words("plain_several", count=count, what=scene.marker(kind))
        for kind, count in view.marker_supply.items()
    ]
    pile += [words("plain_bottom", what=scene.marker(kind)) for kind in view.bottom]
    yield from _line(scene, "plain_pile", pile)
    fixed = [
        words(
            "plain_on_route", route=scene.route(route.id), what=scene.bonus(route.permanent_bonus)
        )
        for route in view.map.routes
        if route.permanent_bonus
    ]
    if fixed:
        yield from _line(scene, "plain_bonuses", fixed)
    yield from _countries(scene)
    limit = view.map.completed_city_limit
    yield words("plain_complete", complete=view.complete, limit=limit)
    west, east = map(scene.city, view.map.east_west.cities)
    joined = scene.join_words([scene.seat(seat) for seat in view.connected]) or words("nobody")
    yield from wrap(words("plain_connection", west=west, east=east, seats=joined))
    if view.provinces:
        yield from wrap(_pawn(scene))


def _line(scene: Scene, key: str, several: list[str]) -> list[str]:
    """A line about several things; none if there are none."""
    return wrap(scene.words(key, list=scene.join_words(several) or scene.words("list_empty")))


def _countries(scene: Scene) -> Iterator[str]:
    """The routes of each country, and the players who may place there."""
    view, words = scene.view, scene.words
    for country in sorted({route.country for route in view.map.routes} - {"England"}):
        routes = [scene.route(route.id) for route in view.map.routes if route.country == country]
        country_name = words(f"country_{country}")
        yield from wrap(words("plain_country", country=country_name, list=scene.join_words(routes)))
    gates = [_gateway(scene, city) for city in view.map.cities if city.gateway_to]
    if gates:
        yield from _line(scene, "plain_permissions", gates)


def _gateway(scene: Scene, city: City) -> str:
    """The country where a city permits one action in a turn, and to which player."""
    view, words = scene.view, scene.words
    there = view.cities[city.id]
    signs = [sign for sign in (*there.extra, *there.offices) if sign]
    holder = words.person(int(signs[-1][0])) if signs else words("nobody")
    lands = [words(f"country_{country}") for country in city.gateway_to]
    return words(
        "plain_gateway_used" if city.id in view.passes else "plain_gateway",
        city=scene.city(city.id),
        lands=lands[0] if len(lands) == 1 else words("list_or", one=lands[0], two=lands[1]),
        holder=holder,
    )


def _pawn(scene: Scene) -> str:
    for province in scene.view.provinces:
        if province.id == scene.view.pawn:
            routes = scene.join_words([scene.route(route) for route in province.routes])
            name = scene.province(province.id)
            return scene.words("plain_pawn", id=province.id, province=name, routes=routes)
    return scene.words("plain_no_pawn")


def _player(scene: Scene, seat: Seat) -> Iterator[str]:
    """Three lines: points, pieces, desk and markers."""
    view, words = scene.view, scene.words
    player = view.players[seat]
    notes = seat_note(view, seat, words=words)
    points = [
        words("plain_scored", what=words(f"score_{part}"), count=count)
        for part, count in player.points.items()
        if count
    ]
    yield from wrap(
        words(
            "plain_seat_noted" if notes else "plain_seat",
            seat=scene.heading(seat),
            notes=notes,
            prestige=player.prestige,
            points=scene.points(seat),
            list=scene.join_words(points) or words("list_empty"),
        )
    )
    yield "  " + words(
        "plain_pieces",
        supply=_count(scene, player.supply),
        stock=_count(scene, player.stock),
        network=player.network,
    )
    desk = [scene.say_ability(name, level) for name, level in player.levels.items()]
    yield f"  {scene.join_words(desk)}"
    if player.ready or player.used:
        yield from (f"  {line}" for line in wrap(_markers(scene, seat), MAX_COLUMNS - 2))


def _markers(scene: Scene, seat: Seat) -> str:
    """The markers of a seat; those taken in this turn are marked as new."""
    view, words = scene.view, scene.words
    fresh = view.fresh if seat == view.active else {}
    ready = [
        words(
            "plain_several_new" if kind in fresh else "plain_several",
            count=count,
            what=scene.marker(kind),
        )
        for kind, count in view.players[seat].ready.items()
    ]
    used = [
        words("plain_several", count=count, what=scene.marker(kind))
        for kind, count in view.players[seat].used.items()
    ]
    none = words("list_empty")
    ready_words, used_words = scene.join_words(ready) or none, scene.join_words(used) or none
    return words("plain_held", ready=ready_words, used=used_words)


def _count(scene: Scene, pieces: tuple[int, int]) -> str:
    return scene.words("plain_count", traders=pieces[0], merchants=pieces[1])
