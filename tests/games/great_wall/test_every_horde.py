"""Each type of Horde card and its ability, and each artifact: GW-9.8, GW-9.9, GW-18.8."""

from typing import get_args

import msgspec
import pytest

from domain.games.great_wall import moves
from domain.games.great_wall.cards import decks
from domain.games.great_wall.cards.hordes import Ability, AbilityKind
from domain.games.great_wall.rules import winter
from domain.games.great_wall.rules.war import defeat
from domain.games.great_wall.scoring import breakdown
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import soldiers, supply
from domain.games.great_wall.state.clans import Claim
from tests.games.great_wall.course import after, begin, change
from tests.games.great_wall.table import horde, table, without_zeros
from tests.support.for_each import for_each

TYPES = {card.type: card for card in decks.HORDES.values()}
WITHOUT = ("scouts", "lancers", "heavy_cavalry", "tumen_host", "vanguard")
TESTED = (
    "leader",
    "horse_archers",
    "raiders",
    "axemen",
    "shamans",
    "standard_bearers",
    "riders",
    "ravagers",
    "iron_guard",
    # in the cooperative game
    "foragers",
    "looters",
    "pike_square",
    "headhunters",
    "sharpshooters",
    "outriders",
    "keshig",
    "war_engineers",
)


def left_section(*types, seats=3, **values):
    """A table with these Horde cards in the left Section, the first at the Wall."""
    cards = [horde(f"{kind}_{back}") for kind, back in zip(types, BACKS, strict=False)]
    return table(seats=seats, hordes={"left": cards}, **{"barricades": {}, **values})


BACKS = ("left", "center", "right")


def test_all_types_are_tested_here():
    """GW-9.8"""
    assert {*WITHOUT, *TESTED} == set(TYPES)
    assert {kind for kind, card in TYPES.items() if card.ability.kind == "none"} == set(WITHOUT)


@for_each("kind", TYPES)
def test_each_type_comes_with_each_section_on_its_back(kind):
    """GW-9.8"""
    cards = [card for card in decks.HORDES.values() if card.type == kind]
    assert [card.invasion for card in cards] == list(BACKS)


@for_each("kind", TYPES)
def test_a_card_without_others_has_its_own_power(kind):
    """GW-13.3"""
    assert winter.power(left_section(kind), "left") == TYPES[kind].power


def test_leaders_halve_the_defense_one_after_the_other():
    """GW-13.3, GW-18.8: the worked example WE13."""
    state = left_section("leader", "leader", walls={"left": 1}, barricades={"left": 2})
    assert (winter.defense(state, "left"), winter.power(state, "left")) == (2, 4)
    assert (
        winter.defense(left_section("scouts", walls={"left": 1}, barricades={"left": 2}), "left")
        == 9
    )


def test_axemen_lower_the_defense_of_barricades():
    """GW-18.8"""
    state = left_section("axemen", walls={"left": 1}, barricades={"left": 3})
    assert winter.defense(state, "left") == 5 + 3
    both = left_section("axemen", "axemen", "axemen", walls={"left": 1}, barricades={"left": 3})
    assert winter.defense(both, "left") == 5


def test_shamans_make_all_cards_of_their_section_more_lethal():
    """GW-4.2, GW-18.8"""
    state = left_section("scouts", "shamans", "shamans", slot=3)
    assert [defeat.lethality(state, place) for place in state.hordes_on_board()] == [4, 4, 4]
    assert [
        defeat.lethality(p, one) for p in (left_section("scouts"),) for one in p.hordes_on_board()
    ] == [1]


def test_ravagers_are_more_lethal_themselves():
    """GW-9.8, GW-10.6: to Horsemen, because Spearmen cannot attack it."""
    state = left_section("ravagers", "scouts")
    assert [defeat.lethality(state, place) for place in state.hordes_on_board()] == [2, 1]


def test_iron_guards_are_stronger_for_each_other_card():
    """GW-18.8"""
    assert winter.power(left_section("iron_guard", "scouts", "scouts"), "left") == 4 + 2 + 2 + 2
    assert winter.power(left_section("iron_guard", "iron_guard"), "left") == 4 + 4 + 1 + 1


def test_banner_guards_strengthen_every_other_card():
    """GW-18.8"""
    assert winter.power(left_section("standard_bearers", "scouts", "scouts"), "left") == 2 + 3 + 3


