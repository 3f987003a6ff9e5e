"""Chapters 1 to 3: the box, the words, before the game."""

import json
from collections import Counter
from importlib.resources import files

import msgspec
import pytest

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.errors import BadOptions
from domain.engine.game import begin, legal_moves, new_state, seats_to_move
from domain.games.qin import GAME, board
from domain.games.qin.events import FirstPlayerChosen, TilesDealt
from domain.games.qin.state.setup import Options
from domain.games.qin.state.table import blank, on_provinces
from tests.games.qin.table import after, at, effects, table
from tests.support.for_each import for_each

SEATS = (2, 3, 4)


def begin_game(seats=2, seed=0, **options):
    setup = GAME.setup(Options(**options), seats)
    return new_state(GAME, setup, seats, Luck(seed))


@pytest.mark.parametrize(("side", "villages", "water"), [("bird", 12, 0), ("lion", 14, 8)])
def test_the_board_has_two_sides_of_13_by_13(side, villages, water):
    """QIN-1.1, QIN-2.1, QIN-2.2"""
    rows = board.SIDES[side]
    signs = Counter("".join(rows))
    assert [len(row) for row in rows] == [13] * 13
    assert (signs["V"], signs["~"]) == (villages, water)
    assert (signs["R"], signs["Y"], signs["B"]) == (1, 1, 1)


def test_the_box_has_twelve_tiles_of_each_of_six_kinds():
    """QIN-1.2"""
    assert dict(zip(board.KINDS, board.TILES, strict=True)) == dict.fromkeys(
        ("RR", "RY", "YY", "YB", "BB", "BR"), 12
    )


def test_the_box_has_four_colours_of_24_pagodas():
    """QIN-1.3"""
    assert board.PLAYER_COLOURS == ("green", "purple", "black", "white")
    assert max(board.PAGODAS.values()) == 24


def test_cells_that_touch_at_a_corner_are_not_adjacent():
    """QIN-2.3"""
    around = board.board_of(("...", "...", "...")).neighbours[4]
    assert sorted(around) == [1, 3, 5, 7]


def test_a_half_is_a_province_space_for_the_rest_of_the_game():
    """QIN-2.4"""
    state = after(table("B...", "...."), "RY", "b1", "c1")
    assert [what for what in state.cells if what] == [3, 1, 2]


def test_a_single_space_has_no_owner_and_carries_nothing():
    """QIN-2.5"""
    state = after(table("B...", "...."), "RY", "b1", "c1")
    assert not any(state.owners)
    assert not any(state.pagodas)


def test_spaces_of_a_colour_that_hang_together_are_one_province_of_one_owner():
    """QIN-2.6"""
    state = table("rr", "yr", owners=("11", ".1"))
    assert [state.sizes[state.area(at(name))] for name in ("a1", "b1", "b2", "a2")] == [3, 3, 3, 1]


@for_each(("row", "pagodas"), [("rr", 1), ("rrrr", 1), ("rrrrr", 2), ("rrrrrrr", 2)])
def test_a_province_weighs_one_or_from_five_spaces_on_two(row, pagodas):
    """QIN-2.7, QIN-2.8"""
    state = table(row, owners=("0" * len(row),))
    assert on_provinces(state, 0) == pagodas


def test_what_is_not_in_the_supply_stands_on_the_board():
    """QIN-2.9"""
    state = table("rrrrrV.", "yy.....", owners=("111110.", "00....."))
    assert state.supply == [22, 22]


def test_the_active_player_is_the_one_who_is_awaited():
    """QIN-2.10"""
    assert seats_to_move(table("R..", "...", seats=3, active=2)) == (2,)


def test_bird_is_played_unless_lion_is_chosen():
    """QIN-3.1"""
    assert begin_game().setup.rows == board.SIDES["bird"]
    assert begin_game(board="lion").setup.rows == board.SIDES["lion"]


