"""A Chinese region is full: its value, who scores, emperor cards, a longer wall."""

from __future__ import annotations

import pytest

from domain.engine.game import seats_to_move
from domain.games.chang_cheng import GAME
from domain.games.chang_cheng.events.cards import RegionScored, ScoringBegan
from domain.games.chang_cheng.events.course import BoardAdded, EmperorPlaced, TilesPlaced
from domain.games.chang_cheng.moves import (
    AddWall,
    BuildDouble,
    BuildNeutral,
    BuildSingle,
    BuildTower,
    ChangeValue,
    DestroyWall,
    ExtendWall,
    ScoreFirst,
)
from domain.games.chang_cheng.rules.regions import ahead, plain_value
from domain.games.chang_cheng.state.table import prestige_left, threats_left
from tests.games.chang_cheng.table import card, happens, kinds, menu, only, refusal, table
from tests.support.for_each import for_each

THREE_FULL = "b1:1=0 b1:2=0 b1:3=1 b1:4=1 b2:1=1 b2:2=1 b2:3=1 b2:10=2 b2:11=2 b2:12=2"


def test_a_region_is_scored_as_soon_as_any_piece_fills_it():
    """CC-6.1"""
    walls = "b1:1=0 b1:2=0"
    for move in (BuildDouble(0, ("b1:3", "b1:4")), BuildTower(0, "b1:4")):
        state = table(walls + (" b1:3=1" if isinstance(move, BuildTower) else ""))
        assert only(happens(state, move), RegionScored).region == "b1:C1"
    state = table("b1:1=0 b1:2=0 b1:3=1 b1:5=1", seats=2)
    happens(state, BuildSingle(0, "b1:6"), BuildSingle(0, "b2:4"))
    assert BuildNeutral(0, "b1:4") not in menu(state)


def test_a_region_is_scored_once():
    """CC-6.1"""
    state = table("b1:1=0 b1:2=0 b1:3=1 b1:4=1")
    assert state.scored[0]
    assert kinds(happens(state, BuildTower(0, "b1:6"))).count("ScoringBegan") == 0


def test_a_double_that_fills_two_regions_lets_the_active_player_choose():
    """CC-6.2"""
    state = table("b1:1=0 b1:2=0 b1:3=1 b1:6=1 b1:7=1 b1:8=2 b1:9=2")
    happens(state, BuildDouble(0, ("b1:4", "b1:5")))
    assert menu(state) == [ScoreFirst(0, "b1:C1"), ScoreFirst(0, "b1:C2")]
    assert refusal(state, ScoreFirst(0, "b1:C3")) == ("CC-6.2", "not_full_now")
    told = happens(state, ScoreFirst(0, "b1:C2"))
    assert [e.region for e in told if isinstance(e, RegionScored)] == ["b1:C2", "b1:C1"]


def test_the_second_region_waits_for_the_extension_that_the_first_brings():
    """CC-6.2, CC-8.2"""
    walls = "b1:1=0 b1:2=0 b1:3=1 b1:6=1 b1:7=1 b1:8=2 b1:9=2 b2:1=1 b2:2=1 b2:3=1"
    walls += " b2:10=1 b2:11=1 b2:12=1 b2:13=1"
    state = table(walls, emperors=["b2:C1", "b2:C3"])
    happens(state, BuildDouble(0, ("b1:4", "b1:5")), ScoreFirst(0, "b1:C2"))
    told = happens(state, ExtendWall(0, "b4", "left"))
    assert kinds(told)[:3] == ["BoardAdded", "TilesPlaced", "ScoringBegan"]
    assert state.emperors == ("b1:C1",)


def test_a_scoring_goes_step_by_step():
    """CC-6.3"""
    cards = [card(1, 3, "b1:C1"), card(2, 5, "b1:C1"), card(0, 5, "b1:C1"), card(2, 4, "b1:C1")]
    state = table("b1:1=0 b1:2=1 b1:3=2", cards=cards, prestige={"b1:C1": 4})
    told = happens(state, BuildSingle(0, "b1:4"), ChangeValue(1, 2), AddWall(2))
    assert [kind for kind in kinds(told) if kind != "ThreatSeen"] == [
        "SingleBuilt",
        "ScoringBegan",
        "CardsRevealed",
        "CardsCancelled",
        "ValueChanged",
        "WallsAdded",
        "RegionScored",
        "EmperorPlaced",
    ]
    assert state.laid == ()
    assert state.prestige[0] == 4


