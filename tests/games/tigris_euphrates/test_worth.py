"""The evaluation of the bots equals a full count."""

from __future__ import annotations

from itertools import combinations, product
from math import isclose

import pytest

from domain.engine.dice import Luck
from domain.games.tigris_euphrates import GAME, moves
from domain.games.tigris_euphrates.board import COLORS, EMPTY
from domain.games.tigris_euphrates.bot import outlook, worth
from domain.games.tigris_euphrates.state.steps import EndTurn, Turn
from tests.games.record import record
from tests.games.tigris_euphrates.plainly import Table, read_recorded_moments
from tests.games.tigris_euphrates.table import did, hands, table


@pytest.fixture(scope="module")
def recorded_tables():
    """Some moments of the recorded games."""
    return [state for state, _ in read_recorded_moments()[::60]]


def test_points_are_worth_more_the_weaker_the_colour():
    """TE-15.4"""
    for points in product((0, 3, 8), repeat=4):
        more = [
            worth.utility((*points[:color], points[color] + 1, *points[color + 1 :]))
            for color in range(4)
        ]
        assert min(more) > worth.utility(points)
        assert max(more) == more[points.index(min(points))] or points.count(min(points)) > 1


def test_a_lead_is_over_the_best_and_over_all_others():
    state = table(seats=3)
    assert worth.lead(state, 0, [10.0, 4.0, 2.0]) == 10 - (4 + 3) / 2
    assert worth.lead(state, 1, [10.0, 4.0, 2.0]) == 4 - (10 + 6) / 2


def test_winners_that_share_are_worth_less():
    """TE-15.6"""
    state = table(seats=3)
    state.winners = (0, 2)
    assert [worth.lead(state, seat, []) for seat in range(3)] == [500, -1000, 500]


def test_the_strength_of_a_kingdom_is_its_face_up_tiles(recorded_tables):
    """TE-11.5"""
    for state in recorded_tables:
        laid = Table(state)
        for kingdom, counted in zip(state.kingdoms, worth._strengths(state), strict=True):
            tiles = [laid.on.get(name) for name in state.board.names_of(kingdom.cells)]
            assert counted == [tiles.count(color) for color in COLORS]


def test_borders_are_where_one_tile_unites(recorded_tables):
    """TE-6.6"""
    for state in recorded_tables:
        touched = [
            state.kingdoms_beside(cell) for cell, what in enumerate(state.cells) if what == EMPTY
        ]
        united = {pair for near in touched for pair in combinations(near, 2)}
        kingdoms = state.kingdoms
        assert {(kingdoms[one], kingdoms[two]) for one, two in worth._borders(state)} == united


def test_monuments_are_worth_something_to_leaders_in_their_kingdom_only():
    """TE-14.1"""
    place = {"tiles": {"I6": "red", "F6": "red"}, "monuments": {"black-red": "G5"}}
    paid = table(leaders=({"black": "I5"}, {}), **place)
    apart = table(leaders=({"black": "N6"}, {}), **place)
    other = table(leaders=({"blue": "I5"}, {}), **place)
    values = [worth.position(state, 0)[0] for state in (paid, apart, other)]
    assert values[0] > max(values[1:]) + 1


def test_a_monument_pays_less_when_the_bag_is_nearly_empty():
    """TE-15.1"""
    place = {"tiles": {"I6": "red", "F6": "red"}, "monuments": {"black-red": "G5"}}
    full = table(leaders=({"black": "I5"}, {}), **place)
    short = table(leaders=({"black": "I5"}, {}), bag={"red": 6}, **place)
    assert worth.position(full, 0)[0] > worth.position(short, 0)[0]


def test_a_leader_with_more_temples_is_safer():
    """TE-10.2"""
    values = [
        worth.position(table(tiles=temples, leaders=({"black": "F4"}, {})), 0)[0]
        for temples in ({}, {"G4": "red"}, {"G4": "red", "F5": "red"})
    ]
    assert values == sorted(values)
    assert len(set(values)) == 3


