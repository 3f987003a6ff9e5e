"""Permanent bonuses of routes: what they bring, and which choices they leave."""

from __future__ import annotations

from domain.engine.play import Play, Seat
from domain.games.hansa_teutonica.board import (
    BONUS_PIECES,
    COMPLETE,
    ENGLAND,
    PIECE_NUMBER,
    PIECES,
    PRIVILEGE,
    Bonus,
)
from domain.games.hansa_teutonica.events import (
    BonusDeclined,
    BonusGained,
    GreenOfficeOpened,
    PieceDeployed,
)
from domain.games.hansa_teutonica.moves import DeployPiece, OpenGreenOffice
from domain.games.hansa_teutonica.rules.countries import land_of
from domain.games.hansa_teutonica.rules.establishing import complete, connect, improve
from domain.games.hansa_teutonica.rules.faults import (
    broken,
    city_number,
    fitting_post,
    post_number,
)
from domain.games.hansa_teutonica.rules.judge_actions import source_of
from domain.games.hansa_teutonica.state import (
    Deploying,
    GreenOffice,
    Moving,
    State,
    code_of,
)


def grant(p: Play[State], seat: Seat, route: int, left: tuple[int, int]) -> None:
    """HT-14.4, HT-14.6: with the traders and merchants that the route sent to the stock."""
    bonus = p.state.board.bonuses.get(route)
    if bonus is None or not _is_of_use(p.state, seat, bonus, left):
        return
    p.emit(BonusGained(seat, p.state.setup.map.routes[route].id, bonus))
    match bonus:
        case "improve_privilege":
            improve(p, seat, PRIVILEGE)
        case "move_any_2":
            p.then(Moving((seat,), held=(), left=BONUS_PIECES, marker=False, bonus=True))
        case "office_in_green_city":
            p.then(GreenOffice((seat,)))
        case "place_2":
            p.then(_deploying(seat, bonus, BONUS_PIECES, (0, 0)))
        case "redeploy_2":
            p.then(_deploying(seat, bonus, BONUS_PIECES, left))


def deploy(p: Play[State], step: Deploying, move: DeployPiece) -> None:
    """HT-14.7, HT-14.9"""
    p.emit(PieceDeployed(move.seat, move.source, move.piece, move.post, move.lifted))
    left = [step.traders, step.merchants]
    if step.bonus == "redeploy_2":
        left[PIECE_NUMBER[move.piece]] -= 1
    traders, merchants = left
    if step.left > 1 and _is_of_use(p.state, move.seat, step.bonus, (traders, merchants)):
        p.then(_deploying(move.seat, step.bonus, step.left - 1, (traders, merchants)))


def open_green_office(p: Play[State], move: OpenGreenOffice) -> None:
    """HT-14.8, HT-14.10"""
    p.emit(GreenOfficeOpened(move.seat, move.city, move.piece))
    complete(p, p.state.board.city_number[move.city])
    connect(p, move.seat)


def decline_bonus(p: Play[State], step: Deploying | GreenOffice | Moving, seat: Seat) -> None:
    """HT-14.4"""
    p.emit(BonusDeclined(seat, _bonus_of(step)))


def check_deploy(state: State, move: DeployPiece, step: Deploying) -> None:
    """HT-14.7, HT-14.9"""
    if step.bonus == "place_2":
        _check_abroad(state, move)
        return
    if move.source != "stock" or move.lifted is not None:
        broken("HT-14.7", "wrong_source", "These pieces come from your stock.")
    if not (step.traders, step.merchants)[PIECE_NUMBER[move.piece]]:
        broken("HT-14.7", "not_of_route", f"No {move.piece} of the route is left in your stock.")
    fitting_post(state, move.post, move.piece)


def _check_abroad(state: State, move: DeployPiece) -> None:
    """HT-14.9"""
    source = source_of(state, move.seat)
    if move.source != source or (move.lifted is None) == (source == "board"):
        broken("HT-14.9", "wrong_source", f"These pieces come from the {source} now.")
    code = code_of(move.seat, PIECE_NUMBER[move.piece])
    if move.lifted is not None:
        there = state.posts[post_number(state, move.lifted)] == code
    else:
        there = bool((state.stock if source == "stock" else state.supply)[code])
    if not there:
        broken("HT-14.9", "not_there", f"There is no {move.piece} of yours.")
    fitting_post(state, move.post, move.piece)
    if land_of(state, move.post) == ENGLAND:
        broken("HT-14.9", "in_england", "These pieces go to Wales or Scotland.")


def check_green_office(state: State, move: OpenGreenOffice) -> None:
    """HT-14.8"""
    if city_number(state, move.city) not in state.board.green:
        broken("HT-14.8", "not_green", f"{move.city} is no green city.")
    if not state.supply[code_of(move.seat, PIECE_NUMBER[move.piece])]:
        broken("HT-14.8", "not_in_supply", f"There is no {move.piece} in your supply.")


def check_decline_bonus(step: Moving) -> None:
    """HT-14.4, HT-14.5"""
    if not step.bonus:
        broken("HT-14.4", "no_bonus", "This is no permanent bonus.")
    if step.held:
        broken("HT-14.5", "must_put", "What was lifted must be put down.")


def can_deploy(state: State, step: Deploying) -> bool:
    """HT-14.7, HT-14.9"""
    pieces = step.traders, step.merchants
    stocked = all(
        0 <= count <= held for count, held in zip(pieces, state.in_stock(state.active), strict=True)
    )
    fits = step.bonus == "redeploy_2" or (step.bonus == "place_2" and pieces == (0, 0))
    fits = fits and step.bonus in state.board.bonuses.values()
    fits = fits and 0 < step.left <= BONUS_PIECES and stocked
    return fits and _is_of_use(state, state.active, step.bonus, pieces)


def _deploying(seat: Seat, bonus: Bonus, left: int, pieces: tuple[int, int]) -> Deploying:
    traders, merchants = pieces
    return Deploying((seat,), bonus=bonus, left=left, traders=traders, merchants=merchants)


def _is_of_use(state: State, seat: Seat, bonus: Bonus, left: tuple[int, int]) -> bool:
    """HT-14.4"""
    match bonus:
        case "improve_privilege":
            return state.level(seat, PRIVILEGE) < COMPLETE[PRIVILEGE]
        case "move_any_2":
            return any(state.posts)
        case "office_in_green_city":
            return any(state.in_supply(seat))
        case "place_2":
            own = {code_of(seat, piece) for piece in range(len(PIECES))}
            held = any((*state.in_stock(seat), *state.in_supply(seat)))
            return _has_room_abroad(state) and (held or not own.isdisjoint(state.posts))
        case "redeploy_2":
            return any(count and _has_room(state, piece) for piece, count in enumerate(left))


def _has_room(state: State, piece: int) -> bool:
    """HT-14.1, HT-14.7"""
    return any(state.post_for(route, piece) >= 0 for route in range(len(state.board.posts)))


def _has_room_abroad(state: State) -> bool:
    """HT-14.9"""
    return any(
        land != ENGLAND and state.free_post(route) >= 0
        for route, land in enumerate(state.board.lands)
    )


def _bonus_of(step: Deploying | GreenOffice | Moving) -> Bonus:
    match step:
        case Deploying():
            return step.bonus
        case GreenOffice():
            return "office_in_green_city"
        case _:
            return "move_any_2"
