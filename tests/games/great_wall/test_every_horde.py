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
from domain.games.great_wall.state.clans import Claim
from domain.games.great_wall.state.steps import soldiers, supply, year
from tests.games.great_wall.course import after, begun, change
from tests.games.great_wall.table import counted, horde, table

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
    # of the cooperative game
    "foragers",
    "looters",
    "pike_square",
    "headhunters",
    "sharpshooters",
    "outriders",
    "keshig",
    "war_engineers",
)


def left(*types, seats=3, **values):
    """A table with these Horde cards in the left Section, the first at the Wall."""
    cards = [horde(f"{kind}_{back}") for kind, back in zip(types, BACKS, strict=False)]
    return table(seats=seats, hordes={"left": cards}, **{"barricades": {}, **values})


BACKS = ("left", "center", "right")


def test_all_types_are_tested_here():
    """GW-9.8"""
    assert {*WITHOUT, *TESTED} == set(TYPES)
    assert {kind for kind, card in TYPES.items() if card.ability.kind == "none"} == set(WITHOUT)


@pytest.mark.parametrize("kind", TYPES)
def test_each_type_comes_with_each_section_on_its_back(kind):
    """GW-9.8"""
    cards = [card for card in decks.HORDES.values() if card.type == kind]
    assert [card.invasion for card in cards] == list(BACKS)


@pytest.mark.parametrize("kind", TYPES)
def test_a_card_without_others_has_its_own_power(kind):
    """GW-13.3"""
    assert winter.power(left(kind), "left") == TYPES[kind].power


def test_leaders_halve_the_defense_one_after_the_other():
    """GW-13.3, GW-18.8: the worked example WE13."""
    state = left("leader", "leader", walls={"left": 1}, barricades={"left": 2})
    assert (winter.defense(state, "left"), winter.power(state, "left")) == (2, 4)
    assert winter.defense(left("scouts", walls={"left": 1}, barricades={"left": 2}), "left") == 9


def test_axemen_take_from_what_barricades_are_worth():
    """GW-18.8"""
    state = left("axemen", walls={"left": 1}, barricades={"left": 3})
    assert winter.defense(state, "left") == 5 + 3
    both = left("axemen", "axemen", "axemen", walls={"left": 1}, barricades={"left": 3})
    assert winter.defense(both, "left") == 5


def test_shamans_make_all_cards_of_their_section_more_lethal():
    """GW-4.2, GW-18.8"""
    state = left("scouts", "shamans", "shamans", slot=3)
    assert [defeat.lethality(state, place) for place in state.places()] == [4, 4, 4]
    assert [defeat.lethality(p, one) for p in (left("scouts"),) for one in p.places()] == [1]


def test_ravagers_are_more_lethal_themselves():
    """GW-4.2, GW-18.8"""
    state = left("ravagers", "scouts")
    assert [defeat.lethality(state, place) for place in state.places()] == [2, 1]


def test_iron_guards_are_stronger_for_each_other_card():
    """GW-18.8"""
    assert winter.power(left("iron_guard", "scouts", "scouts"), "left") == 4 + 2 + 2 + 2
    assert winter.power(left("iron_guard", "iron_guard"), "left") == 4 + 4 + 1 + 1


def test_banner_guards_strengthen_every_other_card():
    """GW-18.8"""
    assert winter.power(left("standard_bearers", "scouts", "scouts"), "left") == 2 + 3 + 3


def test_horse_archers_are_not_wounded_by_archers():
    """GW-10.5, GW-18.8"""
    state = left("horse_archers")
    state.clans[0].firing = (1, 0, 0)
    assert begun(state, year.Ask(step=charging("archer", "firing"))).agenda == []
    wounding = soldiers.Wounding((0,), left=1, first_row=True, sections=("left",))
    assert after(begun(state, wounding), moves.Wound(0, "left", 0, 1)).agenda == []
    state.clans[0].rest = ((1, 0, 0), (0, 0, 0), (0, 0, 0))
    assert after(begun(state, charging("spearman")), charge(3)).agenda == []


def test_raiders_plunder_when_their_section_is_breached():
    """GW-13.6, GW-18.8"""
    state = left("raiders", "raiders", shame=30)
    for clan in state.clans:
        clan.resources = (5, 0, 0, 0)
    new = begun(state, year.Assault(section="left"))
    while new.agenda:
        seat = new.agenda[-1].seats[0]
        new = after(new, moves.PutShame(seat, "spearman"))
    assert [clan.resources for clan in new.clans] == [(3, 0, 0, 0)] * 3


