"""The box of Hansa Teutonica: maps, pieces, desks, markers, and tables computed from a map."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Annotated, Any, Literal

import msgspec

from domain.engine.constraints import Choice

Piece = Literal["trader", "merchant"]
Privilege = Literal["white", "orange", "purple", "black"]
Ability = Literal["keys", "actions", "privilege", "book", "bag"]
Marker = Literal[
    "extra_office",
    "swap_offices",
    "remove_three",
    "improve_ability",
    "plus_3_actions",
    "plus_4_actions",
]
Bonus = Literal["move_any_2", "improve_privilege", "redeploy_2", "office_in_green_city", "place_2"]
PostFor = Literal["any", "merchant"]
Country = Literal["England", "Wales", "Scotland"]
MapName = Literal["standard", "east", "britannia"]
PlayerColour = Literal["red", "yellow", "blue", "green", "purple"]
Source = Literal["displaced", "stock", "supply", "board"]
RouteName = Annotated[str, Choice("route", lambda table: table.state.board.route_number)]
CityName = Annotated[str, Choice("city", lambda table: table.state.board.city_number)]
PostNumber = Annotated[int, Choice("post", lambda table: range(len(table.state.board.route_of)))]
ProvinceName = Annotated[
    str, Choice("province", lambda table: [one.id for one in table.state.board.provinces])
]
Post = tuple[str, int]
"""A route and the number of one of its posts, from its first city on."""
Point = tuple[float, float]
"""Where something is drawn, as fractions of the width and the height of the board."""

PIECES: tuple[Piece, ...] = ("trader", "merchant")
PRIVILEGES: tuple[Privilege, ...] = ("white", "orange", "purple", "black")
ABILITIES: tuple[Ability, ...] = ("keys", "actions", "privilege", "book", "bag")
KEYS, ACTIONS, PRIVILEGE, BOOK, BAG = range(5)
MARKERS: tuple[Marker, ...] = (
    "extra_office",
    "swap_offices",
    "remove_three",
    "improve_ability",
    "plus_3_actions",
    "plus_4_actions",
)
MERCHANT = PIECES.index("merchant")
MARKER_NUMBER: dict[str, int] = {kind: number for number, kind in enumerate(MARKERS)}
ABILITY_NUMBER: dict[str, int] = {name: number for number, name in enumerate(ABILITIES)}
PIECE_NUMBER: dict[str, int] = {name: number for number, name in enumerate(PIECES)}


def read(name: str) -> dict[str, Any]:
    """The content of a data file of the game."""
    text = files(__package__).joinpath("data", name).read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


_BOX = read("components.json")

PLAYER_COLOURS: tuple[PlayerColour, ...] = tuple(_BOX["player_colours"])
TRADERS: int = _BOX["pieces_per_player"]["traders"]
MERCHANTS: int = _BOX["pieces_per_player"]["merchants"]
"""The pieces of each player: HT-1.4."""
ON_TRACK: int = _BOX["traders_on_score_track"]
WHOLE_STOCK = 99
"""The value of a bag that takes the whole stock."""
VALUES: tuple[tuple[int, ...], ...] = tuple(
    tuple(PRIVILEGES.index(v) if v in PRIVILEGES else WHOLE_STOCK if v == "all" else v for v in row)
    for row in (_BOX["desk"][name]["values"] for name in ABILITIES)
)
"""By ability, its values by number of improvements: HT-1.5."""
COVERED_BY: tuple[int, ...] = tuple(PIECE_NUMBER[_BOX["desk"][name]["piece"]] for name in ABILITIES)
COMPLETE: tuple[int, ...] = tuple(len(row) - 1 for row in VALUES)
"""How many improvements complete an ability."""
SCORES_COMPLETE: tuple[bool, ...] = tuple(
    _BOX["desk"][name]["scores_when_complete"] for name in ABILITIES
)
START_SUPPLY: tuple[tuple[int, int], ...] = tuple(
    (seat["supply"]["traders"], seat["supply"]["merchants"]) for seat in _BOX["start_by_seat"]
)
START_STOCK: tuple[tuple[int, int], ...] = tuple(
    (seat["stock"]["traders"], seat["stock"]["merchants"]) for seat in _BOX["start_by_seat"]
)
"""Traders and merchants at the start, by place in the turn order: HT-2.5."""
MIX_2009: tuple[int, ...] = tuple(entry["count"] for entry in _BOX["bonus_markers"])
MIX_BIG_BOX: tuple[int, ...] = tuple(_BOX["big_box_2020_marker_mix"][kind] for kind in MARKERS)
"""How many markers there are of each kind: HT-1.7, HT-13.6."""
STARTING: tuple[Marker, ...] = tuple(e["kind"] for e in _BOX["bonus_markers"] if e["starting"])
ON_BOARD: int = _BOX["bonus_markers_on_board"]
MARKER_POINTS: tuple[tuple[int, int], ...] = tuple(
    (row["min"], row["points"]) for row in reversed(_BOX["bonus_marker_points"])
)
EXTRAS: tuple[int, int] = (
    _BOX["displacement"]["trader"]["extra"],
    _BOX["displacement"]["merchant"]["extra"],
)
COSTS: tuple[int, int] = (
    _BOX["displacement"]["trader"]["cost"],
    _BOX["displacement"]["merchant"]["cost"],
)
"""By piece, trader or merchant, how many pieces it costs to displace one: HT-5.1."""
ENOUGH_PRESTIGE: int = _BOX["end_triggers"]["prestige"]
"""This much prestige ends the game; players can go beyond it: HT-1.8."""
ENGLAND: Country = "England"
COUNTRY_POINTS = (7, 4, 2)
"""Points for the first, second and third place in a country: HT-14.14."""
BONUS_PIECES = 2
"""How many pieces a permanent bonus moves or brings to posts: HT-14.5, HT-14.7."""
MAX_REMOVED = 3
"""How many pieces a marker can take from posts: HT-8.5."""
PER_ABILITY: int = _BOX["final_scoring"]["complete_ability"]
PER_CITY: int = _BOX["final_scoring"]["controlled_city"]
"""Points for a complete ability and for a controlled city: HT-10.2, HT-10.5."""


class Layout(msgspec.Struct, frozen=True):
    """Where a city and its offices, or a route and its posts, are drawn."""

    centre: Point = (0.0, 0.0)
    marker: Point = (0.0, 0.0)
    offices: tuple[Point, ...] = ()
    posts: tuple[Point, ...] = ()


class Office(msgspec.Struct, frozen=True):
    """An office of a city: HT-1.2."""

    shape: Piece
    privilege: Privilege
    coin: int


class City(msgspec.Struct, frozen=True, omit_defaults=True):
    """A city with its offices from left to right: HT-1.9, HT-14.10 to HT-14.12."""

    id: str
    name: str
    offices: tuple[Office, ...]
    ability: Ability | None
    layout: Layout
    second_ability: Ability | None = None
    green: bool = False
    countries: tuple[Country, ...] = ()
    gateway_to: tuple[Country, ...] = ()


class Route(msgspec.Struct, frozen=True, omit_defaults=True):
    """A route between two cities: HT-1.3, HT-1.10, HT-14.1, HT-14.4."""

    id: str
    cities: tuple[str, str]
    posts: int
    tavern: bool
    layout: Layout
    post_requires: tuple[PostFor, ...] = ()
    permanent_bonus: Bonus | None = None
    country: Country = ENGLAND


class Prize(msgspec.Struct, frozen=True):
    """A space for a merchant that scores at the end: HT-6.10."""

    privilege: Privilege
    points: int
    layout: Point


class Prizes(msgspec.Struct, frozen=True):
    """The table of special prestige."""

    city: str
    route: str
    spaces: tuple[Prize, ...]


class Ends(msgspec.Struct, frozen=True):
    """The two cities to connect, and the points for the first player, the second and so on."""

    cities: tuple[str, str]
    points_by_order: tuple[int, ...]


class Map(msgspec.Struct, frozen=True):
    """One side of the board: HT-1.1."""

    id: str
    label: str
    aspect_width_over_height: float
    completed_city_limit: int
    east_west: Ends
    special_prestige: Prizes
    cities: tuple[City, ...]
    routes: tuple[Route, ...]


class Province(msgspec.Struct, frozen=True):
    """A part of the map in a game of two: HT-11.2."""

    id: str
    name: str
    routes: tuple[str, ...]
    neighbours: tuple[str, ...]
    layout: Point


class Soldier(msgspec.Struct, frozen=True):
    """A border without a route across it: HT-11.1."""

    between: tuple[str, str]
    layout: Point


MAPS: dict[str, Map] = {
    side: msgspec.convert(read(f"{side}.json"), Map)
    for side in (
        "board_2_3",
        "board_4_5",
        "map_east",
        "map_britannia_2_3",
        "map_britannia_4_5",
    )
}
SIDES: dict[MapName, dict[range, str]] = {
    "standard": {range(2, 4): "board_2_3", range(4, 6): "board_4_5"},
    "east": {range(3, 6): "map_east"},
    "britannia": {range(2, 4): "map_britannia_2_3", range(4, 6): "map_britannia_4_5"},
}
"""By map, the side for each number of players: HT-2.1, HT-14.2, HT-14.3."""
_TWO_PLAYERS = read("two_player_provinces.json")
PROVINCES: tuple[Province, ...] = tuple(
    msgspec.convert({**province, "neighbours": tuple(province["neighbours"])}, Province)
    for province in _TWO_PLAYERS["provinces"]
)
SOLDIERS: tuple[Soldier, ...] = msgspec.convert(_TWO_PLAYERS["soldiers"], tuple[Soldier, ...])


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A map and the tables computed from it. Cities, routes, posts and offices have numbers."""

    map: Map
    provinces: tuple[Province, ...]  # HT-11.2
    city_number: dict[str, int]
    route_number: dict[str, int]
    posts: tuple[range, ...]  # of each route
    shortest: int  # number of posts of the shortest route
    offices: tuple[range, ...]  # of each city
    ends: tuple[tuple[int, int], ...]  # the cities of each route
    routes_of: tuple[tuple[int, ...], ...]  # of each city
    neighbours: tuple[tuple[int, ...], ...]  # of each city: HT-7.4
    rings: tuple[tuple[tuple[int, ...], ...], ...]  # round each route: HT-5.5
    shapes: bytes  # of each office: the number of a piece
    colours: bytes  # of each office: the number of a privilege
    coins: bytes  # of each office
    abilities: tuple[int, ...]  # of each city, or -1
    second_abilities: tuple[int, ...]  # of each city, or -1: HT-14.11
    prize_route: int
    prize_colours: tuple[int, ...]
    prize_points: tuple[int, ...]
    east_west: tuple[int, int]
    route_of: bytes  # of each post
    reserved: frozenset[int]  # posts for merchants only: HT-14.1
    bonuses: dict[int, Bonus]  # by route: HT-14.4
    bare: frozenset[int]  # routes that never have a marker; HT-14.3, HT-14.4
    green: frozenset[int]  # cities: HT-14.10
    lands: tuple[Country, ...]  # of each route
    divided: bool  # whether there are other countries than England: HT-14.3
    cities_in: tuple[tuple[int, ...], ...]  # of each country that scores: HT-14.14
    gateways: tuple[tuple[int, tuple[Country, ...]], ...]  # those to one country first: HT-14.12

    def can_take(self, post: int, piece: int) -> bool:
        """Whether this kind of piece may stand on a post: HT-14.1."""
        return bool(piece) or post not in self.reserved

    def can_go(self, land: Country, route: int) -> bool:
        """Whether a piece from a country may go to a route: HT-14.13."""
        return not self.divided or self.lands[route] in (ENGLAND, land)


