"""Monuments, treasures, the end."""

from __future__ import annotations

import re

import pytest

from domain.engine.dice import Luck
from domain.engine.game import legal_moves
from domain.games.tigris_euphrates import GAME
from domain.games.tigris_euphrates.board import BOARDS, FACE_DOWN, board_of
from domain.games.tigris_euphrates.events.course import GameEnded
from domain.games.tigris_euphrates.events.monuments import MonumentBuilt, TreasuresTaken
from domain.games.tigris_euphrates.events.pieces import LeaderExiled
from domain.games.tigris_euphrates.moves import (
    BuildMonument,
    DeclineMonument,
    LeaveTreasure,
    Pass,
    PlaceCatastrophe,
    PlaceLeader,
    PlaceTile,
)
from domain.games.tigris_euphrates.rules import endings
from domain.games.tigris_euphrates.scoring import with_treasures
from domain.games.tigris_euphrates.state.steps import ChooseTreasure, OfferMonument, Turn
from tests.games.tigris_euphrates.table import (
    TEMPLES,
    did,
    hands,
    names,
    on,
    play_move,
    refusal,
    table,
)
from tests.support.for_each import for_each

COMPLETE = PlaceTile(0, "green", "H6")
THREE = {"G5": "green", "H5": "green", "G6": "green"}


def square(tiles=THREE, **more):
    """Seat 0 may complete a square of markets on G5."""
    return table(tiles=tiles, hands=hands("gg", ""), **more)


def test_a_completed_square_of_one_colour_offers_a_monument():
    """TE-12.1"""
    state = did(square(), COMPLETE)
    assert state.agenda[-1] == OfferMonument((0,), color="green", squares=("G5",))
    mixed = did(square({**THREE, "G6": "black"}), COMPLETE)
    assert isinstance(mixed.agenda[-1], Turn)


def test_if_all_monuments_of_the_colour_are_built_none_is_offered():
    """TE-12.1"""
    built = {"black-green": "A10", "red-green": "C10", "green-blue": "H10"}
    assert isinstance(did(square(monuments=built), COMPLETE).agenda[-1], Turn)


def test_square_and_monument_are_chosen_or_declined():
    """TE-12.2"""
    six = {**THREE, "I5": "green", "I6": "green"}
    state = did(square(six, monuments={"red-green": "A10"}), COMPLETE)
    assert legal_moves(GAME, state, 0) == [
        BuildMonument(0, "black-green", "G5"),
        BuildMonument(0, "black-green", "H5"),
        BuildMonument(0, "green-blue", "G5"),
        BuildMonument(0, "green-blue", "H5"),
        DeclineMonument(0),
    ]
    wrong = BuildMonument(0, "black-green", "G6")
    assert refusal(state, wrong) == ("TE-12.2", "not_a_square")
    for pair in ("red-green", "black-red"):
        used = BuildMonument(0, pair, "G5")
        assert refusal(state, used) == ("TE-12.2", "monument_not_available")
    assert refusal(state, Pass(0)) == ("TE-12.2", "decision_pending")
    assert names(play_move(state, DeclineMonument(0))) == ["MonumentDeclined"]
    declined = did(state, DeclineMonument(0))
    assert isinstance(declined.agenda[-1], Turn)
    assert isinstance(did(declined, PlaceTile(0, "green", "A1")).agenda[-1], Turn)


def test_tiles_are_turned_treasures_stay_and_leaders_without_temple_return():
    """TE-12.3"""
    red = {"F2": "red", "G2": "red"}
    state = table(tiles=red, hands=hands("r", ""), leaders=({}, {"blue": "F4"}))
    state = did(state, PlaceTile(0, "red", "G3"))
    events = play_move(state, BuildMonument(0, "red-blue", "F2"))
    assert events == [
        MonumentBuilt(0, "red-blue", "red", ("F2", "G2", "F3", "G3")),
        LeaderExiled(1, "blue", "F4"),
    ]
    state = did(state, BuildMonument(0, "red-blue", "F2"))
    assert on(state, "F3") == FACE_DOWN
    assert "F3" in GAME.view(state, None).treasures


