"""What is in the box, the words of the rules, and setting up."""

from __future__ import annotations

import pytest

from domain.engine.dice import Luck
from domain.engine.errors import BadOptions
from domain.engine.game import begin
from domain.engine.play import redact
from domain.games.tigris_euphrates import GAME
from domain.games.tigris_euphrates.board import (
    BOARDS,
    CATASTROPHE,
    COLORS,
    DYNASTIES,
    LEADER_NAMES,
    MONUMENTS,
    OFF,
    TILES,
    board_of,
)
from domain.games.tigris_euphrates.events.conflicts import WarDecided
from domain.games.tigris_euphrates.events.course import StartPlayerChosen, TilesDrawn
from domain.games.tigris_euphrates.moves import PlaceLeader
from domain.games.tigris_euphrates.state.kingdoms import region_at
from domain.games.tigris_euphrates.state.setup import Options
from tests.architecture.layout import ROOT
from tests.engine.table import new_game
from tests.games.tigris_euphrates.table import TEMPLES, did, refusal, table

BOARD = board_of(BOARDS["standard"])
ALL_SEATS = pytest.mark.parametrize("seats", [2, 3, 4])


def test_the_board_has_41_river_cells_and_ten_temples_four_of_them_in_the_corners():
    """TE-1.1"""
    assert (len(BOARD.names), sum(BOARD.river)) == (176, 41)
    assert {BOARD.names[cell] for cell in BOARD.temples} == set(TEMPLES)
    assert {BOARD.names[cell] for cell in BOARD.corners} == {"B2", "P2", "B8", "O9"}
    assert refusal(table(), PlaceLeader(0, "red", "Q1")) == ("TE-1.1", "off_board")


def test_cells_of_every_kind_are_adjacent_by_an_edge():
    """TE-1.2"""
    beside = {BOARD.names[cell] for cell in BOARD.neighbours[BOARD.number["E2"]]}
    assert beside == {"D2", "F2", "E1", "E3"}
    assert len(BOARD.neighbours[BOARD.number["A1"]]) == 2
    for cell, around in enumerate(BOARD.neighbours):
        assert all(cell in BOARD.neighbours[near] for near in around)


def test_the_box_has_153_tiles_in_four_colours():
    """TE-1.3"""
    assert dict(zip(COLORS, TILES, strict=True)) == {
        "black": 30,
        "red": 57,
        "green": 30,
        "blue": 36,
    }
    assert LEADER_NAMES == ("king", "priest", "trader", "farmer")


def test_each_player_owns_the_four_leaders_of_a_dynasty():
    """TE-1.4"""
    assert DYNASTIES == ("archer", "bull", "pot", "lion")
    state = did(table(), PlaceLeader(0, "red", "F2"), PlaceLeader(0, "blue", "F4"))
    seen = [(leader.seat, leader.color, leader.at) for leader in GAME.view(state, None).leaders]
    assert seen == [(0, "red", "F2"), (0, "blue", "F4")]


def test_each_pair_of_colours_has_a_monument():
    """TE-1.5"""
    pairs = {frozenset(pair.split("-")) for pair in MONUMENTS}
    assert len(pairs) == len(MONUMENTS) == 6


def test_a_square_is_two_by_two_cells():
    """TE-1.6"""
    inner, corner = BOARD.number["G5"], BOARD.number["A1"]
    assert [BOARD.names[square[0]] for square in BOARD.squares[inner]] == ["F4", "G4", "F5", "G5"]
    assert [[BOARD.names[part] for part in square] for square in BOARD.squares[corner]] == [
        ["A1", "B1", "A2", "B2"]
    ]
    assert all(cell in square for cell, around in enumerate(BOARD.squares) for square in around)


def test_a_catastrophe_tile_connects_nothing_and_its_cell_is_not_empty():
    """TE-1.7"""
    state = table(tiles={"G3": "red", "I3": "red"}, catastrophes=["H3"], leaders=({}, {}))
    number = BOARD.number
    here, there = (region_at(BOARD, state.occupied, number[name])[0] for name in ("G3", "I3"))
    assert BOARD.names_of(here) == ("F3", "G3")
    assert BOARD.names_of(there) == ("I3",)
    assert state.cells[number["H3"]] == CATASTROPHE
    assert refusal(state, PlaceLeader(0, "red", "H3")) == ("TE-5.2", "space_not_empty")


def test_only_a_region_with_a_leader_is_a_kingdom():
    """TE-1.8"""
    state = table(tiles={"G3": "black", "E3": "blue"}, leaders=({"black": "F2"}, {}))
    (kingdom,) = GAME.view(state, None).kingdoms
    assert set(kingdom) == {"F2", "F3", "G3", "E3"}


