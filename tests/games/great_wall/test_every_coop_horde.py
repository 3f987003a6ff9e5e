"""Each type of Horde card of the cooperative game and its ability: GW-9.8, GW-16.1, GW-18.8."""

from domain.games.great_wall import moves
from domain.games.great_wall.rules import winter
from domain.games.great_wall.rules.war import defeat
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import soldiers, supply
from tests.games.great_wall.course import after, begin, change
from tests.games.great_wall.test_every_horde import REWARDS, charge, charging, left_section
from tests.support.for_each import for_each


def rich(*types):
    """A Section with these cards of the cooperative game, and clans with wood and chi."""
    state = left_section(*types, mode="coop", shame=30, tea=(2, 0, 1))
    for clan in state.clans:
        clan.resources = (5, 0, 0, 5)
    return state


def lose_chi(state, count):
    """Let all seats that are asked lose this much chi."""
    for seat in (2, 0, 1):
        state = after(state, *[moves.LoseResource(seat, "chi")] * count)
    return state


def test_foragers_in_the_first_row_take_a_resource_of_each_player_at_the_start_of_winter():
    """GW-13.1, GW-18.8"""
    new = lose_chi(begin(rich("foragers", "foragers"), steps.Winter()), 1)
    assert [clan.resources for clan in new.clans] == [(5, 0, 0, 4)] * 3
    assert not isinstance(new.agenda[-1], supply.LoseResources)


def test_looters_take_two_resources_of_each_player_when_their_section_is_breached():
    """GW-13.6, GW-18.8"""
    new = begin(rich("looters"), steps.Assault(section="left"))
    for seat in (2, 0, 1):
        new = after(new, moves.PutShame(seat, "spearman"))
    assert [clan.resources for clan in lose_chi(new, 2).clans] == [(5, 0, 0, 3)] * 3


def test_no_spearman_attacks_a_pike_square():
    """GW-18.8"""
    state = left_section("pike_square", mode="coop")
    state.clans[0].rest = ((1, 0, 1), (0, 0, 0), (0, 0, 0))
    assert begin(state, steps.Ask(step=charging("spearman"))).agenda == []
    riding = moves.Attack(0, "horseman", "rest", "left", 0, (1, 2))
    assert after(begin(state, charging("horseman")), riding).agenda == []


def test_headhunters_kill_one_of_the_first_attackers():
    """GW-10.9, GW-18.8"""
    state = left_section("headhunters", mode="coop", active=0)
    state.clans[0].rest = ((2, 0, 0), (0, 0, 0), (0, 0, 0))
    once = after(begin(state, charging("spearman")), charge(1))
    assert (once.hordes[0][0].count_covered(0), once.clans[0].pool[0]) == (0, 11)
    again = after(begin(once, charging("spearman")), charge(2))
    assert again.hordes[0][0].count_covered(0) == 1


def test_sharpshooters_in_the_first_row_kill_an_archer_of_each_player():
    """GW-13.1, GW-18.8"""
    state = left_section(
        "sharpshooters", "sharpshooters", mode="coop", walls={"left": 3, "right": 1}
    )
    for clan in state.clans:
        clan.firing = (2, 0, 1)
    new = begin(state, *winter.plan(state))
    assert [clan.firing for clan in new.clans] == [(1, 0, 1)] * 3


def test_outriders_swap_with_the_card_in_front_of_them():
    """GW-13.7, GW-18.8"""
    state = begin(left_section("tumen_host", "outriders", mode="coop"), steps.EndWinter())
    assert [one.card for one in state.hordes[0]] == ["outriders_center", "tumen_host_left"]


def test_the_keshig_are_more_lethal_themselves():
    """GW-4.2, GW-18.8"""
    state = left_section("keshig", "tumen_host", mode="coop")
    assert [defeat.lethality(state, place) for place in state.hordes_on_board()] == [2, 1]


def test_war_engineers_lower_the_defense_of_barricades():
    """GW-18.8"""
    state = left_section("war_engineers", mode="coop", walls={"left": 1}, barricades={"left": 3})
    assert winter.defense(state, "left") == 5 + 3


@for_each(
    ("kind", "worth"),
    {
        "tumen_host": 3,
        "vanguard": 5,
        "foragers": 3,
        "looters": 4,
        "pike_square": 4,
        "headhunters": 4,
        "sharpshooters": 4,
        "outriders": 4,
        "keshig": 6,
        "war_engineers": 5,
    }.items(),
)
def test_a_claimed_card_of_the_cooperative_game_brings_its_honor_at_once(kind, worth):
    """GW-16.9"""
    state = left_section(kind, mode="coop")
    new = begin(state, soldiers.TakeAway(card=f"{kind}_left", defeater=1))
    assert (new.clans[1].honor, new.clans[1].defeated) == (worth, (f"{kind}_left",))


def test_all_spots_of_a_pike_square_bring_their_printed_rewards():
    """GW-9.8, GW-10.6: to Horsemen, as no Spearman attacks it."""
    before = left_section("pike_square", mode="coop")
    before.clans[0].rest = ((0, 0, 3), (0, 0, 0), (0, 0, 0))
    state = begin(before, charging("horseman", left=3))
    for spot in (1, 2, 3):
        state = after(state, moves.Attack(0, "horseman", "rest", "left", 0, (spot, spot + 6)))
    rewards = REWARDS["pike_square"]
    gained = change(before, state)
    assert {name: gained[name] for name in rewards} == rewards
