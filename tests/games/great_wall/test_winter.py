"""Winter: GW-13.1 to GW-13.7."""

from domain.games.great_wall import moves
from domain.games.great_wall.events import hordes, soldiers, supply
from domain.games.great_wall.rules import winter
from domain.games.great_wall.state import steps
from tests.games.great_wall.course import after, begin
from tests.games.great_wall.game import (
    events_of_steps,
    kinds,
    legal_moves_of,
    of,
    plan_of,
    refusal_of,
)
from tests.games.great_wall.situations import full_table
from tests.games.great_wall.table import horde, table
from tests.support.for_each import for_each


def test_shooting_comes_first_then_a_check_then_the_assaults():
    """GW-13.1, GW-13.2, GW-13.3"""
    order = plan_of(table(), steps.Winter())
    assert order == [
        *["Shooting"] * 3,
        "DefeatCheck",
        *["Assault"] * 3,
        "EndWinter",
        "EndCheck",
    ]


def shooting(*clans, laid, **values):
    state = table(*clans, hordes={"left": laid}, walls={"left": 3}, **values)
    return begin(state, steps.Shooting(section="left"))


def shot(seat, spot, row=0):
    return moves.Attack(seat, "archer", "firing", "left", row, (spot,))


def test_all_archers_of_a_section_shoot_in_tea_order():
    """GW-10.2, GW-13.2"""
    two, one = {"firing": {"left": 2}}, {"firing": {"left": 1}}
    state = shooting(two, one, laid=[horde("lancers_left")], tea=(1, 0, 2))
    assert state.agenda[-1].seats == (1,)
    assert refusal_of(state, moves.Done(1)) == ("GW-9.7", "must_attack")
    state = after(state, shot(1, 1), shot(0, 2))
    assert refusal_of(state, moves.Done(0)) == ("GW-9.7", "must_attack")
    assert after(state, shot(0, 3)).agenda == []


def test_archers_do_not_shoot_if_there_is_nothing_to_wound():
    """GW-13.2"""
    laid = [horde("horse_archers_left"), horde("scouts_left", 4)]
    assert shooting({"firing": {"left": 2}}, laid=laid).agenda == []


def test_soldiers_in_rest_zones_do_not_shoot():
    """GW-13.2"""
    resting = {"rest": {"left": {"archer": 2}}}
    assert shooting(resting, laid=[horde("scouts_left")]).agenda == []


@for_each(
    ("level", "barricades", "laid", "power", "defense"),
    [
        (0, 0, ["scouts_left"], 2, 0),
        (1, 2, ["lancers_left", "scouts_left"], 7, 9),
        (1, 2, ["leader_left", "leader_right"], 4, 2),
        (2, 3, ["axemen_left"], 4, 13),
        (2, 3, ["axemen_left", "axemen_right"], 8, 10),
        (0, 3, ["iron_guard_left", "scouts_left", "scouts_right"], 4 + 2 + 2 + 2, 6),
        (0, 3, ["standard_bearers_left", "scouts_left", "scouts_right"], 2 + 3 + 3, 6),
        (3, 0, [], 0, 15),
    ],
)
def test_power_is_compared_with_defense(level, barricades, laid, power, defense):
    """GW-13.3, GW-18.8"""
    state = table(
        hordes={"left": [horde(card) for card in laid]},
        walls={"left": level},
        barricades={"left": barricades},
    )
    assert (winter.power(state, "left"), winter.defense(state, "left")) == (power, defense)


def test_power_up_to_the_defense_does_nothing():
    """GW-13.4"""
    state = table(hordes={"left": [horde("heavy_cavalry_left")]}, barricades={"left": 3})
    assert events_of_steps(state, steps.Assault(section="left")) == [
        hordes.SectionHeld("left", 6, 6)
    ]


def breach(*clans, laid, **values):
    """A table whose left Section is breached."""
    state = table(*clans, hordes={"left": laid}, barricades={}, **values)
    return begin(state, steps.Assault(section="left"))


