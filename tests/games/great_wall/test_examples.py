"""The worked examples of standard play.

WE05, WE06, WE13, WE24 and WE27 are in the tests of command cards, moments, Horde cards and
Requests, WE04, WE05, WE22 and WE23 in those of the solo game, WE25 in the cooperative one.
"""

import pytest

from domain.games.great_wall import moves
from domain.games.great_wall.scoring import breakdown
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks as clerk_steps
from domain.games.great_wall.state.agenda import soldiers, supply
from domain.games.great_wall.state.clans import Claim
from domain.games.great_wall.state.setup import Options, setup
from domain.games.great_wall.state.table import blank
from tests.games.great_wall.course import after, begin, change
from tests.games.great_wall.table import horde, participation_honor, table, without_zeros

TIRED = {"shamed": {}, "pool": {}}


def resolve(state, location, advanced=False):
    step = clerk_steps.ResolveLocation(location=location, advanced=advanced)
    return begin(state, step)


def test_we01_a_lumber_mill_with_three_clans():
    """GW-8.2, GW-8.3, GW-8.4, GW-8.5"""
    before = table(
        {
            "clerks": {"lumber_mill": 2},
            "overseers": {"lumber_mill": 2},
            "resources": {"chi": 4},
        },
        {
            "clerks": {"lumber_mill": 2},
            "overseers": {"lumber_mill": 3},
            "resources": {"chi": 6},
        },
        {"clerks": {"lumber_mill": 1}, "resources": {"chi": 2}},
        seats=4,
    )
    state = resolve(before, "lumber_mill")
    state = after(
        state,
        moves.UpgradeOverseer(0, "lumber_mill"),
        moves.UpgradeOverseer(2, "lumber_mill", "archer"),
        moves.DonateResource(0, "wood"),
        moves.Done(1),
        moves.Done(2),
    )
    assert state.agenda == []
    a, b, c = (change(before, state, seat) for seat in range(3))
    back = {"clerks": 2, "at lumber_mill": -2, "stored wood": 1}
    assert a == {"wood": 3, "chi": -4, "honor": 2, "level lumber_mill": 1, **back}
    assert b == {"wood": 5, **back}
    one = {"clerks": 1, "at lumber_mill": -1, "stored wood": 1}
    assert c == {"wood": 1, "chi": -2, "level lumber_mill": 1, "pool archer": -1, **one}


def test_we02_the_first_wall_part_with_three_stone_in_the_warehouse():
    """GW-8.8"""
    mine = {"resources": {"stone": 2}, "clerks": {"builders": 1}}
    before = table(mine, warehouse={"stone": 3})
    state = after(resolve(before, "builders"), moves.BuildWall(0, "center"))
    assert change(before, state) == {
        "stone": -2,
        "stored stone": -3,
        "honor": 5,
        "wall center": 1,
        "clerks": 1,
        "at builders": -1,
    }


def test_we03_song_ci_with_three_supporting_advisors():
    """GW-9.1"""
    mine = {"general": "song_ci", "supporting": ("a", "b", "c"), "resources": {"chi": 2}}
    before = table(mine)
    upgrade = clerk_steps.Upgrade((0,), left=1, where=("lumber_mill",))
    state = after(begin(before, upgrade), moves.UpgradeOverseer(0, "lumber_mill", "archer"))
    assert change(before, state)["honor"] == 6


def test_we07_a_breach_with_soldiers_on_two_cards_and_all_saved():
    """GW-13.6, GW-10.12"""
    before = table(
        {
            "firing": {"center": 1},
            "tactics": ("withdrawal",),
            "resources": {"chi": 1},
        },
        {"resources": {"wood": 1}, **TIRED},
        {"resources": {"wood": 1}, **TIRED},
        slot=1,
        barricades={},
        hordes={
            "center": [
                horde("scouts_left", by0=(2,)).with_soldier(0, (3,)),
                horde("raiders_left", by0=(2, 8)),
            ]
        },
    )
    for seat in (1, 2):
        before.clans[seat].claimed = (Claim("lancers_left"),)
    state = begin(before, steps.Assault(section="center"))
    # two tokens for each clan without soldiers there
    state = after(state, moves.PlayTactic(0, "withdrawal", boosted=True))
    saved = [
        moves.SaveSoldier(0, "spearman", "center", "scouts_left"),
        moves.SaveSoldier(0, "horseman", "center", "raiders_left"),
        moves.SaveSoldier(0, "archer", "center"),
    ]
    state = after(state, *saved)
    assert state.agenda == []
    a, b, c = (change(before, state, seat) for seat in range(3))
    assert a == {
        "chi": -1,
        "tactics": -1,
        "firing center": -1,
        "rest center spearman": 1,
        "rest center archer": 1,
        "rest center horseman": 1,
        "wounds scouts_left": 1,
        "covered scouts_left": -1,
        "wounds raiders_left": 2,
        "covered raiders_left": -2,
    }
    for other in (b, c):
        assert (other["shame"], other["wood"]) == (2, -1)


