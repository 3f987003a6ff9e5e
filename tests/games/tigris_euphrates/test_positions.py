"""Positions as JSON are complete, and read back unchanged."""

from __future__ import annotations

import pytest

from domain.games.tigris_euphrates import GAME
from domain.games.tigris_euphrates.moves import CommitTiles
from domain.games.tigris_euphrates.state.steps import Turn
from tests.engine.table import contents
from tests.games.record import record
from tests.games.tigris_euphrates.positions import LAST, SETUP, at_war, read, revolt
from tests.games.tigris_euphrates.table import did, turn_of


def test_nothing_given_is_the_beginning_without_hands():
    """TE-2.1"""
    state = read()
    assert (state.treasures.bit_count(), sum(state.bag), state.agenda[-1]) == (
        10,
        143,
        Turn((0,), left=2),
    )


@pytest.mark.parametrize("seats", [2, 4])
def test_positions_are_whole(seats):
    for moment in record(GAME, seats, 4).some(25):
        setup, written = moment.state.setup, GAME.write_position(moment.state)
        assert contents(GAME.read_position(setup, written, seats)) == contents(moment.state)


def test_a_position_in_the_middle_of_a_war_goes_on():
    """TE-11.10"""
    state = at_war()
    again = GAME.read_position(SETUP, GAME.write_position(state), 2)
    assert contents(did(again, CommitTiles(1, 0))) == contents(did(state, CommitTiles(1, 0)))


def test_a_position_in_the_middle_of_a_revolt_is_read():
    """TE-10.1"""
    assert read(**revolt()).agenda[-1].conflict.kind == "revolt"


def test_five_discarded_tiles_and_a_whole_conflict_are_possible():
    """TE-8.1, TE-9.4"""
    swap = {"type": "Swap", "seats": [0], "discarded": 5}
    tiles = {"hands": [{"red": 1}, {}], "discarded": [{"blue": 5}, {}]}
    assert read(agenda=[*turn_of(0, 1), swap], **tiles).agenda[-1].discarded == 5
    assert read(**{**revolt(), "conflict": LAST}).conflict.points == 1


def test_a_temple_without_a_treasure_given_has_one_if_it_is_a_starting_temple():
    """TE-2.1"""
    state = read(tiles={"F3": "red", "A1": "red"})
    assert GAME.view(state, None).treasures == ("F3",)
    assert read(tiles={"F3": "red"}, treasures=[]).treasures == 0


def test_what_is_not_given_is_in_the_bag():
    """TE-1.3"""
    state = read(hands=[{"red": 6}, {"blue": 1}], gone={"green": 2}, discarded=[{"black": 3}, {}])
    assert state.bag == [27, 41, 28, 35]
    assert read(bag={"red": 1}).bag == [0, 1, 0, 0]