def test_leaders_of_several_players_live_in_one_kingdom_but_not_two_of_a_colour():
    """TE-1.9"""
    state = table(leaders=({"black": "F2"}, {"red": "F4"}))
    (kingdom,) = state.kingdoms
    assert sorted(leader // 4 for leader in kingdom.leaders) == [0, 1]
    with pytest.raises(Exception, match="two leaders"):
        table(leaders=({"black": "F2"}, {"black": "F4"}))


def test_clockwise_is_by_number_of_the_seat():
    """TE-1.10"""
    assert table(seats=4).turn_order(2) == (2, 3, 0, 1)


@ALL_SEATS
def test_the_starting_temples_carry_a_treasure_each(seats):
    """TE-2.1"""
    seen = GAME.view(new_game(GAME, seats, Luck(1)), None)
    assert seen.tiles == dict.fromkeys(TEMPLES, "red") or set(seen.tiles) == set(TEMPLES)
    assert set(seen.tiles.values()) == {"red"}
    assert set(seen.treasures) == set(TEMPLES)


def test_the_other_143_tiles_are_in_the_bag():
    """TE-2.2"""
    assert GAME.blank_state(GAME.setup(Options(), 2), 2).bag == [30, 47, 30, 36]


def test_each_player_takes_a_dynasty_and_two_catastrophe_tiles():
    """TE-2.3"""
    seen = GAME.view(new_game(GAME, 3, Luck(1)), None)
    assert seen.dynasties == ("archer", "bull", "pot")
    assert seen.catastrophes_left == (2, 2, 2)
    assert GAME.setup(Options(dynasties=("lion", "pot")), 2).dynasties == ("lion", "pot")
    for wrong in (("lion",), ("lion", "lion")):
        with pytest.raises(BadOptions):
            GAME.setup(Options(dynasties=wrong), 2)


def test_every_player_draws_six_tiles():
    """TE-2.4"""
    events = begin(GAME, GAME.setup(Options(first_player="seat:1"), 3), 3, Luck(3))
    drawn = [event for event in events if isinstance(event, TilesDrawn)]
    assert [(event.seat, len(event.colors)) for event in drawn] == [(1, 6), (2, 6), (0, 6)]
    assert redact(drawn[0], 0).colors == (None,) * 6


@ALL_SEATS
def test_no_player_has_points_or_treasures_and_no_monument_is_built(seats):
    """TE-2.5"""
    state = new_game(GAME, seats, Luck(1))
    assert state.points == [[0] * 4] * seats
    assert state.treasures_taken == [0] * seats
    assert set(state.monuments) == {OFF}
    assert set(state.leaders) == {OFF}


def test_who_begins_is_agreed_or_drawn_by_lot():
    """TE-2.6"""
    for seed in range(3):
        events = begin(GAME, GAME.setup(Options(first_player="seat:2"), 3), 3, Luck(seed))
        assert events[0] == StartPlayerChosen(2)
    lots = {begin(GAME, GAME.setup(Options(), 3), 3, Luck(seed))[0] for seed in range(20)}
    assert lots == {StartPlayerChosen(seat) for seat in range(3)}
    with pytest.raises(BadOptions):
        GAME.setup(Options(first_player="seat:3"), 3)


@ALL_SEATS
def test_only_the_bag_depends_on_the_number_of_players(seats):
    """TE-2.7"""
    assert sum(new_game(GAME, seats, Luck(1)).bag) == 143 - 6 * seats


def test_no_variant_but_english_support_and_the_board_can_be_chosen():
    """TE-17.1"""
    chosen = set(Options.__struct_fields__)
    seats = {"first_player", "dynasties"}
    assert chosen == {*seats, "board", "open_scores", "english_support"}


def test_the_advanced_board_has_14_temples():
    """TE-17.2"""
    setup = GAME.setup(Options(board="advanced"), 2)
    state = GAME.blank_state(setup, 2)
    assert (state.treasures.bit_count(), len(state.board.corners), sum(state.board.river)) == (
        14,
        6,
        39,
    )
    assert state.bag == [30, 43, 30, 36]
    corners = [state.board.names[cell] for cell in sorted(state.board.corners)]
    assert corners == ["B3", "P6", "A8", "E10", "J11", "O11"]


def test_the_page_for_clients_lists_every_event_with_its_fields():
    page = (ROOT / "docs/games/tigris_euphrates.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    for event in GAME.events:
        row = next(row for row in rows if f"`{event.__name__}`" in row.split("|")[1])
        if event is not WarDecided:
            assert all(f"`{name}`" in row for name in event.__struct_fields__)
