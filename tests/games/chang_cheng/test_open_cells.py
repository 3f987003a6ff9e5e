"""Where pieces may go: empty cells, towers, reservations."""

from __future__ import annotations

from domain.games.chang_cheng import GAME
from domain.games.chang_cheng.events.wall import ReservationEnded
from domain.games.chang_cheng.moves import (
    BuildDouble,
    BuildNeutral,
    BuildSingle,
    BuildTower,
    ExtendWall,
)
from tests.games.chang_cheng.table import (
    cells,
    happens,
    list_reservations,
    menu,
    only,
    refusal,
    table,
)
from tests.support.for_each import for_each

ALL_OF_0 = "b2:1=0 b2:2=0 b2:3=0 " + " ".join(f"b2:{n}=0" for n in range(4, 13))


def test_pieces_go_on_empty_cells_in_play():
    """CC-5.1"""
    state = table("b1:1=1 b1:2=1x")
    assert refusal(state, BuildSingle(0, "b1:1")) == ("CC-5.1", "not_empty")
    assert refusal(state, BuildSingle(0, "b1:2")) == ("CC-5.1", "not_empty")
    assert refusal(state, BuildSingle(0, "b3:1")) == ("CC-5.1", "no_such_cell")
    assert refusal(state, BuildSingle(0, "b1:14")) == ("CC-5.1", "no_such_cell")


def test_no_tower_stands_next_to_another():
    """CC-5.3"""
    state = table("b1:13=1t")
    assert refusal(state, BuildTower(0, "b1:12")) == ("CC-5.3", "beside_tower")
    assert refusal(state, BuildTower(0, "b2:1")) == ("CC-5.3", "beside_tower")
    assert "b2:2" in cells(state, BuildTower)


def test_no_tower_stands_next_to_another_across_a_seam_that_came_later():
    """CC-5.3"""
    walls = "b1:1=0t b1:2=0 b1:3=1 b1:4=1 b2:1=1 b2:2=1 b2:3=1 b2:10=2 b2:11=2 b2:12=2"
    state = table(walls, emperors=["b1:C1", "b2:C1"])
    happens(state, BuildSingle(0, "b2:13"), ExtendWall(0, "b3", "left"), BuildSingle(0, "b3:1"))
    assert refusal(state, BuildTower(1, "b3:13")) == ("CC-5.3", "beside_tower")


def test_of_two_cells_beside_a_tower_the_last_is_the_owners():
    """CC-5.4, CC-5.5"""
    state = table()
    happens(state, BuildTower(0, "b1:6"))
    assert list_reservations(state) == {}
    happens(state, BuildSingle(1, "b1:7"), BuildSingle(1, "b2:1"))
    assert list_reservations(state) == {"b1:5": (0,)}
    assert refusal(state, BuildSingle(2, "b1:5")) == ("CC-5.5", "reserved")
    assert refusal(state, BuildDouble(2, ("b1:4", "b1:5"))) == ("CC-5.5", "reserved")
    assert refusal(state, BuildTower(2, "b1:5")) == ("CC-5.5", "reserved")


def test_a_cell_of_a_board_that_comes_later_is_never_reserved():
    """CC-5.4"""
    walls = "b1:1=0t b1:2=0 b1:3=1 b1:4=1 b2:1=1 b2:2=1 b2:3=1 b2:10=2 b2:11=2 b2:12=2"
    state = table(walls, emperors=["b1:C1", "b2:C1"], reserved={"0": []})
    happens(state, BuildSingle(0, "b2:13"), ExtendWall(0, "b3", "left"))
    assert list_reservations(state) == {}
    happens(state, BuildSingle(0, "b3:1"), BuildSingle(1, "b3:13"))
    assert state.kinds[2 * 13 + 12]


def test_the_owner_ends_the_reservation_with_a_single_or_a_double():
    """CC-5.5"""
    for move in (BuildSingle(0, "b1:7"), BuildDouble(0, ("b1:7", "b1:8"))):
        state = table("b1:6=0t b1:5=1", reserved={"0": ["b1:5", "b1:7"]})
        assert only(happens(state, move), ReservationEnded).seat == 0
        assert list_reservations(state) == {}


def test_the_owner_may_end_the_reservation_while_both_cells_are_empty():
    """CC-5.5"""
    state = table("b1:6=0t", reserved={"0": ["b1:5", "b1:7"]})
    happens(state, BuildSingle(0, "b1:5"), BuildSingle(0, "b2:1"))
    assert BuildSingle(1, "b1:7") in menu(state)


def test_the_last_cell_of_two_reservations_is_for_both_owners():
    """CC-5.5"""
    walls = "b1:5=0t b1:7=1t b1:4=2 b1:8=2"
    reserved = {"0": ["b1:4", "b1:6"], "1": ["b1:6", "b1:8"]}
    state = table(walls, reserved=reserved)
    assert list_reservations(state) == {"b1:6": (0, 1)}
    assert BuildSingle(0, "b1:6") in menu(state)
    ended = [e.seat for e in happens(state, BuildSingle(0, "b1:6")) if type(e) is ReservationEnded]
    assert ended == [0, 1]


