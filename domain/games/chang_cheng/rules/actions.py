"""The five actions: singles, the double, the tower, cards, a card and a single."""

from __future__ import annotations

from collections.abc import Iterable

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat, Step
from domain.games.chang_cheng.board import (
    CELL_NUMBER,
    CELLS,
    CHINA,
    CHINA_NUMBER,
    MONGOL,
    MONGOL_NUMBER,
)
from domain.games.chang_cheng.events import wall
from domain.games.chang_cheng.events.cards import CardLaid
from domain.games.chang_cheng.moves import BuildDouble, BuildSingle, BuildTower, EndAction, LayCard
from domain.games.chang_cheng.places import place_name, place_names
from domain.games.chang_cheng.rules import open_cells, slots
from domain.games.chang_cheng.rules.building import apply_effects, check_supply
from domain.games.chang_cheng.rules.neutral import then_neutral
from domain.games.chang_cheng.state.steps import AfterCard, FirstTurn, Second, SecondSingle, Turn
from domain.games.chang_cheng.state.table import State, region_name, region_with


def can_act(state: State, seat: Seat) -> bool:
    """Whether a seat can take any of the five actions, even in part: CC-4.7."""
    colour = seat + 1
    if state.hands[seat] and not state.complete():
        return True
    row = open_cells.open_row(state, colour)
    if state.singles[colour] and row:
        return True
    if state.doubles[colour] and open_cells.double_row(row):
        return True
    return bool(state.towers[colour] and open_cells.tower_row(state, row))


def singles(state: State, _step: Step, seat: Seat) -> Iterable[BuildSingle]:
    """A single on each open cell: CC-4.1, CC-5.1."""
    return _singles(state, seat, open_cells.open_row(state, seat + 1))


def second_singles(state: State, step: SecondSingle, seat: Seat) -> Iterable[BuildSingle]:
    """A single on each open cell of the other regions: CC-4.1."""
    row = open_cells.open_row(state, seat + 1)
    return _singles(state, seat, open_cells.outside(state, (step.region,), row))


def singles_beside_card(state: State, step: AfterCard, seat: Seat) -> Iterable[BuildSingle]:
    """A single on each open cell of the region of the card: CC-4.3."""
    row = open_cells.open_row(state, seat + 1)
    return _singles(state, seat, open_cells.inside(state, (step.region,), row))


def _singles(state: State, seat: Seat, row: int) -> Iterable[BuildSingle]:
    """A single on each of these cells, if the seat has one: CC-1.3."""
    if not state.singles[seat + 1]:
        return ()
    return open_cells.select(slots.slots_on(state.wall, seat).singles, row)


def check_single(state: State, _step: Step, move: BuildSingle) -> None:
    """Refuse a single without supply or where it may not go: CC-1.3, CC-5.1, CC-5.5."""
    check_supply(state.singles[move.seat + 1], "single")
    open_cells.check_open(state, move.cell, move.seat + 1)


def build_first(p: Play[State], _step: FirstTurn, move: BuildSingle) -> None:
    """Build the one single of a first turn; no neutral wall follows: CC-3.2, CC-11.2."""
    _build_single(p, move, "CC-3.2")


def build_single(p: Play[State], _step: Turn, move: BuildSingle) -> None:
    """Build the first of two singles: CC-4.1."""
    # added first, because what the single causes comes before the second piece
    p.then(Second(seat=move.seat, region=region_with(p.state, move.cell)))
    _build_single(p, move, "CC-4.1")


def second(p: Play[State], step: Second) -> None:
    """Ask for the second single if one can be built, as the action shrinks else: CC-4.1, CC-4.6."""
    if _single_fits(p.state, step.seat, step.region, inside=False):
        p.then(SecondSingle((step.seat,), region=step.region))
    else:
        then_neutral(p, step.seat, (step.region,), inside=True)


def check_second_single(state: State, step: SecondSingle, move: BuildSingle) -> None:
    """Refuse a second single in the region of the first: CC-4.1."""
    check_single(state, step, move)
    if region_with(state, move.cell) == step.region:
        key = "fault_same_region_single"
        raise RuleBroken("CC-4.1", "same_region", key, region=place_name(step.region))


