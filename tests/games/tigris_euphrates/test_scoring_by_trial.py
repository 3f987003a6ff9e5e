"""Strengths and scores equal those found by trying all possibilities."""

from __future__ import annotations

from itertools import combinations_with_replacement, product

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.engine.game import legal_moves
from domain.games.tigris_euphrates import GAME
from domain.games.tigris_euphrates.board import COLORS
from domain.games.tigris_euphrates.moves import CommitTiles, PlaceLeader
from domain.games.tigris_euphrates.rules.conflicts.strength import outcome, to_hold, to_win
from domain.games.tigris_euphrates.scoring import standings, winners, with_treasures
from domain.games.tigris_euphrates.state.steps import Conflict
from domain.games.tigris_euphrates.state.table import COUNTERS
from tests.games.tigris_euphrates.table import did, hands, table
from tests.support.for_each import for_each

POINTS = st.lists(st.integers(0, 9), min_size=4, max_size=4)


def conflict(attacker, defender):
    """A war of kings with these numbers of supporters on the board."""
    return Conflict("war", "black", 0, 1, "F4", "L4", attacker, defender)


def fought(case, *committed):
    """How it ends after both have committed these numbers of tiles."""
    state = table()
    state.committed = list(committed)
    return outcome(state, case)


@for_each(("attacker", "defender"), [*product(range(4), repeat=2)])
def test_the_least_that_wins_is_one_more_than_the_defence(attacker, defender):
    """TE-9.3, TE-9.4"""
    case = conflict(attacker, defender)
    won = [count for count in range(9) if fought(case, count, 0).winner == 0]
    assert won[0] == max(0, to_win(case))
    assert won == list(range(won[0], 9))


@for_each(("attacker", "defender"), [*product(range(4), repeat=2)])
def test_the_least_that_holds_is_as_much_as_the_attack(attacker, defender):
    """TE-9.4"""
    case, state = conflict(attacker, defender), table()
    for committed in range(4):
        state.committed = [committed, 0]
        held = [count for count in range(9) if fought(case, committed, count).winner == 1]
        assert held[0] == max(0, to_hold(state, case))


def test_the_outcome_shows_who_lost_what_and_both_totals():
    """TE-9.4, TE-10.3"""
    won = fought(conflict(2, 1), 1, 1)
    assert (won.winner, won.loser, won.beaten_at) == (0, 1, "L4")
    assert (won.attacker_total, won.defender_total) == (3, 2)
    lost = fought(conflict(2, 1), 0, 1)
    assert (lost.winner, lost.loser, lost.beaten_at) == (1, 0, "F4")
    assert (lost.attacker_total, lost.defender_total) == (2, 2)


@for_each("count", range(4))
def test_english_support_allows_what_matters_and_nothing_else(count):
    """TE-17.1"""
    state = table(
        options={"english_support": True},
        leaders=({}, {"black": "F4"}),
        tiles={"G4": "red"},
        hands=hands("rrr", "rrr"),
    )
    state = did(state, PlaceLeader(0, "black", "F2"))
    assert to_win(state.agenda[-1].conflict) == 2
    allowed = count == 0 or count >= 2
    menu = [move.count for move in legal_moves(GAME, state, 0)]
    assert (count in menu) == allowed
    if allowed:
        answered = did(state, CommitTiles(0, count))
        enough = to_hold(answered, answered.agenda[-1].conflict)
        wanted = {0, enough} if 0 < enough <= 3 else {0}
        assert {move.count for move in legal_moves(GAME, answered, 1)} == wanted


def give_points(points, taken):
    """A table at which seat 0 has these points and treasures."""
    state = table(points=[dict(zip(COLORS, points, strict=True)), {}])
    state.treasures_taken[0] = taken
    return state


@settings(max_examples=60)
@given(POINTS, st.integers(0, 5))
def test_no_other_use_of_the_treasures_is_better(points, taken):
    """TE-13.6, TE-15.4, TE-15.5"""
    state = give_points(points, taken)
    tried = [
        tuple(sorted(points[color] + use.count(color) for color in range(4)))
        for use in combinations_with_replacement(range(4), taken)
    ]
    assert standings(state)[0] == max(tried)
    assert sum(with_treasures(state, 0)) == sum(points) + taken
    assert all(now >= then for now, then in zip(with_treasures(state, 0), points, strict=True))


@settings(max_examples=60)
@given(st.lists(POINTS, min_size=2, max_size=4))
def test_the_places_are_those_of_the_colours_sorted(points):
    """TE-15.4, TE-15.6"""
    by_color = [dict(zip(COLORS, each, strict=True)) for each in points]
    state = table(seats=len(points), points=by_color)
    ordered = [sorted(each) for each in points]
    lines = GAME.scoring(state).lines
    for line, mine in zip(lines, ordered, strict=True):
        assert line.rank == 1 + sum(other > mine for other in ordered)
        assert line.points == mine[0]
    best = [seat for seat, mine in enumerate(ordered) if mine == max(ordered)]
    assert list(winners(state)) == best


def test_a_line_shows_where_the_points_come_from():
    """TE-13.6"""
    won = {"tiles": 2, "king": 1, "wars": 1, "wars_won_as_attacker": 1}
    lost = {"revolts": 1, "revolts_won_as_attacker": 1, "wars_lost_as_defender": 1}
    counted = [{**won, "revolts_lost_as_defender": 1}, lost]
    state = table(points=[{"black": 3, "red": 1}, {"red": 1}], counted=counted)
    state.treasures_taken[1] = 2
    first, second = GAME.scoring(state).lines
    assert set(first.breakdown) == {*COLORS, "treasures", *COUNTERS}
    assert [first.breakdown[color] for color in COLORS] == [3, 1, 0, 0]
    assert (first.breakdown["tiles"], first.breakdown["king"]) == (2, 1)
    assert first.breakdown["wars_won_as_attacker"] == 1
    assert [second.breakdown[color] for color in COLORS] == [1, 1, 1, 0]
    assert (second.breakdown["treasures"], second.breakdown["revolts"]) == (2, 1)
    assert GAME.scoring(state).reason == ""