def test_a_reservation_lapses_without_a_piece_to_build_there():
    """CC-5.6"""
    walls = ALL_OF_0 + " b1:1=0 b1:2=0 b1:6=0t b1:5=1"
    with_double = table(walls, active=1, reserved={"0": ["b1:7"]})
    assert list_reservations(with_double) == {"b1:7": (0,)}
    without = table(walls + " b1:12-13=0", active=1, reserved={"0": ["b1:7"]})
    assert list_reservations(without) == {}
    assert BuildSingle(1, "b1:7") in menu(without)


def test_a_reservation_lapses_if_the_double_does_not_fit():
    """CC-5.6"""
    walls = ALL_OF_0 + " b1:1=0 b1:2=0 b1:6=0t b1:5=1 b1:8=1"
    assert list_reservations(table(walls, active=1, reserved={"0": ["b1:7"]})) == {}


def test_two_reservations_do_not_wait_for_each_other():
    """CC-5.6"""
    walls = ALL_OF_0 + " b1:1=0 b1:2=0 b1:6=0t b1:9=1t b1:10=1"
    reserved = {"0": ["b1:7"], "1": ["b1:8", "b1:10"]}
    assert list_reservations(table(walls, active=1, reserved=reserved)) == {"b1:8": (1,)}


def test_a_neutral_wall_is_kept_off_reserved_cells_also_by_their_owner():
    """CC-11.4"""
    state = table("b1:6=0t b1:5=1", seats=2, reserved={"0": ["b1:5", "b1:7"]})
    happens(state, BuildSingle(0, "b1:8"), BuildSingle(0, "b2:1"))
    assert refusal(state, BuildNeutral(0, "b1:7")) == ("CC-5.5", "reserved")
    assert "b1:9" in cells(state, BuildNeutral)


@for_each(
    ("walls", "reserved", "expected"),
    [
        ("b1:6=0t", ["b1:5", "b1:7"], {}),
        ("b1:6=0t b1:5=1", ["b1:5", "b1:7"], {"b1:7": (0,)}),
        ("b1:6=0t b1:7=1x", ["b1:5", "b1:7"], {"b1:5": (0,)}),
        ("b1:6=0t b1:5=1 b1:7=1", ["b1:5", "b1:7"], {}),
        ("b1:6=0t", ["b1:7"], {"b1:7": (0,)}),
        ("b1:6=0t b1:5=1", [], {}),
        ("b1:13=0t b1:12=1", ["b1:12", "b2:1"], {"b2:1": (0,)}),
    ],
)
def test_which_cell_is_kept(walls, reserved, expected):
    """CC-5.4, CC-5.5"""
    state = table(walls, reserved={"0": reserved}, active=1)
    assert list_reservations(state) == expected
    for cell in expected:
        for move in (BuildSingle(1, cell), BuildTower(1, cell)):
            assert refusal(state, move) == ("CC-5.5", "reserved")
    own = table(walls, reserved={"0": reserved})
    assert set(cells(own, BuildSingle)) == {c.name for c in GAME.view(own, 0).wall if not c.kind}


def test_a_reservation_holds_as_long_as_its_owner_has_a_single():
    """CC-5.6"""
    state = table("b1:6=0t b1:5=1 b1:8=1", active=1, reserved={"0": ["b1:7"]})
    state.doubles[1], state.singles[1] = 0, 1
    assert list_reservations(state) == {"b1:7": (0,)}
    state.singles[1] = 0
    assert list_reservations(state) == {}
    assert BuildSingle(1, "b1:7") in menu(state)


def test_the_double_of_the_owner_may_reach_the_kept_cell_from_outside():
    """CC-5.2, CC-5.5"""
    state = table("b1:6=0t b1:5=1", reserved={"0": ["b1:7"]})
    assert BuildDouble(0, ("b1:7", "b1:8")) in menu(state)
    other = table("b1:6=0t b1:5=1", reserved={"0": ["b1:7"]}, active=1)
    assert BuildDouble(1, ("b1:7", "b1:8")) not in menu(other)
    assert BuildDouble(1, ("b1:8", "b1:9")) in menu(other)


def test_a_single_of_another_player_that_takes_the_last_cell_ends_a_lapsed_reservation():
    """CC-5.5, CC-5.6"""
    state = table("b1:6=0t b1:5=1 b1:8=1", active=1, reserved={"0": ["b1:7"]})
    state.singles[1] = state.doubles[1] = 0
    assert only(happens(state, BuildSingle(1, "b1:7")), ReservationEnded).seat == 0
