"""Chapters 5 and 6: founding, expanding, absorbing."""

import pytest

from domain.games.qin.events import (
    MajorCreated,
    ProvinceExpanded,
    ProvinceFounded,
    ProvincesAbsorbed,
)
from tests.games.qin.table import after, effects, refusal, table
from tests.support.for_each import for_each


def test_a_tile_of_two_colours_changes_two_areas():
    """QIN-5.1, QIN-5.7"""
    assert effects(table("R..Y", "...."), "RY", "b1", "c1") == [
        ProvinceFounded(0, "R", ((0, 0), (0, 1))),
        ProvinceFounded(0, "Y", ((0, 2), (0, 3))),
    ]


def test_single_spaces_are_not_old_provinces():
    """QIN-5.2: joining the start space is not an absorption."""
    state = table("rr.R", "....", owners=("11..", "...."))
    assert effects(state, "RY", "c1", "c2") == [
        ProvinceExpanded(1, "R", (0, 0), ((0, 2), (0, 3))),
    ]


def test_one_isolated_space_is_a_single_space():
    """QIN-5.3"""
    assert effects(table("Y...", "...."), "BR", "b1", "c1") == []


def test_the_player_who_places_the_tile_owns_what_it_founds():
    """QIN-5.4"""
    state = table("B...", "....", active=1)
    assert effects(state, "RR", "b1", "c1", seat=1) == [ProvinceFounded(1, "R", ((0, 1), (0, 2)))]


def test_five_spaces_at_once_are_founded_with_two_pagodas():
    """QIN-5.4, QIN-5.8"""
    state = table("yr.y", "...r", "br..")
    spaces = ((0, 1), (1, 1), (1, 2), (1, 3), (2, 1))
    assert effects(state, "RR", "b2", "c2") == [
        ProvinceFounded(0, "R", spaces),
        MajorCreated(0, (0, 1)),
    ]
    assert after(state, "RR", "b2", "c2").supply == [22, 24]


def test_who_expands_a_province_does_not_take_it():
    """QIN-5.5"""
    state = table("rr..B", ".....", owners=("11...", "....."))
    assert effects(state, "RY", "c1", "d1") == [ProvinceExpanded(1, "R", (0, 0), ((0, 2),))]


def test_the_fifth_space_brings_the_owner_a_second_pagoda():
    """QIN-5.5"""
    state = table("rrrr..", "......", owners=("1111..", "......"))
    assert effects(state, "RY", "e1", "f1")[1:] == [MajorCreated(1, (0, 0))]
    assert after(state, "RY", "e1", "f1").supply == [24, 22]


def test_a_major_province_never_gets_a_third_pagoda():
    """QIN-5.5"""
    state = table("rrrrr..", ".......", owners=("11111..", "......."))
    assert after(state, "RR", "f1", "g1").supply == [24, 22]


def test_one_tile_may_absorb_with_one_half_and_found_with_the_other():
    """QIN-5.6, QIN-5.7"""
    state = table("rrr.rr", "....Y.", "......", owners=("000.11", "......", "......"))
    assert effects(state, "RY", "d1", "d2") == [
        ProvincesAbsorbed(0, "R", ((0, 0), (0, 4)), ((0, 3),), (0, 1)),
        MajorCreated(0, (0, 0)),
        ProvinceFounded(0, "Y", ((1, 3), (1, 4))),
    ]


def test_a_single_space_counts_for_size_but_for_no_player():
    """QIN-5.8, QIN-6.3: counted for seat 0, it would make three against three."""
    state = table("..R...", "rr.rrr", "......", owners=("......", "00.111", "......"))
    assert effects(state, "RY", "c2", "c3") == [
        ProvincesAbsorbed(1, "R", ((1, 0), (1, 3)), ((0, 2), (1, 2)), (1, 0)),
        MajorCreated(1, (1, 0)),
    ]


