"""Whole turns, event by event: place, provinces, villages, draw, next."""

from __future__ import annotations

import pytest

from domain.engine.game import legal_moves, seats_to_move
from domain.engine.play import Awaiting
from domain.games.qin import GAME, events
from domain.games.qin.board import Half
from tests.games.qin.table import after, at, effects, lay, refusal, table
from tests.support.for_each import for_each

HANDS = (("RY",), ("RR",))


def spaces(*names: str) -> tuple[tuple[int, int], ...]:
    return tuple(at(name) for name in names)


def place_tile(kind: str, one: str, two: str, seat: int = 0) -> events.TilePlaced:
    halves = (Half(*at(one), kind[0]), Half(*at(two), kind[1]))
    return events.TilePlaced(seat, kind, halves)


def turn(state, kind, one, two, seat=0):
    """All events of the turn, without the next turn."""
    return [e for e in lay(state, kind, one, two, seat) if not isinstance(e, Awaiting)]


def test_a_tile_of_single_spaces_is_a_whole_turn_too():
    """QIN-4.2, QIN-4.6, QIN-5.3, QIN-9.1, QIN-9.3"""
    state = table("B.....", "......", hands=HANDS, pile=("RR",))
    assert turn(state, "RY", "b1", "c1") == [
        place_tile("RY", "b1", "c1"),
        events.TileDrawn(0, "RR"),
    ]
    assert seats_to_move(after(state, "RY", "b1", "c1")) == (1,)


def test_a_turn_founds_two_provinces_and_connects_a_village():
    """QIN-4.2, QIN-5.4, QIN-5.7, QIN-7.3"""
    state = table("R..Y.", "V....", ".....", hands=HANDS, pile=("RR",))
    assert turn(state, "RY", "b1", "c1") == [
        place_tile("RY", "b1", "c1"),
        events.ProvinceFounded(0, "R", spaces("a1", "b1")),
        events.ProvinceFounded(0, "Y", spaces("c1", "d1")),
        events.VillageConnected(0, at("a2")),
        events.TileDrawn(0, "RR"),
    ]
    assert after(state, "RY", "b1", "c1").supply == [21, 24]


def test_the_halves_take_effect_in_the_order_in_which_they_are_named():
    """QIN-5.1, QIN-5.7"""
    state = table("R..Y.", ".....")
    assert effects(state, "RY", "b1", "c1")[0].color == "R"
    assert effects(state, "YB", "c1", "b1")[0].color == "Y"


def test_an_expansion_shows_owner_province_and_what_joined_it():
    """QIN-5.5, QIN-5.8: with a single space behind the tile."""
    state = table("rr..R.", "......", owners=("11....", "......"))
    assert effects(state, "RR", "c1", "d1") == [
        events.ProvinceExpanded(1, "R", at("a1"), spaces("c1", "d1", "e1")),
        events.MajorCreated(1, at("a1"), 1),
    ]


@pytest.mark.parametrize(("row", "major"), [("rr", False), ("rrr", True)])
def test_four_spaces_are_minor_and_five_are_major(row, major):
    """QIN-2.7, QIN-5.5"""
    cells, owners = row.ljust(8, "."), ("0" * len(row)).ljust(8, ".")
    state = table(cells, "." * 8, owners=(owners, "." * 8))
    told = effects(state, "RR", f"{'abcdef'[len(row)]}1", f"{'abcdef'[len(row) + 1]}1")
    assert [type(event) for event in told] == [
        events.ProvinceExpanded,
        *[events.MajorCreated] * major,
    ]


@for_each(
    ("rows", "size", "second"),
    [
        (("R......", "......."), 3, False),
        (("R..R...", "......."), 4, False),
        (("R..R...", ".r....."), 5, True),
    ],
)
def test_a_new_province_gets_a_second_pagoda_from_five_spaces_on(rows, size, second):
    """QIN-5.4, QIN-2.7: the single spaces beside the tile count."""
    founded, *more = effects(table(*rows), "RR", "b1", "c1")
    assert (type(founded), len(founded.spaces)) == (events.ProvinceFounded, size)
    assert more == [events.MajorCreated(0, at("a1"), 1)] * second


def test_an_absorption_gives_back_and_places():
    """QIN-6.3, QIN-6.5, QIN-8.2"""
    state = table("rrr.rr.", ".......", owners=("000.11.", "......."), active=1)
    assert effects(state, "RY", "d1", "d2", seat=1) == [
        events.ProvincesAbsorbed(0, "R", spaces("a1", "e1"), spaces("d1"), (0, 1)),
        events.MajorCreated(0, at("a1"), 1),
    ]
    assert after(state, "RY", "d1", "d2", seat=1).supply == [22, 24]