def test_horse_archers_are_not_wounded_by_archers():
    """GW-10.5, GW-18.8"""
    state = left_section("horse_archers")
    state.clans[0].firing = (1, 0, 0)
    assert begin(state, steps.Ask(step=charging("archer", "firing"))).agenda == []
    wounding = soldiers.Wounding((0,), left=1, first_row=True, sections=("left",))
    assert after(begin(state, wounding), moves.Wound(0, "left", 0, 1)).agenda == []
    state.clans[0].rest = ((1, 0, 0), (0, 0, 0), (0, 0, 0))
    assert after(begin(state, charging("spearman")), charge(3)).agenda == []


def test_raiders_plunder_when_their_section_is_breached():
    """GW-13.6, GW-18.8"""
    state = left_section("raiders", "raiders", shame=30)
    for clan in state.clans:
        clan.resources = (5, 0, 0, 0)
    new = begin(state, steps.Assault(section="left"))
    while new.agenda:
        seat = new.agenda[-1].seats[0]
        new = after(new, moves.PutShame(seat, "spearman"))
    assert [clan.resources for clan in new.clans] == [(3, 0, 0, 0)] * 3


def test_riders_swap_with_the_card_in_front_of_them_once_in_a_section():
    """GW-13.7, GW-18.8"""
    state = begin(left_section("scouts", "riders", "riders"), steps.EndWinter())
    assert [one.card for one in state.hordes[0]] == ["riders_center", "scouts_left", "riders_right"]
    state = begin(left_section("riders", "scouts"), steps.EndWinter())
    assert [one.card for one in state.hordes[0]] == ["riders_left", "scouts_center"]
    before = left_section("riders", "scouts", "riders")
    assert begin(before, steps.EndWinter()).hordes == before.hordes


OWN = {
    "walls": {"left": 2, "right": 2, "center": 1},
    "hordes": {"left": [horde("scouts_left", by0=(2,))]},
    "artifacts": tuple(decks.ARTIFACTS),
}
RICH = {
    "supporting": ("a", "b"),
    "firing": {"left": 2, "center": 1},
    "claimed": (Claim("leader_left"), Claim("raiders_left", shame=1)),
    "overseers": {"quarry": 2, "temple": 3},
    "rest": {"left": {"horseman": 1}},
    "tactics": ("volley", "ambush", "withdrawal"),
    "hand": ("economy",),
}
ARTIFACTS = {
    "hou_yi_bow": 2 * 5,
    "jade_seal": 2 * 8,
    "scroll_of_deeds": 6 + 4,
    "bronze_ding": 5 * 3,
    "tiger_tally": (3 + 1 + 1) * 2,
    "bamboo_annals": 3 * 4,
    "golden_tablet": 1 * 4,
    "canal_chart": 5 * 2,
}


def test_each_artifact_scores():
    """GW-9.9, GW-13.9"""
    state = table(RICH, **OWN)
    parts = breakdown(state, 0)
    assert {card: parts[card] for card in decks.ARTIFACTS} == ARTIFACTS
    assert parts["hordes"] == decks.HORDES["leader_left"].honor  # without Shame on it
    assert set(without_zeros(breakdown(state, 1))) == {"canal_chart"}


def test_a_claimed_card_is_worth_the_honor_of_its_type():
    """GW-13.9, GW-11.5"""
    honor = {"leader": 5, "scouts": 3, "horse_archers": 4, "raiders": 4, "axemen": 5}
    honor |= {"lancers": 6, "shamans": 4, "heavy_cavalry": 8, "standard_bearers": 5}
    honor |= {"riders": 5, "ravagers": 6, "iron_guard": 7}
    assert set(honor) == {kind for kind, card in TYPES.items() if not card.set.startswith("coop")}
    for kind, worth in honor.items():
        state = table({"claimed": (Claim(f"{kind}_left"),)})
        assert without_zeros(breakdown(state, 0)) == {"hordes": worth}


REWARDS = {
    "leader": {"honor": 3, "gold": 1, "chi": 1},
    "scouts": {"wood": 1, "honor": 1, "stone": 1},
    "horse_archers": {"chi": 1, "honor": 1, "gold": 1},
    "axemen": {"honor": 2, "stone": 1, "wood": 1},
    "lancers": {"honor": 2, "gold": 1, "stone": 1, "chi": 1},
    "shamans": {"chi": 2, "tactics": 1},
    "heavy_cavalry": {"honor": 4, "gold": 1, "stone": 1},
    "standard_bearers": {"honor": 3, "chi": 1},
    "ravagers": {"honor": 3, "gold": 1},
    "iron_guard": {"honor": 3, "stone": 1, "gold": 1},
    "raiders": {"gold": 1, "honor": 1, "wood": 1},
    "riders": {"honor": 1, "gold": 1, "wood": 1},
    "tumen_host": {"honor": 2, "stone": 1, "wood": 1},
    "vanguard": {"honor": 3, "gold": 1, "chi": 1, "stone": 1},
    "foragers": {"gold": 1, "honor": 1, "wood": 1},
    "looters": {"honor": 1, "wood": 1, "chi": 1},
    "pike_square": {"honor": 1, "gold": 1, "stone": 1},
    "headhunters": {"honor": 2, "chi": 1, "tactics": 1},
    "sharpshooters": {"chi": 1, "honor": 1, "gold": 1},
    "outriders": {"honor": 1, "wood": 1, "stone": 1, "chi": 1},
    "keshig": {"honor": 3, "gold": 1, "stone": 1},
    "war_engineers": {"stone": 1, "wood": 1, "honor": 1},
}


