"""Positions as JSON, and what stands for fields that are left out."""

from __future__ import annotations

from domain.games.tigris_euphrates import GAME
from domain.games.tigris_euphrates.state.steps import Turn
from tests.games.tigris_euphrates.positions import read


def test_nothing_given_is_the_beginning_without_hands():
    """TE-2.1"""
    state = read()
    assert (state.treasures.bit_count(), sum(state.bag), state.agenda[-1]) == (
        10,
        143,
        Turn((0,), left=2),
    )


def test_a_temple_without_a_treasure_given_has_one_if_it_is_a_starting_temple():
    """TE-2.1"""
    tiles = dict.fromkeys(("A1", "F3", "K1", "P2", "N5"), "red")
    assert {*GAME.view(read(tiles=tiles), None).treasures} == {"F3", "K1", "P2", "N5"}
    given = ["F3", "K1", "P2"]
    assert {*GAME.view(read(tiles=tiles, treasures=given), None).treasures} == {*given}


def test_what_is_not_given_is_in_the_bag():
    """TE-1.3"""
    state = read(hands=[{"red": 6}, {"blue": 1}], gone={"green": 2}, discarded=[{"black": 3}, {}])
    assert state.bag == [27, 41, 28, 35]
    assert read(bag={"red": 1}).bag == [0, 1, 0, 0]


def test_catastrophe_tiles_on_the_board_are_not_left():
    """TE-2.3, TE-7.1"""
    assert read().catastrophes_left == [2, 2]
    assert read(catastrophes=["A1", "B1", "C1"]).catastrophes_left == [0, 1]
