"""Revolts and wars."""

from __future__ import annotations

from domain.engine.game import legal_moves, seats_to_move
from domain.games.tigris_euphrates import GAME
from domain.games.tigris_euphrates.events.conflicts import (
    ConflictBegan,
    RevoltDecided,
    TilesCommitted,
    WarDecided,
)
from domain.games.tigris_euphrates.events.pieces import UnificationTileRemoved
from domain.games.tigris_euphrates.moves import (
    ChooseColor,
    CommitTiles,
    PlaceLeader,
    PlaceTile,
)
from domain.games.tigris_euphrates.state.steps import Turn
from tests.games.tigris_euphrates.table import did, hands, names, on, play_move, refusal, table

ATTACK = PlaceLeader(0, "black", "F2")


def revolt(*words, **more):
    """Seat 0 has placed a king beside the temple of another king."""
    held = hands(*(words or ("", "")))
    return did(table(hands=held, leaders=({}, {"black": "F4"}), **more), ATTACK)


def test_a_conflict_is_between_leaders_of_one_colour():
    """TE-9.1, TE-5.6"""
    other = table(leaders=({}, {"red": "F4"}))
    assert names(play_move(other, ATTACK)) == ["LeaderPlaced"]
    (_, began) = play_move(table(leaders=({}, {"black": "F4"})), ATTACK)
    assert isinstance(began, ConflictBegan)
    assert (began.conflict.color, began.conflict.attacker, began.conflict.defender) == (
        "black",
        0,
        1,
    )


def test_leaders_bring_about_revolts_and_tiles_bring_about_wars():
    """TE-9.2"""
    assert revolt().agenda[-1].conflict.kind == "revolt"
    assert war().agenda[-1].conflict.kind == "war"


def test_first_the_attacker_commits_tiles_then_the_defender_who_knows_how_many():
    """TE-9.3"""
    state = revolt("rr", "rrr")
    assert seats_to_move(state) == (0,)
    assert legal_moves(GAME, state, 0) == [CommitTiles(0, count) for count in range(3)]
    assert refusal(state, CommitTiles(0, 3)) == ("TE-9.3", "tile_not_in_hand")
    assert refusal(state, CommitTiles(0, -1)) == ("TE-9.3", "tile_not_in_hand")
    assert play_move(state, CommitTiles(0, 2)) == [TilesCommitted(0, "red", 2)]
    state = did(state, CommitTiles(0, 2))
    assert seats_to_move(state) == (1,)
    assert GAME.view(state, 1).committed == (2, 0)


def test_a_player_who_has_nothing_to_commit_is_asked_too():
    """TE-9.3"""
    state = revolt("g", "g")
    assert legal_moves(GAME, state, 0) == [CommitTiles(0, 0)]
    assert seats_to_move(did(state, CommitTiles(0, 0))) == (1,)


def test_the_stronger_wins_and_the_defender_wins_ties():
    """TE-9.4"""
    even = did(revolt("r", "r"), CommitTiles(0, 1))
    assert play_move(even, CommitTiles(1, 1))[1].winner == 1
    assert play_move(even, CommitTiles(1, 0))[1].winner == 0


def test_tiles_may_be_committed_in_vain():
    """TE-9.5"""
    state = did(revolt("", "rrrrr"), CommitTiles(0, 0), CommitTiles(1, 5))
    assert state.hands[1] == [0, 0, 0, 0]


def test_committed_tiles_leave_the_game_and_no_player_draws_yet():
    """TE-9.6"""
    state = did(revolt("rr", "rr"), CommitTiles(0, 2), CommitTiles(1, 1))
    assert (state.gone, state.hands) == ([0, 3, 0, 0], [[0, 0, 0, 0], [0, 1, 0, 0]])
    assert state.points == [[0, 1, 0, 0], [0, 0, 0, 0]]


def test_strengths_on_the_board_are_known_to_all():
    """TE-9.7"""
    conflict = GAME.view(revolt("rr", "rr"), None).step.conflict
    assert (conflict.attacker_board, conflict.defender_board) == (1, 1)


def test_the_player_who_positions_the_leader_is_the_attacker():
    """TE-10.1"""
    state = table(leaders=({"black": "N6"}, {"black": "F4"}))
    conflict = did(state, ATTACK).agenda[-1].conflict
    assert (conflict.attacker, conflict.attacker_at) == (0, "F2")
    assert (conflict.defender, conflict.defender_at) == (1, "F4")


def test_temples_beside_the_leaders_count_also_for_both():
    """TE-10.2"""
    state = did(
        table(
            tiles={"G2": "red", "G4": "green", "H4": "red"},
            leaders=({}, {"black": "F4"}),
            hands=hands("kkr", ""),
        ),
        ATTACK,
    )
    conflict = state.agenda[-1].conflict
    assert (conflict.attacker_board, conflict.defender_board) == (2, 1)
    assert len(legal_moves(GAME, state, 0)) == 2