@for_each(("kind", "rewards"), [row for row in REWARDS.items() if row[0] != "pike_square"])
def test_all_spots_of_a_card_bring_their_printed_rewards(kind, rewards):
    """GW-9.8, GW-10.6"""
    before = left_section(kind)
    before.clans[0].rest = ((10, 0, 0), (0, 0, 0), (0, 0, 0))
    spots = list(before.hordes[0][0].free())
    state = begin(before, charging("spearman", left=len(spots)))
    for spot in spots:
        state = after(state, charge(spot))
        if state.agenda and isinstance(state.agenda[-1], supply.TakeResources):
            state = after(state, moves.TakeResource(0, "wood"))
    gained = {name: n for name, n in change(before, state).items() if name in rewards}
    assert gained == rewards


def test_the_rewards_of_all_types_are_tested_here():
    """GW-9.8"""
    assert set(REWARDS) == set(TYPES)


def charging(soldier, origin="rest", left=1):
    return soldiers.Attacking((0,), left=left, types=(soldier,), origins=(origin,), sections=1)


def charge(spot):
    return moves.Attack(0, "spearman", "rest", "left", 0, (spot,))


@pytest.fixture
def able(monkeypatch):
    """A table with Scouts in the left Section that have another ability."""

    def make(kind, amount=0, **own):
        card = decks.HORDES["scouts_left"]
        other = msgspec.structs.replace(card, ability=Ability(kind, amount))
        monkeypatch.setitem(decks.HORDES, "scouts_left", other)
        state = left_section("scouts", "scouts")
        state.clans[0] = table(own).clans[0]
        return state

    return make


def test_spearmen_cannot_attack_some_cards(able):
    """GW-18.8"""
    state = able("no_spearmen", rest={"left": {"spearman": 1, "horseman": 1}})
    assert begin(state, steps.Ask(step=charging("spearman"))).agenda == []
    assert begin(state, steps.Ask(step=charging("horseman"))).agenda != []


def test_some_cards_take_a_toll_while_they_are_first(able):
    """GW-13.1, GW-18.8"""
    state = able("toll_while_first", 2, resources={"wood": 3}, honor=0)
    new = begin(state, steps.Winter())
    assert new.clans[0].has("wood") == 1
    state.hordes = (state.hordes[0][::-1], (), ())
    assert begin(state, steps.Winter()).clans[0].has("wood") == 3


def test_some_cards_kill_archers_at_the_start_of_winter_while_they_are_first(able):
    """GW-13.1, GW-18.8"""
    state = able("kill_firing_on_winter", 1, firing={"left": 2, "right": 1})
    step = steps.Snipe(clan=0, section="left", amount=1)
    assert change(state, begin(state, step)) == {"firing left": -1, "pool archer": 1}
    winter_comes = begin(state, steps.Winter())
    assert winter_comes.clans[0].firing == (1, 0, 1)
    state.hordes = (state.hordes[0][::-1], (), ())
    assert begin(state, steps.Winter()).clans[0].firing == (2, 0, 1)


def test_some_cards_kill_the_first_attackers_in_a_turn(able):
    """GW-10.9, GW-18.8"""
    state = able("kill_on_attack", 1, rest={"left": {"spearman": 3}})
    new = after(begin(state, charging("spearman")), charge(8))
    assert change(state, new)["pool spearman"] == 1
    assert change(state, new)["wounds scouts_left"] == 1
    again = after(begin(new, charging("spearman")), charge(9))
    assert change(new, again)["covered scouts_left"] == 1
    again.active = 0
    ended = begin(again, steps.EndTurn())
    third = after(begin(ended, charging("spearman")), charge(2))
    assert change(ended, third)["pool spearman"] == 1


def test_all_abilities_of_horde_cards_are_tested_here():
    """GW-18.8"""
    fixed = {"no_spearmen", "toll_while_first", "kill_firing_on_winter", "kill_on_attack"}
    assert {card.ability.kind for card in TYPES.values()} | fixed == set(get_args(AbilityKind))
