"""Random games from the first move to the last, with what is true at each moment of them."""

from collections import Counter
from typing import get_args

import pytest

from domain.engine.dice import Luck
from domain.engine.game import awaited, decide, fold
from domain.games.great_wall.events import course, solo
from domain.games.great_wall.scoring import scoring
from domain.games.great_wall.state.table import State
from tests.games.great_wall import invariants
from tests.games.great_wall.game import GAME, new_table, of
from tests.games.record import any_move

MOST = 3000
"""Moves: a game by chance has some 300."""
GIFTS = 25
"""Every so many moves all get resources in the richer games, so that more is built and fought."""


RARE_DEEDS = {"gain", "reed_advisor", "reed_barricade"}
"""Of no card, and where the Reed Clan rarely stands on a turn of Qin."""


def played(
    seats: int, seed: int, gifts: bool = False, mode: str = "standard"
) -> tuple[State, list[object]]:
    """A game by chance to its end, with all that happened in it."""
    dice = Luck(seed)
    state = new_table(seats, dice, extended_decks=bool(seed % 2), mode=mode)
    told: list[object] = []
    for made in range(MOST):
        if not awaited(state):
            return state, told
        if gifts and made % GIFTS == 0:
            for clan in state.clans[:seats]:
                clan.resources = tuple(max(count, 12) for count in clan.resources)
        events = decide(GAME, state, any_move(GAME, state, dice), dice)
        fold(state, events)
        invariants.hold(state)
        told += events
    raise AssertionError("The game does not end.")


def check(seats: int, seed: int, gifts: bool, mode: str = "standard") -> State:
    """It ends, and the Years went by one after the other: GW-3.1, GW-4.1, GW-13.8."""
    state, events = played(seats, seed, gifts, mode)
    years = [event.year for event in of(course.YearBegan, events)]
    first = state.setup.slots[state.setup.table.start_slot].year
    assert years == list(range(first + 1, first + 1 + len(years)))
    assert state.year <= len(state.setup.slots)
    assert len(of(course.GameEnded, events)) == 1
    return state


@pytest.mark.parametrize("gifts", [False, True])
@pytest.mark.parametrize("seats", GAME.seats)
def test_games_by_chance(seats, gifts):
    """GW-1.2, GW-1.4, GW-3.1, GW-13.8"""
    for seed in range(25):
        check(seats, seed, gifts)


@pytest.mark.parametrize("gifts", [False, True])
@pytest.mark.parametrize("seats", GAME.modes["coop"])
def test_cooperative_games_by_chance(seats, gifts):
    """GW-1.4, GW-16.7, GW-16.9, GW-16.12, GW-16.14"""
    for seed in range(12):
        state = check(seats, seed, gifts, "coop")
        assert state.ended in ("shame", "time", "requests")
        assert state.winners == (tuple(range(seats)) if state.ended == "requests" else ())


@pytest.mark.parametrize("gifts", [False, True])
def test_solo_games_by_chance(gifts):
    """GW-14.2, GW-14.9, GW-14.14"""
    for seed in range(40):
        state = check(1, seed, gifts, "solo")
        more = scoring(state).lines[0].points > scoring(state).rivals[0].points
        assert state.winners == ((0,) if more and state.ended != "shame" else ())


def test_all_that_qin_does_names_a_rule_and_some_part_of_a_card():
    """GW-14.5"""
    told = [event for seed in range(12) for event in played(1, seed, True, "solo")[1]]
    chosen = [*of(solo.QinActed, told), *of(solo.QinChose, told)]
    assert {one.rule for one in chosen} <= set(GAME.rulebook.rules)
    assert {one.does for one in of(solo.QinActed, told)} >= {*get_args(solo.Deed)} - RARE_DEEDS


@pytest.mark.long
@pytest.mark.parametrize("gifts", [False, True])
@pytest.mark.parametrize("seats", GAME.seats)
def test_many_games_by_chance(seats, gifts):
    """GW-1.2, GW-1.4, GW-3.1, GW-13.8"""
    ends = Counter(check(seats, seed, gifts).ended for seed in range(25, 1275))
    assert sum(ends.values()) == 1250
