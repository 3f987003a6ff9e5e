"""Legal moves, found for all cells at once; the judges explain why others are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import islice, pairwise
from typing import Any, NamedTuple

from domain.engine.dice import Dice, choose
from domain.engine.play import Move, Seat, Step
from domain.games.chang_cheng import board, moves
from domain.games.chang_cheng.rules import cards, open_cells
from domain.games.chang_cheng.rules.answers import ANSWERS
from domain.games.chang_cheng.rules.neutral import neutral_row
from domain.games.chang_cheng.state import steps
from domain.games.chang_cheng.state.table import FULL_HAND, State, cards_of

Lot = tuple[Sequence[Move], int]
"""Moves of one kind, and a number like a row: a byte for each of them, which is 1 if it is legal.
"""
Lots = Callable[[State, Any, Seat], list[Lot]]

HANDS = tuple(
    sum(1 << board.CELL_BITS * (number - 1) for number in cards_of(hand))
    for hand in range(FULL_HAND + 1)
)
"""By hand, its cards as marks; times the marks of some regions, its cards in each of these."""


class Moves(NamedTuple):
    """All moves of a seat on a row of boards, by their cells from left to right."""

    singles: tuple[moves.BuildSingle, ...]
    doubles: tuple[moves.BuildDouble, ...]
    towers: tuple[moves.BuildTower, ...]
    neutral: tuple[moves.BuildNeutral, ...]
    cards: tuple[moves.LayCard, ...]
    """By region from left to right, all the cards that there are."""
    firsts: tuple[tuple[int, int], ...]
    """Each region as a row, and the mark of the first of its cards."""


@lru_cache(maxsize=1024)
def moves_on(wall: board.Wall, seat: Seat) -> Moves:
    """What a seat may build on these boards at the very most: CC-1.2."""
    names = [board.CELLS[cell] for cell in wall.cells]
    return Moves(
        tuple(moves.BuildSingle(seat, name) for name in names),
        tuple(moves.BuildDouble(seat, pair) for pair in pairwise(names)),
        tuple(moves.BuildTower(seat, name) for name in names),
        tuple(moves.BuildNeutral(seat, name) for name in names),
        tuple(moves.LayCard(seat, board.CHINA[r], n) for r in wall.china for n in board.CARDS),
        tuple(
            (row, 1 << board.CELL_BITS * len(board.CARDS) * i)
            for i, row in enumerate(wall.regions.values())
        ),
    )


def legal(state: State, seat: Seat) -> list[Move]:
    """All that this seat may choose."""
    step = state.agenda[-1]
    if type(step) in EACH:
        return [move for lot in _lots(state, step, seat) for move in open_cells.select(*lot)]
    if type(step) is steps.UseCard:
        return [move for offer in USES[step.number] for move in offer(state, step, seat)]
    return ANSWERS.legal_moves(state, seat)


def draw(state: State, seat: Seat, dice: Dice) -> Move:
    """Any of them, each as likely as the others."""
    step = state.agenda[-1]
    if type(step) is steps.UseCard and step.number == board.OFFICIAL:
        return _draw_swap(state, step, seat, dice)
    if type(step) not in EACH:
        return choose(dice, legal(state, seat))
    lots = _lots(state, step, seat)
    drawn = dice.below(sum([marks.bit_count() for _, marks in lots]))
    for of_kind, marks in lots:
        count = marks.bit_count()
        if drawn < count:
            return next(islice(open_cells.select(of_kind, marks), drawn, None))
        drawn -= count
    raise AssertionError(lots)


def _draw_swap(state: State, step: steps.UseCard, seat: Seat, dice: Dice) -> Move:
    """For an Official, two singles or none: CC-7.1, CC-7.7."""
    here, there = cards.swappable(state, step.region)
    drawn = dice.below(1 + len(here) * len(there))
    if not drawn:
        return moves.DeclineCard(seat)
    one, other = divmod(drawn - 1, len(there))
    return cards.swap(seat, here[one], there[other])


def _strikes(state: State, step: steps.UseCard, seat: Seat) -> list[moves.StrikeCard]:
    """For a Warrior, each other card: CC-7.3."""
    offered = cards.strikes(state, step, seat)
    return [move for move in offered if move.number != board.WARRIOR]


def _lots(state: State, step: Step, seat: Seat) -> list[Lot]:
    """The moves in the order of the table of answers."""
    return EACH[type(step)](state, step, seat)


def _first_turn(state: State, _step: steps.FirstTurn, seat: Seat) -> list[Lot]:
    """A single: CC-3.2."""
    return [_singles(state, seat, _open(state, seat))]


def _turn(state: State, _step: steps.Turn, seat: Seat) -> list[Lot]:
    """A single, the double, the tower or a card: CC-3.1."""
    row, mine = _open(state, seat), moves_on(state.wall, seat)
    lots = [_singles(state, seat, row)]
    if state.doubles[seat + 1]:
        lots.append((mine.doubles, open_cells.double_row(row)))
    if state.towers[seat + 1]:
        lots.append((mine.towers, open_cells.tower_row(state, row)))
    if state.hands[seat]:
        lots.append(_cards(state, seat, state.empty))
    return lots


def _second_single(state: State, step: steps.SecondSingle, seat: Seat) -> list[Lot]:
    """A single in another region: CC-4.1."""
    return [_singles(state, seat, open_cells.outside(state, (step.region,), _open(state, seat)))]


def _after_card(state: State, step: steps.AfterCard, seat: Seat) -> list[Lot]:
    """A card in another region, or a single beside the first; otherwise the seat may stop: CC-4.3,
    CC-4.6.
    """
    beside = open_cells.inside(state, (step.region,), _open(state, seat))
    others = open_cells.outside(state, (step.region,), state.empty)
    second = _cards(state, seat, others)
    lots = [second, _singles(state, seat, beside)]
    return lots if second[1] else [*lots, ((moves.EndAction(seat),), 1)]


def _offer(state: State, step: steps.OfferNeutral, seat: Seat) -> list[Lot]:
    """A neutral single inside or outside some regions, or none: CC-11.2, CC-11.3."""
    row = neutral_row(state, step.regions, inside=step.inside)
    return [((moves.DeclineNeutral(seat),), 1), (moves_on(state.wall, seat).neutral, row)]


def _forced_moves(state: State, _step: steps.ForcedNeutral, seat: Seat) -> list[Lot]:
    """A neutral single anywhere: CC-11.6."""
    row = neutral_row(state, (), inside=False)
    return [(moves_on(state.wall, seat).neutral, row)]


def _open(state: State, seat: Seat) -> int:
    return open_cells.open_row(state, seat + 1)


def _singles(state: State, seat: Seat, row: int) -> Lot:
    """A single on each of these cells, if the seat has one: CC-1.3."""
    return moves_on(state.wall, seat).singles, row if state.singles[seat + 1] else 0


def _cards(state: State, seat: Seat, empty: int) -> Lot:
    """Each card of the hand in each region that has one of these empty cells: CC-4.2."""
    mine = moves_on(state.wall, seat)
    firsts = sum([first for row, first in mine.firsts if empty & row])
    return mine.cards, firsts * HANDS[state.hands[seat]]


EACH: dict[type[Step], Lots] = {
    steps.FirstTurn: _first_turn,
    steps.Turn: _turn,
    steps.SecondSingle: _second_single,
    steps.AfterCard: _after_card,
    steps.OfferNeutral: _offer,
    steps.ForcedNeutral: _forced_moves,
}
"""How to find the moves of these steps; all other steps have few moves."""
USES: dict[int, tuple[Callable[[State, steps.UseCard, Seat], Iterable[Move]], ...]] = {
    board.WARRIOR: (cards.declines, _strikes),
    board.TRAITOR: (cards.declines, cards.targets, cards.threats),
    board.FLOOD: (cards.changes,),
    board.ARCHITECT: (cards.changes, cards.plans),
    board.OFFICIAL: (cards.declines, cards.swaps),
}
"""What each card may do, in the order of the table of answers; all of it is legal: CC-7.1."""