def test_a_major_absorbs_and_places_nothing_more():
    """QIN-6.2, QIN-6.5"""
    state = table("rrrrr.rr", "........", owners=("00000.11", "........"), active=1)
    assert effects(state, "RY", "f1", "f2", seat=1) == [
        events.ProvincesAbsorbed(0, "R", spaces("a1", "g1"), spaces("f1"), (0, 1))
    ]


def test_three_provinces_of_three_players_become_one():
    """QIN-6.3, QIN-6.5: three spaces of seat 1 against two and two."""
    rows = ("rr.rrr", "......", "..r...", "..r...")
    owners = ("00.111", "......", "..2...", "..2...")
    state = table(*rows, owners=owners, seats=3, active=2)
    assert effects(state, "RR", "c1", "c2", seat=2) == [
        events.ProvincesAbsorbed(1, "R", spaces("a1", "d1", "c3"), spaces("c1", "c2"), (1, 0, 1)),
        events.MajorCreated(1, at("a1"), 1),
    ]


def test_two_minors_of_one_player_become_a_major_without_any_move_of_pagodas():
    """QIN-6.7, QIN-6.5"""
    state = table("rr.rr.", "......", owners=("11.11.", "......"))
    assert effects(state, "RY", "c1", "c2") == [
        events.ProvincesAbsorbed(1, "R", spaces("a1", "d1"), spaces("c1"), (0, 0)),
        events.MajorCreated(1, at("a1"), 0),
    ]
    assert after(state, "RY", "c1", "c2").supply == state.supply


def test_villages_are_lost_before_any_is_taken_and_the_active_player_takes_first():
    """QIN-8.2, QIN-7.4: seat 2 is active, so it comes before seat 0."""
    rows = ("rrrr.V.", "bbbb.V.", ".......")
    owners = ("0000.1.", "2222.1.", ".......")
    state = table(*rows, owners=owners, seats=3, active=2)
    assert effects(state, "BR", "e2", "e1", seat=2) == [
        events.ProvinceExpanded(2, "B", at("a2"), spaces("e2")),
        events.ProvinceExpanded(0, "R", at("a1"), spaces("e1")),
        events.MajorCreated(2, at("a2"), 1),
        events.MajorCreated(0, at("a1"), 1),
        events.VillageLost(1, at("f1")),
        events.VillageLost(1, at("f2")),
        events.VillageConquered(2, at("f2"), 1),
        events.VillageConquered(0, at("f1"), 1),
    ]


def test_the_end_by_the_last_pagoda_shows_the_supplies():
    """QIN-8.3, QIN-10.1: the turn settles no village and draws no tile."""
    state = table("R...", "V...", supply=(1, 9), hands=HANDS, pile=("RR",))
    assert turn(state, "RY", "b1", "c1") == [
        place_tile("RY", "b1", "c1"),
        events.ProvinceFounded(0, "R", spaces("a1", "b1")),
        events.GameEnded("last_pagoda", (0,), (0, 9)),
    ]


def test_refusals_name_places_and_obstacles_as_people_do():
    """QIN-2.1, QIN-2.2, QIN-4.3, QIN-4.4"""
    state = table("RyV~", "....", "....", "....")
    told = {
        ("a2", "a1"): "a1 is a start space. Choose an empty grassland space.",
        ("b2", "b1"): "A tile already covers b1. Choose an empty grassland space.",
        ("c2", "c1"): "c1 is a village. Choose an empty grassland space.",
        ("d2", "d1"): "d1 is water. Choose an empty grassland space.",
        ("a2", "b3"): "a2 and b3 do not share an edge. Choose two adjacent spaces.",
        (
            "c3",
            "c4",
        ): "Neither c3 nor c4 touches a start space or a tile. Place the tile next to one.",
    }
    for (one, two), reason in told.items():
        assert refusal(state, "RR", one, two)[2] == reason


def test_the_menu_lists_each_placement_once():
    """QIN-4.3, QIN-4.4, QIN-4.5: beside one start space in a row of three, and in a square."""
    row = table("R..", hands=(("RY",), ()), pile=())
    assert len(legal_moves(GAME, row, 0)) == 2
    same = table("R..", hands=(("YY",), ()), pile=())
    assert len(legal_moves(GAME, same, 0)) == 1
    square = table("R.", "..", hands=(("YB",), ()), pile=())
    assert len(legal_moves(GAME, square, 0)) == 4
