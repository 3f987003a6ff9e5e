"""Positions that a match can begin with."""

from __future__ import annotations

from domain.engine.errors import BadPosition
from domain.engine.game import Json
from domain.games.hansa_teutonica.board import BONUS_PIECES, EXTRAS, PIECES, REMOVED
from domain.games.hansa_teutonica.moves import nearest
from domain.games.hansa_teutonica.rules.bonuses import can_deploy
from domain.games.hansa_teutonica.rules.countries import all_find_room
from domain.games.hansa_teutonica.rules.judge_markers import fits
from domain.games.hansa_teutonica.state import (
    FREE,
    Deploying,
    GreenOffice,
    Moving,
    PlaceMarkers,
    Relocate,
    Removing,
    Setup,
    State,
    owner_of,
    read_position,
)


def playable_position(setup: Setup, data: Json, seats: int) -> State:
    """HT-3.4: whoever is awaited can decide, and what is half done can be finished."""
    state = read_position(setup, data, seats)
    step = state.agenda[-1] if state.agenda else None
    match step:
        case Relocate():
            sound = _can_relocate(state, step)
        case Moving():
            sound = _can_move(state, step)
        case Deploying():
            sound = can_deploy(state, step)
        case GreenOffice():
            sound = bool(state.board.green) and any(state.in_supply(state.active))
        case Removing():
            sound = 0 < step.left <= REMOVED and any(state.posts)
        case PlaceMarkers():
            routes = range(len(state.markers))
            sound = bool(step.kinds) and any(fits(state, route) for route in routes)
        case _:
            sound = True
    if not sound:
        raise BadPosition("What is `pending` does not fit this table.")
    return state


def _can_relocate(state: State, step: Relocate) -> bool:
    """HT-5.3, HT-5.5"""
    route = state.board.route_number.get(step.route)
    if route is None or len(step.seats) != 1 or step.seats[0] == state.active:
        return False
    most = EXTRAS[PIECES.index(step.piece)]
    left = 0 < step.extras <= most if step.placed else 0 <= step.extras <= most
    return left and bool(nearest(state, route, PIECES.index(step.piece)))


def _can_move(state: State, step: Moving) -> bool:
    """HT-4.4, HT-14.5, HT-14.13"""
    if len(step.lands) != (len(step.held) if state.board.divided else 0):
        return False
    most = BONUS_PIECES if step.bonus else REMOVED if step.marker else 5
    owners = {owner_of(code) for code in step.held if 0 < code < len(state.supply)}
    held = all(0 < code < len(state.supply) for code in step.held)
    whose = state.active not in owners if step.marker else owners <= {state.active}
    others = any(owner_of(code) != state.active for code in state.posts if code != FREE)
    begun = bool(step.held) or (step.marker and others) or (step.bonus and any(state.posts))
    sound = held and (whose or step.bonus) and all_find_room(state, step, -1, -1)
    return sound and begun and 0 <= step.left <= most - len(step.held)
