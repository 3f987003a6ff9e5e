"""The table as lines of text, for terminals and screen readers; 80 columns are enough."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from domain.engine.telling import Words
from domain.games.hansa_teutonica.board import City, Office, Route
from domain.games.hansa_teutonica.render import words
from domain.games.hansa_teutonica.telling import ENGLISH, city_names, route_names
from domain.games.hansa_teutonica.view import View

COLUMNS = 80
HALF = 40
LEGEND = """\
0t a trader, 0m a merchant of seat 0. A free office shows its colour (White,
Orange, Purple, Black) and shape (# for a trader, o for a merchant), $ a coin.
Extra offices stand before a bar. A star stands before what was touched last."""


def text(view: View, _words: Words = ENGLISH) -> str:
    """The whole table as this seat sees it."""
    lines = [
        f"Hansa Teutonica, {view.map.label}",
        *wrap(f"Turn {view.turn}. {words.status(view)}", COLUMNS),
        "",
        *_cities(view),
        "",
        *_routes(view),
        "",
        *_around(view),
        "",
        LEGEND,
        *wrap(f"Last: {words.last_deed(view)}" if view.last else "Nothing was done yet.", COLUMNS),
        "",
    ]
    for seat in range(len(view.players)):
        lines += _player(view, seat)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _cities(view: View) -> Iterator[str]:
    """A line for each city: offices from left to right, who controls it, what it improves."""
    for city in view.map.cities:
        there = view.cities[city.id]
        star = "*" if view.last and view.last.city == city.id else " "
        extra = "".join(f" {sign}" for sign in there.extra)
        offices = "".join(
            f" {sign or _office(office):3}"
            for sign, office in zip(there.offices, city.offices, strict=True)
        )
        held = "" if there.controller is None else f"seat {there.controller}"
        row = f"{extra} |{offices}" if extra else f"  {offices}"
        yield f"{star}{city.name:12}{row:34} {held:8}{_notes(view, city)}"


def _office(office: Office) -> str:
    """A free office in two or three letters."""
    shape = "#" if office.shape == "trader" else "o"
    return f"{office.privilege[0].upper()}{shape}{_coin(office)}"


def _coin(office: Office) -> str:
    """A coin, with its points if there is more than one."""
    return "" if not office.coin else "$" if office.coin == 1 else f"${office.coin}"


def _notes(view: View, city: City) -> str:
    notes = [words.ability_names(city)] if city.ability else []
    if city.green:
        notes.append("green")
    notes += city.countries
    if city.id in view.map.east_west.cities:
        notes.append("red")
    if city.id == view.map.special_prestige.city:
        prizes = zip(view.map.special_prestige.spaces, view.special, strict=True)
        notes.append(" ".join(f"{p.points}:{s or p.privilege[0].upper()}" for p, s in prizes))
    return ", ".join(notes)


def _routes(view: View) -> Iterator[str]:
    """Two routes in a line: what stands on their posts."""
    names = route_names(view)
    wide = max(22, *map(len, names.values()))
    start, cells = 0, []
    touched = set(view.last.posts) if view.last else set()
    for route in view.map.routes:
        posts = "".join(
            f"{'*' if start + at in touched else ' '}{sign or _free(route, at):2}"
            for at, sign in enumerate(view.routes[route.id])
        )
        cells.append(f" {names[route.id]:{wide}}{posts}")
        start += route.posts
    half = (len(cells) + 1) // 2
    for left, right in zip(cells[:half], [*cells[half:], ""], strict=False):
        yield f"{left:{HALF}}{right}"


def _free(route: Route, at: int) -> str:
    """A free post, or one for a merchant only."""
    return "o" if "merchant" in route.post_requires[at : at + 1] else "."


def _around(view: View) -> Iterator[str]:
    """Markers, complete cities, the connection, the pawn."""
    names = route_names(view)
    markers = (
        f"{names[route]} ({words.MARKER_NAMES[kind]})" for route, kind in view.markers.items()
    )
    yield from wrap(f"Markers on the board: {', '.join(markers) or 'none'}.", COLUMNS)
    pile = [f"{count} {words.MARKER_NAMES[kind]}" for kind, count in view.pile.items()]
    pile += [f"{words.MARKER_NAMES[kind]} at the bottom" for kind in view.bottom]
    yield from wrap(f"Supply of markers, in unknown order: {', '.join(pile) or 'empty'}.", COLUMNS)
    fixed = (
        f"{names[route.id]} ({words.BONUS_NAMES[route.permanent_bonus]})"
        for route in view.map.routes
        if route.permanent_bonus
    )
    if told := ", ".join(fixed):
        yield from wrap(f"Permanent bonuses: {told}. A free post o is for a merchant.", COLUMNS)
    yield from _countries(view)
    yield f"Complete cities: {view.complete} of {view.map.completed_city_limit}."
    ends = "-".join(city_names(view)[city] for city in view.map.east_west.cities)
    joined = ", ".join(words.seat_name(view, seat) for seat in view.connected) or "nobody"
    yield from wrap(f"Connection {ends}: {joined}.", COLUMNS)
    if view.provinces:
        yield from wrap(_pawn(view), COLUMNS)


def _countries(view: View) -> Iterator[str]:
    """The routes of each country, and who is permitted to place there."""
    names = route_names(view)
    for country in sorted({route.country for route in view.map.routes} - {"England"}):
        routes = ", ".join(names[route.id] for route in view.map.routes if route.country == country)
        yield from wrap(f"In {country}: {routes}.", COLUMNS)
    gates = [city for city in view.map.cities if city.gateway_to]
    if told := ", ".join(_gateway(view, city) for city in gates):
        yield from wrap(f"Permissions: {told}.", COLUMNS)


def _gateway(view: View, city: City) -> str:
    """Where a city permits one action in a turn, and to whom."""
    there = view.cities[city.id]
    signs = [sign for sign in (*there.extra, *there.offices) if sign]
    holder = f"seat {signs[-1][0]}" if signs else "nobody"
    used = ", used" if city.id in view.passes else ""
    return f"{city.name} for {' or '.join(city.gateway_to)} ({holder}{used})"


def _pawn(view: View) -> str:
    names = route_names(view)
    for province in view.provinces:
        if province.id == view.pawn:
            routes = ", ".join(names[route] for route in province.routes)
            return f"Pawn: {province.id} {province.name}, at {routes}."
    return "The pawn is not on the map yet."


def _player(view: View, seat: int) -> Iterator[str]:
    """Three lines: points, pieces, desk and markers."""
    player = view.players[seat]
    notes = [" (you)"] if seat == view.seat else []
    notes += [" to decide"] if seat in view.awaiting else []
    notes += [" winner"] if seat in view.winners else []
    points = ", ".join(f"{part} {count}" for part, count in player.points.items() if count)
    head = f"{words.seat_name(view, seat).capitalize()}{''.join(notes)}: prestige {player.prestige}"
    yield from wrap(f"{head}; {view.scores[seat]} points now ({points or 'none'})", COLUMNS)
    desk = ", ".join(f"{name} {words.value_name(name, at)}" for name, at in player.levels.items())
    supply, stock = _count(player.supply), _count(player.stock)
    yield f"  supply {supply}, stock {stock}; network {player.network}"
    yield f"  {desk}"
    if player.ready or player.used:
        fresh = view.fresh if seat == view.active else {}
        ready = [
            f"{count} {words.MARKER_NAMES[kind]}{' (new)' if kind in fresh else ''}"
            for kind, count in player.ready.items()
        ]
        used = [f"{count} {words.MARKER_NAMES[kind]}" for kind, count in player.used.items()]
        told = f"markers: {', '.join(ready) or 'none'}; used: {', '.join(used) or 'none'}"
        yield from wrap(told, COLUMNS, initial_indent="  ", subsequent_indent="  ")


def _count(pieces: tuple[int, int]) -> str:
    return f"{pieces[0]}t {pieces[1]}m"
