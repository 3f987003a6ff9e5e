"""Positions that a match can begin with."""

from __future__ import annotations

from domain.engine.errors import BadPosition
from domain.engine.game import Json
from domain.games.hansa_teutonica.board import BONUS_PIECES, BOOK, EXTRAS, ON_BOARD, PIECES, REMOVED
from domain.games.hansa_teutonica.moves import nearest
from domain.games.hansa_teutonica.rules.bonuses import can_deploy
from domain.games.hansa_teutonica.rules.countries import all_find_room
from domain.games.hansa_teutonica.rules.establishing import (
    missing,
    nobody_can_establish,
    reason_to_end,
)
from domain.games.hansa_teutonica.rules.judge_markers import fits
from domain.games.hansa_teutonica.scoring import scoring
from domain.games.hansa_teutonica.state import (
    FREE,
    Deploying,
    EndReason,
    GreenOffice,
    Moving,
    PlaceMarkers,
    Relocate,
    Removing,
    Setup,
    State,
    owner_of,
    piece_of,
    read_position,
)


def playable_position(setup: Setup, data: Json, seats: int) -> State:
    """HT-3.4: whoever is awaited can decide, and what is half done can be finished."""
    state = read_position(setup, data, seats)
    _check_board(state)
    _check_last(state)
    _check_pawn(state)
    _check_end(state)
    if not _can_decide(state):
        raise BadPosition("What is `pending` does not fit this table.")
    return state


def _check_board(state: State) -> None:
    """HT-6.6, HT-8.4, HT-8.8"""
    board = state.board
    for city, span in zip(state.setup.map.cities, board.offices, strict=True):
        row = [code for code in state.offices[span.start : span.stop] if code != FREE]
        shapes = board.shapes[span.start : span.start + len(row)]
        if sum(map(piece_of, row)) != sum(shapes):
            raise BadPosition(f"Pieces of {city.id} do not have the shapes of its offices.")
    if sum(marker > 0 for marker in state.markers) > ON_BOARD:
        raise BadPosition(f"No more than {ON_BOARD} markers lie on the board.")


def _check_last(state: State) -> None:
    """HT-1.3, HT-1.9, HT-1.10"""
    last, board = state.last, state.board
    if last is None:
        return
    known = last.route in (None, *board.route_number) and last.city in (None, *board.city_number)
    if not known or any(not 0 <= post < len(state.posts) for post in last.posts):
        raise BadPosition("`last` names routes, cities and posts of this map.")


def _check_pawn(state: State) -> None:
    """HT-11.6"""
    step = state.agenda[-1] if state.agenda else None
    acting = isinstance(step, Relocate) or (isinstance(step, Moving) and not step.marker)
    if state.pawn_moved and not state.setup.provinces:
        raise BadPosition("Without provinces no pawn was moved.")
    if state.closed and not (state.pawn_moved and state.acted):
        raise BadPosition("A turn is `closed` by a free move of the pawn after an action.")
    if state.setup.provinces and acting and not state.acted:
        raise BadPosition("Whoever is in the middle of an action has `acted`.")


def _check_end(state: State) -> None:
    """HT-9.1, HT-9.2, HT-9.5, HT-10.7"""
    reason = reason_to_end(state)
    if state.ended is None:
        if reason and not _uses_bonus(state):
            raise BadPosition("With so much prestige or so many complete cities it has `ended`.")
    elif not _ended_rightly(state, reason) or state.winners != scoring(state).winners:
        raise BadPosition("It did not end like this, or others are the `winners`.")


def _ended_rightly(state: State, reason: EndReason | None) -> bool:
    """HT-9.1, HT-9.3, HT-9.5"""
    if reason is None and state.ended == "pieces":
        return nobody_can_establish(state)
    return state.ended == (reason or "markers")


def _uses_bonus(state: State) -> bool:
    """HT-14.4"""
    step = state.agenda[-1]
    return isinstance(step, Deploying | GreenOffice) or (isinstance(step, Moving) and step.bonus)


def _can_decide(state: State) -> bool:
    step = state.agenda[-1] if state.agenda else None
    match step:
        case Relocate():
            able = _can_relocate(state, step)
        case Moving():
            able = _can_move(state, step)
        case Deploying():
            able = can_deploy(state, step)
        case GreenOffice():
            able = bool(state.board.green) and any(state.in_supply(state.active))
        case Removing():
            able = _can_remove(state, step)
        case PlaceMarkers():
            able = _can_lay_out(state, step)
        case _:
            able = True
    return able


def _can_lay_out(state: State, step: PlaceMarkers) -> bool:
    """HT-8.8, HT-8.9"""
    few = 0 < len(step.kinds) <= missing(state)
    return few and any(fits(state, route) for route in range(len(state.markers)))


def _can_remove(state: State, step: Removing) -> bool:
    """HT-8.5, HT-13.4"""
    chosen = state.setup.remove_three == "remove"
    return chosen and 0 < step.left <= REMOVED and any(state.posts)


def _can_relocate(state: State, step: Relocate) -> bool:
    """HT-4.3, HT-5.3, HT-5.5"""
    route = state.board.route_number.get(step.route)
    if route is None or len(step.seats) != 1 or step.seats[0] == state.active:
        return False
    there = (state.posts[post] for post in state.board.posts[route])
    if all(code == FREE or owner_of(code) != state.active for code in there):
        return False
    most = EXTRAS[PIECES.index(step.piece)]
    left = 0 < step.extras <= most if step.placed else 0 <= step.extras <= most
    return left and bool(nearest(state, route, PIECES.index(step.piece)))


def _can_move(state: State, step: Moving) -> bool:
    """HT-4.4, HT-14.5, HT-14.13"""
    more = _may_lift(state, step) - len(step.held)
    if more < 0 or step.left not in (0, more) or not (step.held or step.left):
        return False
    if len(step.lands) != (len(step.held) if state.board.divided else 0):
        return False
    if not all(0 < code < len(state.supply) for code in step.held):
        return False
    owners = {owner_of(code) for code in step.held}
    whose = state.active not in owners if step.marker else owners <= {state.active}
    others = any(owner_of(code) != state.active for code in state.posts if code != FREE)
    begun = bool(step.held) or (step.marker and others) or (step.bonus and any(state.posts))
    return begun and (whose or step.bonus) and all_find_room(state, step, -1, -1)


def _may_lift(state: State, step: Moving) -> int:
    """HT-4.4, HT-13.4, HT-14.5: how many pieces in all, none if nobody lifts like this here."""
    if step.bonus:
        there = "move_any_2" in state.board.bonuses.values() and not step.marker
        return BONUS_PIECES if there else 0
    if step.marker:
        return REMOVED if state.setup.remove_three == "move" else 0
    return state.value(state.active, BOOK)
