"""What holds at every rest, for any choices."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.engine.dice import Luck
from domain.engine.game import decide, fold, legal_moves, new_state, seats_to_move
from domain.games.tigris_euphrates import GAME
from domain.games.tigris_euphrates.board import BOARDS, LEADER, MONUMENTS, OFF, TILES
from domain.games.tigris_euphrates.state.setup import Options
from domain.games.tigris_euphrates.state.steps import Reinforce, Resolve
from domain.games.tigris_euphrates.state.table import COUNTERS
from tests.games.tigris_euphrates.plainly import Table
from tests.games.tigris_euphrates.table import all_tiles

OPTIONS = st.builds(
    Options, board=st.sampled_from(("standard", "advanced")), open_scores=st.booleans()
)


@settings(max_examples=3, suppress_health_check=list(HealthCheck))
@given(st.data(), OPTIONS, st.integers(2, 4), st.integers(0, 999))
def test_the_table_is_in_order_throughout_a_game(data, options, seats, seed):
    """TE-1.3, TE-1.7, TE-1.9, TE-5.7, TE-13.4"""
    dice, setup = Luck(seed), GAME.setup(options, seats)
    state = new_state(GAME, setup, seats, dice)
    treasures = state.treasures.bit_count()
    while seats_to_move(state):
        menu = legal_moves(GAME, state, *seats_to_move(state))
        few = sorted({type(move).__name__ for move in menu})
        kind = data.draw(st.sampled_from(few))
        some = [move for move in menu if type(move).__name__ == kind]
        fold(state, decide(GAME, state, data.draw(st.sampled_from(some)), dice))
        in_order(state, treasures)
    assert GAME.scoring(state).winners == state.winners


def in_order(state, treasures):
    check_pieces(state, treasures)
    check_kingdoms(state)
    check_points(state)


def check_pieces(state, treasures):
    """Tiles, treasures and catastrophe tiles are neither made nor lost."""
    assert all_tiles(state) == list(TILES)
    assert state.treasures.bit_count() + sum(state.treasures_taken) == treasures
    assert state.cells.count(6) + sum(state.catastrophes_left) == 2 * len(state.hands)
    assert state.cells.count(5) == 4 * (len(MONUMENTS) - state.monuments.count(OFF))
    for leader, cell in enumerate(state.leaders):
        assert cell == OFF or state.cells[cell] == LEADER + leader
    assert sum(what >= LEADER for what in state.cells) == sum(c != OFF for c in state.leaders)


def check_kingdoms(state):
    """Leaders have a temple; a kingdom has one leader of a colour, but in a conflict."""
    assert all(state.temples_beside(cell) for cell in state.leaders if cell != OFF)
    fighting = state.united or any(isinstance(s, Reinforce | Resolve) for s in state.agenda)
    if not fighting:
        for leaders, *_ in state.kingdoms:
            assert len({leader % 4 for leader in leaders}) == len(leaders)


def check_points(state):
    """Each point came from somewhere, and each conflict had a winner and a loser."""
    for points, counted in zip(state.points, state.counted, strict=True):
        assert sum(points) == sum(counted[:5])
    totals = dict(zip(COUNTERS, map(sum, zip(*state.counted, strict=True)), strict=True))
    for kind in ("wars", "revolts"):
        for side, other in (("attacker", "defender"), ("defender", "attacker")):
            assert totals[f"{kind}_won_as_{side}"] == totals[f"{kind}_lost_as_{other}"]


@pytest.mark.parametrize("board", BOARDS)
def test_the_kingdoms_are_what_one_finds_by_walking_over_the_board(board):
    """TE-1.8, TE-1.9: also kingdoms found before the last pieces came and went."""
    dice, setup = Luck(board), GAME.setup(Options(board=board), 3)
    state = new_state(GAME, setup, 3, dice)
    for _ in range(60):
        menu = legal_moves(GAME, state, *seats_to_move(state))
        fold(state, decide(GAME, state, menu[dice.below(len(menu))], dice))
        laid, names_of = Table(state), state.board.names_of
        assert names_of(state.occupied) == tuple(
            name for name in laid.names if laid.is_occupied(name)
        )
        homes = [state.board.names[cell] for cell in state.leaders if cell != OFF]
        kingdoms = {laid.region(home) for home in homes}
        assert {frozenset(names_of(found.cells)) for found in state.kingdoms} == kingdoms
        for leaders, cells, around in state.kingdoms:
            there = {name for name in names_of(cells) if name in homes}
            assert {state.board.names[state.leaders[leader]] for leader in leaders} == there
            beside = {near for name in names_of(cells) for near in laid.beside(name)}
            assert set(names_of(around)) == beside
