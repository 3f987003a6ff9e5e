"""Chapter 14: the option that allows joining major provinces."""

from domain.games.qin.events import MajorsRemoved, ProvinceFounded, RuinExpanded
from domain.games.qin.rules.villages import leader
from domain.games.qin.state.setup import Options
from tests.games.qin.table import after, effects, refusal, table

EMPTY = "............"


def majors(owners, cells="rrrrr.rrrrrr", below=EMPTY, below_owners=EMPTY, **more):
    joining = more.pop("joining_majors", "mutual_removal")
    return table(cells, below, owners=(owners, below_owners), joining_majors=joining, **more)


def test_joining_majors_is_forbidden_unless_it_is_chosen():
    """QIN-14.1"""
    assert Options().joining_majors == "forbidden"
    state = majors("00000.111111", joining_majors="forbidden")
    assert refusal(state, "RY", "f1", "f2")[0] == "QIN-6.1"


def test_all_pagodas_of_joined_majors_come_back():
    """QIN-14.2"""
    state = majors("00000.111111")
    assert effects(state, "RY", "f1", "f2") == [
        MajorsRemoved("R", ((0, 0), (0, 6)), ((0, 5),), (2, 2)),
    ]
    assert after(state, "RY", "f1", "f2").supply == [24, 24]


def test_two_majors_of_one_player_fall_as_well():
    """QIN-14.2"""
    assert after(majors("00000.000000"), "RY", "f1", "f2").supply == [24, 24]


def test_a_minor_that_is_caught_in_the_join_is_lost_too():
    """QIN-14.2"""
    state = table(
        EMPTY,
        "rrrrr.rrrrrr",
        ".....r......",
        ".....r......",
        owners=(EMPTY, "00000.111111", ".....1......", ".....1......"),
        joining_majors="mutual_removal",
    )
    assert effects(state, "RY", "f2", "f1") == [
        MajorsRemoved("R", ((1, 0), (1, 6), (2, 5)), ((1, 5),), (2, 3)),
    ]


def test_a_village_keeps_its_owner_beside_a_ruin_until_a_player_conquers_it():
    """QIN-14.2"""
    state = majors("00000.111111", below="V...........", below_owners="0...........")
    then = after(state, "RY", "f1", "f2")
    assert then.villages[12] == 1
    assert leader(then, 12) is None
    assert after(then, "YY", "b2", "c2", seat=1).villages[12] == 2


def ruin(third=EMPTY, third_owners=EMPTY):
    return table(
        "rrrrrrrrrrrr",
        EMPTY,
        third,
        owners=("x" * 12, EMPTY, third_owners),
        joining_majors="mutual_removal",
    )


def test_a_province_may_not_touch_a_ruin_of_its_colour():
    """QIN-14.3"""
    state = ruin(third="rr..........", third_owners="00..........")
    expected = "A red half at a2 would join a province and a ruined area. Place it elsewhere."
    assert refusal(state, "RY", "a2", "b2") == ("QIN-14.3", "joins_ruined", expected)


def test_that_holds_when_majors_are_joined_at_the_same_time():
    """QIN-14.3"""
    state = table(
        "rrrrrrrrrrrr",
        EMPTY,
        "rrrrr.rrrrr.",
        EMPTY,
        owners=("x" * 12, EMPTY, "00000.11111.", EMPTY),
        joining_majors="mutual_removal",
    )
    assert refusal(state, "RR", "f2", "f3")[1] == "joins_ruined"


def test_what_touches_only_a_ruin_becomes_part_of_it():
    """QIN-14.3"""
    state = ruin(third="r...........")
    spaces = ((1, 0), (1, 1), (2, 0))
    assert effects(state, "RR", "a2", "b2") == [RuinExpanded("R", ((0, 0),), spaces)]
    assert after(state, "RR", "a2", "b2").supply == [24, 24]


def test_two_ruins_may_be_joined():
    """QIN-14.3"""
    state = ruin(third="rrrrrrrrrrrr", third_owners="x" * 12)
    assert effects(state, "RY", "a2", "b2") == [
        RuinExpanded("R", ((0, 0), (2, 0)), ((1, 0),)),
    ]


def test_a_ruin_still_connects_tiles():
    """QIN-14.3"""
    assert effects(ruin(), "YY", "a2", "b2") == [ProvinceFounded(0, "Y", ((1, 0), (1, 1)))]
