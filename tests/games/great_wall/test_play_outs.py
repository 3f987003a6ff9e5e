"""Random games from the first move to the last, with invariants at each moment."""

from collections import Counter
from collections.abc import Iterable
from typing import Any, get_args

import pytest

from domain.engine.dice import Luck
from domain.engine.game import decide, fold, seats_to_move
from domain.games.great_wall.events import course, solo
from domain.games.great_wall.scoring import scoring
from domain.games.great_wall.state.table import State
from tests.games.great_wall import invariants
from tests.games.great_wall.game import GAME, new_table, of
from tests.games.record import any_move

MAX_MOVES = 3000
"""A limit of moves: a random game has some 300."""
SOME, MANY = 1, 1250
"""Games with one number of seats, in `make test` and in `make test-long`."""
GIFTS = 25
"""In richer games all get resources once in this many moves, so that they build and fight more."""


RARE_DEEDS = {"gain", "reed_advisor", "reed_barricade"}
"""Deeds on no card, and deeds of the Reed Clan that are rare on a turn of Qin."""


def play_out(
    seats: int, seed: int, gifts: bool = False, mode: str = "standard"
) -> tuple[State, list[object]]:
    """A random game to its end, with all that happened in it."""
    dice = Luck(seed)
    state = new_table(seats, dice, extended_decks=bool(seed % 2), mode=mode)
    told: list[object] = []
    for made in range(MAX_MOVES):
        if not seats_to_move(state):
            return state, told
        if gifts and made % GIFTS == 0:
            for clan in state.clans[:seats]:
                clan.resources = tuple(max(count, 12) for count in clan.resources)
        events = decide(GAME, state, any_move(GAME, state, dice), dice)
        fold(state, events)
        invariants.check_invariants(state)
        told += events
    raise AssertionError("The game does not end.")


def check(seats: int, seed: int, gifts: bool, mode: str = "standard") -> State:
    """Check that a game ends, and that its Years follow each other: GW-3.1, GW-4.1, GW-13.8."""
    state, events = play_out(seats, seed, gifts, mode)
    years = [event.year for event in of(course.YearBegan, events)]
    first = state.setup.slots[state.setup.table.start_slot].year
    assert years == list(range(first + 1, first + 1 + len(years)))
    assert state.year <= len(state.setup.slots)
    assert len(of(course.GameEnded, events)) == 1
    return state


def in_turn(counts: Iterable[int]) -> list[Any]:
    """Each number of seats without gifts or with them, in turn, and the others as long cases."""
    return [
        pytest.param(seats, gifts, marks=[] if gifts == bool(number % 2) else [pytest.mark.long])
        for number, seats in enumerate(counts)
        for gifts in (False, True)
    ]


@pytest.mark.parametrize(("seats", "gifts"), in_turn(GAME.seats))
def test_random_games(seats, gifts):
    """GW-1.2, GW-1.4, GW-3.1, GW-13.8"""
    for seed in range(SOME):
        check(seats, seed, gifts)


@pytest.mark.parametrize(("seats", "gifts"), in_turn(GAME.seats_by_mode["coop"]))
def test_random_cooperative_games(seats, gifts):
    """GW-1.4, GW-16.7, GW-16.9, GW-16.12, GW-16.14"""
    for seed in range(SOME):
        check_together(seats, seed, gifts)


def check_together(seats: int, seed: int, gifts: bool) -> None:
    state = check(seats, seed, gifts, "coop")
    assert state.ended in ("shame", "time", "requests")
    assert state.winners == (tuple(range(seats)) if state.ended == "requests" else ())


@pytest.mark.parametrize("gifts", [False, True])
def test_random_solo_games(gifts):
    """GW-14.2, GW-14.9, GW-14.14"""
    for seed in range(4):
        state = check(1, seed, gifts, "solo")
        more = scoring(state).lines[0].points > scoring(state).rivals[0].points
        assert state.winners == ((0,) if more and state.ended != "shame" else ())


def test_each_deed_of_qin_names_a_rule_and_some_a_part_of_a_card():
    """GW-14.5"""
    told = [event for seed in range(12) for event in play_out(1, seed, True, "solo")[1]]
    chosen = [*of(solo.QinActed, told), *of(solo.QinChose, told)]
    assert {one.rule for one in chosen} <= set(GAME.rulebook.rules)
    assert {one.does for one in of(solo.QinActed, told)} >= {*get_args(solo.Deed)} - RARE_DEEDS


@pytest.mark.long
@pytest.mark.parametrize("gifts", [False, True])
@pytest.mark.parametrize("seats", GAME.seats)
def test_many_random_games(seats, gifts):
    """GW-1.2, GW-1.4, GW-3.1, GW-13.8"""
    ends = Counter(check(seats, seed, gifts).ended for seed in range(SOME, MANY))
    assert sum(ends.values()) == MANY - SOME


@pytest.mark.long
@pytest.mark.parametrize("gifts", [False, True])
@pytest.mark.parametrize("seats", GAME.seats_by_mode["coop"])
def test_many_random_cooperative_games(seats, gifts):
    """GW-1.4, GW-16.7, GW-16.9, GW-16.12, GW-16.14"""
    for seed in range(SOME, MANY):
        check_together(seats, seed, gifts)
