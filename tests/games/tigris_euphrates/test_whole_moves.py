"""Each move with all its events, in order."""

from __future__ import annotations

import pytest

from domain.engine.errors import RuleBroken
from domain.engine.game import judge, legal_moves, seats_to_move
from domain.games.tigris_euphrates import GAME, moves
from domain.games.tigris_euphrates.events import conflicts, course, monuments, pieces
from domain.games.tigris_euphrates.state import steps
from tests.games.seen import why
from tests.games.tigris_euphrates.table import Bag, did, hands, on, play_move, refusal, table
from tests.support.for_each import for_each

SIDES = {"G3": "black", "H3": "black", "J3": "black", "K3": "black", "L3": "red"}
UNITE = moves.PlaceTile(0, "green", "I3")
KINGS = ({"black": "F4"}, {"black": "L4"})


def points(state) -> list[list[int]]:
    return [list(row) for row in state.points]


def war(*words: str, leaders=KINGS, **more):
    """Seat 0 has united its kingdom on the left with that of seat 1 on the right."""
    given = {"tiles": SIDES, "leaders": leaders, "hands": hands(*(words or ("g", "")))}
    return did(table(**{**given, **more}), UNITE)


def test_a_leader_comes_to_the_board_moves_and_goes():
    """TE-5.1, TE-3.1"""
    state = table()
    assert play_move(state, moves.PlaceLeader(0, "black", "F2")) == [
        pieces.LeaderPlaced(0, "black", "F2")
    ]
    state = did(state, moves.PlaceLeader(0, "black", "F2"))
    moved = moves.PlaceLeader(0, "black", "F4")
    assert play_move(state, moved)[0] == pieces.LeaderMoved(0, "black", "F2", "F4")
    gone = table(leaders=({"green": "F2"}, {}))
    assert play_move(gone, moves.WithdrawLeader(0, "green")) == [
        pieces.LeaderWithdrawn(0, "green", "F2")
    ]


@for_each(
    ("color", "name"),
    [("black", "king"), ("red", "priest"), ("green", "trader"), ("blue", "farmer")],
)
def test_a_leader_that_is_not_on_the_board_is_called_by_its_name(color, name):
    """TE-1.3, TE-5.1"""
    with pytest.raises(RuleBroken) as refused:
        judge(GAME, table(), moves.WithdrawLeader(0, color))
    assert why(GAME, refused.value) == f"Your {name} is not on the board. Choose one that is."


@for_each("color", ["red", "green", "black"])
def test_the_leader_of_the_colour_scores_the_tile(color):
    """TE-6.5: for a tile of any player."""
    leaders = ({}, {color: "F2", "blue": "F4"})
    state = table(leaders=leaders, hands=hands({"red": "r", "green": "g", "black": "k"}[color], ""))
    assert play_move(state, moves.PlaceTile(0, color, "G3")) == [
        pieces.TilePlaced(0, color, "G3"),
        pieces.TileScored(1, color, "G3", color),
    ]


def test_the_king_scores_for_a_leader_that_is_missing():
    """TE-6.5: in the colour of the tile, and only if that leader is missing."""
    state = table(leaders=({}, {"black": "F2"}), hands=hands("r", ""))
    assert play_move(state, moves.PlaceTile(0, "red", "G3")) == [
        pieces.TilePlaced(0, "red", "G3"),
        pieces.TileScored(1, "red", "G3", "black"),
    ]
    assert points(did(state, moves.PlaceTile(0, "red", "G3")))[1] == [0, 1, 0, 0]
    both = table(leaders=({"red": "F4"}, {"black": "F2"}), hands=hands("r", ""))
    assert play_move(both, moves.PlaceTile(0, "red", "G3"))[1] == pieces.TileScored(
        0, "red", "G3", "red"
    )


def test_a_priest_scores_no_market():
    """TE-6.5: neither trader nor king is there."""
    state = table(leaders=({"red": "F2"}, {}), hands=hands("g", ""))
    assert play_move(state, moves.PlaceTile(0, "green", "G3")) == [
        pieces.TilePlaced(0, "green", "G3")
    ]