def test_a_match_keeps_the_layout_it_began_with():
    """QIN-3.1: an old setup keeps its rows even if the data change."""
    setup = GAME.setup(Options(), 2)
    old = json_codec.to_json(setup) | {"rows": ["B....", "....V"]}
    assert blank(msgspec.convert(old, GAME.setup_type), 2).board.rows == ("B....", "....V")


def test_all_tiles_are_in_the_pile_and_no_player_has_a_province_or_a_village():
    """QIN-3.2, QIN-3.8"""
    state = GAME.blank_state(GAME.setup(Options(), 2), 2)
    assert sum(state.pile) == 72
    assert not any(state.owners)
    assert not any(state.villages)


@for_each("seats", SEATS)
def test_each_player_draws_three_tiles_from_the_first_player_on(seats):
    """QIN-3.3"""
    setup = GAME.setup(Options(first_player="seat:1"), seats)
    dealt = [e for e in begin(GAME, setup, seats, Luck(0)) if isinstance(e, TilesDealt)]
    assert [event.seat for event in dealt] == [*range(1, seats), 0]
    assert [len(event.kinds) for event in dealt] == [3] * seats


@for_each(("seats", "pagodas"), [(2, 24), (3, 19), (4, 15)])
def test_the_allotment_depends_on_the_number_of_players(seats, pagodas):
    """QIN-3.4"""
    assert begin_game(seats).supply == [pagodas] * seats


def test_colours_go_by_seat_unless_they_are_chosen():
    """QIN-3.5"""
    assert begin_game(3).setup.colours == ("green", "purple", "black")
    assert begin_game(colours=("white", "green")).setup.colours == ("white", "green")


@for_each("colours", [("green",), ("green", "green"), ("green", "black", "white")])
def test_colours_must_be_different_and_one_for_each_seat(colours):
    """QIN-3.5"""
    with pytest.raises(BadOptions, match="2 different colours"):
        GAME.setup(Options(colours=colours), 2)


def test_the_first_player_is_named_or_drawn_by_lot():
    """QIN-3.6"""
    assert seats_to_move(begin_game(4, first_player="seat:3")) == (3,)
    assert {seats_to_move(begin_game(3, seed)) for seed in range(20)} == {(0,), (1,), (2,)}
    assert begin(GAME, GAME.setup(Options(), 2), 2, Luck(0))[0] in map(FirstPlayerChosen, range(2))


def test_a_first_player_must_be_at_the_table():
    """QIN-3.6"""
    with pytest.raises(BadOptions, match="seats are 0 to 1"):
        GAME.setup(Options(first_player="seat:2"), 2)


def test_turns_go_round_by_ascending_number():
    """QIN-3.7"""
    assert begin_game(4).turn_order(2) == (2, 3, 0, 1)


@for_each(
    "options",
    [
        {"board": "tiger"},
        {"first_player": "seat:x"},
        {"series": []},
        {"series": ["bird", "cat"]},
        {"series": ["bird", "lion"], "board": "lion"},
        {"joining_majors": "allowed"},
        {"colours": ["red"]},
        {"bored": "bird"},
    ],
)
def test_options_that_do_not_exist_are_refused(options):
    with pytest.raises(BadOptions):
        json_codec.read_options(GAME, options)


def test_the_board_of_a_series_is_its_first():
    """QIN-11.1"""
    assert json_codec.read_options(GAME, {"series": ["lion", "bird"]}).board == "lion"


def test_the_options_are_those_of_the_data():
    data = json.loads(files("domain.games.qin").joinpath("data", "options.json").read_text())
    written = json_codec.to_json(Options())
    assert {option["name"]: option["default"] for option in data["options"]} == {
        name: value for name, value in written.items() if name != "colours"
    }


@for_each("seats", SEATS)
@for_each("side", ["bird", "lion"])
def test_the_first_player_can_place(side, seats):
    state = begin_game(seats, board=side)
    assert legal_moves(GAME, state, *seats_to_move(state))


def test_a_table_at_rest_does_not_change_when_a_tile_has_no_effect():
    assert effects(table("B...", "...."), "RY", "b1", "c1") == []