@pytest.mark.parametrize("owners", ["00000.111111", "00000.000000"])
def test_major_provinces_of_any_owner_may_not_be_joined(owners):
    """QIN-6.1"""
    state = table("rrrrr.rrrrrr", "............", owners=(owners, "............"))
    expected = (
        "QIN-6.1",
        "joins_majors",
        "A red half at f1 would join major provinces. Place it elsewhere.",
    )
    assert refusal(state, "RY", "f1", "f2") == expected


def test_a_major_province_wins_without_a_count():
    """QIN-6.2: its five spaces against seven of seat 1."""
    state = table(
        "..........",
        "rrrrr.rrrr",
        ".....r....",
        ".....r....",
        ".....r....",
        owners=("..........", "00000.1111", ".....1....", ".....1....", ".....1...."),
    )
    assert effects(state, "RY", "f2", "f1") == [
        ProvincesAbsorbed(0, "R", ((1, 0), (1, 6), (2, 5)), ((1, 5),), (0, 2)),
    ]


def meeting(left: str, right: str, below: str, seats: int = 2):
    """Three red minors that meet at c2: two spaces, as many as `right` says, and two."""
    return table(
        "." * 7,
        "rr." + ("r" * len(right)).ljust(4, "."),
        "..r....",
        "..r....",
        owners=("." * 7, f"{left}." + right.ljust(4, "."), f"..{below}....", f"..{below}...."),
        seats=seats,
    )


def test_the_count_is_by_player_and_not_by_province():
    """QIN-6.3: two and two of seat 0 against three of seat 1."""
    assert effects(meeting("00", "111", "0"), "RY", "c2", "c1") == [
        ProvincesAbsorbed(0, "R", ((1, 0), (1, 3), (2, 2)), ((1, 2),), (0, 1)),
        MajorCreated(0, (1, 0), 0),
    ]


def test_the_province_with_most_spaces_wins_for_any_placing_player():
    """QIN-6.3"""
    state = table("rr.rrr", "......", owners=("00.111", "......"))
    assert effects(state, "RY", "c1", "c2") == [
        ProvincesAbsorbed(1, "R", ((0, 0), (0, 3)), ((0, 2),), (1, 0)),
        MajorCreated(1, (0, 0)),
    ]
    assert after(state, "RY", "c1", "c2").supply == [24, 22]


def test_a_tie_for_the_most_is_illegal():
    """QIN-6.4"""
    rule, fault, reason = refusal(meeting("00", "22", "1", seats=3), "RY", "c2", "c1")
    assert (rule, fault) == ("QIN-6.4", "tied_absorb")
    assert reason == (
        "A red half at c2 would join provinces of two players who own 2 spaces each. "
        "Break the tie or place it elsewhere."
    )


def test_a_tie_below_the_first_place_does_no_harm():
    """QIN-6.4"""
    absorbed, _ = effects(meeting("00", "222", "1", seats=3), "RY", "c2", "c1")
    assert (absorbed.seat, absorbed.returned) == (2, (1, 1, 0))


@for_each(
    ("owners", "cells", "name"),
    [
        ("00.00", "rr.rr", "c"),
        ("00000.00", "rrrrr.rr", "f"),
        ("00000.11", "rrrrr.rr", "f"),
        ("000.11", "rrr.rr", "d"),
    ],
)
def test_the_whole_carries_two_pagodas_for_any_number_before(cells, owners, name):
    """QIN-6.5, QIN-6.7"""
    empty = "." * len(cells)
    then = after(table(cells, empty, owners=(owners, empty)), "RY", f"{name}1", f"{name}2")
    assert then.supply == [22, 24]
    assert sum(then.pagodas) == 2


def test_a_player_who_joins_three_of_their_minors_gets_a_pagoda_back():
    """QIN-6.5"""
    assert effects(meeting("00", "00", "0"), "RY", "c2", "c1") == [
        ProvincesAbsorbed(0, "R", ((1, 0), (1, 3), (2, 2)), ((1, 2),), (1, 0)),
        MajorCreated(0, (1, 0), 0),
    ]


def test_an_absorption_may_cost_the_player_who_makes_it():
    """QIN-6.6"""
    state = table("rrrrr.rr", "........", owners=("11111.00", "........"))
    assert after(state, "RY", "f1", "f2").supply == [24, 22]