@pytest.mark.parametrize(
    ("clerks", "tea"),
    [([0, 1, 1, 1], (1, 2, 3, 0)), ([0, 0, 0, 3], (3, 0, 1, 2))],
)
def test_we08_the_tea_house(clerks, tea):
    """GW-8.7"""
    state = table(*({"clerks": {"tea_house": count}} for count in clerks), seats=4)
    assert resolve(state, "tea_house").tea == tea


def test_we09_two_new_horde_cards():
    """GW-5.2"""
    before = table(
        hordes={"left": [horde("lancers_left")], "right": [horde("lancers_center")] * 2},
        horde_deck=("raiders_right", "scouts_right"),
        indicator="right",
    )
    state = begin(before, steps.PlaceHordes(left=2))
    assert [len(cards) for cards in state.hordes] == [1, 1, 3]
    assert state.horde_deck == ()


def test_we10_a_raid():
    """GW-5.3"""
    full = [horde(f"lancers_{back}") for back in ("left", "center", "right")]
    before = table(
        hordes={"left": [horde("leader_left")], "center": full, "right": [horde("leader_right")]},
        horde_deck=("scouts_center", "raiders_center"),
        indicator="center",
        shame=30,
    )
    state = begin(before, steps.PlaceHordes(left=1))
    assert [len(cards) for cards in state.hordes] == [1, 3, 1]
    assert (state.shame, len(state.horde_discard)) == (27, 1)


LANCERS = (
    horde("lancers_left", by0=(1,), by1=(8, 9))
    .with_soldier(0, (2,))
    .with_soldier(0, (7,))
    .with_wounds((3, 10))
)


def test_we11_a_defeated_horde_card_with_two_clans():
    """GW-10.11, GW-10.12"""
    before = table(
        {},
        {"firing": {"left": 1}, "resources": {"chi": 2}},
        slot=1,
        tea=(1, 0, 2),
        hordes={"left": [LANCERS, horde("scouts_left")]},
    )
    state = begin(before, soldiers.DefeatCheck())
    state = after(state, moves.SaveSoldier(1, "horseman", "left", "lancers_left"))
    assert state.agenda == []
    a, b = change(before, state, 0), change(before, state, 1)
    assert (a["honor"], a["claimed"], a["pool spearman"]) == (2, 1, 1)
    assert a["rest left spearman"] == 2
    assert (b["honor"], b["chi"], b["rest left horseman"]) == (4, -2, 1)
    assert state.clans[0].claimed == (Claim("lancers_left"),)
    assert [one.card for one in state.hordes[0]] == ["scouts_left"]


def test_we12_a_tie_in_covered_spots():
    """GW-10.11"""
    card = horde("scouts_left", by0=(2, 8), by1=(3,)).with_soldier(1, (9,))
    state = table(tea=(1, 0, 2), hordes={"left": [card]})
    state = begin(state, soldiers.DefeatCheck())
    assert [len(clan.claimed) for clan in state.clans] == [0, 1, 0]


@pytest.mark.parametrize(("clerks", "reed", "shame"), [(3, 0, 1), (2, 1, 0)])
def test_we14_barracks_filled_by_one_clan(clerks, reed, shame):
    """GW-6.7"""
    before = table({"clerks": {"barracks": clerks}, "pool": {"spearman": 1}}, {}, seats=2)
    before.clans[2].clerks = tuple(reed * (index == 4) for index in range(10))
    before.clans[2].pool = (0, 0, 0)
    state = resolve(before, "barracks")
    assert change(before, state).get("shame", 0) == shame


@pytest.mark.parametrize(("others", "effect"), [(0, None), (2, {"stone": 2})])
def test_we15_an_advanced_activation_of_a_quarry(others, effect):
    """GW-6.6"""
    before = table({"clerks": {"quarry": 1}}, {"clerks": {"quarry": others}})
    state = begin(before, clerk_steps.AdvancedActivation((0,), left=1, where="any"))
    state = after(state, moves.ActivateLocation(0, "quarry"))
    while state.agenda:
        state = after(state, moves.Done(state.agenda[-1].seats[0]))
    assert change(before, state) == {"stone": 1, "clerks": 1, "at quarry": -1}
    if effect:
        assert change(before, state, 1) == {**effect, "clerks": 2, "at quarry": -2}