@lru_cache(maxsize=48)
def board_of(chart: Map, provinces: tuple[Province, ...] = ()) -> Board:
    """The tables of a map, and of its provinces in a game of two."""
    city_number = {city.id: number for number, city in enumerate(chart.cities)}
    route_number = {route.id: number for number, route in enumerate(chart.routes)}
    ends = tuple((city_number[r.cities[0]], city_number[r.cities[1]]) for r in chart.routes)
    routes_of = tuple(
        tuple(r for r, pair in enumerate(ends) if city in pair) for city in range(len(chart.cities))
    )
    offices = [office for city in chart.cities for office in city.offices]
    prizes = chart.special_prestige.spaces
    west, east = chart.east_west.cities
    posts = tuple(_ranges([route.posts for route in chart.routes]))
    lands = tuple(route.country for route in chart.routes)
    bonuses = {r: bonus for r, route in enumerate(chart.routes) if (bonus := route.permanent_bonus)}
    return Board(
        map=chart,
        provinces=provinces,
        city_number=city_number,
        route_number=route_number,
        posts=posts,
        shortest=min(map(len, posts)),
        offices=tuple(_ranges([len(city.offices) for city in chart.cities])),
        ends=ends,
        routes_of=routes_of,
        neighbours=tuple(_beside(ends, city) for city in range(len(chart.cities))),
        rings=tuple(_rings(ends, routes_of, route) for route in range(len(ends))),
        shapes=bytes(PIECE_NUMBER[office.shape] for office in offices),
        colours=bytes(PRIVILEGES.index(office.privilege) for office in offices),
        coins=bytes(office.coin for office in offices),
        abilities=tuple(ABILITY_NUMBER.get(city.ability or "", -1) for city in chart.cities),
        second_abilities=tuple(
            ABILITY_NUMBER.get(city.second_ability or "", -1) for city in chart.cities
        ),
        prize_route=route_number[chart.special_prestige.route],
        prize_colours=tuple(PRIVILEGES.index(prize.privilege) for prize in prizes),
        prize_points=tuple(prize.points for prize in prizes),
        east_west=(city_number[west], city_number[east]),
        route_of=bytes(r for r, route in enumerate(chart.routes) for _ in range(route.posts)),
        reserved=_find_reserved(chart, posts),
        bonuses=bonuses,
        bare=frozenset(bonuses) | {r for r, land in enumerate(lands) if land != ENGLAND},
        green=frozenset(number for number, city in enumerate(chart.cities) if city.green),
        lands=lands,
        divided=any(land != ENGLAND for land in lands),
        cities_in=_cities_in(chart),
        gateways=tuple(
            sorted(
                (
                    (number, city.gateway_to)
                    for number, city in enumerate(chart.cities)
                    if city.gateway_to
                ),
                key=lambda gateway: len(gateway[1]),
            )
        ),
    )


