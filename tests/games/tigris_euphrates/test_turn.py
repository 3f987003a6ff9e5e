"""The turn: actions, their order, and the end of a turn."""

from __future__ import annotations

from domain.engine.dice import Luck
from domain.engine.game import legal_moves
from domain.games.tigris_euphrates import GAME
from domain.games.tigris_euphrates.events.course import TilesDrawn
from domain.games.tigris_euphrates.events.monuments import MonumentScored
from domain.games.tigris_euphrates.moves import (
    BuildMonument,
    ChooseColor,
    CommitTiles,
    DeclineMonument,
    DrawTiles,
    LeaveTreasure,
    Pass,
    PlaceLeader,
    PlaceTile,
    WithdrawLeader,
)
from domain.games.tigris_euphrates.state.steps import EndTurn, Turn
from tests.games.tigris_euphrates.table import did, hands, names, play_move, refusal, table
from tests.support.for_each import for_each


def test_a_turn_has_two_actions_of_any_kind_also_the_same_twice():
    """TE-3.1"""
    state = table(hands=hands("rrrrrr", ""), leaders=({"black": "F2"}, {}))
    kinds = {type(move).__name__ for move in legal_moves(GAME, state, 0)}
    assert kinds == {
        "PlaceTile",
        "PlaceLeader",
        "WithdrawLeader",
        "PlaceCatastrophe",
        "DiscardTile",
        "Pass",
    }
    state = did(state, PlaceTile(0, "red", "A1"))
    assert state.agenda[-1] == Turn((0,), left=1)
    state = did(state, PlaceTile(0, "red", "A2"))
    assert state.agenda == [EndTurn(seat=1), Turn((1,), left=2)]


@for_each(
    "answer",
    [
        DrawTiles(0),
        ChooseColor(0, "red"),
        CommitTiles(0, 0),
        BuildMonument(0, "red-blue", "A1"),
        DeclineMonument(0),
        LeaveTreasure(0, "F3"),
    ],
)
def test_what_was_not_asked_is_no_action(answer):
    """TE-3.1"""
    assert refusal(table(), answer) == ("TE-3.1", "no_such_decision")


def test_to_pass_uses_up_an_action():
    """TE-3.2"""
    assert names(play_move(table(), Pass(0))) == ["ActionPassed"]
    state = did(table(), Pass(0), Pass(0))
    assert state.agenda[-1] == Turn((1,), left=2)


def test_an_action_is_settled_in_this_order():
    """TE-3.3"""
    state = table(
        hands=hands("r", ""),
        tiles={"G5": "red", "H5": "red", "G6": "red", "I6": "red", "I5": "black"},
        leaders=({"green": "J6", "red": "G4"}, {"blue": "F5"}),
    )
    events = play_move(state, PlaceTile(0, "red", "H6"))
    assert names(events) == ["TilePlaced", "TileScored"]
    state = did(state, PlaceTile(0, "red", "H6"))
    assert [type(step).__name__ for step in state.agenda] == [
        "EndTurn",
        "Turn",
        "ServeTraders",
        "OfferMonument",
    ]
    events = play_move(state, BuildMonument(0, "red-green", "G5"))
    assert names(events) == ["MonumentBuilt", "LeaderExiled", "LeaderExiled"]


def test_the_turn_ends_after_the_second_action():
    """TE-3.4"""
    events = play_move(table(left=1), Pass(0))
    assert names(events) == ["ActionPassed", "TilesDrawn", "TilesDrawn", "TurnEnded"]


def monument(**more):
    """A black and red monument on temples between a king and a priest."""
    return table(
        left=1,
        tiles={"I6": "red", "F6": "red"},
        monuments={"black-red": "G5"},
        **more,
    )


def test_monuments_pay_the_active_player_for_each_of_their_colours():
    """TE-14.1, TE-12.5"""
    state = monument(leaders=({"black": "I5", "red": "F5", "green": "J6"}, {}))
    scored = [event for event in play_move(state, Pass(0)) if isinstance(event, MonumentScored)]
    assert scored == [
        MonumentScored(0, "black-red", "black"),
        MonumentScored(0, "black-red", "red"),
    ]
    assert did(state, Pass(0)).points[0] == [1, 1, 0, 0]


def test_monuments_pay_nothing_in_the_turn_of_another():
    """TE-14.1"""
    state = monument(leaders=({}, {"black": "I5"}))
    assert "MonumentScored" not in names(play_move(state, Pass(0)))


def test_a_king_does_not_stand_in_for_others_at_a_monument():
    """TE-14.1"""
    state = monument(leaders=({"black": "I5"}, {}))
    assert did(state, Pass(0)).points[0] == [1, 0, 0, 0]


def test_a_leader_elsewhere_gets_nothing_from_a_monument():
    """TE-14.1"""
    assert did(monument(leaders=({"black": "F2"}, {})), Pass(0)).points[0] == [0, 0, 0, 0]


def test_every_player_draws_up_to_six_clockwise_from_the_active_player():
    """TE-14.2"""
    state = table(seats=3, active=1, left=1, hands=hands("rrrr", "rr", "rrrrrr"))
    drawn = [event for event in play_move(state, Pass(1)) if isinstance(event, TilesDrawn)]
    assert [(event.seat, len(event.colors)) for event in drawn] == [(1, 4), (0, 2)]


def test_the_next_player_clockwise_has_two_actions():
    """TE-14.3"""
    state = table(seats=3, active=2, left=1)
    assert did(state, Pass(2)).agenda == [EndTurn(seat=0), Turn((0,), left=2)]


def test_leaders_are_withdrawn_for_an_action():
    """TE-3.1, TE-5.1"""
    state = did(table(leaders=({"black": "F2"}, {})), WithdrawLeader(0, "black"))
    assert GAME.view(state, None).leaders == ()
    assert did(state, PlaceLeader(0, "black", "F2"), dice=Luck(1)).agenda[-1].seats == (1,)