def build_second(p: Play[State], step: SecondSingle, move: BuildSingle) -> None:
    """Build the second single; a neutral wall may follow beside the two: CC-4.1, CC-11.3."""
    then_neutral(p, move.seat, (step.region, region_with(p.state, move.cell)), inside=True)
    _build_single(p, move, "CC-4.1")


def doubles(state: State, _step: Turn, seat: Seat) -> Iterable[BuildDouble]:
    """The double on each two open cells side by side: CC-4.4."""
    if not state.doubles[seat + 1]:
        return ()
    row = open_cells.double_row(open_cells.open_row(state, seat + 1))
    return open_cells.select(slots.slots_on(state.wall, seat).doubles, row)


def check_double(state: State, _step: Turn, move: BuildDouble) -> None:
    """Refuse a double on cells that are not both open and adjacent: CC-4.4, CC-5.2."""
    check_supply(state.doubles[move.seat + 1], "double")
    for cell in move.cells:
        open_cells.check_open(state, cell, move.seat + 1)
    one, other = (CELL_NUMBER[cell] for cell in move.cells)
    if state.wall.right[one] != other:
        left, right = place_names(*move.cells)
        raise RuleBroken("CC-4.4", "not_adjacent", left=left, right=right)


def build_double(p: Play[State], _step: Turn, move: BuildDouble) -> None:
    """Build the double, which scores a point for each region it lies in: CC-4.4, CC-11.3."""
    cells = tuple(CELL_NUMBER[cell] for cell in move.cells)
    china = tuple(dict.fromkeys(CHINA[p.state.map.china_of[cell]] for cell in cells))
    mongol = tuple(dict.fromkeys(MONGOL[p.state.map.mongol_of[cell]] for cell in cells))
    regions = (*china, *mongol)
    then_neutral(p, move.seat, china, inside=False)
    p.emit(wall.DoubleBuilt(move.seat, move.cells, regions, len(regions)))
    apply_effects(p, move.seat, cells, move.seat)


def towers(state: State, _step: Turn, seat: Seat) -> Iterable[BuildTower]:
    """The tower on each open cell without a tower beside it: CC-4.5, CC-5.3."""
    if not state.towers[seat + 1]:
        return ()
    row = open_cells.tower_row(state, open_cells.open_row(state, seat + 1))
    return open_cells.select(slots.slots_on(state.wall, seat).towers, row)


def check_tower(state: State, _step: Turn, move: BuildTower) -> None:
    """Refuse a tower without supply, or on a cell not open or beside a tower: CC-4.5, CC-5.3."""
    check_supply(state.towers[move.seat + 1], "tower")
    open_cells.check_open(state, move.cell, move.seat + 1)
    open_cells.check_no_tower_beside(state, move.cell)


def build_tower(p: Play[State], _step: Turn, move: BuildTower) -> None:
    """Build the tower, and reserve what is empty next to it: CC-4.5, CC-5.4, CC-11.3."""
    cell, state = CELL_NUMBER[move.cell], p.state
    reserved = tuple(CELLS[other] for other in state.beside(cell) if not state.cells[other])
    then_neutral(p, move.seat, (region_name(state, cell),), inside=False)
    p.emit(wall.TowerBuilt(move.seat, move.cell, reserved))
    apply_effects(p, move.seat, (cell,), move.seat)


def cards(state: State, _step: Turn, seat: Seat) -> Iterable[LayCard]:
    """Each card of the hand, in each region with an empty cell: CC-4.2."""
    return _cards(state, seat, state.empty)


def second_cards(state: State, step: AfterCard, seat: Seat) -> Iterable[LayCard]:
    """Each card of the hand, in each other region with an empty cell: CC-4.2."""
    return _cards(state, seat, open_cells.outside(state, (step.region,), state.empty))


def _cards(state: State, seat: Seat, empty: int) -> Iterable[LayCard]:
    """Each card of the hand in each region that has one of these cells: CC-4.2."""
    if not state.hands[seat]:
        return ()
    made = slots.slots_on(state.wall, seat)
    firsts = sum([first for row, first in made.firsts if empty & row])
    return open_cells.select(made.cards, firsts * slots.HANDS[state.hands[seat]])


