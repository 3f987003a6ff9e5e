"""Chapter 4: placing a tile."""

import pytest

from domain.engine.dice import Luck
from domain.engine.errors import GameOver, NotYourTurn
from domain.engine.game import candidates, decide, judge, legal_moves
from domain.engine.play import Awaiting
from domain.games.qin import GAME
from domain.games.qin.board import Half
from domain.games.qin.events import ProvinceFounded, TileDrawn, TilePlaced, VillageConnected
from domain.games.qin.moves import PlaceTile
from domain.games.qin.state.steps import Turn
from tests.games.qin.table import effects, holding, lay, refusal, table, tile
from tests.games.seen import find_refusal
from tests.support.for_each import for_each

FIELD = ("R.....", "..V...", "...~..")


def test_a_tile_that_is_not_in_the_hand_cannot_be_placed():
    """QIN-4.1"""
    state = holding(table(*FIELD), 0, "YY")
    found = find_refusal(GAME, state, tile("RR", "b1", "c1"))
    assert found == (
        "QIN-4.1",
        "tile_not_in_hand",
        "You do not have a red-red tile. Choose a tile from your hand.",
    )


def test_the_halves_must_be_those_of_the_tile():
    """QIN-1.2"""
    move = PlaceTile(0, "RR", (Half(0, 1, "R"), Half(0, 2, "Y")))
    found = find_refusal(GAME, holding(table(*FIELD), 0, "RR"), move)
    assert found == (
        "QIN-1.2",
        "not_this_tile",
        "A red-red tile does not have the halves red and yellow. Choose another tile.",
    )


def test_a_turn_is_place_provinces_villages_draw_next():
    """QIN-4.2"""
    events = lay(table(".V.", "B..", "..."), "YY", "b2", "b3")
    assert [type(event) for event in events] == [
        TilePlaced,
        ProvinceFounded,
        VillageConnected,
        TileDrawn,
        Awaiting,
    ]
    assert events[-1].agenda == (Turn((1,)),)


@for_each(
    ("one", "two", "fault", "reason"),
    [
        ("b1", "d1", "not_adjacent", "b1 and d1 do not share an edge. Choose two adjacent spaces."),
        ("b1", "c2", "not_adjacent", "b1 and c2 do not share an edge. Choose two adjacent spaces."),
        ("b1", "b1", "not_adjacent", "b1 and b1 do not share an edge. Choose two adjacent spaces."),
        ("a1", "b1", "not_grassland", "a1 is a start space. Choose an empty grassland space."),
        ("c1", "c2", "not_grassland", "c2 is a village. Choose an empty grassland space."),
        ("c3", "d3", "not_grassland", "d3 is water. Choose an empty grassland space."),
        (
            "a3",
            "a4",
            "off_board",
            "Row 3, column 0 (counted from 0) is off the board. Choose a space on the board.",
        ),
    ],
)
def test_a_tile_needs_two_adjacent_free_cells_of_grassland(one, two, fault, reason):
    """QIN-4.3"""
    assert refusal(table(*FIELD), "RY", one, two) == ("QIN-4.3", fault, reason)


def test_a_tile_cannot_lie_on_another():
    """QIN-4.3"""
    assert (
        refusal(table("ry..", "B..."), "RR", "b1", "c1")[2]
        == "A tile already covers b1. Choose an empty grassland space."
    )


def test_what_is_no_cell_is_not_on_the_board():
    """QIN-4.3"""
    assert refusal(table("R.#"), "RR", "b1", "c1")[1] == "off_board"


def test_a_tile_must_touch_what_was_there_before():
    """QIN-4.4: villages, water and its own other half do not count."""
    expected = (
        "QIN-4.4",
        "not_connected",
        "Neither d2 nor e2 touches a start space or a tile. Place the tile next to one.",
    )
    assert refusal(table(*FIELD), "RR", "d2", "e2") == expected


def test_any_province_space_will_do_to_connect():
    """QIN-4.4: of any colour and any owner."""
    state = table("bb...", ".....", owners=("11...", "....."))
    assert effects(state, "RY", "c1", "d1") == []


def test_a_tile_may_lie_in_any_direction_either_way_round():
    """QIN-4.5"""
    state = holding(table("...", ".B.", "..."), 0, "RY")
    placed = {move.halves for move in legal_moves(GAME, state, 0)}
    assert len(placed) == 16
    assert {(two.color, one.color) for one, two in placed} == {("Y", "R")}


def test_a_tile_of_one_colour_turned_round_is_listed_once_and_accepted():
    """QIN-4.5"""
    state = holding(table("...", ".B.", "..."), 0, "RR")
    moves = legal_moves(GAME, state, 0)
    assert len(moves) == 8
    for move in moves:
        one, two = move.halves
        judge(GAME, state, PlaceTile(0, "RR", (two, one)))


def test_equal_tiles_in_the_hand_are_listed_once():
    state = holding(table("B...", "...."), 0, "RR", "RR")
    assert len(legal_moves(GAME, state, 0)) == len(set(candidates(GAME, state, 0)))


def test_colours_need_not_match():
    """QIN-4.6"""
    assert effects(table("Y...", "...."), "BR", "c1", "b1") == []


def test_one_half_that_offends_makes_the_placement_illegal():
    """QIN-4.7"""
    state = table("rr.rr", ".....", owners=("00.11", "....."))
    assert refusal(state, "RY", "c1", "c2")[1] == "tied_absorb"


def test_what_follows_happens_by_itself_also_to_others():
    """QIN-4.8: seat 1 gets a village by the tile of seat 0, who has no choice."""
    state = table("rr..V", ".....", owners=("11...", "....."))
    assert effects(state, "RR", "c1", "d1")[-1] == VillageConnected(1, (0, 4))


def test_who_is_not_active_must_wait():
    state = holding(table(*FIELD), 1, "RR")
    with pytest.raises(NotYourTurn):
        judge(GAME, state, tile("RR", "b1", "c1", seat=1))


def test_nothing_can_be_placed_after_the_end():
    state = table(*FIELD)
    state.agenda = []
    with pytest.raises(GameOver):
        decide(GAME, state, tile("RR", "b1", "c1"), Luck(0))
