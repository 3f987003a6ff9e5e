"""Which routes can be established, and what can be chosen for it."""

from __future__ import annotations

from domain.engine.play import Seat
from domain.games.hansa_teutonica.board import (
    ABILITIES,
    ABILITY_NUMBER,
    COMPLETE,
    PIECE_NUMBER,
    PIECES,
    PRIVILEGE,
    PRIVILEGES,
    Ability,
)
from domain.games.hansa_teutonica.moves import (
    Establishing,
    EstablishRoute,
    ImproveAbility,
    OpenExtraOffice,
    OpenOffice,
    TakeSpecialPrestige,
)
from domain.games.hansa_teutonica.rules.faults import (
    broken,
    city_number,
    has_action,
    has_marker,
    in_province,
    route_number,
)
from domain.games.hansa_teutonica.state import FREE, State, code_of, owner_of


def check_establish(state: State, move: Establishing) -> None:
    """HT-4.5, HT-6.1, HT-6.5"""
    has_action(state)
    route = route_number(state, move.route)
    span = state.board.posts[route]
    if any(
        code == FREE or owner_of(code) != move.seat for code in state.posts[span.start : span.stop]
    ):
        broken("HT-6.1", "not_all_yours", f"Not all posts of {move.route} are yours.")
    in_province(state, move.route)
    match move:
        case EstablishRoute():
            pass
        case OpenOffice():
            _check_office(state, move, route)
        case OpenExtraOffice():
            _check_extra_office(state, move, route)
        case ImproveAbility():
            _check_ability(state, move, route)
        case TakeSpecialPrestige():
            _check_special(state, move, route)


def post_with(state: State, route: int, code: int) -> int:
    """HT-6.6"""
    span = state.board.posts[route]
    return state.posts.find(code, span.start, span.stop)


def check_complete(state: State, seat: Seat, ability: Ability) -> None:
    """HT-6.9"""
    number = ABILITY_NUMBER[ability]
    if state.level(seat, number) == COMPLETE[number]:
        broken("HT-6.9", "ability_complete", f"Your {ability} cannot be improved any further.")


def _end_city(state: State, city: str, route: int, rule: str) -> int:
    """HT-6.6, HT-6.9, HT-8.3"""
    number = city_number(state, city)
    if number not in state.board.ends[route]:
        broken(rule, "not_an_end", f"{city} is no end of this route.")
    return number


def _check_office(state: State, move: OpenOffice, route: int) -> None:
    """HT-6.6, HT-6.8, HT-14.10"""
    city = _end_city(state, move.city, route, "HT-6.6")
    if city in state.board.green:
        broken("HT-14.10", "green_city", f"{move.city} has no printed offices.")
    office = state.free_office(city)
    if office < 0:
        broken("HT-6.8", "city_complete", f"{move.city} has no free office.")
    shape = state.board.shapes[office]
    if post_with(state, route, code_of(move.seat, shape)) < 0:
        reason = f"The next office of {move.city} needs a {PIECES[shape]}."
        broken("HT-6.6", "wrong_shape", reason)
    _check_privilege(state, move.seat, "HT-6.6", state.board.colours[office])


def _check_privilege(state: State, seat: Seat, rule: str, colour: int) -> None:
    """HT-6.6, HT-6.10"""
    if state.value(seat, PRIVILEGE) < colour:
        reason = f"You have not uncovered {PRIVILEGES[colour]} in your privilege."
        broken(rule, "no_privilege", reason)


def _check_extra_office(state: State, move: OpenExtraOffice, route: int) -> None:
    """HT-8.3, HT-14.10"""
    city = _end_city(state, move.city, route, "HT-8.3")
    has_marker(state, move.seat, "extra_office")
    offices = state.board.offices[city]
    if offices and state.offices[offices.start] == FREE:
        broken("HT-8.3", "city_empty", f"The leftmost office of {move.city} is still free.")
    if post_with(state, route, code_of(move.seat, PIECE_NUMBER[move.piece])) < 0:
        broken("HT-8.3", "not_on_route", f"There is no {move.piece} on this route.")


def _check_ability(state: State, move: ImproveAbility, route: int) -> None:
    """HT-6.9, HT-13.1, HT-14.11"""
    city = _end_city(state, move.city, route, "HT-6.9")
    ability, other = state.board.abilities[city], state.board.second_abilities[city]
    if ability < 0:
        broken("HT-6.9", "no_ability_city", f"{move.city} improves no ability.")
    printed = [ABILITIES[number] for number in (ability, other) if number >= 0]
    if state.setup.ability_choice == "printed" and move.ability not in printed:
        broken("HT-6.9", "other_ability", f"{move.city} improves {' or '.join(printed)}.")
    check_complete(state, move.seat, move.ability)


def _check_special(state: State, move: TakeSpecialPrestige, route: int) -> None:
    """HT-6.10"""
    board = state.board
    if route != board.prize_route:
        reason = f"Special prestige needs the route {state.setup.map.special_prestige.route}."
        broken("HT-6.10", "other_route", reason)
    if not 0 <= move.space < len(state.special):
        broken("HT-6.10", "no_such_space", f"The spaces are 0 to {len(state.special) - 1}.")
    if state.special[move.space] != FREE:
        broken("HT-6.10", "occupied", "A merchant stands on this space.")
    if post_with(state, route, code_of(move.seat, 1)) < 0:
        broken("HT-6.10", "no_merchant", "There is no merchant of yours on this route.")
    _check_privilege(state, move.seat, "HT-6.10", board.prize_colours[move.space])