def test_we16_two_clerks_in_the_embassy():
    """GW-8.9"""
    mine = {
        "active": ("spy",),
        "supporting": ("herald",),
        "resources": {"gold": 7},
        "clerks": {"embassy": 2},
    }
    before = table(mine, advisors=("tea_master", "carpenter", "fletcher", "logistician"))
    state = after(resolve(before, "embassy"), moves.HireAdvisor(0, "tea_master", active=False))
    assert len(state.advisors) == 4
    assert change(before, state)["gold"] == -3
    state = after(state, moves.HireAdvisor(0, "carpenter", active=True))
    assert change(before, state)["gold"] == -7
    assert (state.clans[0].advisors, len(state.advisors)) == (4, 4)


@pytest.mark.parametrize(
    ("move", "effect"),
    [
        (moves.TakeHonor, {"honor": 8}),
        (moves.ReclaimCards, {"hand": 4, "discard": -4}),
    ],
)
def test_we17_four_cards_in_the_command_discard(move, effect):
    """GW-12.4"""
    discard = ("economy", "despotism", "betrayal", "work_harder")
    before = table({"discard": discard, "hand": ("attack_order", "raise_banners")})
    state = after(begin(before, steps.Reclaim((0,))), move(0))
    assert change(before, state) == effect


def test_we18_shame_with_an_empty_pool_and_shame_that_fits_nowhere():
    """GW-11.2"""
    rich = {"honor": 12, "counted": participation_honor(12)}
    gain = supply.GainShame(seat=0, left=1)
    state = begin(table(rich, shame=0), gain)
    assert (state.clans[0].honor, state.clans[0].shame, state.shame) == (7, 0, 0)
    state = begin(table({**rich, "pool": {}}, shame=4), gain)
    assert (state.clans[0].honor, state.clans[0].shame, state.shame) == (7, 0, 3)


def test_we19_final_scoring():
    """GW-13.9"""
    mine = {
        "honor": 40,
        "counted": participation_honor(40),
        "shamed": {"spearman": 2},
        "claimed": (Claim("lancers_left"), Claim("scouts_left", shame=1)),
        "supporting": ("a", "b", "c"),
        "overseers": {"quarry": 3, "temple": 2},
    }
    state = table(mine, artifacts=("jade_seal", "bronze_ding", "scroll_of_deeds"))
    parts = breakdown(state, 0)
    assert without_zeros(parts) == {
        "participation": 40,
        "shame": -10,
        "hordes": 6,
        "jade_seal": 24,
        "bronze_ding": 15,
        "scroll_of_deeds": 11,
    }
    assert sum(parts.values()) == 86


@pytest.mark.parametrize(("seats", "ended"), [(3, "walls"), (4, None)])
def test_we20_two_sections_at_level_three(seats, ended):
    """GW-13.8"""
    walls = {"left": 3, "center": 3, "right": 1}
    state = table(*[{"hand": ("economy",)}] * seats, seats=seats, walls=walls, shame=5, slot=2)
    assert begin(state, steps.EndCheck()).ended == ended


def test_we21_a_lumber_mill_with_the_reed_clan():
    """GW-15.4, GW-15.7"""
    before = table(
        {"clerks": {"lumber_mill": 2}},
        {"clerks": {"lumber_mill": 1}},
        seats=2,
        active=0,
    )
    state = after(resolve(before, "lumber_mill"), moves.DonateResource(0, "wood"), moves.Done(1))
    assert state.agenda == []
    a, b = change(before, state, 0), change(before, state, 1)
    assert (a["wood"], a["honor"], b["wood"]) == (1, 2, 1)
    assert state.warehouse == (2, 0, 0, 0)
    assert [clan.at("lumber_mill") for clan in state.clans] == [0, 0, 1]


def test_we26_zong_ze_with_two_supporting_advisors_recruits_two_spearmen():
    """GW-18.5"""
    mine = {
        "general": "zong_ze",
        "supporting": ("a", "b"),
        "resources": {"stone": 3, "wood": 1},
        "clerks": {"barracks": 2},
    }
    before = table(mine, hordes={})
    state = resolve(before, "barracks", advanced=True)
    state = after(state, *[moves.NameRecruit(0, "spearman")] * 2)
    rest = moves.SendToRest(0, "spearman", "left")
    state = after(state, rest, rest)
    assert change(before, state) == {
        "stone": -3,
        "wood": -1,
        "pool spearman": -2,
        "rest left spearman": 2,
        "clerks": 2,
        "at barracks": -2,
    }


def test_we28_the_setup_of_five_players():
    """GW-17.1, GW-2.1"""
    state = blank(setup(Options(), 5), 5)
    table_of_five = state.setup.table
    assert (table_of_five.side, state.slot, state.year) == ("4-5", 1, 2)
    assert (table_of_five.initial_hordes, state.shame, sum(state.barricades)) == (5, 50, 9)
    assert {(clan.clerks_pool, clan.clerks_space) for clan in state.clans} == {(4, 4)}
    assert len(state.track) == 5
    assert len(state.setup.slots) - state.slot == 4
