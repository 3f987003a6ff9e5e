"""The legal moves found by sets of cells are those that the judge allows."""

from __future__ import annotations

from domain.engine.dice import Dice, Luck, choose
from domain.engine.errors import RuleBroken
from domain.engine.game import judge, legal_moves
from domain.games.tigris_euphrates import GAME
from domain.games.tigris_euphrates.board import (
    BLACK,
    BLUE,
    BOARDS,
    CATASTROPHE,
    COLORS,
    EMPTY,
    GREEN,
    OFF,
    TEMPLE,
    where,
)
from domain.games.tigris_euphrates.moves import InTurn
from domain.games.tigris_euphrates.rules import slots
from domain.games.tigris_euphrates.state.setup import Options
from domain.games.tigris_euphrates.state.steps import EndTurn, Turn
from domain.games.tigris_euphrates.state.table import State, bare

FARM = BLUE + 1
ON_LAND = (TEMPLE, TEMPLE, BLACK + 1, GREEN + 1)
MANY = (*range(12), 29)
"""The seeds of crowded boards."""


def crowd_board(dice: Dice) -> State:
    """Many small kingdoms beside each other, which hardly any game has."""
    setup = GAME.setup(Options(board=choose(dice, list(BOARDS))), 4)
    state = bare(setup, 4)
    full = 10 + dice.below(40)
    for cell, river in enumerate(state.board.river):
        if dice.below(100) < full:
            state.put(cell, FARM if river else choose(dice, ON_LAND))
    for _ in range(2):
        state.put(dice.below(len(state.cells)), CATASTROPHE)
    for leader in range(len(state.leaders)):
        cell = dice.below(len(state.cells))
        if cell in empty_land(state):
            state.post(leader, cell)
    treasures = sum(state.board.bits[cell] for cell in state.board.temples[::2])
    state.treasures = treasures & where(state.cells, TEMPLE)
    state.hands[0] = [dice.below(2) for _ in COLORS]
    state.bag = [0 for _ in COLORS]
    state.catastrophes_left[0] = dice.below(2)
    state.catastrophes_left[1] = 0
    state.agenda = [EndTurn(seat=0), Turn((0,), left=2)]
    return state


def empty_land(state: State) -> list[int]:
    """Where leaders may stand, if no other rule forbids it."""
    return [
        cell
        for cell, what in enumerate(state.cells)
        if what == EMPTY and not state.board.river[cell]
    ]


def conceivable(state: State) -> tuple[InTurn, ...]:
    """Every move of seat 0 in any turn with any hand, in the order of the table."""
    return slots.all_of(state.setup.rows, 0, (True,) * len(COLORS), covers=True)


def judged(state: State) -> list[InTurn]:
    """The moves of seat 0 that the judge allows."""
    return [move for move in conceivable(state) if find_fault(state, move) is None]


def find_fault(state: State, move: InTurn) -> str | None:
    try:
        judge(GAME, state, move)
    except RuleBroken as refusal:
        return refusal.fault
    return None


def test_what_is_found_by_sets_of_cells_is_what_the_judge_allows():
    """TE-4.3, TE-5.2, TE-5.3, TE-5.4, TE-6.1, TE-6.2, TE-6.3, TE-7.1"""
    for seed in MANY:
        state = crowd_board(Luck(seed))
        assert legal_moves(GAME, state, 0) == judged(state), seed


def test_some_of_these_tables_are_too_crowded_for_a_tile_or_a_leader():
    """TE-5.4, TE-6.3"""
    faults = {
        find_fault(state, move)
        for state in (crowd_board(Luck(seed)) for seed in MANY)
        for move in conceivable(state)
    }
    assert faults >= {"unites_three_kingdoms", "leader_unites_kingdoms"}


def test_what_came_and_went_on_a_copy_is_seen_there_only():
    """TE-1.8, TE-5.1: the copy takes over the kingdoms found so far."""
    for seed in MANY:
        dice = Luck(seed)
        state = crowd_board(dice)
        before = legal_moves(GAME, state, 0)
        copy = state.copy()
        for _ in range(6):
            copy.post(dice.below(len(copy.leaders)), choose(dice, [OFF, *empty_land(copy)]))
            copy.put(choose(dice, empty_land(copy)), choose(dice, (TEMPLE, CATASTROPHE)))
        assert legal_moves(GAME, copy, 0) == judged(copy), seed
        assert legal_moves(GAME, state, 0) == before == judged(state), seed


def test_a_table_that_was_written_down_allows_the_same():
    """TE-3.1"""
    for seed in MANY:
        state = crowd_board(Luck(seed))
        back = GAME.read_position(state.setup, GAME.write_position(state), 4)
        assert (back.occupied, back.treasures) == (state.occupied, state.treasures), seed
        assert back.kingdoms == state.kingdoms, seed
        assert legal_moves(GAME, back, 0) == legal_moves(GAME, state, 0), seed
