"""Cells, squares and regions of the two boards."""

from __future__ import annotations

import pytest

from domain.games.tigris_euphrates.board import BOARDS, LEADER, OFF, board_of, leader_of
from domain.games.tigris_euphrates.state.kingdoms import region_at
from tests.games.tigris_euphrates.plainly import Table, square
from tests.games.tigris_euphrates.table import table

EACH_BOARD = pytest.mark.parametrize(
    "board", [board_of(rows) for rows in BOARDS.values()], ids=BOARDS
)


@EACH_BOARD
def test_cells_have_letters_and_numbers(board):
    """TE-1.1"""
    assert (board.width, len(board.names)) == (16, 176)
    assert (board.names[0], board.names[15], board.names[16], board.names[-1]) == (
        "A1",
        "P1",
        "A2",
        "P11",
    )
    assert all(board.names[board.number[name]] == name for name in board.names)


@EACH_BOARD
def test_the_inner_cells_have_four_neighbours_and_the_edge_fewer(board):
    """TE-1.2"""
    counted = [len(near) for near in board.neighbours]
    assert (counted.count(2), counted.count(3), counted.count(4)) == (4, 46, 126)
    for cell, around in enumerate(board.neighbours):
        for near in around:
            assert abs(cell % 16 - near % 16) + abs(cell // 16 - near // 16) == 1


@EACH_BOARD
def test_each_cell_but_those_of_the_last_row_and_column_has_a_square(board):
    """TE-1.6"""
    for cell, name in enumerate(board.names):
        found = board.square(cell)
        if name[0] == "P" or name[1:] == "11":
            assert found is None
        else:
            assert found is not None
            assert [board.names[part] for part in found] == square(name)
    assert sum(map(len, board.squares)) == 4 * 15 * 10


@EACH_BOARD
def test_starting_temples_stand_on_land(board):
    """TE-1.1, TE-17.2"""
    assert not any(board.river[cell] for cell in board.temples)
    assert board.corners < set(board.temples)


def test_a_layout_is_worked_out_once():
    assert board_of(BOARDS["standard"]) is board_of(BOARDS["standard"])
    assert board_of(BOARDS["standard"]) != board_of(BOARDS["advanced"])


def test_leaders_are_numbered_by_seat_and_colour():
    """TE-1.4"""
    numbers = [
        leader_of(seat, color) for seat in range(4) for color in ("black", "red", "green", "blue")
    ]
    assert numbers == list(range(16))


def test_a_leader_lies_on_its_cell_by_its_number():
    """TE-1.4"""
    state = table(leaders=({"black": "F2"}, {"red": "F4"}))
    assert state.cells[state.board.number["F2"]] == LEADER
    assert state.cells[state.board.number["F4"]] == LEADER + 5


SETTING = {
    "tiles": {"G3": "red", "H3": "red", "E3": "blue", "J3": "red", "A1": "black"},
    "leaders": ({"black": "G2"}, {"red": "H2"}),
    "catastrophes": ["I3"],
    "monuments": {"black-red": "J4"},
}


def test_regions_hang_together_over_land_river_leaders_and_face_down_tiles():
    """TE-1.7, TE-1.8, TE-12.4"""
    state, laid = table(**SETTING), Table(table(**SETTING))
    number, names_of = state.board.number, state.board.names_of
    occupied = [name for name in laid.names if laid.is_occupied(name)]
    assert names_of(state.occupied) == tuple(occupied)
    for name in occupied:
        cells, around = region_at(state.board, state.occupied, number[name])
        assert set(names_of(cells)) == laid.region(name)
        assert set(names_of(around)) == {
            n for other in laid.region(name) for n in laid.beside(other)
        }


def test_kingdoms_know_their_leaders():
    """TE-1.8, TE-1.9"""
    state = table(**SETTING)
    (kingdom,) = state.kingdoms
    assert kingdom.leaders == (0, 5)
    assert set(state.board.names_of(kingdom.cells)) == {
        "E3",
        "F3",
        "G3",
        "H3",
        "G2",
        "H2",
    }


def test_a_lifted_leader_leaves_a_gap():
    """TE-4.3"""
    state = table(tiles={"H4": "red", "I5": "red"}, leaders=({"black": "H5"}, {"red": "I4"}))
    number = state.board.number
    (whole,) = state.kingdoms
    (lifted,) = state.without(number["H5"])
    assert state.board.names_of(whole.cells & ~lifted.cells) == ("H5",)
    assert lifted.leaders == (5,)
    assert state.kingdoms_beside(number["H6"]) == [whole]
    assert state.kingdoms_beside(number["H6"], number["H5"]) == []


def test_a_copy_does_not_see_what_is_laid_later():
    """TE-1.8"""
    state = table(**SETTING)
    (before,) = state.kingdoms
    copy = state.copy()
    copy.put(copy.board.number["F4"], 1)
    (after,) = copy.kingdoms
    assert copy.board.names_of(after.cells & ~before.cells) == ("F4",)
    assert state.kingdoms == (before,)


def test_a_leader_goes_from_cell_to_cell_and_off_the_board():
    """TE-5.1"""
    state = table(leaders=({"black": "F2"}, {}))
    number = state.board.number
    assert state.home(0, "black") == number["F2"]
    state.post(0, number["F4"])
    assert (state.home(0, "black"), state.cells[number["F2"]]) == (number["F4"], 0)
    state.post(0, OFF)
    assert (state.home(0, "black"), state.cells[number["F4"]]) == (OFF, 0)
    assert state.kingdoms == ()


def test_temples_beside_a_cell_lie_face_up():
    """TE-5.3, TE-12.4"""
    state = table(
        tiles={"G4": "red", "E4": "green"}, monuments={"black-red": "F5"}, leaders=({}, {})
    )
    assert state.temples_beside(state.board.number["F4"]) == 2
    assert state.temples_beside(state.board.number["H6"]) == 0
