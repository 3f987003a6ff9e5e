"""Legal moves that are found without the judge: GW-1.5."""

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
from domain.engine.game import advance, candidates, legal_moves, random_move, seats_to_move
from domain.engine.starting.starts import read_start
from domain.games.great_wall import GAME, board, moves
from domain.games.great_wall.state.agenda.clerks import MoveClerks, MoveReedClerks
from domain.games.great_wall.state.agenda.effects import React
from domain.games.great_wall.state.context import NOTHING
from domain.games.great_wall.state.table import State
from tests.games.altered import mix
from tests.games.great_wall.game import legal_moves_of, refusal_of
from tests.games.great_wall.situations import full_table
from tests.games.great_wall.table import table
from tests.games.record import Record, any_move, play_randomly
from tests.support.for_each import for_each

SPREADS = ("any", "distinct", "one_or_two")
ORIGINS = (None, *board.LOCATIONS)
MODES: tuple[tuple[board.Mode, int], ...] = (("standard", 2), ("solo", 1), ("coop", 3))
TRIES, ENOUGH, MOVES = 200, 5, 40
"""At most TRIES positions are mixed, until MOVES moves are made from ENOUGH of them."""


def crowd(dice: Luck, seats: int = 3) -> State:
    """Random clerks in all Locations, perhaps too many, and perhaps a closed Tea House."""
    state = table(seats=seats, mode=choose(dice, ("standard", "coop")))
    for clan in state.clans:
        clan.clerks_pool = dice.below(2)
        clan.clerks = tuple(choose(dice, (0, 0, 0, 1, 1, 2, 3)) for _ in board.LOCATIONS)
    if dice.below(3) == 0:
        state.events = ("closed_tea_roads",)
    return state


def places(dice: Luck) -> tuple[board.Location, ...]:
    """The Locations where up to three clerks went before."""
    return tuple(choose(dice, board.LOCATIONS) for _ in range(dice.below(4)))


def judged_moves(state: State) -> list[Any]:
    """The moves of the first seat's clerks that the judge allows."""
    ways = (moves.MoveClerk(0, to, origin) for origin, to in product(ORIGINS, board.LOCATIONS))
    return [way for way in ways if not refusal_of(state, way)]


@given(seed=st.integers(0))
def test_the_judge_allows_exactly_the_offered_moves_of_clerks(seed):
    """GW-6.1, GW-6.2, GW-18.5: the offer equals what the judge allows."""
    dice = Luck(seed)
    state = crowd(dice)
    left, spread = dice.below(3), choose(dice, SPREADS)
    state.agenda = [MoveClerks((0,), left=left, spread=spread, moved=places(dice))]
    assert legal_moves_of(state, moves.MoveClerk) == judged_moves(state)


@given(seed=st.integers(0))
def test_the_judge_allows_exactly_the_offered_moves_of_reed_clerks(seed):
    """GW-15.4, GW-15.5: the offer equals what the judge allows."""
    dice = Luck(seed)
    state = crowd(dice, 2)
    reed = state.clans[state.seats]
    reed.clerks = tuple(min(1, count) for count in reed.clerks)
    state.agenda = [MoveReedClerks((0,), left=dice.below(3), moved=places(dice))]
    assert legal_moves_of(state, moves.MoveClerk) == judged_moves(state)


def test_random_crowds_leave_some_locations_open_and_some_not():
    """Each reason to refuse a Location occurs, so that the other tests mean something."""
    faults = set()
    for seed in range(60):
        dice = Luck(seed)
        state = crowd(dice)
        step = MoveClerks((0,), left=1, spread=choose(dice, SPREADS), moved=places(dice))
        state.agenda = [step]
        for origin, to in product(ORIGINS, board.LOCATIONS):
            faults.add(refusal_of(state, moves.MoveClerk(0, to, origin)))
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
def test_after_a_mixed_position_exact_offers_are_legal(mode, seats):
    """Exact offers are legal in games that start from mixtures of two positions of a game."""
    dice = Luck(mode)
    played = play_randomly(GAME, GAME.setup(GAME.options(mode=mode), seats), seats, dice)
    mixtures = filter(None, (mixture(played, dice) for _ in range(TRIES)))
    starts = list(islice(mixtures, ENOUGH))
    assert len(starts) == ENOUGH
    for state in starts:
        for _ in range(MOVES):
            if not (waiting := seats_to_move(state)):
                break
            for seat in waiting:
                tried = candidates(GAME, state, seat)
                legal = [move for move in tried if not refusal_of(state, move)]
                assert legal_moves(GAME, state, seat) == legal
            advance(GAME, state, any_move(GAME, state, dice), dice)


def mixture(played: Record, dice: Luck) -> State | None:
    """A mixture of two positions at rest of a game; None if it contradicts itself."""
    two = [GAME.write_position(played.any_start(dice)) for _ in range(2)]
    one, other = (msgspec.json.decode(json_codec.encode(position)) for position in two)
    try:
        return read_start(GAME, played.setup, mix(one, other, dice), played.seats)
    except BadPosition:
        return None


@for_each("seed", range(3))
def test_all_legal_moves_are_drawn_even_if_most_offers_are_illegal(seed):
    """GW-9.3, GW-9.4: none of many tactic cards fits the moment."""
    state = full_table(tactics=tuple(GAME.setup(GAME.options(), 3).tactics[:12]))
    state.agenda = [React((0,), windows=((0, ("you_recruit",)),), context=NOTHING)]
    legal, dice = legal_moves(GAME, state, 0), Luck(seed)
    assert 1 < len(legal) < len(candidates(GAME, state, 0)) / 2
    assert {random_move(GAME, state, 0, dice) for _ in range(50 * len(legal))} == set(legal)