def test_face_down_tiles_connect_but_have_no_colour():
    """TE-12.4"""
    state = table(
        tiles={"F5": "red", "I6": "red"},
        monuments={"red-blue": "G5"},
        leaders=({"red": "F4"}, {"black": "J6"}),
        hands=hands("r", ""),
    )
    assert len(state.kingdoms) == 1
    assert refusal(state, PlaceLeader(0, "green", "G4")) == ("TE-5.3", "leader_needs_temple")
    assert refusal(state, PlaceCatastrophe(0, "G5")) == ("TE-7.1", "catastrophe_on_monument")


def test_a_new_monument_pays_at_the_end_of_the_same_turn():
    """TE-12.5"""
    tiles = {**THREE, "G4": "red"}
    state = did(square(tiles, leaders=({"green": "F4"}, {}), left=1), COMPLETE)
    events = play_move(state, BuildMonument(0, "green-blue", "G5"))
    assert names(events)[:2] == ["MonumentBuilt", "MonumentScored"]
    assert did(state, BuildMonument(0, "green-blue", "G5")).points[0] == [0, 0, 2, 0]


@pytest.mark.parametrize("name", BOARDS)
def test_farms_have_the_squares_that_the_rules_name(name):
    """TE-12.6"""
    board = board_of(BOARDS[name])
    squares = {square for around in board.squares for square in around}
    wet = sorted(square for square in squares if all(board.river[cell] for cell in square))
    rules = GAME.rulebook.text.replace("\n", " ")
    told = {
        "standard": "on the standard board O4, P4, O5, P5, on the advanced one",
        "advanced": "one C1, D1, C2, D2, or C2, D2, C3, D3, or G9, H9, G10, H10.",
    }[name]
    assert told in rules
    assert [", ".join(board.names[cell] for cell in square) for square in wet] == re.findall(
        r"[A-P]\d+(?:, [A-P]\d+){3}", told
    )


def test_a_square_of_farms_is_one_for_a_monument():
    """TE-12.1, TE-12.6"""
    state = table(tiles={"O4": "blue", "P4": "blue", "O5": "blue"}, hands=hands("b", ""))
    assert did(state, PlaceTile(0, "blue", "P5")).agenda[-1].squares == ("O4",)


JOINED = {"G3": "black", "G4": "black", "H4": "black", "I4": "black", "I5": "black", "I6": "red"}


def join_treasures(trader=None, tiles=JOINED, **more):
    """The treasures of F3 and I7 are one action away from the trader of seat 1."""
    leaders = ({"red": "F4"}, {"green": trader} if trader else {})
    return table(tiles=tiles, leaders=leaders, hands=hands("k", ""), **more)


def test_the_trader_takes_all_treasures_but_one_whose_turn_it_ever_is():
    """TE-13.1"""
    apart = {name: color for name, color in JOINED.items() if name != "H4"}
    state = did(join_treasures("F2", apart), PlaceTile(0, "black", "H4"))
    assert state.agenda[-1] == ChooseTreasure((1,), choices=("F3", "I7"))
    assert refusal(state, LeaveTreasure(1, "K1")) == ("TE-13.2", "not_a_choice")
    assert refusal(state, Pass(1)) == ("TE-13.2", "decision_pending")
    assert play_move(state, LeaveTreasure(1, "I7")) == [TreasuresTaken(1, ("F3",), "I7")]
    state = did(state, LeaveTreasure(1, "I7"))
    assert (state.treasures_taken, state.agenda[-1]) == ([0, 1], Turn((0,), left=1))


def test_treasures_on_face_down_tiles_count():
    """TE-13.1"""
    state = table(
        monuments={"black-red": "F2"},
        tiles={name: color for name, color in JOINED.items() if name != "G3"},
        leaders=({}, {"green": "H6"}),
        without=("F3",),
    )
    assert isinstance(did(state, Pass(0)).agenda[-1], ChooseTreasure)


def test_treasures_of_corner_temples_are_taken_first():
    """TE-13.2"""
    state = table(
        tiles={"P3": "black", "O5": "blue", "P5": "blue", "P4": "blue"},
        leaders=({"green": "M5"}, {}),
    )
    assert play_move(state, Pass(0))[-1] == TreasuresTaken(0, ("P2",), "N5")


def test_if_only_corner_treasures_lie_there_any_may_be_left():
    """TE-13.2"""
    path = {"P3": "black", "P4": "blue", "P5": "blue", "P6": "black", "P7": "black", "P8": "black"}
    state = table(tiles={**path, "P9": "black"}, leaders=({"green": "O2"}, {}))
    state = did(state, Pass(0))
    assert state.agenda[-1] == ChooseTreasure((0,), choices=("P2", "O9"))