def test_a_revolt_from_the_first_step_to_the_last():
    """TE-5.6, TE-9.3, TE-10.1, TE-10.2, TE-10.3, TE-10.4"""
    state = table(leaders=({}, {"red": "F4"}), tiles={"G4": "red"}, hands=hands("rr", "r"))
    conflict = steps.Conflict(
        kind="revolt",
        color="red",
        attacker=0,
        defender=1,
        attacker_at="F2",
        defender_at="F4",
        attacker_board=1,
        defender_board=2,
    )
    assert play_move(state, moves.PlaceLeader(0, "red", "F2")) == [
        pieces.LeaderPlaced(0, "red", "F2"),
        conflicts.ConflictBegan(conflict, ("F3",), ("F3", "G4")),
    ]
    state = did(state, moves.PlaceLeader(0, "red", "F2"))
    assert play_move(state, moves.CommitTiles(0, 2)) == [conflicts.TilesCommitted(0, "red", 2)]
    state = did(state, moves.CommitTiles(0, 2))
    assert play_move(state, moves.CommitTiles(1, 0)) == [
        conflicts.TilesCommitted(1, "red", 0),
        conflicts.RevoltDecided(
            color="red",
            winner=0,
            loser=1,
            attacker=0,
            attacker_total=3,
            defender_total=2,
            returned="F4",
        ),
    ]
    assert play_move(state, moves.CommitTiles(1, 1))[1] == conflicts.RevoltDecided(
        color="red",
        winner=1,
        loser=0,
        attacker=0,
        attacker_total=3,
        defender_total=3,
        returned="F2",
    )


def test_a_war_from_the_first_step_to_the_last():
    """TE-6.6, TE-11.1, TE-11.4, TE-11.5, TE-11.6, TE-11.7, TE-11.11"""
    state = table(tiles=SIDES, leaders=KINGS, hands=hands("gk", "k"))
    conflict = steps.Conflict(
        kind="war",
        color="black",
        attacker=0,
        defender=1,
        attacker_at="F4",
        defender_at="L4",
        attacker_board=2,
        defender_board=2,
    )
    sides = (("F3", "G3", "H3", "F4"), ("J3", "K3", "L3", "L4"))
    assert play_move(state, UNITE) == [
        pieces.TilePlaced(0, "green", "I3"),
        pieces.KingdomsUnited(0, "I3", sides),
        conflicts.ConflictBegan(conflict, ("G3", "H3"), ("J3", "K3")),
    ]
    state = did(state, UNITE, moves.CommitTiles(0, 1))
    assert play_move(state, moves.CommitTiles(1, 0)) == [
        conflicts.TilesCommitted(1, "black", 0),
        conflicts.WarDecided(
            color="black",
            winner=0,
            loser=1,
            attacker=0,
            attacker_total=3,
            defender_total=2,
            returned="L4",
            removed=("J3", "K3"),
            kept=(),
            points=3,
        ),
        pieces.UnificationTileRemoved("I3", "TE-11.11"),
    ]


def test_a_war_that_is_chosen_is_described():
    """TE-11.3"""
    leaders = ({"black": "F4", "red": "F2"}, {"black": "L4", "red": "L2"})
    state = war(leaders=leaders)
    assert state.agenda[-1] == steps.ChooseWar((0,), colors=("black", "red"))
    told = play_move(state, moves.ChooseColor(0, "red"))
    assert told[0] == conflicts.WarChosen(0, "red")
    assert told[1].attacker_supporters == ("F3",)
    assert told[1].defender_supporters == ("L3",)


def test_a_lone_leader_wins_one_point():
    """TE-11.7: the loser removes no supporter."""
    leaders = ({"green": "F4"}, {"green": "L4"})
    state = did(war("gg", "", leaders=leaders), moves.CommitTiles(0, 1))
    decided = play_move(state, moves.CommitTiles(1, 0))[1]
    assert (decided.attacker_total, decided.defender_total) == (1, 0)
    assert (decided.removed, decided.points) == ((), 1)
    assert points(did(state, moves.CommitTiles(1, 0))) == [[0, 0, 1, 0], [0, 0, 0, 0]]