def test_riders_swap_with_the_card_in_front_of_them_once_in_a_section():
    """GW-13.7, GW-18.8"""
    state = begun(left("scouts", "riders", "riders"), year.EndWinter())
    assert [one.card for one in state.hordes[0]] == ["riders_center", "scouts_left", "riders_right"]
    state = begun(left("riders", "scouts"), year.EndWinter())
    assert [one.card for one in state.hordes[0]] == ["riders_left", "scouts_center"]
    before = left("riders", "scouts", "riders")
    assert begun(before, year.EndWinter()).hordes == before.hordes


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


def test_each_artifact_scores_what_it_says():
    """GW-9.9, GW-13.9"""
    state = table(RICH, **OWN)
    parts = breakdown(state, 0)
    assert {card: parts[card] for card in decks.ARTIFACTS} == ARTIFACTS
    assert parts["hordes"] == decks.HORDES["leader_left"].honor  # without Shame on it
    assert set(counted(breakdown(state, 1))) == {"canal_chart"}


def test_a_claimed_card_is_worth_what_its_type_says():
    """GW-13.9, GW-11.5"""
    honor = {"leader": 5, "scouts": 3, "horse_archers": 4, "raiders": 4, "axemen": 5}
    honor |= {"lancers": 6, "shamans": 4, "heavy_cavalry": 8, "standard_bearers": 5}
    honor |= {"riders": 5, "ravagers": 6, "iron_guard": 7}
    assert set(honor) == {kind for kind, card in TYPES.items() if not card.set.startswith("coop")}
    for kind, worth in honor.items():
        state = table({"claimed": (Claim(f"{kind}_left"),)})
        assert counted(breakdown(state, 0)) == {"hordes": worth}


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


@pytest.mark.parametrize(
    ("kind", "rewards"), [row for row in REWARDS.items() if row[0] != "pike_square"]
)
def test_all_spots_of_a_card_bring_what_is_printed(kind, rewards):
    """GW-9.8, GW-10.6"""
    before = left(kind)
    before.clans[0].rest = ((10, 0, 0), (0, 0, 0), (0, 0, 0))
    spots = list(before.hordes[0][0].free())
    state = begun(before, charging("spearman", left=len(spots)))
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
        state = left("scouts", "scouts")
        state.clans[0] = table(own).clans[0]
        return state

    return make


def test_spearmen_cannot_attack_some_cards(able):
    """GW-18.8"""
    state = able("no_spearmen", rest={"left": {"spearman": 1, "horseman": 1}})
    assert begun(state, year.Ask(step=charging("spearman"))).agenda == []
    assert begun(state, year.Ask(step=charging("horseman"))).agenda != []


def test_some_cards_take_a_toll_while_they_are_first(able):
    """GW-13.1, GW-18.8"""
    state = able("toll_while_first", 2, resources={"wood": 3}, honor=0)
    new = begun(state, year.Winter())
    assert new.clans[0].has("wood") == 1
    state.hordes = (state.hordes[0][::-1], (), ())
    assert begun(state, year.Winter()).clans[0].has("wood") == 3


def test_some_cards_kill_archers_at_the_start_of_winter_while_they_are_first(able):
    """GW-13.1, GW-18.8"""
    state = able("kill_firing_on_winter", 1, firing={"left": 2, "right": 1})
    step = year.Snipe(clan=0, section="left", amount=1)
    assert change(state, begun(state, step)) == {"firing left": -1, "pool archer": 1}
    winter_comes = begun(state, year.Winter())
    assert winter_comes.clans[0].firing == (1, 0, 1)
    state.hordes = (state.hordes[0][::-1], (), ())
    assert begun(state, year.Winter()).clans[0].firing == (2, 0, 1)


def test_some_cards_kill_whoever_attacks_them_first_in_a_turn(able):
    """GW-10.9, GW-18.8"""
    state = able("kill_on_attack", 1, rest={"left": {"spearman": 3}})
    new = after(begun(state, charging("spearman")), charge(8))
    assert change(state, new)["pool spearman"] == 1
    assert change(state, new)["wounds scouts_left"] == 1
    again = after(begun(new, charging("spearman")), charge(9))
    assert change(new, again)["covered scouts_left"] == 1
    again.active = 0
    ended = begun(again, year.EndTurn())
    third = after(begun(ended, charging("spearman")), charge(2))
    assert change(ended, third)["pool spearman"] == 1


def test_all_abilities_of_horde_cards_are_tested_here():
    """GW-18.8"""
    fixed = {"no_spearmen", "toll_while_first", "kill_firing_on_winter", "kill_on_attack"}
    assert {card.ability.kind for card in TYPES.values()} | fixed == set(get_args(AbilityKind))