def test_without_a_trader_treasures_stay_until_one_comes():
    """TE-13.3"""
    state = did(join_treasures(), Pass(0))
    assert isinstance(state.agenda[-1], Turn)
    assert state.treasures.bit_count() == 10
    state = did(state, PlaceLeader(0, "green", "F2"))
    assert state.agenda[-1] == ChooseTreasure((0,), choices=("F3", "I7"))


def test_what_leaves_no_choice_is_not_asked():
    """TE-13.4"""
    state = table(
        tiles={"P3": "black", "O5": "blue", "P5": "blue", "P4": "blue"},
        leaders=({}, {"green": "M5"}),
    )
    assert names(play_move(state, Pass(0))) == ["ActionPassed", "TreasuresTaken"]


def test_several_traders_are_served_clockwise_from_the_active_player():
    """TE-13.5"""
    east = {"P3": "black", "O5": "blue", "P5": "blue", "P4": "blue"}
    state = join_treasures("F2", {**JOINED, **east}, active=1)
    state.post(2, state.board.number["M5"])
    state = did(state, Pass(1))
    assert state.agenda[-1].seats == (1,)
    events = play_move(state, LeaveTreasure(1, "F3"))
    assert [event.seat for event in events] == [1, 0]


def test_a_treasure_is_a_point_of_any_colour_at_the_end():
    """TE-13.6, TE-15.5"""
    state = table(points=[{"black": 3, "red": 5, "green": 2, "blue": 9}, {}])
    state.treasures_taken[0] = 4
    assert with_treasures(state, 0) == [5, 5, 4, 9]


@for_each(("left", "ended"), [(3, None), (2, "treasures"), (1, "treasures")])
def test_the_game_ends_with_two_treasures_left(left, ended):
    """TE-15.1"""
    state = table(left=1, treasures=TEMPLES[:left])
    assert did(state, Pass(0)).ended == ended


def test_the_game_ends_if_a_player_cannot_draw_enough():
    """TE-15.1"""
    short = table(left=1, hands=hands("rrrrrr", "rrr"), bag={"black": 2})
    assert did(short, Pass(0)).ended == "bag"
    empty = table(left=1, hands=hands("rrrrrr", "rrr"), bag={"black": 3})
    assert did(empty, Pass(0)).ended is None


def test_the_turn_is_finished_and_no_other_follows(monkeypatch):
    """TE-15.2"""
    monkeypatch.setattr(endings, "LAST_TREASURES", len(TEMPLES))
    state = did(table(left=2), Pass(0))
    assert (state.ended, state.agenda[-1]) == (None, Turn((0,), left=1))
    assert did(state, Pass(0)).agenda == []


def test_at_the_end_screens_are_removed_and_what_is_left_is_worth_nothing():
    """TE-15.3"""
    state = table(treasures=TEMPLES[:2], left=1, hands=hands("rrrrrr", "gggggg"))
    ended = did(state, Pass(0))
    assert play_move(state, Pass(0))[-1] == GameEnded(
        "treasures", (0, 1), ((0, 0, 0, 0), (0, 0, 0, 0))
    )
    assert GAME.view(ended, None).hands == (("red",) * 6, ("green",) * 6)
    assert GAME.view(ended, None).scores == (0, 0)


def final(*points):
    """A game that has ended with these points of each colour."""
    by_color = [dict(zip(("black", "red", "green", "blue"), each, strict=True)) for each in points]
    full = hands(*["rrrrrr"] * len(points))
    state = table(seats=len(points), points=by_color, treasures=TEMPLES[:2], left=1, hands=full)
    return GAME.scoring(did(state, Pass(0), dice=Luck(0)))


def test_the_weakest_colour_decides_then_the_second_weakest_and_so_on():
    """TE-15.4"""
    scoring = final((4, 9, 9, 9), (5, 5, 5, 5), (4, 9, 9, 10), (4, 20, 4, 20))
    assert [line.rank for line in scoring.lines] == [3, 1, 2, 4]
    assert [line.points for line in scoring.lines] == [4, 5, 4, 4]


def test_players_who_are_equal_in_all_share_the_place():
    """TE-15.6"""
    scoring = final((4, 9, 7, 8), (9, 4, 8, 7), (1, 1, 1, 1))
    assert [line.rank for line in scoring.lines] == [1, 1, 3]
    assert scoring.winners == (0, 1)
