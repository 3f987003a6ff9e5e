"""What a player of Chang Cheng can choose, one small choice after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, ClassVar, Literal

from domain.engine.play import Move, Seat
from domain.games.chang_cheng.board import (
    ARCHITECT,
    BOARDS,
    CELLS,
    CHINA,
    FLOOD,
    MONGOL,
    NOWHERE,
    OFFICIAL,
    OPTIONAL,
    TRAITOR,
    WARRIOR,
    BoardName,
)
from domain.games.chang_cheng.state import (
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
    cards_of,
    reserve,
)


class BuildSingle(Move):
    """Build a single of your own: the first or second of two, or the one beside a card; CC-4.1."""

    cell: str


class BuildDouble(Move):
    """Build your double on two adjacent cells, the left one first; CC-4.4."""

    cells: tuple[str, str]


class BuildTower(Move):
    """Build your tower; CC-4.5."""

    cell: str


class LayCard(Move):
    """Lay a card face down in a region; CC-4.2, CC-4.3."""

    sealed: ClassVar[bool] = True
    shown: ClassVar[tuple[str, ...]] = ("region",)

    region: str
    number: int


class EndAction(Move):
    """Leave it at one card, as a second one is not possible; CC-4.6."""


class ScoreFirst(Move):
    """Which of two full regions is scored first; CC-6.2."""

    region: str


class StrikeCard(Move):
    """Warrior: remove the other card that waits with this number; CC-7.3."""

    number: int


class DestroyWall(Move):
    """Traitor: make a ruin of a single in the region; CC-7.4."""

    cell: str


class RemoveThreat(Move):
    """Traitor: remove the threat tile of a Mongol region beside the region; CC-7.4."""

    region: str


class ChangeValue(Move):
    """Flood or Architect: so much more or less for the region; CC-7.5."""

    change: Literal[2, -2]


class AddWall(Move):
    """Architect: one more wall for its owner; CC-7.5."""


class SwapWalls(Move):
    """Official: a single of the region and one of another region trade places; CC-7.7."""

    cells: tuple[str, str]


class DeclineCard(Move):
    """Warrior, Traitor, Official: do nothing; CC-7.1."""


class ExtendWall(Move):
    """Add a board of the reserve at the left or right end; CC-8.2."""

    board: BoardName
    side: Literal["left", "right"]


class BuildNeutral(Move):
    """Build a neutral single; CC-11.2."""

    cell: str


class DeclineNeutral(Move):
    """Build no neutral single; CC-11.2."""


MOVES = (
    BuildSingle,
    BuildDouble,
    BuildTower,
    LayCard,
    EndAction,
    ScoreFirst,
    StrikeCard,
    DestroyWall,
    RemoveThreat,
    ChangeValue,
    AddWall,
    SwapWalls,
    DeclineCard,
    ExtendWall,
    BuildNeutral,
    DeclineNeutral,
)


def candidates(state: State, seat: Seat) -> Iterator[Move]:
    """Whatever may be worth asking about in the step that waits for this seat; CC-3.1."""
    step = state.agenda[-1]
    yield from _MENUS[type(step)](state, seat, step)


def _first_turn(state: State, seat: Seat, _step: FirstTurn) -> Iterator[Move]:
    return _singles(state, seat)


def _turn(state: State, seat: Seat, _step: Turn) -> Iterator[Move]:
    """Where each of the five actions may begin; CC-3.1."""
    if state.singles[seat + 1]:
        yield from _singles(state, seat)
    if state.doubles[seat + 1]:
        right = state.wall.right
        for cell in _empty(state):
            if right[cell] != NOWHERE and not state.cells[right[cell]]:
                yield BuildDouble(seat, (CELLS[cell], CELLS[right[cell]]))
    if state.towers[seat + 1]:
        for cell in _empty(state):
            yield BuildTower(seat, CELLS[cell])
    yield from _cards(state, seat)


def _second_single(state: State, seat: Seat, step: SecondSingle) -> Iterator[Move]:
    return _singles(state, seat)


def _after_card(state: State, seat: Seat, step: AfterCard) -> Iterator[Move]:
    """CC-4.2, CC-4.3, CC-4.6."""
    yield from _cards(state, seat)
    yield from _singles(state, seat)
    yield EndAction(seat)


def _offer_neutral(state: State, seat: Seat, _step: OfferNeutral) -> Iterator[Move]:
    yield DeclineNeutral(seat)
    for cell in _empty(state):
        yield BuildNeutral(seat, CELLS[cell])


def _forced_neutral(state: State, seat: Seat, _step: ForcedNeutral) -> Iterator[Move]:
    for cell in _empty(state):
        yield BuildNeutral(seat, CELLS[cell])


def _order(state: State, seat: Seat, step: ChooseOrder) -> Iterator[Move]:
    for region in step.regions:
        yield ScoreFirst(seat, region)


def _extensions(state: State, seat: Seat, _step: Extend) -> Iterator[Move]:
    for board in reserve(state):
        yield ExtendWall(seat, BOARDS[board], "left")
        yield ExtendWall(seat, BOARDS[board], "right")


def _effects(state: State, seat: Seat, step: UseCard) -> Iterator[Move]:
    """CC-7.1: what the card that is executed now can do."""
    if step.number in OPTIONAL:
        yield DeclineCard(seat)
    yield from _EFFECTS[step.number](state, seat, CHINA.index(step.region))


def _strikes(state: State, seat: Seat, region: int) -> Iterator[Move]:
    assert state.tally is not None
    for card in state.tally.waiting:
        yield StrikeCard(seat, card.number)


def _treasons(state: State, seat: Seat, region: int) -> Iterator[Move]:
    for cell in range(*state.map.china[region]):
        yield DestroyWall(seat, CELLS[cell])
    for mongol in state.map.touching[region]:
        yield RemoveThreat(seat, MONGOL[mongol])


def _floods(state: State, seat: Seat, region: int) -> Iterator[Move]:
    yield ChangeValue(seat, 2)
    yield ChangeValue(seat, -2)


def _plans(state: State, seat: Seat, region: int) -> Iterator[Move]:
    yield ChangeValue(seat, 2)
    yield AddWall(seat)


def _swaps(state: State, seat: Seat, region: int) -> Iterator[Move]:
    start, end = state.map.china[region]
    here = [cell for cell in range(start, end) if state.is_single(cell)]
    there = [c for c in state.wall.cells if not start <= c < end and state.is_single(c)]
    for one, other in product(here, there):
        yield SwapWalls(seat, (CELLS[one], CELLS[other]))


def _singles(state: State, seat: Seat) -> Iterator[Move]:
    for cell in _empty(state):
        yield BuildSingle(seat, CELLS[cell])


def _cards(state: State, seat: Seat) -> Iterator[Move]:
    for region in state.incomplete():
        for number in cards_of(state.hands[seat]):
            yield LayCard(seat, CHINA[region], number)


def _empty(state: State) -> list[int]:
    return [cell for cell in state.wall.cells if not state.cells[cell]]


_Effects = Callable[[State, Seat, int], Iterator[Move]]
_EFFECTS: dict[int, _Effects] = {
    WARRIOR: _strikes,
    TRAITOR: _treasons,
    FLOOD: _floods,
    ARCHITECT: _plans,
    OFFICIAL: _swaps,
}
_MENUS: dict[type, Callable[[State, Seat, Any], Iterator[Move]]] = {
    FirstTurn: _first_turn,
    Turn: _turn,
    SecondSingle: _second_single,
    AfterCard: _after_card,
    OfferNeutral: _offer_neutral,
    ForcedNeutral: _forced_neutral,
    ChooseOrder: _order,
    UseCard: _effects,
    Extend: _extensions,
}
