"""Establishing a route, step by step; and improving abilities."""

from __future__ import annotations

from domain.engine.play import Play, Seat
from domain.games.hansa_teutonica.board import (
    ABILITIES,
    ABILITY_NUMBER,
    ACTIONS,
    COVERED_BY,
    ENOUGH_PRESTIGE,
    MARKER_NUMBER,
    MARKERS,
    ON_BOARD,
    PIECE_NUMBER,
    PIECES,
    VALUES,
)
from domain.games.hansa_teutonica.events import (
    AbilityImproved,
    CitiesConnected,
    CityCompleted,
    ExtraOfficeOpened,
    MarkerTaken,
    MarkerUsed,
    OfficeOpened,
    Post,
    PrestigeGained,
    RouteCleared,
    RouteEstablished,
    SpecialPrestigeTaken,
)
from domain.games.hansa_teutonica.moves import (
    Establishing,
    EstablishRoute,
    ImproveAbility,
    OpenExtraOffice,
    OpenOffice,
    TakeSpecialPrestige,
)
from domain.games.hansa_teutonica.rules.actions import spend
from domain.games.hansa_teutonica.rules.judge_establishing import post_with
from domain.games.hansa_teutonica.scoring import controller, is_connected
from domain.games.hansa_teutonica.state import KINDS, CheckEnd, EndReason, State, code_of


def establish(p: Play[State], move: Establishing) -> tuple[int, int]:
    """HT-6.2, HT-9.2: the traders and merchants that went to the stock."""
    spend(p, move.seat)
    p.emit(RouteEstablished(move.seat, move.route))
    _reward_controllers(p, move.route)
    p.then(CheckEnd(short=_take_marker(p, move.seat, move.route)))
    _choose(p, move)
    return _clear(p, move.seat, move.route)


def improve(p: Play[State], seat: Seat, ability: int) -> None:
    """HT-3.7, HT-6.9"""
    level = p.state.level(seat, ability) + 1
    values = VALUES[ability]
    actions = values[level] - values[level - 1] if ability == ACTIONS else 0
    piece = PIECES[COVERED_BY[ability]]
    p.emit(AbilityImproved(seat, ABILITIES[ability], level, piece, actions))


def _reward_controllers(p: Play[State], route: str) -> None:
    """HT-6.3, HT-9.4"""
    for city in p.state.setup.map.routes[p.state.board.route_number[route]].cities:
        seat = controller(p.state, p.state.board.city_number[city])
        if seat is not None:
            p.emit(PrestigeGained(seat, city, 1))


def _take_marker(p: Play[State], seat: Seat, route: str) -> bool:
    """HT-6.4, HT-13.3: whether the supply of markers is too short now."""
    marker = p.state.markers[p.state.board.route_number[route]]
    if not marker:
        return False
    p.emit(MarkerTaken(seat, route, MARKERS[marker - 1]))
    return p.state.setup.marker_refill == "on_take" and missing(p.state) > p.state.drawable()


def missing(state: State) -> int:
    """HT-8.8"""
    return max(0, ON_BOARD - sum(marker > 0 for marker in state.markers))


def _choose(p: Play[State], move: Establishing) -> None:
    """HT-6.5, HT-6.11"""
    match move:
        case OpenOffice():
            _open_office(p, move)
        case OpenExtraOffice():
            _open_extra_office(p, move)
        case ImproveAbility():
            improve(p, move.seat, ABILITY_NUMBER[move.ability])
        case TakeSpecialPrestige():
            post = _post(p.state, move.seat, move.route, 1)
            points = p.state.board.prize_points[move.space]
            p.emit(SpecialPrestigeTaken(move.seat, move.space, points, post))
        case EstablishRoute():
            pass


def _open_office(p: Play[State], move: OpenOffice) -> None:
    """HT-6.6, HT-6.7, HT-6.8"""
    board = p.state.board
    city = board.city_number[move.city]
    office = p.state.free_office(city)
    piece = board.shapes[office]
    post = _post(p.state, move.seat, move.route, piece)
    number = office - board.offices[city].start
    coin = board.coins[office]
    p.emit(OfficeOpened(move.seat, move.city, number, PIECES[piece], post, coin))
    if p.state.free_office(city) < 0:
        p.emit(CityCompleted(move.city, p.state.complete + 1))
    connect(p, move.seat)


def _open_extra_office(p: Play[State], move: OpenExtraOffice) -> None:
    """HT-8.3, HT-14.10"""
    post = _post(p.state, move.seat, move.route, PIECE_NUMBER[move.piece])
    p.emit(MarkerUsed(move.seat, "extra_office"))
    p.emit(ExtraOfficeOpened(move.seat, move.city, move.piece, post))
    complete(p, p.state.board.city_number[move.city])
    connect(p, move.seat)


def complete(p: Play[State], city: int) -> None:
    """HT-14.10"""
    if city in p.state.board.green and len(p.state.extras[city]) == 1:
        p.emit(CityCompleted(p.state.setup.map.cities[city].id, p.state.complete + 1))


def connect(p: Play[State], seat: Seat) -> None:
    """HT-6.13"""
    state = p.state
    if seat not in state.connected and is_connected(state, seat):
        points = (*state.setup.map.east_west.points_by_order, *(0,) * state.seats)
        p.emit(CitiesConnected(seat, points[len(state.connected)]))


def _post(state: State, seat: Seat, route: str, piece: int) -> Post:
    number = state.board.route_number[route]
    return route, post_with(state, number, code_of(seat, piece)) - state.board.posts[number].start


def _clear(p: Play[State], seat: Seat, route: str) -> tuple[int, int]:
    """HT-6.12"""
    span = p.state.board.posts[p.state.board.route_number[route]]
    codes = p.state.posts[span.start : span.stop]
    traders, merchants = (codes.count(code_of(seat, piece)) for piece in range(len(PIECES)))
    p.emit(RouteCleared(seat, route, traders, merchants))
    return traders, merchants


def nobody_can_establish(state: State) -> bool:
    """HT-9.5"""
    shortest = min(map(len, state.board.posts))
    return all(_pieces_left(state, seat) < shortest for seat in range(state.seats))


def _pieces_left(state: State, seat: Seat) -> int:
    """HT-9.5"""
    codes = [code_of(seat, piece) for piece in range(len(PIECES))]
    left = sum(state.stock[code] + state.supply[code] + state.posts.count(code) for code in codes)
    return left + state.ready[seat * KINDS + MARKER_NUMBER["improve_ability"]]


def reason_to_end(state: State) -> EndReason | None:
    """HT-9.1"""
    if max(state.prestige) >= ENOUGH_PRESTIGE:
        return "prestige"
    if state.complete >= state.setup.map.completed_city_limit:
        return "cities"
    return None
