"""Chapter 8: the order in which pagodas move."""

from domain.engine.sentences import describe_fields
from domain.games.qin import GAME
from domain.games.qin.events import (
    GameEnded,
    MajorCreated,
    ProvinceExpanded,
    ProvinceFounded,
    ProvincesAbsorbed,
    VillageConnected,
    VillageLost,
)
from domain.games.qin.sayings import SAYINGS
from tests.games.qin.table import after, effects, lay, table


def test_provinces_are_settled_before_villages_for_every_player():
    """QIN-8.1"""
    state = table("rrrr.V", "......", owners=("1111..", "......"))
    assert effects(state, "RY", "e1", "e2") == [
        ProvinceExpanded(1, "R", (0, 0), ((0, 4),)),
        MajorCreated(1, (0, 0)),
        VillageConnected(1, (0, 5)),
    ]


def test_pagodas_come_back_before_others_are_placed():
    """QIN-8.2: seat 1 has one left, gets one and places one, and the game goes on."""
    state = table(
        "rrrr..yyy",
        ".....y...",
        ".....y...",
        owners=("1111..000", ".....1...", ".....1..."),
        supply=(9, 1),
    )
    assert effects(state, "RY", "e1", "f1") == [
        ProvinceExpanded(1, "R", (0, 0), ((0, 4),)),
        ProvincesAbsorbed(0, "Y", ((0, 6), (1, 5)), ((0, 5),), (0, 1)),
        MajorCreated(0, (0, 6)),
        MajorCreated(1, (0, 0)),
    ]
    assert after(state, "RY", "e1", "f1").supply == [8, 1]


def test_of_two_who_place_their_last_pagoda_the_first_from_the_active_player_wins():
    """QIN-8.3: no village is settled afterwards, and no player draws."""
    state = table("rrrr..YV", "........", owners=("0000....", "........"), supply=(1, 1), active=1)
    assert lay(state, "RY", "e1", "f1", seat=1)[1:-1] == [
        ProvinceExpanded(0, "R", (0, 0), ((0, 4),)),
        ProvinceFounded(1, "Y", ((0, 5), (0, 6))),
        MajorCreated(0, (0, 0)),
        GameEnded("last_pagoda", (1,), (0, 0)),
    ]


def test_who_has_one_pagoda_where_two_are_due_places_it_and_wins():
    """QIN-8.4"""
    state = table("yr.y", "...r", "br..", supply=(1, 9))
    assert effects(state, "RR", "b2", "c2")[1:] == [
        MajorCreated(0, (0, 1), 0),
        GameEnded("last_pagoda", (0,), (0, 9)),
    ]


def test_a_second_province_is_founded_without_a_pagoda():
    """QIN-8.4"""
    state = table("R..Y", "....", supply=(1, 9))
    assert effects(state, "RY", "b1", "c1") == [
        ProvinceFounded(0, "R", ((0, 0), (0, 1))),
        ProvinceFounded(0, "Y", ((0, 2), (0, 3)), 0),
        GameEnded("last_pagoda", (0,), (0, 9)),
    ]


def test_a_village_for_which_no_pagoda_is_left_stays_empty():
    """QIN-8.4"""
    state = table("rrrrr.V", "......V", owners=("00000..", "......1"), supply=(1, 9))
    assert effects(state, "RR", "f1", "f2")[1:] == [
        VillageLost(1, (1, 6)),
        VillageConnected(0, (0, 6)),
        GameEnded("last_pagoda", (0,), (0, 10)),
    ]


def test_only_pagodas_that_come_back_are_described():
    """QIN-8.2"""

    def describe(*returned: int) -> str:
        event = ProvincesAbsorbed(0, "Y", ((0, 6), (1, 5)), ((0, 5),), returned)
        return GAME.words().say(describe_fields(event, None, SAYINGS))

    assert describe(0, 0) == "seat 1 absorbs the yellow provinces at g1 and f2."
    assert describe(0, 2).endswith(" and f2. Returned: 2 pagodas of seat 2.")