def test_the_loser_takes_their_leader_back():
    """TE-10.3"""
    moved = table(leaders=({"black": "N6"}, {"black": "F4"}))
    state = did(moved, ATTACK, CommitTiles(0, 0), CommitTiles(1, 0))
    seen = [(leader.seat, leader.at) for leader in GAME.view(state, None).leaders]
    assert seen == [(1, "F4")]


def test_the_winner_gets_one_red_point_and_nothing_else_happens():
    """TE-10.4"""
    state = did(revolt("r", ""), CommitTiles(0, 1))
    assert play_move(state, CommitTiles(1, 0))[1] == RevoltDecided(
        color="black",
        winner=0,
        loser=1,
        attacker=0,
        attacker_total=2,
        defender_total=1,
        returned="F4",
    )
    after = did(state, CommitTiles(1, 0))
    assert after.points == [[0, 1, 0, 0], [0, 0, 0, 0]]
    assert on(after, "F3") == 2


def test_after_a_revolt_the_next_action_follows():
    """TE-10.5"""
    state = did(revolt(), CommitTiles(0, 0), CommitTiles(1, 0))
    assert state.agenda[-1] == Turn((0,), left=1)


SIDES = {"G3": "black", "H3": "black", "J3": "black", "K3": "black", "L3": "red"}
UNITE = PlaceTile(0, "green", "I3")


def war(*words, **more):
    """Seat 0 has united its kingdom on the left with that of seat 1 on the right."""
    setting = {
        "tiles": SIDES,
        "leaders": ({"black": "F4"}, {"black": "L4"}),
        "hands": hands(*(words or ("g", ""))),
        **more,
    }
    return did(table(**setting), UNITE)


def test_a_united_kingdom_is_both_sides_what_unites_them_and_what_it_joins():
    """TE-11.1"""
    state = war("g", "", tiles={**SIDES, "I4": "black"})
    assert set(state.united.sides[0]) == {"F3", "F4", "G3", "H3"}
    assert set(state.united.sides[1]) == {"J3", "K3", "L3", "L4"}
    conflict = state.agenda[-1].conflict
    assert (conflict.attacker_board, conflict.defender_board) == (2, 2)


def test_without_a_common_colour_no_war_begins():
    """TE-11.2"""
    state = table(tiles=SIDES, hands=hands("g", ""), leaders=({"black": "F4"}, {"red": "L4"}))
    assert play_move(state, UNITE)[-1] == UnificationTileRemoved("I3")
    assert did(state, UNITE).united is None


def two_wars(active=0, seats=2, owners=(0, 1)):
    """Kings and priests of two players are at odds."""
    leaders = [{} for _ in range(seats)]
    leaders[owners[0]] = {"black": "F4", "red": "F2"}
    leaders[owners[1]] = {"black": "L4", "red": "L2"}
    held = ["gggr" if seat == active else "" for seat in range(seats)]
    state = table(
        seats=seats, tiles=SIDES, leaders=tuple(leaders), hands=hands(*held), active=active
    )
    return did(state, PlaceTile(active, "green", "I3"))


def test_the_active_player_chooses_the_next_war_even_if_none_is_theirs():
    """TE-11.3"""
    state = two_wars(active=2, seats=3)
    assert legal_moves(GAME, state, 2) == [ChooseColor(2, "black"), ChooseColor(2, "red")]
    assert refusal(state, ChooseColor(2, "blue")) == ("TE-11.3", "color_not_contested")
    assert refusal(state, CommitTiles(2, 0)) == ("TE-11.3", "decision_pending")
    assert names(play_move(state, ChooseColor(2, "red"))) == ["WarChosen", "ConflictBegan"]


def test_the_attacker_is_the_active_player_or_the_first_clockwise():
    """TE-11.4"""
    third = did(two_wars(active=1, seats=4, owners=(0, 3)), ChooseColor(1, "black"))
    assert third.agenda[-1].conflict.attacker == 3
    own = did(two_wars(active=1, seats=2, owners=(0, 1)), ChooseColor(1, "black"))
    assert own.agenda[-1].conflict.attacker == 1


def test_supporters_are_the_tiles_of_the_colour_on_the_own_side():
    """TE-11.5"""
    state = war("gkk", "kr", tiles={**SIDES, "I2": "black"})
    conflict = state.agenda[-1].conflict
    assert (conflict.attacker_board, conflict.defender_board) == (2, 2)
    assert legal_moves(GAME, state, 0) == [CommitTiles(0, count) for count in range(3)]


def test_a_side_cut_in_two_is_one_side_while_both_parts_touch_the_unification_tile():
    """TE-11.5"""
    state = table(
        tiles={"H5": "red", "I4": "black", "J4": "green", "J5": "black", "K5": "red"},
        leaders=({"black": "G5", "green": "H6"}, {"green": "K4", "black": "L5"}),
        hands=hands("rggkkk", ""),
    )
    state = did(state, PlaceTile(0, "red", "I5"), ChooseColor(0, "green"))
    state = did(state, CommitTiles(0, 2), CommitTiles(1, 0))
    assert state.conflict.removed == ("J4",)
    conflict = state.agenda[-1].conflict
    assert (conflict.color, conflict.defender_board) == ("black", 2)
    state = did(state, CommitTiles(0, 3), CommitTiles(1, 0))
    assert state.conflict.removed == ("I4", "J5")