def test_the_value_counts_cells_ruins_prestige_and_cards():
    """CC-6.4"""
    state = table("b1:1=0 b1:2=1x b1:3=2", cards=[card(1, 3, "b1:C1")], prestige={"b1:C1": 4})
    event = only(happens(state, BuildSingle(0, "b1:4"), ChangeValue(1, 2)), RegionScored)
    parts = (event.size, event.ruins, event.prestige, event.change, event.value)
    assert parts == (4, 1, 4, 2, 9)


def test_the_value_is_never_negative():
    """CC-6.4"""
    cards = [card(1, 2, "b2:C1"), card(1, 3, "b2:C1")]
    state = table("b2:1=0 b2:2=1x", cards=cards, prestige={"b2:C1": 0})
    moves = (BuildSingle(0, "b2:3"), DestroyWall(1, "b2:1"), ChangeValue(1, -2))
    event = only(happens(state, *moves), RegionScored)
    assert (event.value, event.winners) == (0, (0,))


def test_all_who_are_tied_for_the_most_walls_score_the_whole_value():
    """CC-6.5"""
    state = table("b1:1=0 b1:2=1 b1:3=1", prestige={"b1:C1": 1})
    event = only(happens(state, BuildSingle(0, "b1:4")), RegionScored)
    assert (event.walls, event.winners, event.value) == ((2, 2, 0), (0, 1), 5)
    assert (state.score(0), state.score(1), state.score(2)) == (5, 5, 0)


def test_only_cards_are_enough_to_win_a_region():
    """CC-6.5"""
    cards = [card(2, 5, "b1:C1"), card(2, 4, "b1:C1")]
    state = table("b1:1=0 b1:2=1 b1:3=1", cards=cards, prestige={"b1:C1": 1})
    event = only(happens(state, BuildSingle(0, "b1:4"), AddWall(2)), RegionScored)
    assert (event.extra, event.winners) == ((0, 0, 3), (2,))


def test_a_region_of_ruins_pays_no_player():
    """CC-6.5"""
    state = table("b2:1=0x b2:2=1x", cards=[card(1, 2, "b2:C1")])
    told = happens(state, BuildSingle(0, "b2:3"), DestroyWall(1, "b2:3"))
    assert only(told, RegionScored).winners == ()


def test_the_action_goes_on_after_the_scoring():
    """CC-6.6"""
    state = table("b1:1=1 b1:2=1 b1:3=1")
    happens(state, BuildSingle(0, "b1:4"))
    assert seats_to_move(state) == (0,)
    assert {type(move) for move in menu(state)} == {BuildSingle}


def test_the_active_player_puts_an_emperor_card_on_a_scored_region():
    """CC-8.1"""
    state = table("b1:1=1 b1:2=1 b1:3=1")
    told = happens(state, BuildSingle(0, "b1:4"))
    assert only(told, EmperorPlaced) == EmperorPlaced(0, "b1:C1")
    view = GAME.view(state, None)
    assert (view.emperors, view.china[0].emperor) == (2, True)


def test_the_third_emperor_card_makes_the_wall_longer_at_once():
    """CC-8.2"""
    state = table(THREE_FULL, emperors=["b1:C1", "b2:C1"])
    told = happens(state, BuildSingle(0, "b2:13"))
    assert only(told, ScoringBegan).region == "b2:C3"
    assert len(menu(state)) == 4
    assert refusal(state, ExtendWall(0, "b1", "left")) == ("CC-8.2", "not_in_reserve")
    assert refusal(state, BuildSingle(0, "b1:6")) == ("CC-8.2", "not_now")
    told = happens(state, ExtendWall(0, "b3", "right"))
    assert only(told, BoardAdded) == BoardAdded(0, "b3", ("b1", "b2", "b3"))
    assert (state.emperors, state.extensions) == ((), 0)


def test_new_regions_get_tiles_from_the_piles():
    """CC-8.3"""
    state = table(THREE_FULL, emperors=["b1:C1", "b2:C1"])
    before = prestige_left(state), threats_left(state)
    told = happens(state, BuildSingle(0, "b2:13"), ExtendWall(0, "b3", "left"))
    placed = only(told, TilesPlaced)
    assert (placed.board, len(placed.prestige), len(placed.threats)) == ("b3", 3, 3)
    for value in placed.prestige:
        before[0][value] -= 1
    for value in placed.threats:
        before[1][value] -= 1
    assert (prestige_left(state), threats_left(state)) == before


