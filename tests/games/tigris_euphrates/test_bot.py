"""The bots: what they value, and how they play."""

from __future__ import annotations

import pytest

from domain.engine.bots import bot_view, never_late
from domain.engine.dice import Luck
from domain.engine.game import judge, legal_moves, seats_to_move
from domain.games.tigris_euphrates import GAME
from domain.games.tigris_euphrates.bot.levels import LEVELS
from domain.games.tigris_euphrates.bot.outlook import foresight, gains, outlook, prospects
from domain.games.tigris_euphrates.bot.search import planner
from domain.games.tigris_euphrates.bot.worth import WON, utility
from domain.games.tigris_euphrates.moves import (
    BuildMonument,
    CommitTiles,
    LeaveTreasure,
    PlaceLeader,
    PlaceTile,
)
from tests.games.hurry import after_calls, in_a_hurry
from tests.games.record import record
from tests.games.tigris_euphrates.table import TEMPLES, did, hands, table
from tests.games.tigris_euphrates.test_monuments_and_treasures import (
    COMPLETE,
    join_treasures,
    square,
)

BOTS = {level.key: level.bot for level in LEVELS}


@pytest.fixture(params=BOTS)
def bot(request):
    return BOTS[request.param]


def choose_move(bot, state, seed=0, late=never_late):
    return bot(bot_view(GAME, state, seats_to_move(state)[0], Luck(seed), late))


def test_the_levels_begin_with_the_weakest():
    assert [(level.key, GAME.bot_names()[level.key], level.label) for level in GAME.levels] == [
        ("shepherd", "Shepherd", "Novice"),
        ("scribe", "Scribe", "Casual"),
        ("hammurabi", "Hammurabi", "Strong"),
        ("gilgamesh", "Gilgamesh", "Expert"),
    ]


@pytest.mark.parametrize("seats", [2, 4])
def test_bots_choose_legal_moves_for_every_step(bot, seats):
    for moment in record(GAME, seats, 1).some(3):
        late = in_a_hurry(GAME, moment.state)
        judge(GAME, moment.state, choose_move(bot, moment.state, late=late))


def test_bots_choose_the_same_with_the_same_dice(bot):
    state = record(GAME, 3, 2).moments[40].state
    assert choose_move(bot, state, 3) == choose_move(bot, state, 3)


@pytest.mark.parametrize("seats", [pytest.param(2, marks=pytest.mark.long), 3])
def test_bots_do_not_know_what_their_seat_does_not_know(bot, seats):
    """TE-16.2, TE-16.3"""
    for moment in record(GAME, seats, 3).some(2):
        seat = seats_to_move(moment.state)[0]
        other = GAME.imagine(moment.state, seat, Luck(9))
        one = choose_move(bot, other, 5, late=in_a_hurry(GAME, other))
        assert one == choose_move(bot, moment.state, 5, late=in_a_hurry(GAME, moment.state))


def test_the_weakest_colour_counts_most():
    """TE-15.4"""
    assert utility((3, 3, 3, 3)) > utility((9, 9, 9, 1))
    assert utility((4, 3, 3, 3)) > utility((3, 3, 3, 3))


def test_a_victory_is_worth_more_than_anything():
    """TE-15.4"""
    state = table(treasures=TEMPLES[:2], left=1, points=[{"red": 1}, {}])
    state.winners = (0,)
    assert [prospects(state, seat) for seat in (0, 1)] == [WON, -WON]


def test_bots_score_when_they_can():
    """TE-6.5"""
    state = table(left=1, hands=hands("grrkkk", ""), leaders=({"green": "F2"}, {}))
    move = choose_move(BOTS["hammurabi"], state)
    assert isinstance(move, PlaceTile)
    assert did(state, move).points[0] == [0, 0, 1, 0]


def test_defenders_commit_just_enough():
    """TE-9.4"""
    state = table(hands=hands("rr", "rrrrr"), leaders=({}, {"black": "F4"}))
    state = did(state, PlaceLeader(0, "black", "F2"), CommitTiles(0, 2))
    assert choose_move(BOTS["gilgamesh"], state) == CommitTiles(1, 2)


def test_what_cannot_be_won_is_not_attacked_for_its_own_sake():
    """TE-9.4"""
    state = table(hands=hands("kkkkkk", "rrrrrr"), leaders=({}, {"black": "F4"}))
    attacked = did(state, PlaceLeader(0, "black", "F2"))
    peaceful = did(state, PlaceLeader(0, "black", "N6"))
    assert foresight(attacked, 0) < foresight(peaceful, 0)
    assert prospects(attacked, 0) < prospects(peaceful, 0)


def test_strong_bots_build_monuments_that_pay_them():
    """TE-14.1"""
    tiles = {"G5": "green", "H5": "green", "G6": "green", "G4": "red"}
    state = square(tiles, leaders=({"green": "F4", "blue": "H4"}, {}))
    offered = did(state, COMPLETE)
    assert choose_move(BOTS["gilgamesh"], offered) == BuildMonument(0, "green-blue", "G5")
    assert prospects(offered, 0) > gains(offered, 0)


def test_bots_answer_which_treasure_is_left(bot):
    """TE-13.2"""
    state = did(join_treasures("F2"), PlaceTile(0, "black", "A1"))
    assert isinstance(choose_move(bot, state), LeaveTreasure)


def test_a_bot_that_runs_out_of_time_answers_with_the_best_so_far():
    state = table(hands=hands("grrkkk", ""), leaders=({"green": "F2"}, {}))
    looked = len(legal_moves(GAME, state, 0))
    best = [choose_move(planner(prospects, firsts=n, seconds=40), state) for n in range(1, 7)]
    for calls in range(looked, looked + 200, 90):
        assert choose_move(BOTS["gilgamesh"], state, late=after_calls(calls)) in best


def test_a_chain_of_four_wars_is_not_thought_to_its_end():
    """TE-11.10"""
    left = {"black": "F4", "red": "F2", "green": "G3", "blue": "G5"}
    right = {"black": "K3", "red": "K5", "green": "L4", "blue": "J4"}
    state = table(
        seats=3,
        tiles={"G4": "red", "I4": "black", "K4": "red"},
        leaders=(left, right, {}),
        hands=hands("kkrrgg", "krrgb", "g"),
        active=2,
    )
    state = did(state, PlaceTile(2, "green", "H4"))
    assert len(legal_moves(GAME, state, 2)) == 4
    looked = []
    outlook(state, 2, lambda end, seat: looked.append(end) or gains(end, seat))
    assert 100 < len(looked) < 2000


def test_bots_keep_to_english_support(bot):
    """TE-17.1"""
    english = {"options": {"english_support": True}, "leaders": ({}, {"black": "F4"})}
    state = did(table(hands=hands("rrr", "rrr"), **english), PlaceLeader(0, "black", "F2"))
    for _ in range(2):
        move = choose_move(bot, state)
        judge(GAME, state, move)
        state = did(state, move)
