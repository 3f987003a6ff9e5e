"""Which moves are legal, step by step."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, cast

from domain.engine.errors import RuleBroken
from domain.engine.play import Move
from domain.games.chang_cheng.board import BOARD_NUMBER, CELL_NUMBER, CELLS, CHINA_NUMBER
from domain.games.chang_cheng.moves import (
    AddWall,
    BuildDouble,
    BuildNeutral,
    BuildSingle,
    BuildTower,
    ChangeValue,
    DeclineCard,
    DeclineNeutral,
    DestroyWall,
    EndAction,
    ExtendWall,
    LayCard,
    RemoveThreat,
    ScoreFirst,
    StrikeCard,
    SwapWalls,
)
from domain.games.chang_cheng.rules.effects import check_effect
from domain.games.chang_cheng.rules.open_cells import beside_tower, keepers, neutral_cells
from domain.games.chang_cheng.state import (
    NEUTRAL,
    AfterCard,
    ChooseOrder,
    Extend,
    FirstTurn,
    ForcedNeutral,
    OfferNeutral,
    SecondSingle,
    State,
    Turn,
    UseCard,
    region_name,
    reserve,
)

_EFFECT_MOVES = (
    StrikeCard,
    DestroyWall,
    RemoveThreat,
    ChangeValue,
    AddWall,
    SwapWalls,
    DeclineCard,
)


def check(state: State, move: Move) -> None:
    """CC-3.1: is this an answer to the step that waits, and is it allowed?"""
    step = state.agenda[-1]
    kinds, rule, wanted = _ANSWERS[type(step)]
    if not isinstance(move, kinds):
        _broken(rule, "not_now", f"Now you have to {wanted}.")
    if isinstance(step, UseCard):
        check_effect(state, step, move)
    else:
        _CHECKS[type(move)](state, move, step)


def other_card_possible(state: State, seat: int, region: int) -> bool:
    """CC-4.2, CC-4.6"""
    return bool(state.hands[seat]) and any(r != region for r in state.incomplete())


def _single(state: State, move: BuildSingle, step: object) -> None:
    """CC-3.2, CC-4.1, CC-4.3"""
    _supply(state.singles[move.seat + 1], "single")
    _open(state, move.cell, move.seat + 1)
    region = region_name(state, CELL_NUMBER[move.cell])
    if isinstance(step, SecondSingle) and region == step.region:
        _broken("CC-4.1", "same_region", f"The second single goes outside {step.region}.")
    if isinstance(step, AfterCard) and region != step.region:
        _broken("CC-4.3", "other_region", f"The single goes into {step.region}, as the card did.")


def _double(state: State, move: BuildDouble, _step: object) -> None:
    """CC-4.4, CC-5.2"""
    _supply(state.doubles[move.seat + 1], "double")
    for cell in move.cells:
        _open(state, cell, move.seat + 1)
    one, other = (CELL_NUMBER[cell] for cell in move.cells)
    if state.wall.right[one] != other:
        reason = f"{move.cells[1]} is not the next cell on the right of {move.cells[0]}."
        _broken("CC-4.4", "not_adjacent", reason)


def _tower(state: State, move: BuildTower, _step: object) -> None:
    """CC-4.5, CC-5.3"""
    _supply(state.towers[move.seat + 1], "tower")
    _open(state, move.cell, move.seat + 1)
    if beside_tower(state, CELL_NUMBER[move.cell]):
        _broken("CC-5.3", "beside_tower", f"A tower stands next to {move.cell}.")


def _card(state: State, move: LayCard, step: object) -> None:
    """CC-4.2"""
    if not 0 <= move.number < 8 or not state.hands[move.seat] >> move.number & 1:
        _broken("CC-4.2", "card_not_in_hand", f"There is no card {move.number} in your hand.")
    region = CHINA_NUMBER.get(move.region)
    if region is None or region not in state.wall.china:
        _broken("CC-1.1", "no_such_region", f"{move.region!r} is no Chinese region in play.")
    if state.full(region):
        _broken("CC-4.2", "complete_region", f"{move.region} is complete.")
    if isinstance(step, AfterCard) and move.region == step.region:
        _broken("CC-4.2", "same_region", f"The second card goes outside {step.region}.")


def _end_action(state: State, move: EndAction, step: AfterCard) -> None:
    """CC-4.6"""
    if other_card_possible(state, move.seat, CHINA_NUMBER[step.region]):
        _broken("CC-4.6", "second_possible", "A second card is possible.")


def _neutral(state: State, move: BuildNeutral, step: object) -> None:
    """CC-11.3, CC-11.4, CC-11.6"""
    _open(state, move.cell, NEUTRAL)
    if isinstance(step, OfferNeutral):
        regions = tuple(CHINA_NUMBER[region] for region in step.regions)
        if CELL_NUMBER[move.cell] not in neutral_cells(state, regions, step.inside):
            where = "inside" if step.inside else "outside"
            reason = f"The neutral wall goes {where} {' and '.join(step.regions)}."
            _broken("CC-11.3", "not_this_region", reason)


def _decline(state: State, move: DeclineNeutral, _step: object) -> None:
    """CC-11.2"""


def _order(state: State, move: ScoreFirst, step: ChooseOrder) -> None:
    """CC-6.2"""
    if move.region not in step.regions:
        _broken("CC-6.2", "not_full_now", f"Choose one of {' and '.join(step.regions)}.")


def _extend(state: State, move: ExtendWall, _step: object) -> None:
    """CC-8.2"""
    if BOARD_NUMBER[move.board] not in reserve(state):
        _broken("CC-8.2", "not_in_reserve", f"The board {move.board} is not in the reserve.")


def _supply(count: int, piece: str) -> None:
    """CC-1.3"""
    if not count:
        _broken("CC-1.3", "none_left", f"There is no {piece} in your supply.")


def _open(state: State, name: str, colour: int) -> None:
    """CC-5.1, CC-5.5"""
    cell = CELL_NUMBER.get(name)
    if cell is None or cell not in state.wall.cells:
        _broken("CC-5.1", "no_such_cell", f"{name!r} is no cell of the boards in play.")
    if state.cells[cell]:
        _broken("CC-5.1", "not_empty", f"{name} is not empty.")
    holders = keepers(state, cell)
    if holders and colour - 1 not in holders:
        seats = " and ".join(map(str, holders))
        _broken("CC-5.5", "reserved", f"{CELLS[cell]} is reserved for seat {seats}.")


def _broken(rule: str, fault: str, reason: str) -> NoReturn:
    raise RuleBroken(rule, fault, reason)


_CHECKS = cast(
    "dict[type, Callable[[State, Move, object], None]]",
    {
        BuildSingle: _single,
        BuildDouble: _double,
        BuildTower: _tower,
        LayCard: _card,
        EndAction: _end_action,
        BuildNeutral: _neutral,
        DeclineNeutral: _decline,
        ScoreFirst: _order,
        ExtendWall: _extend,
    },
)
_ANSWERS: dict[type, tuple[tuple[type, ...], str, str]] = {
    FirstTurn: ((BuildSingle,), "CC-3.2", "build one single"),
    Turn: ((BuildSingle, BuildDouble, BuildTower, LayCard), "CC-3.1", "begin an action"),
    SecondSingle: ((BuildSingle,), "CC-4.1", "build a second single"),
    AfterCard: (
        (LayCard, BuildSingle, EndAction),
        "CC-4.3",
        "lay a second card, or build a single in the region of the first",
    ),
    OfferNeutral: ((BuildNeutral, DeclineNeutral), "CC-11.2", "build a neutral single or decline"),
    ForcedNeutral: ((BuildNeutral,), "CC-11.6", "build a neutral single"),
    ChooseOrder: ((ScoreFirst,), "CC-6.2", "choose the region that is scored first"),
    UseCard: (_EFFECT_MOVES, "CC-7.1", "use your card"),
    Extend: ((ExtendWall,), "CC-8.2", "add a board"),
}