def test_without_an_extension_emperor_cards_mean_nothing():
    """CC-8.4"""
    walls = THREE_FULL + " b3:1=0 b3:2=0 b3:3=0 b3:4=0"
    boards = ["b1", "b2", "b3"]
    state = table(walls, boards=boards, emperors=["b1:C1", "b2:C1"])
    told = happens(state, BuildSingle(0, "b2:13"), BuildSingle(0, "b3:5"))
    assert kinds(told).count("RegionScored") == 2
    assert only(told, EmperorPlaced).region == "b2:C3"
    assert seats_to_move(state) == (1,)


@for_each(
    ("walls", "neutral", "seats"),
    [
        ((2, 1, 0), 0, (0,)),
        ((2, 2, 1), 0, (0, 1)),
        ((1, 1, 1), 0, (0, 1, 2)),
        ((0, 0, 0), 0, ()),
        ((1, 0), 2, ()),
        ((2, 1), 2, (0,)),
        ((2, 2), 2, (0, 1)),
        ((0, 0), 3, ()),
    ],
)
def test_who_has_the_most_walls(walls, neutral, seats):
    """CC-6.5, CC-10.2, CC-10.4, CC-11.5"""
    assert ahead(walls, neutral) == seats


@for_each(
    ("walls", "worth"),
    [
        ("b1:1=0 b1:2=1 b1:3=2 b1:4=0", 4),
        ("b1:1=0 b1:2=1x b1:3=2 b1:4=0", 3),
        ("b1:1=0x b1:2=1x b1:3=2x b1:4=0x", 0),
        ("b1:1-2=0 b1:3=1t b1:4=2", 4),
        ("b1:1=0", 4),
    ],
)
@for_each("prestige", [1, 4])
def test_what_a_region_is_worth_before_cards(walls, worth, prestige):
    """CC-6.4"""
    state = table(walls, prestige={"b1:C1": prestige})
    assert plain_value(state, 0) == worth + prestige


@pytest.mark.parametrize(
    ("side", "boards", "seam"),
    [
        ("left", ("b4", "b1", "b2"), ("b4:13", "b1:1")),
        ("right", ("b1", "b2", "b4"), ("b2:13", "b4:1")),
    ],
)
def test_a_board_is_added_at_either_end_and_makes_a_new_seam(side, boards, seam):
    """CC-8.2, CC-1.2"""
    walls = "b1:5=0 b1:6=0 b1:7=1 b1:8=1 b2:1=1 b2:2=1 b2:3=1 b1:10=2 b1:11=2 b1:12=2 b1:13=1"
    state = table(walls, emperors=["b1:C3", "b2:C1"])
    happens(state, BuildSingle(0, "b1:9"), ExtendWall(0, "b4", side), BuildSingle(0, "b2:9"))
    assert GAME.view(state, None).boards == boards
    assert GAME.view(state, None).reserve == ("b3",)
    assert BuildDouble(1, seam) in menu(state)


def test_four_players_make_the_wall_longer_twice():
    """CC-2.1, CC-8.2"""
    state = table(THREE_FULL, seats=4, emperors=["b1:C1", "b2:C1"])
    happens(state, BuildSingle(0, "b2:13"), ExtendWall(0, "b3", "left"))
    assert (state.extensions, len(state.wall.row)) == (1, 3)
    state = table(THREE_FULL, seats=4, boards=["b3", "b1", "b2"], emperors=["b1:C1", "b2:C1"])
    told = happens(state, BuildSingle(0, "b2:13"), ExtendWall(0, "b4", "right"))
    assert only(told, BoardAdded).boards == ("b3", "b1", "b2", "b4")
    assert state.extensions == 0


def test_a_third_emperor_card_is_placed_by_the_active_player_who_also_chooses_the_board():
    """CC-8.2"""
    laid = [card(1, 3, "b2:C3")]
    state = table(THREE_FULL, emperors=["b1:C1", "b2:C1"], cards=laid)
    happens(state, BuildSingle(0, "b2:13"))
    assert seats_to_move(state) == (1,)
    happens(state, ChangeValue(1, -2))
    assert seats_to_move(state) == (0,)
    assert {type(move) for move in menu(state)} == {ExtendWall}
