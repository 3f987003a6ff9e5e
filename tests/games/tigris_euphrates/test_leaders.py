"""Leaders, what a placement touches, tiles, catastrophe tiles, swapping."""

from __future__ import annotations

from domain.engine.game import legal_moves
from domain.games.tigris_euphrates import GAME
from domain.games.tigris_euphrates.board import CATASTROPHE
from domain.games.tigris_euphrates.events.course import BagRanOut
from domain.games.tigris_euphrates.events.pieces import (
    CatastrophePlaced,
    LeaderExiled,
    LeaderMoved,
    LeaderPlaced,
    LeaderWithdrawn,
    TileScored,
)
from domain.games.tigris_euphrates.moves import (
    CommitTiles,
    DiscardTile,
    DrawTiles,
    Pass,
    PlaceCatastrophe,
    PlaceLeader,
    PlaceTile,
    WithdrawLeader,
)
from domain.games.tigris_euphrates.state.steps import Swap, Turn
from tests.games.tigris_euphrates.table import (
    Bag,
    did,
    hands,
    names,
    on,
    play_move,
    refusal,
    table,
)


def test_a_kingdom_beside_a_cell_on_two_sides_is_touched_once():
    """TE-4.1"""
    state = table(tiles={"G3": "red", "G4": "red"}, leaders=({"black": "F2"}, {}))
    assert len(state.kingdoms_beside(state.board.number["F4"])) == 1


def test_regions_without_leaders_are_joined_freely():
    """TE-4.2, TE-5.4"""
    state = table(
        tiles={"H4": "red", "G5": "red", "I5": "red", "H6": "red"}, leaders=({"black": "G6"}, {})
    )
    state = did(state, PlaceLeader(0, "red", "H5"))
    assert state.agenda[-1] == Turn((0,), left=1)


def test_a_leader_is_lifted_before_it_is_seen_what_it_touches():
    """TE-4.3"""
    lonely = table(tiles={"G2": "red", "H2": "black", "H4": "red"}, leaders=({"black": "G3"}, {}))
    assert names(play_move(lonely, PlaceLeader(0, "black", "H3"))) == ["LeaderMoved"]
    split = table(
        tiles={"G5": "red", "I5": "red", "G6": "red", "I6": "black", "H4": "red"},
        leaders=({"black": "H5", "green": "F5"}, {"red": "J5"}),
    )
    assert refusal(split, PlaceLeader(0, "black", "H6")) == ("TE-5.4", "leader_unites_kingdoms")


def test_leaders_are_placed_moved_and_withdrawn():
    """TE-5.1"""
    state = table()
    assert play_move(state, PlaceLeader(0, "black", "F2")) == [LeaderPlaced(0, "black", "F2")]
    state = did(state, PlaceLeader(0, "black", "F2"))
    moved = play_move(state, PlaceLeader(0, "black", "N6"))
    assert moved[0] == LeaderMoved(0, "black", "F2", "N6")
    assert play_move(state, WithdrawLeader(0, "black"))[0] == LeaderWithdrawn(0, "black", "F2")
    assert refusal(state, WithdrawLeader(0, "red")) == ("TE-5.1", "leader_not_on_board")


def test_leaders_stand_on_empty_land():
    """TE-5.2"""
    state = table(catastrophes=["F2"])
    assert refusal(state, PlaceLeader(0, "red", "E3")) == ("TE-5.2", "leader_on_river")
    assert refusal(state, PlaceLeader(0, "red", "F3")) == ("TE-5.2", "space_not_empty")
    assert refusal(state, PlaceLeader(0, "red", "F2")) == ("TE-5.2", "space_not_empty")


def test_leaders_stand_beside_a_face_up_temple():
    """TE-5.3"""
    state = table(monuments={"red-blue": "G5"})
    assert refusal(state, PlaceLeader(0, "red", "F5")) == ("TE-5.3", "leader_needs_temple")
    assert refusal(state, PlaceLeader(0, "red", "G4")) == ("TE-5.3", "leader_needs_temple")


def test_leaders_never_unite_kingdoms():
    """TE-5.4"""
    state = table(
        tiles={"H4": "red", "G6": "red", "I6": "red"},
        leaders=({"black": "H5"}, {"green": "F6", "red": "J6"}),
    )
    assert refusal(state, PlaceLeader(0, "blue", "G5")) == ("TE-5.4", "leader_unites_kingdoms")


def test_a_leader_that_moves_goes_elsewhere():
    """TE-5.5"""
    state = table(leaders=({"black": "F2"}, {}))
    assert refusal(state, PlaceLeader(0, "black", "F2")) == ("TE-5.5", "leader_same_space")


