"""Which pieces and cards are enough for a turn, and for the second half of an action."""

from __future__ import annotations

from domain.engine.game import seats_to_move
from domain.games.chang_cheng import moves
from domain.games.chang_cheng.events import cards, course
from tests.games.chang_cheng.table import cells, happens, menu, table


def last_resort(seat_1="", **position):
    """Seat 0 ends its turn with two cards; the caller gives the pieces of seat 1."""
    singles = " ".join(f"b1:{n}=1" for n in range(1, 14)) + " b2:1=1"
    hands = position.pop("hands", [[1, 2], [], []])
    state = table(f"{singles} {seat_1}", hands=hands, **position)
    told = happens(state, moves.LayCard(0, "b2:C1", 1), moves.LayCard(0, "b2:C2", 2))
    return state, told[-1]


def test_only_a_double_is_enough_to_have_a_turn():
    """CC-4.7"""
    state, told = last_resort("b2:13=1t")
    assert told == course.TurnBegan(1)
    assert {type(move) for move in menu(state)} == {moves.BuildDouble}


def test_only_a_tower_is_enough_to_have_a_turn():
    """CC-4.7"""
    state, told = last_resort("b2:12-13=1")
    assert told == course.TurnBegan(1)
    assert {type(move) for move in menu(state)} == {moves.BuildTower}


def test_a_tower_with_cells_kept_for_others_is_enough_too():
    """CC-4.7, CC-5.5"""
    reserved = {"2": ["b2:8", "b2:10"]}
    state, told = last_resort("b2:12-13=1 b2:9=2t b2:8=2", reserved=reserved)
    assert told == course.TurnBegan(1)
    assert cells(state, moves.BuildTower) == [f"b2:{n}" for n in (2, 3, 4, 5, 6, 7, 11)]


def test_a_double_that_fits_nowhere_is_not_enough():
    """CC-4.7, CC-5.2: every second cell is filled, and towers stand beside the rest."""
    walls = "b2:2=0t b2:4=2t b2:6=0 b2:8=2 b2:10=0 b2:12=2 b2:13=1t"
    state, told = last_resort(walls)
    assert told == course.TurnBegan(2)
    assert seats_to_move(state) == (2,)


def test_a_double_that_fits_only_on_ones_own_reservation_is_enough():
    """CC-4.7, CC-5.5, CC-5.6: the last empty pair of cells, one of which the seat has reserved."""
    walls = "b2:2=2 b2:4=2 b2:5=1t b2:8=0 b2:10=2 b2:12=0"
    state, told = last_resort(walls, reserved={"1": ["b2:4", "b2:6"]})
    assert told == course.TurnBegan(1)
    assert menu(state) == [moves.BuildDouble(1, ("b2:6", "b2:7"))]


def test_after_only_a_card_comes_a_neutral_wall_in_its_region():
    """CC-4.6, CC-11.3: no single is left, and no second card."""
    walls = " ".join(f"b1:{n}=0" for n in range(1, 14)) + " b2:4=0"
    state = table(walls, seats=2, hands=[[3], []])
    happens(state, moves.LayCard(0, "b2:C1", 3))
    assert cells(state, moves.BuildNeutral) == ["b2:1", "b2:2", "b2:3"]


def test_a_hand_is_enough_while_a_region_is_incomplete():
    """CC-4.7"""
    state, told = last_resort("b2:12-13=1 b2:3=1t", hands=[[1, 2], [6], []])
    assert told == course.TurnBegan(1)
    regions = ("b2:C1", "b2:C2", "b2:C3")
    assert menu(state) == [moves.LayCard(1, region, 6) for region in regions]


def test_a_card_ends_the_action_if_neither_card_nor_single_can_follow():
    """CC-4.6: cards are left, but no other region is incomplete, and no single is left."""
    walls = " ".join(f"b1:{n}=0" for n in range(1, 14)) + " b2:1=0 b2:2=1 b2:3=1"
    walls += " " + " ".join(f"b2:{n}={1 + n % 2}" for n in range(4, 10))
    state = table(walls, hands=[[1, 2], [], []])
    told = happens(state, moves.LayCard(0, "b2:C3", 1))
    assert told == [cards.CardLaid(0, "b2:C3", 1), course.TurnBegan(1)]


def test_a_single_that_is_possible_only_elsewhere_does_not_keep_the_action_open():
    """CC-4.3, CC-4.6: seat 1 has reserved the last cell of the region."""
    walls = "b2:1=2 b2:2=1t"
    state = table(walls, reserved={"1": ["b2:1", "b2:3"]}, hands=[[1], [], []])
    told = happens(state, moves.LayCard(0, "b2:C1", 1))
    assert told == [cards.CardLaid(0, "b2:C1", 1), course.TurnBegan(1)]


def test_a_single_in_the_region_keeps_the_action_open():
    """CC-4.3, CC-4.6"""
    state = table("b2:1=2", hands=[[1], [], []])
    happens(state, moves.LayCard(0, "b2:C1", 1))
    assert menu(state) == [
        moves.BuildSingle(0, "b2:2"),
        moves.BuildSingle(0, "b2:3"),
        moves.EndAction(0),
    ]
