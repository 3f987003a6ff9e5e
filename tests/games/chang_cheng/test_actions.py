"""Turns and the five actions."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.game import seats_to_move
from domain.games.chang_cheng.events.cards import CardLaid, CardsRevealed, RegionScored
from domain.games.chang_cheng.events.course import TurnBegan, TurnSkipped
from domain.games.chang_cheng.events.wall import DoubleBuilt, ReservationEnded, TowerBuilt
from domain.games.chang_cheng.moves import (
    BuildDouble,
    BuildSingle,
    BuildTower,
    DeclineCard,
    EndAction,
    ExtendWall,
    LayCard,
)
from domain.games.chang_cheng.rules.actions import can_act
from domain.games.chang_cheng.state.table import SINGLE, State
from tests.games.chang_cheng.table import (
    card,
    cells,
    happens,
    kinds,
    list_reservations,
    menu,
    only,
    refusal,
    table,
)
from tests.support.for_each import for_each


def test_a_turn_begins_with_any_of_the_five_actions_and_then_the_next_seat_is_active():
    """CC-3.1"""
    state = table()
    assert {type(move) for move in menu(state)} == {BuildSingle, BuildDouble, BuildTower, LayCard}
    assert refusal(state, EndAction(0)) == ("CC-3.1", "not_now")
    told = happens(state, BuildTower(0, "b1:2"))
    assert only(told, TurnBegan).seat == 1
    assert seats_to_move(state) == (1,)


def test_the_first_turn_of_each_is_one_single():
    """CC-3.2"""
    state = table(opening=True, first=0)
    for seat, cell in enumerate(("b1:1", "b1:2", "b2:1")):
        assert len(menu(state)) == 26 - seat
        assert refusal(state, BuildTower(seat, "b2:8")) == ("CC-3.2", "not_now")
        happens(state, BuildSingle(seat, cell))
    assert LayCard(0, "b1:C1", 3) in menu(state)


def test_the_second_single_goes_into_another_region():
    """CC-4.1"""
    state = table()
    happens(state, BuildSingle(0, "b1:1"))
    assert refusal(state, BuildSingle(0, "b1:4")) == ("CC-4.1", "same_region")
    assert refusal(state, BuildTower(0, "b1:7")) == ("CC-4.1", "not_now")
    assert len(menu(state)) == 26 - 4
    happens(state, BuildSingle(0, "b1:5"))
    assert seats_to_move(state) == (1,)


def test_the_second_single_may_go_on_the_board_that_the_first_brought():
    """CC-4.1, CC-6.6"""
    walls = "b1:1=0 b1:2=0 b1:3=0 b1:4=1 b2:1=1 b2:2=1 b2:3=1 b2:10=2 b2:11=2 b2:12=2"
    state = table(walls, emperors=["b1:C1", "b2:C1"])
    happens(state, BuildSingle(0, "b2:13"), ExtendWall(0, "b3", "right"))
    assert "b3:1" in cells(state, BuildSingle)
    happens(state, BuildSingle(0, "b3:1"))
    assert seats_to_move(state) == (1,)


def test_two_cards_go_into_two_regions():
    """CC-4.2"""
    state = table("b1:1=1 b1:2=1 b1:3=1 b1:4=1")
    assert refusal(state, LayCard(0, "b1:C1", 3)) == ("CC-4.2", "complete_region")
    assert refusal(state, LayCard(0, "b9:C1", 3)) == ("CC-1.1", "no_such_region")
    assert refusal(state, LayCard(0, "b3:C1", 3)) == ("CC-1.1", "no_such_region")
    told = happens(state, LayCard(0, "b1:C2", 3))
    assert told == [CardLaid(0, "b1:C2", 3)]
    assert refusal(state, LayCard(0, "b1:C2", 4)) == ("CC-4.2", "same_region")
    assert refusal(state, LayCard(0, "b2:C1", 3)) == ("CC-4.2", "card_not_in_hand")
    assert refusal(state, LayCard(0, "b2:C1", -1)) == ("CC-4.2", "card_not_in_hand")
    assert refusal(state, LayCard(0, "b2:C1", 10**30)) == ("CC-4.2", "card_not_in_hand")
    happens(state, LayCard(0, "b2:C1", 4))
    assert seats_to_move(state) == (1,)
    assert [(c.region, c.number) for c in state.laid] == [("b1:C2", 3), ("b2:C1", 4)]


def test_several_cards_of_one_player_may_lie_in_a_region():
    """CC-4.2"""
    state = table(cards=[card(0, 1, "b1:C1"), card(0, 2, "b1:C1"), card(1, 1, "b1:C1")])
    happens(state, LayCard(0, "b1:C1", 5))
    assert len(state.cards_in("b1:C1")) == 4


def test_a_card_and_a_single_go_into_the_same_region():
    """CC-4.3"""
    state = table("b2:1=1 b2:2=1")
    happens(state, LayCard(0, "b2:C1", 5))
    assert refusal(state, BuildSingle(0, "b1:1")) == ("CC-4.3", "other_region")
    assert refusal(state, BuildDouble(0, ("b1:1", "b1:2"))) == ("CC-4.3", "not_now")
    told = happens(state, BuildSingle(0, "b2:3"))
    assert [c.number for c in only(told, CardsRevealed).cards] == [5]
    assert seats_to_move(state) == (1,)


@for_each(
    ("where", "regions"),
    [
        (("b1:1", "b1:2"), ("b1:C1", "b1:M1")),
        (("b1:4", "b1:5"), ("b1:C1", "b1:C2", "b1:M1")),
        (("b1:5", "b1:6"), ("b1:C2", "b1:M1", "b1:M2")),
        (("b1:13", "b2:1"), ("b1:C3", "b2:C1", "b1:M3", "b2:M1")),
    ],
)
def test_the_double_scores_the_regions_that_it_lies_in(where, regions):
    """CC-4.4, CC-5.2"""
    state = table()
    event = only(happens(state, BuildDouble(0, where)), DoubleBuilt)
    assert (event.regions, event.points) == (regions, len(regions))
    assert state.score(0) == len(regions)
    assert state.doubles[1] == 0


def test_the_double_needs_two_empty_cells_side_by_side():
    """CC-4.4, CC-5.2"""
    state = table("b1:2=1")
    assert refusal(state, BuildDouble(0, ("b1:1", "b1:2"))) == ("CC-5.1", "not_empty")
    assert refusal(state, BuildDouble(0, ("b1:4", "b1:6"))) == ("CC-4.4", "not_adjacent")
    assert refusal(state, BuildDouble(0, ("b1:5", "b1:4"))) == ("CC-4.4", "not_adjacent")
    assert refusal(state, BuildDouble(0, ("b2:13", "b1:1"))) == ("CC-4.4", "not_adjacent")


@for_each("piece", ["single", "double", "tower"])
def test_nothing_is_built_that_is_not_in_the_supply(piece):
    """CC-1.3"""
    singles = " ".join(f"b{board}:{cell}=0" for board in (1, 2) for cell in range(1, 8))
    walls, move = {
        "single": (singles, BuildSingle(0, "b2:13")),
        "double": ("b1:1-2=0", BuildDouble(0, ("b2:12", "b2:13"))),
        "tower": ("b1:1=0t", BuildTower(0, "b2:13")),
    }[piece]
    assert refusal(table(walls), move) == ("CC-1.3", "none_left")


def test_the_tower_reserves_what_is_empty_beside_it():
    """CC-4.5, CC-5.4"""
    state = table("b1:5=1")
    event = only(happens(state, BuildTower(0, "b1:6")), TowerBuilt)
    assert event.reserved == ("b1:7",)
    assert list_reservations(state)["b1:7"] == (0,)
    assert not any(isinstance(e, ReservationEnded) for e in happens(state, BuildSingle(1, "b1:8")))


def test_two_singles_shrink_to_one_if_no_other_region_is_open():
    """CC-4.6"""
    walls = " ".join(f"b1:{n}={n % 3}" for n in range(1, 14))
    walls += " " + " ".join(f"b2:{n}={n % 3}" for n in range(1, 10))
    state = table(walls, emperors=["b1:C1", "b1:C2"], boards=["b1", "b2"])
    happens(state, BuildSingle(0, "b2:10"))
    assert seats_to_move(state) == (1,)


def test_two_singles_shrink_to_one_with_the_last_single():
    """CC-4.6"""
    walls = " ".join(f"b1:{n}=0" for n in range(1, 14))
    state = table(walls)
    happens(state, BuildSingle(0, "b2:1"))
    assert seats_to_move(state) == (1,)


def test_two_cards_shrink_to_one_with_the_last_card():
    """CC-4.6"""
    state = table(hands=[[4], [], []])
    happens(state, LayCard(0, "b1:C1", 4))
    assert EndAction(0) in menu(state)
    assert BuildSingle(0, "b1:2") in menu(state)
    happens(state, EndAction(0))
    assert seats_to_move(state) == (1,)


def test_two_cards_do_not_shrink_while_a_second_is_possible():
    """CC-4.6"""
    state = table()
    happens(state, LayCard(0, "b1:C1", 4))
    assert refusal(state, EndAction(0)) == ("CC-4.6", "second_possible")


def test_a_card_is_a_whole_action_if_nothing_can_follow():
    """CC-4.6, CC-4.7"""
    walls = " ".join(f"b1:{n}=0" for n in range(1, 14)) + " b2:1=0"
    state = table(walls, hands=[[4], [], []])
    happens(state, LayCard(0, "b2:C1", 4))
    assert seats_to_move(state) == (1,)


def test_who_can_do_nothing_is_skipped():
    """CC-4.7"""
    walls = " ".join(f"b1:{n}=1" for n in range(1, 14)) + " b2:1=1 b2:2-3=1 b2:5=1t b2:9=2"
    state = table(walls, hands=[[], [], []], prestige={"b2:C1": 0})
    told = happens(state, BuildTower(0, "b2:11"))
    assert only(told, TurnSkipped).seat == 1
    assert seats_to_move(state) == (2,)
    assert kinds(told)[-2:] == ["TurnSkipped", "TurnBegan"]


def test_a_declined_card_ends_the_scoring():
    """CC-6.6"""
    state = table("b2:1=0 b2:2=1", cards=[card(1, 2, "b2:C1")])
    happens(state, BuildSingle(0, "b2:3"), DeclineCard(1))
    assert seats_to_move(state) == (0,)
    assert refusal(state, BuildTower(0, "b1:1")) == ("CC-4.1", "not_now")


@for_each(
    ("left", "asked"),
    [
        ({}, ("Turn", 2)),
        ({"hand": [3]}, ("Turn", 1)),
        ({"singles": 1}, ("Turn", 1)),
        ({"doubles": 1}, ("Turn", 1)),
        ({"towers": 1}, ("Turn", 1)),
    ],
)
def test_a_player_who_has_a_piece_or_card_left_must_act(left, asked):
    """CC-4.7"""
    state = table("b1:1=0", hands=[[], left.get("hand", []), [1]])
    for supply in ("singles", "doubles", "towers"):
        getattr(state, supply)[2] = left.get(supply, 0)
    happens(state, BuildTower(0, "b2:5"))
    assert (type(state.agenda[-1]).__name__, *seats_to_move(state)) == asked


def only_empty(*cells: str, tower: str = "", **position: Any) -> State:
    """The boards b1 and b2 filled by seats 0 and 2 but for these cells; seat 1 has nothing left."""
    names = [f"{board}:{n}" for board in ("b1", "b2") for n in range(1, 14)]
    words = [f"{name}={'02'[n % 2]}" for n, name in enumerate(names) if name not in (*cells, tower)]
    words += [f"{tower}=2t"] if tower else []
    state = table(" ".join(words), hands=[[1], [], []], **position)
    state.singles[2] = state.doubles[2] = state.towers[2] = 0
    return state


@for_each(
    ("cells", "can"),
    [(["b1:4", "b1:9"], False), (["b1:4", "b1:5"], True), (["b1:13", "b2:1"], True)],
)
def test_with_only_the_double_two_cells_side_by_side_are_needed(cells, can):
    """CC-4.4, CC-4.7"""
    state = only_empty(*cells)
    assert not can_act(state, 1)
    state.doubles[2] = 1
    assert can_act(state, 1) == can


@for_each(("tower", "can"), [("b1:5", False), ("b1:3", False), ("b1:7", True)])
def test_with_only_the_tower_a_cell_away_from_towers_is_needed(tower, can):
    """CC-4.7, CC-5.3"""
    state = only_empty("b1:4", tower=tower)
    state.towers[2] = 1
    assert can_act(state, 1) == can


@pytest.mark.parametrize("reserved", [{}, {"2": ["b1:4"]}], ids=["open", "kept"])
def test_a_cell_kept_for_another_player_is_no_room_for_a_single_nor_for_the_double(reserved):
    """CC-4.7, CC-5.5"""
    state = only_empty("b1:3", "b1:4", tower="b1:5", reserved=reserved)
    state.doubles[2] = 1
    assert can_act(state, 1) == (not reserved)
    state = only_empty("b1:4", tower="b1:5", reserved=reserved)
    state.singles[2] = 1
    assert can_act(state, 1) == (not reserved)


def test_a_full_wall_leaves_nothing_to_do_not_even_with_a_full_hand():
    """CC-4.2, CC-4.7"""
    state = only_empty("b2:13")
    assert can_act(state, 0)
    state.build(state.cells.index(0, 13), 1, SINGLE)
    assert not can_act(state, 0)


def test_the_single_beside_a_card_may_fill_the_region_in_which_the_card_counts():
    """CC-4.3, CC-6.5"""
    state = table("b1:1=1 b1:2=1 b1:3=0", prestige={"b1:C1": 2})
    told = happens(state, LayCard(0, "b1:C1", 5), BuildSingle(0, "b1:4"))
    event = only(told, RegionScored)
    assert (event.walls, event.extra, event.winners) == ((2, 2, 0), (2, 0, 0), (0,))
    assert state.score(0) == 6


def test_the_first_of_two_singles_may_fill_a_region_before_the_second_is_built():
    """CC-4.1, CC-6.6"""
    state = table("b1:1=0 b1:2=0 b1:3=1", prestige={"b1:C1": 2})
    told = happens(state, BuildSingle(0, "b1:4"))
    assert (only(told, RegionScored).value, state.score(0)) == (6, 6)
    assert seats_to_move(state) == (0,)
    assert "b1:5" in cells(state, BuildSingle)


def test_a_tower_at_the_end_of_the_wall_reserves_its_one_neighbour_at_once():
    """CC-5.4, CC-5.5"""
    state = table()
    assert only(happens(state, BuildTower(0, "b1:1")), TowerBuilt).reserved == ("b1:2",)
    assert list_reservations(state) == {"b1:2": (0,)}
    assert refusal(state, BuildSingle(1, "b1:2")) == ("CC-5.5", "reserved")


def test_a_tower_between_pieces_reserves_nothing():
    """CC-5.4"""
    state = table("b1:5=1 b1:7=1")
    told = happens(state, BuildTower(0, "b1:6"))
    assert only(told, TowerBuilt).reserved == ()
    assert "ReservationEnded" not in kinds(told)
    assert list_reservations(state) == {}