def test_a_leader_that_moves_within_its_kingdom_meets_no_player():
    """TE-5.6"""
    state = table(tiles={"G3": "red"}, leaders=({"black": "F2"}, {}))
    assert names(play_move(state, PlaceLeader(0, "black", "G2"))) == ["LeaderMoved"]


def test_a_leader_beaten_in_a_revolt_may_come_back_at_once():
    """TE-5.6"""
    state = table(leaders=({}, {"black": "F4"}))
    attack = PlaceLeader(0, "black", "F2")
    state = did(state, attack, CommitTiles(0, 0), CommitTiles(1, 0))
    assert names(play_move(state, attack)) == ["LeaderPlaced", "ConflictBegan"]


def test_a_leader_without_a_temple_returns_on_the_turn_of_any_player():
    """TE-5.7, TE-7.3"""
    state = table(tiles={"H5": "red"}, leaders=({"red": "H4"}, {"black": "G5"}), active=1)
    events = play_move(state, PlaceCatastrophe(1, "H5"))
    assert events == [
        CatastrophePlaced(1, "H5", "red"),
        LeaderExiled(0, "red", "H4"),
        LeaderExiled(1, "black", "G5"),
    ]
    state = did(state, PlaceCatastrophe(1, "H5"))
    assert not state.kingdoms
    assert names(play_move(state, PlaceLeader(1, "black", "F2")))[0] == "LeaderPlaced"


def test_no_player_leaves_a_conflict():
    """TE-5.8"""
    state = did(table(leaders=({}, {"black": "F4"})), PlaceLeader(0, "black", "F2"))
    for move in (WithdrawLeader(0, "black"), PlaceLeader(0, "black", "N6"), Pass(0)):
        assert refusal(state, move) == ("TE-9.3", "decision_pending")


def test_a_tile_goes_from_the_hand_to_an_empty_cell_wherever_it_is():
    """TE-6.1"""
    state = table(hands=hands("r", ""))
    assert refusal(state, PlaceTile(0, "black", "A1")) == ("TE-6.1", "tile_not_in_hand")
    assert refusal(state, PlaceTile(0, "red", "F3")) == ("TE-6.1", "space_not_empty")
    state = did(state, PlaceTile(0, "red", "A1"))
    assert (on(state, "A1"), state.hands[0]) == (2, [0, 0, 0, 0])


def test_farms_and_only_farms_lie_on_the_river():
    """TE-6.2"""
    state = table(hands=hands("rb", ""))
    assert refusal(state, PlaceTile(0, "blue", "A1")) == ("TE-6.2", "farm_only_on_river")
    assert refusal(state, PlaceTile(0, "red", "E1")) == ("TE-6.2", "river_only_farms")
    assert on(did(state, PlaceTile(0, "blue", "E1")), "E1") == 4


def test_a_tile_touches_two_kingdoms_at_most():
    """TE-6.3"""
    state = table(
        hands=hands("g", ""),
        tiles={"H4": "red", "G6": "red", "I6": "red"},
        leaders=({"black": "H5"}, {"green": "F6", "red": "J6"}),
    )
    assert refusal(state, PlaceTile(0, "green", "H6")) == ("TE-6.3", "unites_three_kingdoms")


def test_a_tile_outside_of_kingdoms_scores_nothing():
    """TE-6.4"""
    state = table(hands=hands("r", ""))
    assert names(play_move(state, PlaceTile(0, "red", "F2"))) == ["TilePlaced"]


def test_the_leader_of_its_colour_scores_a_tile_of_any_player():
    """TE-6.5"""
    state = table(hands=hands("r", ""), leaders=({"black": "F2"}, {"red": "F4"}))
    events = play_move(state, PlaceTile(0, "red", "G3"))
    assert events[1] == TileScored(1, "red", "G3", "red")
    assert did(state, PlaceTile(0, "red", "G3")).points == [[0, 0, 0, 0], [0, 1, 0, 0]]


def test_the_king_scores_a_tile_in_its_own_colour_if_its_leader_is_missing():
    """TE-6.5"""
    state = table(hands=hands("g", ""), leaders=({"red": "F4"}, {"black": "F2"}))
    assert play_move(state, PlaceTile(0, "green", "G3"))[1] == TileScored(1, "green", "G3", "black")
    nobody = table(hands=hands("g", ""), leaders=({"red": "F4"}, {"blue": "F2"}))
    assert names(play_move(nobody, PlaceTile(0, "green", "G3"))) == ["TilePlaced"]