@for_each("seat", [0, 1])
@for_each("color", ["black", "green", "blue"])
def test_any_other_leader_protects_the_temples_beside_it(seat, color):
    """TE-11.8: of any colour and player; J3 lies by itself, K3 beside the leader."""
    row = {f"{column}3": "red" for column in "GHJKL"}
    leaders = ({"red": "F4"}, {"red": "L4"})
    leaders[seat][color] = "K4"
    state = did(
        table(tiles=row, leaders=leaders, hands=hands("grrr", "")), UNITE, moves.CommitTiles(0, 3)
    )
    decided = play_move(state, moves.CommitTiles(1, 0))[1]
    assert (decided.removed, decided.kept, decided.points) == (("J3", "L3"), ("K3",), 3)


def test_a_catastrophe_shows_what_it_covered_and_who_had_to_go():
    """TE-7.2, TE-7.3, TE-5.7"""
    state = table(leaders=({"black": "G4"}, {"green": "H3"}), tiles={"G3": "red"})
    assert play_move(state, moves.PlaceCatastrophe(0, "G3")) == [
        pieces.CatastrophePlaced(0, "G3", "red"),
        pieces.LeaderExiled(0, "black", "G4"),
        pieces.LeaderExiled(1, "green", "H3"),
    ]
    assert play_move(state, moves.PlaceCatastrophe(0, "A1")) == [
        pieces.CatastrophePlaced(0, "A1", None)
    ]
    assert did(state, moves.PlaceCatastrophe(0, "G3")).catastrophes_left == [1, 2]


def test_each_has_two_catastrophe_tiles_and_no_third():
    """TE-7.1, TE-2.3"""
    state = did(table(), moves.PlaceCatastrophe(0, "A1"), moves.PlaceCatastrophe(0, "A2"))
    assert state.catastrophes_left == [0, 2]
    left = table(catastrophes_left=(0, 2))
    assert refusal(left, moves.PlaceCatastrophe(0, "A1")) == ("TE-7.1", "no_catastrophe_left")


def test_a_swap_is_described_tile_by_tile_and_draws_as_many():
    """TE-8.1, TE-8.2"""
    state = table(hands=hands("rgg", ""), bag={"blue": 1, "black": 1})
    assert play_move(state, moves.DiscardTile(0, "green")) == [course.TileDiscarded(0, "green")]
    state = did(state, moves.DiscardTile(0, "green"), moves.DiscardTile(0, "red"))
    assert play_move(state, moves.DrawTiles(0), Bag("blue", "black")) == [
        course.TilesDrawn(0, ("blue", "black"), "TE-8.1")
    ]


@pytest.mark.parametrize(("bag", "missing"), [({"blue": 1}, 2), ({}, 3)])
def test_a_bag_that_runs_out_says_how_many_tiles_were_missing(bag, missing):
    """TE-8.3, TE-15.1"""
    state = table(hands=hands("rrr", "gggggg"), bag=bag)
    state = did(state, moves.DiscardTile(0, "red"), moves.DiscardTile(0, "red"))
    told = play_move(state, moves.DiscardTile(0, "red"))
    assert told[1:] == [
        *[course.TilesDrawn(0, ("blue",), "TE-8.1")] * bool(bag),
        course.BagRanOut(0, missing),
    ]


def test_the_end_of_a_turn_is_monuments_tiles_and_the_next_player():
    """TE-14.1, TE-14.2, TE-14.3, TE-3.2"""
    state = table(
        left=1,
        tiles={"G4": "red"},
        monuments={"red-blue": "G5"},
        leaders=({"red": "F4", "blue": "H4"}, {}),
        hands=hands("rrrrr", "ggggg"),
        bag={"black": 2},
    )
    assert play_move(state, moves.Pass(0), Bag("black", "black")) == [
        course.ActionPassed(0),
        monuments.MonumentScored(0, "red-blue", "red"),
        monuments.MonumentScored(0, "red-blue", "blue"),
        course.TilesDrawn(0, ("black",)),
        course.TilesDrawn(1, ("black",)),
        course.TurnEnded(0),
    ]
    then = did(state, moves.Pass(0))
    assert then.agenda[-1] == steps.Turn((1,), left=2)
    assert points(then) == [[0, 1, 0, 1], [0, 0, 0, 0]]