def check_card(state: State, _step: Step, move: LayCard) -> None:
    """Refuse a card that is not in the hand, or a region that is complete: CC-4.2."""
    if not 0 <= move.number < 8 or not state.hands[move.seat] >> move.number & 1:
        raise RuleBroken("CC-4.2", "card_not_in_hand", number=move.number)
    if move.region in MONGOL_NUMBER:
        raise RuleBroken(
            "CC-1.1", "no_such_region", "fault_mongol_region", region=place_name(move.region)
        )
    region = CHINA_NUMBER.get(move.region)
    if region is None or region not in state.wall.china:
        raise RuleBroken("CC-1.1", "no_such_region", region=place_name(move.region))
    if state.full(region):
        raise RuleBroken("CC-4.2", "complete_region", region=place_name(move.region))


def lay_card(p: Play[State], _step: Turn, move: LayCard) -> None:
    """Lay the first card; a second one or a single follows, if possible: CC-4.2, CC-4.3, CC-4.6."""
    p.emit(CardLaid(move.seat, move.region, move.number))
    card_fits = _second_card_fits(p.state, move.seat, move.region)
    if card_fits or _single_fits(p.state, move.seat, move.region, inside=True):
        p.then(AfterCard((move.seat,), region=move.region))
    else:
        then_neutral(p, move.seat, (move.region,), inside=True)


def check_second_card(state: State, step: AfterCard, move: LayCard) -> None:
    """Refuse a second card in the region of the first: CC-4.2."""
    check_card(state, step, move)
    if move.region == step.region:
        key = "fault_same_region_card"
        raise RuleBroken("CC-4.2", "same_region", key, region=place_name(step.region))


def lay_second(p: Play[State], step: AfterCard, move: LayCard) -> None:
    """Lay the second card; a neutral wall may follow beside the two: CC-4.2, CC-11.3."""
    p.emit(CardLaid(move.seat, move.region, move.number))
    then_neutral(p, move.seat, (step.region, move.region), inside=True)


def check_single_beside_card(state: State, step: AfterCard, move: BuildSingle) -> None:
    """Refuse a single outside the region of the card: CC-4.3."""
    check_single(state, step, move)
    if region_with(state, move.cell) != step.region:
        key = "fault_other_region_beside_card"
        raise RuleBroken("CC-4.3", "other_region", key, region=place_name(step.region))


def build_beside_card(p: Play[State], step: AfterCard, move: BuildSingle) -> None:
    """Build the single that goes with the card: CC-4.3, CC-11.3."""
    then_neutral(p, move.seat, (step.region,), inside=False)
    _build_single(p, move, "CC-4.3")


def ends(state: State, step: AfterCard, seat: Seat) -> Iterable[EndAction]:
    """To leave it at one card, if no second one is possible: CC-4.6."""
    return () if _second_card_fits(state, seat, step.region) else (EndAction(seat),)


def check_end(state: State, step: AfterCard, move: EndAction) -> None:
    """Refuse to leave it at one card while a second one is possible: CC-4.6."""
    if _second_card_fits(state, move.seat, step.region):
        raise RuleBroken("CC-4.6", "second_possible")


def end_action(p: Play[State], step: AfterCard, move: EndAction) -> None:
    """Leave it at one card; a neutral wall may follow beside it: CC-4.6, CC-11.3."""
    then_neutral(p, move.seat, (step.region,), inside=True)


def _build_single(p: Play[State], move: BuildSingle, rule: str) -> None:
    """Build one of the seat's singles by this rule."""
    p.emit(wall.SingleBuilt(move.seat, move.cell, rule))
    apply_effects(p, move.seat, (CELL_NUMBER[move.cell],), move.seat)


def _second_card_fits(state: State, seat: Seat, region: str) -> bool:
    """Whether a card is left that may lie outside this region: CC-4.2, CC-4.6."""
    return bool(state.hands[seat] and open_cells.outside(state, (region,), state.empty))


def _single_fits(state: State, seat: Seat, region: str, *, inside: bool) -> bool:
    """Whether a single is left that may go into this region, or outside it: CC-4.3, CC-4.6."""
    if not state.singles[seat + 1]:
        return False
    there = open_cells.inside if inside else open_cells.outside
    return there(state, (region,), open_cells.open_row(state, seat + 1)) > 0