def _cities_in(chart: Map) -> tuple[tuple[int, ...], ...]:
    """The cities of each country that scores: HT-14.14."""
    countries = sorted({country for city in chart.cities for country in city.countries})
    return tuple(
        tuple(number for number, city in enumerate(chart.cities) if country in city.countries)
        for country in countries
    )


def _find_reserved(chart: Map, posts: tuple[range, ...]) -> frozenset[int]:
    """Posts for merchants only: HT-14.1."""
    return frozenset(
        span.start + at
        for route, span in zip(chart.routes, posts, strict=True)
        for at, piece in enumerate(route.post_requires)
        if piece == "merchant"
    )


def _ranges(lengths: list[int]) -> Iterator[range]:
    """Consecutive ranges of these lengths."""
    start = 0
    for length in lengths:
        yield range(start, start + length)
        start += length


def _beside(ends: tuple[tuple[int, int], ...], city: int) -> tuple[int, ...]:
    return tuple(a if b == city else b for a, b in ends if city in (a, b))


def _rings(
    ends: tuple[tuple[int, int], ...], routes_of: tuple[tuple[int, ...], ...], route: int
) -> tuple[tuple[int, ...], ...]:
    """The other routes by distance from this one: HT-5.5, HT-5.6."""
    rings: list[tuple[int, ...]] = []
    seen, ring = {route}, [route]
    while True:
        near = {n for at in ring for city in ends[at] for n in routes_of[city]} - seen
        if not near:
            return tuple(rings)
        ring = sorted(near)
        seen |= near
        rings.append(tuple(ring))