def test_a_tile_that_unites_scores_nothing():
    """TE-6.6"""
    state = table(
        hands=hands("g", ""),
        tiles={"G3": "red", "I3": "red"},
        leaders=({"green": "F4"}, {"black": "I4"}),
    )
    events = play_move(state, PlaceTile(0, "green", "H3"))
    assert names(events) == ["TilePlaced", "KingdomsUnited", "UnificationTileRemoved"]
    assert set(events[1].sides[0]) == {"F3", "F4", "G3"}
    assert set(events[1].sides[1]) == {"I3", "I4"}


def test_a_tile_may_complete_a_square_and_join_treasures():
    """TE-6.7"""
    state = table(
        hands=hands("r", ""),
        tiles={"G2": "red", "F2": "red", "H3": "red", "H4": "red", "H5": "red", "I6": "red"},
        leaders=({"green": "H6"}, {}),
    )
    state = did(state, PlaceTile(0, "red", "G3"))
    assert state.agenda[-1].squares == ("F2",)


def test_catastrophe_tiles_have_their_places():
    """TE-7.1"""
    state = table(
        tiles={"G3": "red"},
        leaders=({"black": "F2"}, {}),
        monuments={"black-red": "H8"},
        catastrophes=["A1"],
    )
    for name, fault in {
        "F3": "catastrophe_on_treasure",
        "F2": "catastrophe_on_leader",
        "H8": "catastrophe_on_monument",
        "A1": "catastrophe_on_catastrophe",
    }.items():
        assert refusal(state, PlaceCatastrophe(0, name)) == ("TE-7.1", fault)
    for name in ("G3", "E1", "A2"):
        assert on(did(state, PlaceCatastrophe(0, name)), name) == CATASTROPHE
    spent = table(catastrophes_left=[0, 2])
    assert refusal(spent, PlaceCatastrophe(0, "A1")) == ("TE-7.1", "no_catastrophe_left")


def test_a_covered_tile_is_out_of_the_game_and_the_cell_is_lost():
    """TE-7.2"""
    state = did(table(tiles={"G3": "green"}, hands=hands("r", "")), PlaceCatastrophe(0, "G3"))
    assert state.gone == [0, 0, 1, 0]
    assert state.catastrophes_left == [1, 2]
    assert refusal(state, PlaceTile(0, "red", "G3")) == ("TE-6.1", "space_not_empty")


def test_kingdoms_fall_apart_without_a_fight():
    """TE-7.3"""
    state = table(
        tiles={"G3": "green", "H3": "red"}, leaders=({"black": "F2"}, {"red": "H4"}), active=0
    )
    assert len(state.kingdoms) == 1
    assert names(play_move(state, PlaceCatastrophe(0, "G3"))) == ["CatastrophePlaced"]
    assert len(did(state, PlaceCatastrophe(0, "G3")).kingdoms) == 2


def test_tiles_are_put_away_one_by_one_and_then_drawn():
    """TE-8.1"""
    state = table(hands=hands("rrg", ""), bag={"black": 3})
    state = did(state, DiscardTile(0, "red"))
    assert state.agenda[-1] == Swap((0,), discarded=1)
    assert {type(move) for move in legal_moves(GAME, state, 0)} == {DiscardTile, DrawTiles}
    assert refusal(state, DiscardTile(0, "blue")) == ("TE-8.1", "tile_not_in_hand")
    assert refusal(state, Pass(0)) == ("TE-8.1", "decision_pending")
    state = did(state, DiscardTile(0, "green"), DrawTiles(0), dice=Bag("black", "black", "black"))
    assert (state.hands[0], state.discarded[0]) == ([2, 1, 0, 0], [0, 1, 1, 0])
    assert state.agenda[-1] == Turn((0,), left=1)


def test_when_the_last_tile_is_put_away_new_ones_are_drawn_at_once():
    """TE-8.1"""
    state = did(table(hands=hands("r", "")), DiscardTile(0, "red"))
    assert (sum(state.hands[0]), state.agenda[-1]) == (1, Turn((0,), left=1))


def test_as_many_are_drawn_as_were_put_away():
    """TE-8.2"""
    state = table(hands=hands("rrrrr", ""))
    swap = [DiscardTile(0, "red")] * 3
    assert sum(did(state, *swap, DrawTiles(0)).hands[0]) == 5


def test_a_bag_that_runs_out_ends_the_game_with_the_turn():
    """TE-8.3"""
    state = did(table(hands=hands("rr", ""), bag={"green": 1}), DiscardTile(0, "red"))
    state = did(state, DiscardTile(0, "red"))
    assert state.hands[0] == [0, 0, 1, 0]
    assert (state.short, state.ended, state.agenda[-1]) == (True, None, Turn((0,), left=1))
    events = play_move(state, PlaceTile(0, "green", "A1"))
    assert BagRanOut(0, 6) in events
    assert did(state, Pass(0)).ended == "bag"
