"""Permanent bonuses of routes: their effects and choices: chapter 14."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.hansa_teutonica import board, moves
from domain.games.hansa_teutonica.board import BONUS_PIECES, ENGLAND, PIECE_NUMBER, PIECES
from domain.games.hansa_teutonica.events import bonuses
from domain.games.hansa_teutonica.rules import abilities, name_parts, offices
from domain.games.hansa_teutonica.rules.pieces import countries, places, relocating, sets
from domain.games.hansa_teutonica.state.steps import Deploying, GreenOffice, Moving
from domain.games.hansa_teutonica.state.table import State, code_of


def grant(p: Play[State], seat: Seat, route: int, left: tuple[int, int]) -> None:
    """Let a seat use the bonus of a route, if it has one with an effect: HT-14.4.

    `left` are the traders and merchants of the route that went to the stock. A better privilege
    does no harm, so it needs no question: HT-14.6.
    """
    bonus = p.state.board.bonuses.get(route)
    if bonus is None or not _is_of_use(p.state, seat, bonus, left):
        return
    p.emit(bonuses.BonusGained(seat, p.state.setup.map.routes[route].id, bonus))
    match bonus:
        case "improve_privilege":
            abilities.improve(p, seat, board.PRIVILEGE, "HT-14.6")
        case "move_any_2":
            p.then(Moving((seat,), held=(), left=BONUS_PIECES, marker=False, bonus=True))
        case "office_in_green_city":
            p.then(GreenOffice((seat,)))
        case "place_2":
            p.then(_deploying(seat, bonus, BONUS_PIECES, (0, 0)))
        case "redeploy_2":
            p.then(_deploying(seat, bonus, BONUS_PIECES, left))


def offer_deployments(state: State, step: Deploying, seat: Seat) -> Iterator[moves.DeployPiece]:
    """Each piece that the bonus can bring, on each route: HT-14.7, HT-14.9."""
    source = relocating.source_of(state, seat) if step.bonus == "place_2" else "stock"
    there = list(relocating.pieces_of(state, source, seat))
    for post in places.free_posts(state):
        for piece, lifted in there:
            yield moves.DeployPiece(seat, source, PIECES[piece], post, lifted)


def check_deploy(state: State, step: Deploying, move: moves.DeployPiece) -> None:
    """Refuse a piece that the bonus does not bring, or a wrong post: HT-14.7, HT-14.9."""
    if step.bonus == "place_2":
        _check_abroad(state, move)
        return
    if move.source != "stock" or move.lifted is not None:
        raise RuleBroken("HT-14.7", "wrong_source", source=name_parts.SOURCES["stock"])
    if not (step.traders, step.merchants)[PIECE_NUMBER[move.piece]]:
        raise RuleBroken("HT-14.7", "not_of_route", piece=name_parts.PIECES[move.piece])
    places.fitting_post(state, move.post, move.piece)


def _check_abroad(state: State, move: moves.DeployPiece) -> None:
    """Refuse a piece from the wrong source, or a post in England: HT-14.9."""
    source = relocating.source_of(state, move.seat)
    if move.source != source or (move.lifted is None) == (source == "board"):
        raise RuleBroken("HT-14.9", "wrong_source", source=name_parts.SOURCES[source])
    code = code_of(move.seat, PIECE_NUMBER[move.piece])
    if move.lifted is not None:
        there = state.posts[places.post_number(state, move.lifted)] == code
    else:
        there = bool((state.stock if source == "stock" else state.supply)[code])
    if not there:
        piece = name_parts.PIECES[move.piece]
        raise RuleBroken("HT-14.9", "not_there", "fault_not_there_of_yours", piece=piece)
    places.fitting_post(state, move.post, move.piece)
    if countries.land_of(state, move.post) == ENGLAND:
        raise RuleBroken("HT-14.9", "in_england")


def deploy(p: Play[State], step: Deploying, move: moves.DeployPiece) -> None:
    """Bring a piece to a post, and offer the next: HT-14.7, HT-14.9."""
    rule = "HT-14.7" if step.bonus == "redeploy_2" else "HT-14.9"
    p.emit(bonuses.PieceDeployed(move.seat, move.source, move.piece, move.post, move.lifted, rule))
    left = [step.traders, step.merchants]
    if step.bonus == "redeploy_2":
        left[PIECE_NUMBER[move.piece]] -= 1
    traders, merchants = left
    if step.left > 1 and _is_of_use(p.state, move.seat, step.bonus, (traders, merchants)):
        p.then(_deploying(move.seat, step.bonus, step.left - 1, (traders, merchants)))


def offer_green_offices(
    state: State, _step: GreenOffice, seat: Seat
) -> Iterator[moves.OpenGreenOffice]:
    """An office of either kind in each green city: HT-14.8."""
    for city in state.setup.map.cities:
        if city.green:
            yield from (moves.OpenGreenOffice(seat, city.id, piece) for piece in PIECES)


def check_green_office(state: State, _step: GreenOffice, move: moves.OpenGreenOffice) -> None:
    """Refuse a city that is not green, or a piece that is not in the supply: HT-14.8."""
    if places.city_number(state, move.city) not in state.board.green:
        raise RuleBroken("HT-14.8", "not_green", city=name_parts.city(move.city))
    if not state.supply[code_of(move.seat, PIECE_NUMBER[move.piece])]:
        raise RuleBroken("HT-14.8", "not_in_supply", piece=name_parts.PIECES[move.piece])


def open_green_office(p: Play[State], _step: GreenOffice, move: moves.OpenGreenOffice) -> None:
    """Put a piece of the supply to the right of a green city: HT-14.8, HT-14.10."""
    p.emit(bonuses.GreenOfficeOpened(move.seat, move.city, move.piece))
    offices.complete_green(p, p.state.board.city_number[move.city])
    offices.connect(p, move.seat)


def decline_deploying(p: Play[State], step: Deploying, move: moves.DeclineBonus) -> None:
    """Bring no more pieces to posts: HT-14.4."""
    p.emit(bonuses.BonusDeclined(move.seat, step.bonus))


def decline_office(p: Play[State], _step: GreenOffice, move: moves.DeclineBonus) -> None:
    """Open no office in a green city: HT-14.4."""
    p.emit(bonuses.BonusDeclined(move.seat, "office_in_green_city"))


def check_decline_moving(_state: State, step: Moving, _move: moves.DeclineBonus) -> None:
    """Refuse to decline an action or a marker, or with pieces in the hand: HT-14.4, HT-14.5."""
    if not step.bonus:
        raise RuleBroken("HT-14.4", "no_bonus")
    if step.held:
        raise RuleBroken("HT-14.5", "must_put")


def decline_moving(p: Play[State], _step: Moving, move: moves.DeclineBonus) -> None:
    """Move no pieces: HT-14.4, HT-14.5."""
    p.emit(bonuses.BonusDeclined(move.seat, "move_any_2"))


def _deploying(seat: Seat, bonus: board.Bonus, count: int, left: tuple[int, int]) -> Deploying:
    traders, merchants = left
    return Deploying((seat,), bonus=bonus, left=count, traders=traders, merchants=merchants)


def _is_of_use(state: State, seat: Seat, bonus: board.Bonus, left: tuple[int, int]) -> bool:
    """Whether a bonus has an effect; otherwise it is skipped: HT-14.4."""
    match bonus:
        case "improve_privilege":
            return state.level(seat, board.PRIVILEGE) < board.COMPLETE[board.PRIVILEGE]
        case "move_any_2":
            return any(state.posts)
        case "office_in_green_city":
            return any(state.in_supply(seat))
        case "place_2":
            held = any((*state.in_stock(seat), *state.in_supply(seat)))
            own = held or not places.own_codes(seat).isdisjoint(state.posts)
            return own and _has_room_abroad(state)
        case "redeploy_2":
            return any(count and _has_room(state, piece) for piece, count in enumerate(left))


def _has_room(state: State, piece: int) -> bool:
    """Whether any route has a free post for this kind of piece: HT-14.1, HT-14.7."""
    return bool(sets.free(state) & sets.ground_of(state.board).takes[piece])


def _has_room_abroad(state: State) -> bool:
    """Whether Wales or Scotland has a free post: HT-14.9."""
    return bool(sets.free(state) & ~sets.ground_of(state.board).lands[ENGLAND])