def test_more_power_than_defense_breaches_the_section():
    """GW-13.5, GW-13.6"""
    state = table(hordes={"left": [horde("scouts_left")]}, barricades={})
    events = events_of_steps(state, steps.Assault(section="left"))
    assert events[0] == hordes.SectionBreached("left", 2, 0)


def test_a_clan_gets_a_token_for_each_card_without_its_soldiers():
    """GW-13.6"""
    pools = [{"pool": {"spearman": 9}} for _ in range(3)]
    laid = [horde("scouts_left", by0=(2,)), horde("raiders_left", by0=(2,), by1=(3,))]
    state = breach(*pools, laid=laid, slot=1)
    assert [clan.shame for clan in state.clans] == [0, 1, 2]


def test_as_many_die_on_each_card_as_it_is_lethal_and_all_archers_there_in_one_batch():
    """GW-4.2, GW-13.6"""
    own = {"firing": {"left": 1, "right": 1}, "rest": {"left": {"spearman": 1}}}
    two = horde("scouts_left", by0=(2,)).with_soldier(0, (3,))
    state = table({**own, "pool": {}}, hordes={"left": [two]}, barricades={}, slot=1)
    events = events_of_steps(state, steps.Casualties(section="left", clans=(0,)))
    (killed,) = of(soldiers.SoldiersKilled, events)
    assert sorted(unit.place for unit in killed.killed) == ["firing", "horde"]
    after_it = begin(state, steps.Casualties(section="left", clans=(0,)))
    assert after_it.hordes[0][0].count_covered(0) == 1
    assert after_it.clans[0].resting("left") == (1, 0, 0)
    assert after_it.clans[0].firing == (0, 0, 1)


def test_raiders_take_a_resource_of_each_after_the_kills():
    """GW-13.6, GW-18.8"""
    clans = ({"resources": {"wood": 1}}, {"resources": {"wood": 1, "chi": 1}}, {})
    pools = [{**clan, "pool": {"spearman": 9}} for clan in clans]
    state = breach(*pools, laid=[horde("raiders_left")])
    assert state.clans[0].resources == (0, 0, 0, 0)
    assert state.agenda[-1].seats == (1,)
    assert {one.resource for one in legal_moves_of(state, moves.LoseResource, 1)} == {"wood", "chi"}
    other = moves.LoseResource(1, "gold")
    assert refusal_of(state, other) == ("GW-18.6", "not_there")


def test_rest_zones_are_safe_and_a_section_without_horde_cards_is_too():
    """GW-13.3, GW-13.6"""
    state = table({"rest": {"left": {"spearman": 2}}}, barricades={})
    assert events_of_steps(state, steps.Assault(section="left")) == []


def test_barricades_are_discarded_and_riders_push_forward_once_in_each_section():
    """GW-13.7"""
    laid = {
        "left": [horde("scouts_left"), horde("riders_left"), horde("riders_right")],
        "right": [horde("riders_center")],
    }
    state = table(hordes=laid)
    events = events_of_steps(state, steps.EndWinter())
    assert events == [hordes.BarricadesGone(), hordes.HordesSwapped("left", 1, "riders_left")]
    new = begin(state, steps.EndWinter())
    assert [place.horde.card for place in new.hordes_on_board()][:3] == [
        "riders_left",
        "scouts_left",
        "riders_right",
    ]
    assert new.barricades == (0, 0, 0)


def test_a_shield_takes_away_a_token_of_each_breach():
    """GW-13.6, GW-18.5"""
    pools = [{"pool": {"spearman": 9}} for _ in range(3)]
    pools[0]["active"] = ("envoy",)
    state = table(*pools, hordes={"left": [horde("scouts_left")]}, barricades={}, slot=1)
    events = events_of_steps(state, steps.Assault(section="left"))
    assert [event.seat for event in of(supply.ShameTaken, events)] == [1, 2]
    assert "SoldiersKilled" not in kinds(events)


def test_a_clan_with_soldiers_on_all_horde_cards_of_a_breach_gets_no_token():
    """GW-13.6"""
    plan = plan_of(full_table(), steps.Assault(section="left"))
    assert plan.count("GainShame") == 2  # the first seat covers some spots of both cards
