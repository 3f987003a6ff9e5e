"""What is legal, where it is found without asking the judge about each move: GW-1.5."""

from __future__ import annotations

from itertools import islice, product
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck, choose
from domain.engine.errors import BadPosition
from domain.engine.game import any_move, awaited, candidates, legal_moves
from domain.games.great_wall import GAME, board, moves
from domain.games.great_wall.state.context import NOTHING
from domain.games.great_wall.state.steps.clerks import MoveClerks, MoveReedClerks
from domain.games.great_wall.state.steps.effects import React
from domain.games.great_wall.state.table import State
from tests.games.altered import mixed
from tests.games.great_wall.game import offered, refused
from tests.games.great_wall.situations import crowded
from tests.games.great_wall.table import table
from tests.games.record import Record, recorded

SPREADS = ("any", "distinct", "one_or_two")
ORIGINS = (None, *board.LOCATIONS)
MODES: tuple[tuple[board.Mode, int], ...] = (("standard", 2), ("solo", 1), ("coop", 3))
TRIES, ENOUGH = 1000, 40
"""So many positions are mixed at most, and so many of them are to be played on."""


def crowd(dice: Luck, seats: int = 3) -> State:
    """Clerks wherever chance puts them, more than there are; perhaps the Tea House is closed."""
    state = table(seats=seats, mode=choose(dice, ("standard", "coop")))
    for clan in state.clans:
        clan.clerks_pool = dice.below(2)
        clan.clerks = tuple(choose(dice, (0, 0, 0, 1, 1, 2, 3)) for _ in board.LOCATIONS)
    if dice.below(3) == 0:
        state.events = ("closed_tea_roads",)
    return state


def places(dice: Luck) -> tuple[board.Location, ...]:
    """Where up to three clerks went before."""
    return tuple(choose(dice, board.LOCATIONS) for _ in range(dice.below(4)))


def allowed(state: State) -> list[Any]:
    """Of all ways that a clerk might go, those that the judge allows the first seat."""
    ways = (moves.MoveClerk(0, to, origin) for origin, to in product(ORIGINS, board.LOCATIONS))
    return [way for way in ways if not refused(state, way)]


@given(seed=st.integers(0))
def test_clerks_go_wherever_the_judge_lets_them(seed):
    """GW-6.1, GW-6.2, GW-18.5: no way is missing, and none too many."""
    dice = Luck(seed)
    state = crowd(dice)
    left, spread = dice.below(3), choose(dice, SPREADS)
    state.agenda = [MoveClerks((0,), left=left, spread=spread, moved=places(dice))]
    assert offered(state, moves.MoveClerk) == allowed(state)


@given(seed=st.integers(0))
def test_clerks_of_the_reed_clan_go_wherever_the_judge_lets_them(seed):
    """GW-15.4, GW-15.5: they go from one Location to another."""
    dice = Luck(seed)
    state = crowd(dice, 2)
    reed = state.clans[state.seats]
    reed.clerks = tuple(min(1, count) for count in reed.clerks)
    state.agenda = [MoveReedClerks((0,), left=dice.below(3), moved=places(dice))]
    assert offered(state, moves.MoveClerk) == allowed(state)


def test_crowds_are_such_that_some_ways_are_open_and_some_are_not():
    """So that what holds of them says something: for each reason not to go somewhere."""
    faults = set()
    for seed in range(60):
        dice = Luck(seed)
        state = crowd(dice)
        step = MoveClerks((0,), left=1, spread=choose(dice, SPREADS), moved=places(dice))
        state.agenda = [step]
        for origin, to in product(ORIGINS, board.LOCATIONS):
            faults.add(refused(state, moves.MoveClerk(0, to, origin)))
    assert faults == {
        None,
        ("GW-6.1", "closed"),
        ("GW-6.1", "no_slot"),
        ("GW-6.2", "full"),
        ("GW-6.2", "no_clerk"),
        ("GW-6.2", "same_place"),
        ("GW-6.2", "wrong_spread"),
    }


@pytest.mark.parametrize(("mode", "seats"), MODES)
def test_in_a_mixed_position_what_is_offered_for_sure_is_allowed(mode, seats):
    """Two positions of a game that were mixed, as far as that is one to play on."""
    dice = Luck(mode)
    played = recorded(GAME, GAME.setup(GAME.options(mode=mode), seats), seats, dice)
    mixtures = filter(None, (mixture(played, dice) for _ in range(TRIES)))
    looked_at = list(islice(mixtures, ENOUGH))
    assert len(looked_at) == ENOUGH
    for state in looked_at:
        for seat in awaited(state):
            tried = candidates(GAME, state, seat)
            assert legal_moves(GAME, state, seat) == [m for m in tried if not refused(state, m)]


def mixture(played: Record, dice: Luck) -> State | None:
    """Two positions of a game in one; None if it contradicts itself."""
    two = [GAME.write_position(choose(dice, played.moments).state) for _ in range(2)]
    one, other = (msgspec.json.decode(json_codec.encode(position)) for position in two)
    try:
        return GAME.read_position(played.setup, mixed(one, other, dice), played.seats)
    except BadPosition:
        return None


@pytest.mark.parametrize("seed", range(3))
def test_where_little_of_what_is_offered_is_allowed_all_of_it_is_drawn(seed):
    """GW-9.3, GW-9.4: of many tactic cards none fits the moment."""
    state = crowded(tactics=tuple(GAME.setup(GAME.options(), 3).tactics[:12]))
    state.agenda = [React((0,), windows=((0, ("you_recruit",)),), context=NOTHING)]
    legal, dice = legal_moves(GAME, state, 0), Luck(seed)
    assert 1 < len(legal) < len(candidates(GAME, state, 0)) / 2
    assert {any_move(GAME, state, 0, dice) for _ in range(50 * len(legal))} == set(legal)
