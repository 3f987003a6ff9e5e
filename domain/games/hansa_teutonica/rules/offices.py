"""Offices: those for an established route, those in green cities, and what they connect."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.hansa_teutonica import board
from domain.games.hansa_teutonica.board import PIECE_NUMBER, PIECES, Route
from domain.games.hansa_teutonica.events import routes
from domain.games.hansa_teutonica.moves import OpenExtraOffice, OpenOffice
from domain.games.hansa_teutonica.rules import markers, name_parts
from domain.games.hansa_teutonica.rules.pieces import places
from domain.games.hansa_teutonica.scoring import is_connected
from domain.games.hansa_teutonica.state.table import FREE, State, code_of


def offer_offices(_state: State, route: Route, seat: Seat) -> Iterator[OpenOffice]:
    """An office in each city at an end of the route: HT-6.6."""
    return (OpenOffice(seat, route.id, city) for city in route.cities)


def check_office(state: State, route: int, move: OpenOffice) -> None:
    """Refuse an office that is not free, or not for these pieces: HT-6.6, HT-6.8, HT-14.10."""
    city = places.end_number(state, move.city, route, "HT-6.6")
    if city in state.board.green:
        raise RuleBroken("HT-14.10", "green_city", city=name_parts.city(move.city))
    office = state.free_office(city)
    if office < 0:
        raise RuleBroken("HT-6.8", "city_complete", city=name_parts.city(move.city))
    shape = state.board.shapes[office]
    if places.post_with(state, route, code_of(move.seat, shape)) < 0:
        piece = name_parts.PIECES[PIECES[shape]]
        raise RuleBroken("HT-6.6", "wrong_shape", city=name_parts.city(move.city), piece=piece)
    check_privilege(state, move.seat, "HT-6.6", state.board.colours[office])


def check_privilege(state: State, seat: Seat, rule: str, colour: int) -> None:
    """Refuse by this rule a colour that the seat has not uncovered: HT-6.6, HT-6.10."""
    if not has_privilege(state, seat, colour):
        needed = name_parts.PRIVILEGES[board.PRIVILEGES[colour]]
        raise RuleBroken(rule, "no_privilege", privilege=needed)


def has_privilege(state: State, seat: Seat, colour: int) -> bool:
    """Whether a seat has uncovered a colour: HT-6.6, HT-6.10."""
    return state.value(seat, board.PRIVILEGE) >= colour


def open_office(p: Play[State], move: OpenOffice) -> None:
    """Fill the leftmost free office, with its coin: HT-6.6.

    The coin is one of the few sources of prestige during the game: HT-6.7.
    """
    chart = p.state.board
    city = chart.city_number[move.city]
    office = p.state.free_office(city)
    piece = PIECES[chart.shapes[office]]
    post = post_of(p.state, move.seat, move.route, piece)
    number = office - chart.offices[city].start
    coin = chart.coins[office]
    p.emit(routes.OfficeOpened(move.seat, move.city, number, piece, post, coin))
    if p.state.free_office(city) < 0:
        _complete_city(p, move.city)
    connect(p, move.seat)


def _complete_city(p: Play[State], city: str) -> None:
    """Count a city whose last office was filled: HT-6.8."""
    p.emit(routes.CityCompleted(city, p.state.complete + 1))


def post_of(state: State, seat: Seat, route: str, piece: board.Piece) -> board.Post:
    """The post of a piece of the route that goes to an office."""
    number = state.board.route_number[route]
    at = places.post_with(state, number, code_of(seat, PIECE_NUMBER[piece]))
    return route, at - state.board.posts[number].start


def offer_extra_offices(state: State, route: Route, seat: Seat) -> Iterator[OpenExtraOffice]:
    """Either piece in each city at an end, if the seat has a marker: HT-8.3."""
    if markers.count_of(state, seat, "extra_office"):
        for city in route.cities:
            yield from (OpenExtraOffice(seat, route.id, city, piece) for piece in PIECES)


def check_extra_office(state: State, route: int, move: OpenExtraOffice) -> None:
    """Refuse an extra office without marker, beside no office, or without a piece: HT-8.3.

    A green city has no printed offices, so none must be occupied: HT-14.10.
    """
    city = places.end_number(state, move.city, route, "HT-8.3")
    markers.check_ready(state, move.seat, "extra_office")
    printed = state.board.offices[city]
    if printed and state.offices[printed.start] == FREE:
        raise RuleBroken("HT-8.3", "city_empty", city=name_parts.city(move.city))
    if places.post_with(state, route, code_of(move.seat, PIECE_NUMBER[move.piece])) < 0:
        raise RuleBroken("HT-8.3", "not_on_route", piece=name_parts.PIECES[move.piece])


def open_extra_office(p: Play[State], move: OpenExtraOffice) -> None:
    """Use a marker to put a piece of the route to the left of all offices: HT-8.3, HT-7.3,
    HT-14.10.
    """
    post = post_of(p.state, move.seat, move.route, move.piece)
    markers.spend(p, move.seat, "extra_office")
    p.emit(routes.ExtraOfficeOpened(move.seat, move.city, move.piece, post))
    complete_green(p, p.state.board.city_number[move.city])
    connect(p, move.seat)


def complete_green(p: Play[State], city: int) -> None:
    """Record that a green city is complete, which its first office makes it: HT-14.10."""
    if city in p.state.board.green and len(p.state.extras[city]) == 1:
        name = p.state.setup.map.cities[city].id
        p.emit(routes.CityCompleted(name, p.state.complete + 1, "HT-14.10"))


def connect(p: Play[State], seat: Seat) -> None:
    """Give prestige for connecting the two red cities, once to each seat: HT-6.13."""
    state = p.state
    if seat not in state.connected and is_connected(state, seat):
        points = (*state.setup.map.east_west.points_by_order, *(0,) * state.seats)
        p.emit(routes.CitiesConnected(seat, points[len(state.connected)]))