def test_the_game_ends_with_the_totals_of_all():
    """TE-15.1, TE-15.2, TE-15.3, TE-15.4"""
    temples = ("K1", "B2", "P2", "F3", "N5", "I7", "B8", "O9")
    state = table(
        left=1,
        taken=temples,
        hands=hands("rrrrrr", "gggggg"),
        points=({"black": 2, "red": 1, "green": 3, "blue": 4}, {"black": 5}),
        treasures_taken=(1, 7),
    )
    told = play_move(state, moves.Pass(0))
    assert told[:-1] == [course.ActionPassed(0), course.TurnEnded(0)]
    end = told[-1]
    assert (end.reason, end.winners) == ("treasures", (1,))
    assert end.totals == ((2, 2, 3, 4), (5, 3, 2, 2))


def test_a_trader_takes_what_leaves_no_choice_without_being_asked():
    """TE-13.1, TE-13.4: B2 is a corner temple, so the treasure of F3 remains."""
    row = {"C2": "red", "D2": "red", "E2": "blue", "F2": "red"}
    state = table(tiles=row, leaders=({}, {"green": "F4"}))
    assert play_move(state, moves.Pass(0)) == [
        course.ActionPassed(0),
        monuments.TreasuresTaken(1, ("B2",), "F3"),
    ]
    assert did(state, moves.Pass(0)).treasures_taken == [0, 1]


def test_the_owner_of_the_trader_chooses_which_treasure_is_left():
    """TE-13.2"""
    row = {f"{column}3": "red" for column in "GHIJ"} | {"I4": "red", "I5": "red", "I6": "red"}
    state = did(table(tiles=row, leaders=({}, {"green": "F4"})), moves.Pass(0))
    assert seats_to_move(state) == (1,)
    assert legal_moves(GAME, state, 1) == [moves.LeaveTreasure(1, c) for c in ("F3", "I7")]
    assert refusal(state, moves.LeaveTreasure(1, "B2")) == ("TE-13.2", "not_a_choice")
    assert play_move(state, moves.LeaveTreasure(1, "F3")) == [
        monuments.TreasuresTaken(1, ("I7",), "F3")
    ]


def test_a_monument_is_built_on_four_tiles_that_are_turned():
    """TE-12.1, TE-12.2, TE-12.3"""
    three = {"G5": "green", "H5": "green", "G6": "green"}
    state = did(table(tiles=three, hands=hands("g", "")), moves.PlaceTile(0, "green", "H6"))
    told = play_move(state, moves.BuildMonument(0, "red-green", "G5"))
    assert told == [
        monuments.MonumentBuilt(0, "red-green", "green", ("G5", "H5", "G6", "H6")),
    ]
    then = did(state, moves.BuildMonument(0, "red-green", "G5"))
    assert len({on(then, cell) for cell in ("G5", "H5", "G6", "H6")}) == 1
    assert play_move(state, moves.DeclineMonument(0)) == [monuments.MonumentDeclined(0)]


def test_english_support_says_how_many_are_wanted():
    """TE-17.1"""
    english = {"options": {"english_support": True}}
    state = table(
        tiles={"G4": "red"}, leaders=({}, {"red": "F4"}), hands=hands("rrr", "rrr"), **english
    )
    state = did(state, moves.PlaceLeader(0, "red", "F2"))
    with pytest.raises(RuleBroken) as refused:
        judge(GAME, state, moves.CommitTiles(0, 1))
    assert why(GAME, refused.value) == "Commit more than 1, or none."
    state = did(state, moves.CommitTiles(0, 3))
    with pytest.raises(RuleBroken) as refused:
        judge(GAME, state, moves.CommitTiles(1, 1))
    assert why(GAME, refused.value) == "Commit 2, or none."
