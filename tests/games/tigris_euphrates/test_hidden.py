"""What all players know, and what they do not know."""

from __future__ import annotations

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.game import preview
from domain.engine.play import redact
from domain.games.tigris_euphrates import GAME
from domain.games.tigris_euphrates.events.course import TileDiscarded
from domain.games.tigris_euphrates.moves import CommitTiles, DiscardTile, DrawTiles, PlaceLeader
from tests.games.tigris_euphrates.table import TEMPLES, did, hands, play_move, table


def test_what_is_public_is_seen_by_spectators():
    """TE-16.1"""
    state = did(
        table(hands=hands("rr", "rrr"), leaders=({}, {"black": "F4"})),
        PlaceLeader(0, "black", "F2"),
    )
    seen = GAME.view(did(state, CommitTiles(0, 2)), None)
    assert (seen.hand_sizes, seen.committed, seen.catastrophes_left) == ((0, 3), (2, 0), (2, 2))
    assert seen.bag == sum(state.bag)
    assert len(seen.leaders) == 2


def test_points_and_treasures_of_others_are_hidden():
    """TE-16.2"""
    won = TEMPLES[:3]
    poor = table(points=[{"red": 1}, {}], taken=won)
    rich = table(points=[{"red": 1}, {"red": 9, "blue": 5}], taken=won, treasures_taken=[0, 3])
    assert json_codec.encode(GAME.view(poor, 0)) == json_codec.encode(GAME.view(rich, 0))
    assert json_codec.encode(GAME.view(poor, None)) == json_codec.encode(GAME.view(rich, None))
    assert GAME.view(rich, 0).points == ((0, 1, 0, 0), None)
    assert GAME.view(rich, 1).scores == (None, 1)
    assert GAME.render_svg(GAME.view(poor, 0), GAME.words()) == GAME.render_svg(
        GAME.view(rich, 0), GAME.words()
    )
    assert GAME.render_text(GAME.view(poor, 0), GAME.words()) == GAME.render_text(
        GAME.view(rich, 0), GAME.words()
    )


def test_tables_may_play_with_open_scores():
    """TE-16.2"""
    state = table(
        points=[{"red": 1}, dict.fromkeys(("black", "red", "green", "blue"), 2)],
        taken=TEMPLES[:1],
        treasures_taken=[0, 1],
        options={"open_scores": True},
    )
    seen = GAME.view(state, None)
    assert seen.points == ((0, 1, 0, 0), (2, 2, 2, 2))
    assert (seen.scores, seen.treasures_taken) == ((0, 2), (0, 1))


def test_hands_bag_and_discards_of_others_are_hidden():
    """TE-16.2, TE-16.3"""
    held = hands("rrrggg", "bbbkkk")
    state = did(table(hands=held), DiscardTile(0, "red"), DrawTiles(0))
    assert GAME.view(state, 1).hands == (None, ("black",) * 3 + ("blue",) * 3)
    own = [GAME.imagine(state, 0, Luck(seed)) for seed in range(20)]
    assert {tuple(other.hands[0]) for other in own} == {tuple(state.hands[0])}
    assert {tuple(other.discarded[0]) for other in own} == {(0, 1, 0, 0)}
    others = [GAME.imagine(state, 1, Luck(seed)) for seed in range(20)]
    assert len({tuple(other.hands[0]) for other in others}) > 5
    assert len({tuple(other.discarded[0]) for other in others}) > 1
    assert {tuple(other.hands[1]) for other in others} == {tuple(state.hands[1])}


def test_of_a_swap_others_see_how_many():
    """TE-16.4"""
    state = table(hands=hands("rrg", ""))
    (event,) = play_move(state, DiscardTile(0, "red"))
    assert redact(event, 0) == TileDiscarded(0, "red")
    assert redact(event, 1) == redact(event, None) == TileDiscarded(0, None)
    assert GAME.view(did(state, DiscardTile(0, "red")), 1).step.discarded == 1


def test_the_end_is_not_previewed_as_it_shows_what_is_behind_the_screens():
    """TE-15.3, TE-16.2"""
    full = hands("rrrrrr", "rrrrrr")
    state = table(treasures=("K1", "B2"), left=1, hands=full)
    told = [type(event).__name__ for event in preview(GAME, state, PlaceLeader(0, "red", "K2"))]
    assert told == ["LeaderPlaced", "TurnEnded"]