def test_the_loser_loses_leader_and_supporters_and_the_winner_scores_them():
    """TE-11.6, TE-11.7"""
    state = did(war("gk", ""), CommitTiles(0, 1))
    decided = play_move(state, CommitTiles(1, 0))[1]
    assert decided == WarDecided(
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
    )
    after = did(state, CommitTiles(1, 0))
    assert after.points == [[3, 0, 0, 0], [0, 0, 0, 0]]
    assert (on(after, "J3"), on(after, "K3"), on(after, "L3"), on(after, "L4")) == (0, 0, 2, 0)


def test_the_attacker_may_lose_their_side():
    """TE-11.6"""
    after = did(war("g", "k"), CommitTiles(0, 0), CommitTiles(1, 1))
    assert after.points == [[0, 0, 0, 0], [3, 0, 0, 0]]
    assert (on(after, "G3"), on(after, "H3"), on(after, "J3")) == (0, 0, 1)


def priests():
    """A war of priests; on the right a temple beside a trader, on the left one with a treasure."""
    return did(
        table(
            tiles={"G3": "red", "H3": "red", "J3": "red", "K3": "red", "L3": "red"},
            leaders=({"red": "F4"}, {"red": "L4", "green": "K4"}),
            hands=hands("grrr", "rrr"),
        ),
        UNITE,
    )


def test_temples_with_a_treasure_or_beside_another_leader_stay_and_score_nothing():
    """TE-11.8"""
    won = did(priests(), CommitTiles(0, 3))
    decided = play_move(won, CommitTiles(1, 0))[1]
    assert (decided.removed, decided.kept, decided.points) == (("J3", "L3"), ("K3",), 3)
    lost = did(priests(), CommitTiles(0, 0))
    decided = play_move(lost, CommitTiles(1, 0))[1]
    assert (decided.removed, decided.kept, decided.points) == (("G3", "H3"), ("F3",), 3)


def test_no_leader_loses_its_last_temple_by_a_war():
    """TE-11.9"""
    for count in (0, 3):
        after = did(priests(), CommitTiles(0, count), CommitTiles(1, 0))
        homes = [cell for cell in after.leaders if cell != 255]
        assert homes
        assert all(after.temples_beside(cell) for cell in homes)


def test_after_a_war_it_is_seen_again_who_is_connected():
    """TE-11.10"""
    state = did(two_wars(), ChooseColor(0, "black"), CommitTiles(0, 0))
    events = play_move(state, CommitTiles(1, 0))
    assert names(events) == ["TilesCommitted", "WarDecided", "UnificationTileRemoved"]
    after = did(state, CommitTiles(1, 0))
    assert len(after.kingdoms) == 2


def test_the_next_war_follows_if_leaders_are_still_connected():
    """TE-11.10"""
    state = did(two_wars(), ChooseColor(0, "red"), CommitTiles(0, 0))
    events = play_move(state, CommitTiles(1, 0))
    assert names(events) == ["TilesCommitted", "WarDecided", "ConflictBegan"]
    assert events[-1].conflict.color == "black"


def test_at_the_end_the_tile_below_the_unification_tile_is_one_like_others():
    """TE-11.11"""
    state = table(tiles=SIDES, leaders=({"black": "F4"}, {"black": "L4"}), hands=hands("kkr", ""))
    state = did(state, PlaceTile(0, "black", "I3"))
    assert GAME.view(state, None).unification == "I3"
    state = did(state, CommitTiles(0, 1), CommitTiles(1, 0))
    assert GAME.view(state, None).unification is None
    assert on(state, "I3") == 1
    assert state.gone == [3, 0, 0, 0]


ENGLISH = {"options": {"english_support": True}}


def test_with_english_support_the_attacker_commits_enough_or_nothing():
    """TE-17.1"""
    state = revolt("rrr", "", tiles={"G4": "red"}, **ENGLISH)
    assert legal_moves(GAME, state, 0) == [CommitTiles(0, count) for count in (0, 2, 3)]
    assert refusal(state, CommitTiles(0, 1)) == ("TE-17.1", "support_in_vain")


def test_with_english_support_the_defender_commits_just_enough_or_nothing():
    """TE-17.1"""
    state = did(revolt("rr", "rrr", **ENGLISH), CommitTiles(0, 2))
    assert legal_moves(GAME, state, 1) == [CommitTiles(1, 0), CommitTiles(1, 2)]
    for count in (1, 3):
        assert refusal(state, CommitTiles(1, count)) == ("TE-17.1", "support_not_equal")
    held = did(revolt("rr", "rrr", **ENGLISH), CommitTiles(0, 0))
    assert legal_moves(GAME, held, 1) == [CommitTiles(1, 0)]
