"""What the six cards may do, and do."""

from __future__ import annotations

from typing import NoReturn

from domain.engine.errors import RuleBroken
from domain.engine.play import Move, Play, Seat
from domain.games.chang_cheng.board import (
    ARCHITECT,
    CARD_NAMES,
    CELL_NUMBER,
    CHINA_NUMBER,
    FLOOD,
    GREAT_ARCHITECT,
    MONGOL_NUMBER,
    OFFICIAL,
    OPTIONAL,
    TRAITOR,
    WARRIOR,
)
from domain.games.chang_cheng.events import (
    CardStruck,
    CardUnused,
    ThreatRemoved,
    ValueChanged,
    WallDestroyed,
    WallsAdded,
    WallsSwapped,
)
from domain.games.chang_cheng.moves import (
    AddWall,
    ChangeValue,
    DeclineCard,
    DestroyWall,
    RemoveThreat,
    StrikeCard,
    SwapWalls,
)
from domain.games.chang_cheng.state import NEUTRAL, Card, State, UseCard

GREAT = 2
"""So many walls a Great Architect counts."""


def check_effect(state: State, step: UseCard, move: Move) -> None:
    """CC-7.1: does the card that is executed now do this, and here?"""
    _check_card(step.number, move)
    region = CHINA_NUMBER[step.region]
    match move:
        case StrikeCard():
            _check_strike(state, step, move)
        case DestroyWall():
            _check_single(state, move.cell, "CC-7.4")
            _check_inside(state, move.cell, region, "CC-7.4", step)
        case RemoveThreat():
            _check_threat(state, move, region, step)
        case SwapWalls(cells=(one, other)):
            for cell in (one, other):
                _check_single(state, cell, "CC-7.7")
            _check_inside(state, one, region, "CC-7.7", step)
            if state.map.china_of[CELL_NUMBER[other]] == region:
                _broken("CC-7.7", "same_region", f"{other} lies in {step.region} too.")
        case _:
            pass


def has_choice(state: State, card: Card) -> bool:
    """CC-7.1: whether the card has a target and its owner something to decide."""
    region = CHINA_NUMBER[card.region]
    start, end = state.map.china[region]
    match card.number:
        case 1:
            return state.tally is not None and len(state.tally.waiting) > 1
        case 2:
            return any(state.is_single(c) for c in range(start, end)) or any(
                not state.removed[mongol] for mongol in state.map.touching[region]
            )
        case 6:
            return any(state.is_single(c) for c in range(start, end)) and any(
                state.is_single(c) for c in state.wall.cells if not start <= c < end
            )
        case _:
            return True


def use(p: Play[State], card: Card, move: Move) -> None:
    """CC-7.3, CC-7.4, CC-7.5, CC-7.7"""
    match move:
        case StrikeCard(number=number):
            p.emit(CardStruck(card, next(c for c in _waiting(p.state) if c.number == number)))
        case DestroyWall(cell=cell):
            p.emit(WallDestroyed(card, cell, _colour(p.state, cell)))
        case RemoveThreat(region=region):
            p.emit(ThreatRemoved(card, region))
        case ChangeValue(change=change):
            p.emit(ValueChanged(card, change))
        case AddWall():
            p.emit(WallsAdded(card, 1))
        case SwapWalls(cells=(one, other)):
            colours = (_colour(p.state, other), _colour(p.state, one))
            p.emit(WallsSwapped(card, (one, other), colours))
        case _:
            p.emit(CardUnused(card, declined=True))


def great_architect(p: Play[State], card: Card) -> None:
    """CC-7.6"""
    p.emit(WallsAdded(card, GREAT))


def _check_card(number: int, move: Move) -> None:
    """CC-7.1"""
    if isinstance(move, DeclineCard):
        if number not in OPTIONAL:
            reason = f"One of the effects of the {CARD_NAMES[number]} must be used."
            _broken("CC-7.1", "not_optional", reason)
        return
    down = isinstance(move, ChangeValue) and move.change < 0
    if number not in _DOES[type(move)] or (down and number != FLOOD):
        _broken("CC-7.1", "not_this_card", f"The {CARD_NAMES[number]} does not do that.")


def _check_strike(state: State, step: UseCard, move: StrikeCard) -> None:
    """CC-7.3"""
    others = [card.number for card in _waiting(state) if card.number != step.number]
    if move.number not in others:
        _broken("CC-7.3", "no_such_card", f"No other card {move.number} waits in {step.region}.")


def _check_single(state: State, name: str, rule: str) -> None:
    """CC-7.4, CC-7.7"""
    cell = CELL_NUMBER.get(name)
    if cell is None or cell not in state.wall.cells or not state.is_single(cell):
        _broken(rule, "no_single", f"No standing single is on {name!r}.")


def _check_inside(state: State, name: str, region: int, rule: str, step: UseCard) -> None:
    """CC-7.4, CC-7.7"""
    if state.map.china_of[CELL_NUMBER[name]] != region:
        _broken(rule, "other_region", f"{name} does not lie in {step.region}.")


def _check_threat(state: State, move: RemoveThreat, region: int, step: UseCard) -> None:
    """CC-7.4"""
    mongol = MONGOL_NUMBER.get(move.region)
    if mongol is None or mongol not in state.map.touching[region]:
        _broken("CC-7.4", "not_beside", f"{move.region!r} shares no cell with {step.region}.")
    if state.removed[mongol]:
        _broken("CC-7.4", "no_threat", f"{move.region} has no threat tile any more.")


def _waiting(state: State) -> tuple[Card, ...]:
    assert state.tally is not None
    return state.tally.waiting


def _colour(state: State, name: str) -> Seat | None:
    colour = state.cells[CELL_NUMBER[name]]
    return None if colour == NEUTRAL else colour - 1


def _broken(rule: str, fault: str, reason: str) -> NoReturn:
    raise RuleBroken(rule, fault, reason)


_DOES: dict[type, tuple[int, ...]] = {
    StrikeCard: (WARRIOR,),
    DestroyWall: (TRAITOR,),
    RemoveThreat: (TRAITOR,),
    ChangeValue: (FLOOD, ARCHITECT),
    AddWall: (ARCHITECT,),
    SwapWalls: (OFFICIAL,),
}
AUTOMATIC = (GREAT_ARCHITECT,)