def test_the_stronger_side_of_a_border_is_better_off():
    """TE-11.4, TE-11.7"""
    sides = {"G3": "black", "H3": "black", "J3": "black", "L3": "red", "K3": "black"}
    leaders = ({"black": "F4"}, {"black": "L4"})
    even = worth.position(table(tiles=sides, leaders=leaders), 0)
    strong = worth.position(table(tiles={**sides, "G4": "black"}, leaders=leaders), 0)
    assert strong[0] > even[0]
    assert strong[1] < even[1]


def test_tiles_in_hand_count_for_an_action_that_is_left():
    """TE-3.1"""
    held = {"hands": hands("kkk", ""), "leaders": ({"black": "F2"}, {})}
    acting = table(left=1, **held)
    waiting = table(active=1, **held)
    assert worth.position(acting, 0)[0] > worth.position(waiting, 0)[0]
    useless = table(left=1, hands=hands("kkk", ""), leaders=({"red": "F2"}, {}))
    assert worth.tiles(acting, 0) > worth.tiles(useless, 0)


def test_a_catastrophe_tile_is_worth_keeping():
    """TE-7.1"""
    kept, spent = table(), table(catastrophes_left=[1, 2])
    assert worth.position(kept, 0)[0] > worth.position(spent, 0)[0]


def test_how_likely_a_rival_holds_tiles_is_what_dealing_them_anew_shows():
    """TE-16.2, TE-16.3"""
    state = table(hands=hands("rrg", "rrkkgg"), bag={"red": 4, "black": 3, "blue": 3})
    dealt = [GAME.imagine(state, 0, Luck(seed)).hands[1][1] for seed in range(3000)]
    for enough in range(1, 7):
        share = sum(count >= enough for count in dealt) / len(dealt)
        assert abs(outlook._likelihood(state, 0, 1, 1, enough) - share) < 0.04


def test_what_cannot_be_is_not_likely_and_what_must_be_is_certain():
    """TE-9.3"""
    state = table(hands=hands("", "rr"), bag={"red": 1})
    assert outlook._likelihood(state, 0, 1, 1, 3) == 0
    assert outlook._likelihood(state, 0, 1, 0, 1) == 0
    assert isclose(outlook._likelihood(state, 0, 1, 1, 2), 1)


def test_an_attack_that_must_succeed_is_worth_its_point():
    """TE-10.4"""
    state = table(hands=hands("rrrr", ""), leaders=({}, {"black": "F4"}), bag={"green": 9})
    attacked = did(state, moves.PlaceLeader(0, "black", "F2"))
    won = did(attacked, moves.CommitTiles(0, 1), moves.CommitTiles(1, 0))
    assert outlook.foresight(attacked, 0) == outlook.gains(won, 0) > outlook.gains(state, 0)


def test_the_attacked_hopes_to_hold():
    """TE-9.4"""
    held = hands("r", "rrr")
    state = table(hands=held, leaders=({}, {"black": "F4"}))
    attacked = did(state, moves.PlaceLeader(0, "black", "F2"), moves.CommitTiles(0, 1))
    lost = did(attacked, moves.CommitTiles(1, 0))
    kept = did(attacked, moves.CommitTiles(1, 1))
    assert outlook.foresight(attacked, 1) == outlook.gains(kept, 1)
    assert outlook.gains(lost, 0) > outlook.foresight(attacked, 0) > outlook.gains(kept, 0)


def test_thinking_ahead_changes_nothing_on_the_table():
    """TE-16.2"""
    for moment in record(GAME, 3, 5).some(20):
        before = GAME.write_position(moment.state)
        outlook.prospects(moment.state, 0)
        assert GAME.write_position(moment.state) == before


def test_an_outlook_never_draws():
    """TE-16.3"""
    state = table(left=1, hands=hands("g", ""))
    after = outlook._after(state, moves.PlaceTile(0, "green", "A1"))
    assert after.hands[0] == [0, 0, 0, 0]
    assert after.agenda == [EndTurn(seat=0)]
    assert outlook._after(table(), moves.Pass(0)).agenda[-1] == Turn((0,), left=1)
