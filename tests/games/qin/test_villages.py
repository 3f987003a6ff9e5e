"""Chapter 7: villages."""

from domain.games.qin.events import (
    ProvinceExpanded,
    VillageConnected,
    VillageConquered,
    VillageLost,
)
from domain.games.qin.rules.villages import beside, leader, strengths
from domain.games.qin.state.table import NOBODY, RUINED
from tests.games.qin.recording import replay_tables
from tests.games.qin.table import after, at, effects, table
from tests.support.for_each import for_each


def test_all_villages_are_looked_at_also_far_from_the_tile():
    """QIN-7.1"""
    state = table("rrrrr.rr.", ".......V.", owners=("00000.11.", ".......1."))
    assert effects(state, "RY", "f1", "f2")[1:] == [
        VillageLost(1, (1, 7)),
        VillageConquered(0, (1, 7), 1),
    ]


@for_each(
    ("cells", "owners", "strongest"),
    [
        (("rrV", "..."), ("00.", "..."), 0),
        (("rVb", "r.b"), ("0.1", "0.1"), None),
        (("rrrrrVbb",), ("00000.11",), 0),
        (("rr.", "rVb", "..b"), ("00.", "0.1", "..1"), None),
        (("rVyy", "rb..", ".b.."), ("0.11", "01..", ".1.."), 1),
        (("rVy",), ("...",), None),
    ],
)
def test_strength_is_the_weight_of_the_provinces_beside(cells, owners, strongest):
    """QIN-2.8, QIN-7.2"""
    state = table(*cells, owners=owners)
    assert leader(state, state.board.villages[0]) == strongest


def test_pagodas_on_villages_give_no_strength():
    """QIN-7.2: the village next door does not help seat 1."""
    state = table("rVV.", "r...", owners=("0.1.", "0..."))
    assert leader(state, 1) == 0


def test_the_strongest_player_connects_a_village_on_the_turn_of_any_player():
    """QIN-7.3"""
    state = table("rr..V", ".....", owners=("11...", "....."))
    assert effects(state, "RR", "c1", "d1")[1:] == [VillageConnected(1, (0, 4))]


def test_a_village_reached_by_two_at_once_stays_empty():
    """QIN-7.3: the tile brings red of seat 0 and yellow of seat 1 to the village."""
    state = table("rr.r", "yy.V", "....", owners=("00..", "11..", "...."))
    assert [type(event) for event in effects(state, "RY", "c1", "c2")] == [ProvinceExpanded] * 2


def test_a_stronger_player_conquers_and_the_owner_takes_a_pagoda_back():
    """QIN-7.4"""
    state = table("yyVrrrr.", "........", owners=("1110000.", "........"))
    then = after(state, "RY", "h1", "h2")
    assert then.villages[2] == 1
    assert then.supply == [21, 23]


def test_an_owner_keeps_their_village_against_a_tie():
    """QIN-7.5"""
    state = table(".Vyy", "B...", "....", owners=(".111", "....", "...."))
    assert after(state, "RR", "b2", "b3").villages[1] == 2


def test_an_owner_keeps_their_village_if_others_tie_above_him():
    """QIN-7.5: seats 0 and 1 have one each, the owner has nothing there."""
    state = table("rrVyy", ".....", owners=("00211", "....."), seats=3)
    assert after(state, "BB", "a2", "b2").villages[2] == 3


def test_a_village_has_one_pagoda_and_is_never_empty_again():
    """QIN-7.6, QIN-7.7: seat 1 has lost what was beside it, and no other player is stronger."""
    state = table(
        "rrr.rrV", "......y", "......y", owners=("000.111", "......2", "......2"), seats=3
    )
    then = after(state, "BR", "d2", "d1")
    assert then.villages[at("g1")[1]] == 1
    assert then.supply == [16, 19, 18]


def test_the_leader_is_the_only_strongest_player_at_every_village_of_recorded_games():
    """QIN-2.8, QIN-7.2, QIN-7.3: counted province by province, as one does at the table."""
    for state in replay_tables(every=4):
        for village in state.board.villages:
            strong = by_hand(state, village)
            best = [seat for seat, most in strong.items() if most == max(strong.values())]
            assert leader(state, village) == (best[0] if len(best) == 1 else None)


def by_hand(state, village):
    """The strength of each player who has a province beside the village."""
    strong = {}
    for area in {state.areas[cell] for cell in state.board.neighbours[village]}:
        if state.owners[area] not in (NOBODY, RUINED):
            seat = state.owners[area] - 1
            strong[seat] = strong.get(seat, 0) + (2 if state.sizes[area] >= 5 else 1)
    return strong


def test_the_leader_at_a_village_owns_it_once_all_is_settled():
    """QIN-7.3, QIN-7.4"""
    for state in replay_tables(every=4):
        for village in state.board.villages:
            assert leader(state, village) in (None, state.villages[village] - 1)


def test_a_village_that_a_position_leaves_open_is_taken_with_the_next_tile_wherever_it_lies():
    """QIN-7.1, QIN-7.3: each turn checks all villages; after the owner is clear, no later tile
    gives it.
    """
    state = table("rrV...", "......", "y.....", owners=("11....", "......", "......"))
    assert effects(state, "BR", "b3", "c3") == [VillageConnected(1, at("c1"))]
    then = after(state, "BR", "b3", "c3")
    assert effects(then, "BR", "d3", "e3", seat=1) == []


def test_strengths_are_kept_apart_by_owner():
    """QIN-7.2: two minors and a major of seat 0, a minor of seat 1, and a single space."""
    rows = "rr.yy.bbbbb.R", "yy..........."
    state = table(*rows, owners=("00.00.00000..", "11..........."))
    strong = strengths(state, {area for area in state.areas if area})
    assert (strong[NOBODY], strong[1], strong[2], strong[RUINED]) == (0, 4, 1, 0)


def test_what_lies_beside_a_village_is_named_once():
    """QIN-7.2: if it carries pagodas, which a single space does not."""
    state = table("rVy", "rr.", owners=("0..", "00."))
    assert beside(state, 1) == {state.area(at("a1"))}


def test_the_table_keeps_which_villages_each_area_is_beside():
    """QIN-7.2: however its areas came about; what was an area before is beside none."""
    for state in replay_tables(every=4):
        board, expected = state.board, [0] * len(state.sizes)
        for village in board.villages:
            for area in {state.areas[cell] for cell in board.neighbours[village]} - {0}:
                expected[area] |= board.flags[village]
        assert state.near_villages == expected


def test_one_tile_may_give_a_village_to_each_of_two_players():
    """QIN-7.1, QIN-8.2: players place pagodas in turn order from the active player."""
    state = table("rr..yy", "~~VV~~", "...R..", owners=("00..11", "......", "......"), active=1)
    assert effects(state, "RY", "c1", "d1", seat=1)[2:] == [
        VillageConnected(1, at("d2")),
        VillageConnected(0, at("c2")),
    ]
