"""Soldiers of Qin Jiushao: GW-14.8, GW-14.9, GW-14.11."""

import pytest
from msgspec.structs import replace

from domain.games.great_wall import moves
from domain.games.great_wall.cards import decks
from domain.games.great_wall.cards.hordes import Ability
from domain.games.great_wall.events import hordes, soldiers
from domain.games.great_wall.rules import winter
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import effects, supply
from domain.games.great_wall.state.agenda import soldiers as soldier_steps
from domain.games.great_wall.state.clans import Claim
from domain.games.great_wall.state.hordes import WOUND
from tests.games.great_wall.alone import QIN, REED, deeds_of_qin, solo_table
from tests.games.great_wall.course import after, begin
from tests.games.great_wall.game import events_of_steps, kinds, of
from tests.games.great_wall.table import horde

TWO_SPEARMEN = effects.Perform(clan=QIN, script="solo/solo_raise_banners/last")
ONE_SPEARMAN = effects.Perform(clan=QIN, script="solo/solo_attack_order/last")
ARCHER_AND_SHOTS = effects.Perform(clan=QIN, script="solo/solo_attack_order/first")


def spots_covered(state, section, row=0):
    """The first spots of his soldiers on a Horde card."""
    return [one.spot for one in state.horde_cards(section)[row].soldiers(QIN)]


def spots_wounded(state, section, row=0):
    """The spots with Wound markers."""
    spots = state.horde_cards(section)[row].spots
    return [spot for spot, what in enumerate(spots) if what == WOUND]


def test_we23_a_spearman_where_the_indicator_points():
    """GW-14.8"""
    state = solo_table(hordes={"right": [horde("scouts_right", 1)]}, horde_deck=("raiders_right",))
    events = events_of_steps(state, ONE_SPEARMAN)
    assert deeds_of_qin(events) == [("recruit", "GW-14.8")]
    new = begin(state, ONE_SPEARMAN)
    assert spots_covered(new, "right") == [3], "0,3, whose reward of one honor he does not take"
    assert new.clans[QIN].honor == 2
    assert new.clans[QIN].pool == (7, 4, 0)


def test_each_spearman_takes_the_first_free_spot_in_reading_order():
    """GW-14.8"""
    state = solo_table(hordes={"right": [horde("raiders_right", 1)]})
    new = begin(state, TWO_SPEARMEN)
    assert spots_covered(new, "right") == [3, 8]
    assert new.clans[QIN].honor == 4


def test_a_spearman_that_cannot_attack_there_attacks_in_the_other_section():
    """GW-14.8"""
    full = horde("scouts_right", 4)
    laid = {"right": [full, horde("raiders_right")], "center": [horde("scouts_center", 3)]}
    new = begin(solo_table(hordes=laid), TWO_SPEARMEN)
    assert spots_covered(new, "center") == [9], "behind the first row no Spearman reaches"
    assert spots_covered(new, "right", 1) == []
    assert (new.clans[QIN].honor, new.clans[QIN].pool[0]) == (2, 7)


def test_a_spearman_that_can_attack_nowhere_is_not_recruited():
    """GW-14.8"""
    state = solo_table()
    assert kinds(events_of_steps(state, TWO_SPEARMEN)) == ["QinActed"]
    assert begin(state, TWO_SPEARMEN).clans[QIN].pool == (8, 4, 0)


def test_without_spearmen_in_his_pool_he_recruits_none():
    """GW-14.8, GW-14.9"""
    state = solo_table(qin={"pool": {}}, hordes={"right": [horde("scouts_right")]})
    assert kinds(events_of_steps(state, TWO_SPEARMEN)) == ["QinActed"]


def test_an_archer_takes_a_firing_spot_where_the_indicator_points_and_wounds():
    """GW-14.8"""
    laid = {"right": [horde("horse_archers_right"), horde("scouts_right")]}
    events = events_of_steps(solo_table(hordes=laid, walls={"right": 1}), ARCHER_AND_SHOTS)
    shots = of(soldiers.ArcherShot, events)
    assert [(one.origin, one.row, one.spot) for one in shots] == [("pool", 1, 2), ("firing", 1, 3)]
    new = begin(solo_table(hordes=laid), ARCHER_AND_SHOTS)
    assert spots_wounded(new, "right", 1) == [2, 3], "shots do not wound Horse Archers"
    assert (new.clans[QIN].firing, new.clans[QIN].honor) == ((0, 0, 1), 4)
    assert deeds_of_qin(events) == [("recruit", "GW-14.8"), ("shoot", "GW-14.8")]


def test_without_a_free_firing_spot_there_no_archer_is_recruited():
    """GW-14.8"""
    laid = {"right": [horde("scouts_right")], "center": [horde("scouts_center")]}
    state = solo_table({"firing": {"right": 1}}, hordes=laid)
    assert kinds(events_of_steps(state, ARCHER_AND_SHOTS)) == ["QinActed", "QinActed"]


def test_an_archer_with_nothing_to_wound_takes_its_firing_spot():
    """GW-10.5, GW-14.8"""
    new = begin(solo_table(), ARCHER_AND_SHOTS)
    assert (new.clans[QIN].firing, new.clans[QIN].honor) == ((0, 0, 1), 0)


def test_by_his_own_card_all_his_archers_shoot_in_all_sections():
    """GW-14.8"""
    laid = {"right": [horde("scouts_right")], "center": [horde("scouts_center")]}
    posted = {"firing": {"center": 1, "right": 1}, "pool": {}}
    step = effects.Perform(clan=QIN, script="solo/solo_attack_order/first", at=1)
    new = begin(solo_table(qin=posted, hordes=laid), step)
    assert [spots_wounded(new, "center"), spots_wounded(new, "right")] == [[2], [2]]


def test_each_of_several_archers_in_a_section_shoots():
    """GW-14.8, GW-14.11"""
    laid = {"right": [horde("scouts_right")]}
    posted = {"firing": {"right": 3}, "pool": {}}
    state = solo_table(qin=posted, hordes=laid, walls={"right": 2}, track=[(0, "attack_order")])
    for step in (
        effects.Perform(clan=QIN, script="solo/solo_attack_order/first", at=1),
        steps.CommandPart(clan=QIN, slot=0, part="others"),
        steps.QinShoots(section="right"),
    ):
        new = begin(state, step)
        assert (spots_wounded(new, "right"), new.clans[QIN].honor) == ([2, 3, 8], 6)


def test_horde_cards_strike_back_at_his_soldiers_as_at_others(monkeypatch):
    """GW-10.9, GW-14.9, GW-18.8"""
    struck = replace(decks.HORDES["scouts_right"], ability=Ability("kill_on_attack", 1))
    monkeypatch.setitem(decks.HORDES, "scouts_right", struck)
    new = begin(solo_table(hordes={"right": [horde("scouts_right")]}), TWO_SPEARMEN)
    assert (spots_covered(new, "right"), spots_wounded(new, "right")) == ([3], [2])
    assert (new.clans[QIN].pool, new.clans[QIN].honor) == ((7, 4, 0), 4)


def test_cards_that_kill_archers_at_the_start_of_winter_kill_his_too(monkeypatch):
    """GW-13.1, GW-14.9, GW-18.8"""
    sniping = replace(decks.HORDES["scouts_right"], ability=Ability("kill_firing_on_winter", 1))
    monkeypatch.setitem(decks.HORDES, "scouts_right", sniping)
    state = solo_table(qin={"firing": {"right": 1}}, hordes={"right": [horde("scouts_right")]})
    assert steps.Snipe(clan=QIN, section="right", amount=1) in list(winter.plan(state))


def test_by_the_humans_attack_order_his_archers_shoot_where_the_indicator_points():
    """GW-14.11"""
    laid = {"right": [horde("scouts_right")], "center": [horde("scouts_center")]}
    posted = {"firing": {"center": 1, "right": 1}, "pool": {}}
    state = solo_table(qin=posted, hordes=laid, track=[(0, "attack_order")], active=0)
    step = steps.CommandPart(clan=QIN, slot=0, part="others")
    new = begin(state, step)
    assert [spots_wounded(new, "center"), spots_wounded(new, "right")] == [[], [2]]
    assert deeds_of_qin(events_of_steps(state, step)) == [("shoot", "GW-14.11")]


def test_by_a_betrayal_of_the_human_he_does_nothing():
    """GW-14.5, GW-9.6"""
    state = solo_table(track=[(0, "betrayal")], active=0)
    assert events_of_steps(state, steps.CommandPart(clan=QIN, slot=0, part="others")) == []


def test_in_winter_his_archers_shoot_in_tea_order():
    """GW-13.2, GW-14.9"""
    laid = {"right": [horde("scouts_right")]}
    state = solo_table(
        {"firing": {"right": 1}},
        {"firing": {"right": 1}},
        hordes=laid,
        walls={"right": 1},
        tea=(QIN, 0, REED),
    )
    events = events_of_steps(state, steps.Shooting(section="right"))
    assert deeds_of_qin(events) == [("shoot", "GW-14.9")]
    new = begin(state, steps.Shooting(section="right"))
    assert spots_wounded(new, "right") == [2]
    assert new.agenda[-1].seats == (0,), "then the human chooses what to wound"


def test_without_a_horde_card_in_the_deck_the_discard_shows_where_to_go():
    """GW-1.4, GW-14.8"""
    laid = {"center": [horde("scouts_center")], "right": [horde("scouts_right")]}
    shuffled = solo_table(
        hordes=laid, indicator=None, horde_deck=(), horde_discard=("raiders_right",)
    )
    events = events_of_steps(shuffled, ONE_SPEARMAN)
    assert of(hordes.HordesReshuffled, events)[0].indicator == "right"
    assert spots_covered(begin(shuffled, ONE_SPEARMAN), "right") == [2]
    none = solo_table(hordes=laid, indicator=None, horde_deck=())
    assert spots_covered(begin(none, ONE_SPEARMAN), "center") == [2]


def test_he_takes_part_in_a_defeat_claims_the_card_and_gets_his_soldiers_back():
    """GW-14.9, GW-10.11"""
    card = horde("scouts_right", by2=(2,)).with_soldier(QIN, (3,)).with_soldier(0, (8,))
    state = solo_table(
        {"pool": {"spearman": 9}, "resources": {"chi": 9}},
        {"pool": {"spearman": 6, "archer": 3}, "firing": {"right": 1}},
        hordes={"right": [card.with_wounds((9,))]},
    )
    events = events_of_steps(state, soldier_steps.DefeatCheck())
    (defeated,) = of(hordes.HordeDefeated, events)
    assert defeated.defeater == QIN
    honored = {one.clan: (one.soldiers, one.archers) for one in defeated.credits}
    assert honored == {0: (2, 0), QIN: (2, 2)}
    new = after(begin(state, soldier_steps.DefeatCheck()), moves.Done(0))
    assert new.clans[QIN].claimed == (Claim("scouts_right"),)
    assert new.clans[QIN].pool == (8, 3, 0)
    assert new.clans[QIN].rest == ((0, 0, 0),) * 3


def test_his_soldiers_die_without_being_saved():
    """GW-13.6, GW-14.9"""
    card = horde("scouts_right", by2=(2,)).with_soldier(QIN, (3,))
    state = solo_table(
        qin={"pool": {"spearman": 6, "archer": 3}, "firing": {"right": 1}},
        hordes={"right": [card]},
    )
    step = steps.Casualties(section="right", clans=(QIN,))
    events = events_of_steps(state, step)
    assert kinds(events) == ["SoldiersKilled"]
    assert begin(state, step).clans[QIN].pool == (7, 4, 0)
    assert spots_covered(begin(state, step), "right") == [3]


def test_a_breach_brings_him_no_shame():
    """GW-13.6, GW-14.9"""
    state = solo_table(
        hordes={"right": [horde("leader_right"), horde("lancers_right")]}, barricades={}
    )
    new = begin(state, steps.Assault(section="right"))
    assert [step.seat for step in new.agenda if isinstance(step, supply.GainShame)] == [0]


@pytest.mark.parametrize("winner", [0, QIN])
def test_ties_go_by_tea_order(winner):
    """GW-1.3, GW-10.11"""
    card = horde("scouts_right", 2, by0=(8,)).with_soldier(QIN, (9,))
    tea = (winner, *({0, QIN} - {winner}), REED)
    state = solo_table(
        {"pool": {"spearman": 9}}, {"pool": {"spearman": 7, "archer": 4}},
        hordes={"right": [card]}, tea=tea,
    )  # fmt: skip
    (defeated,) = of(hordes.HordeDefeated, events_of_steps(state, soldier_steps.DefeatCheck()))
    assert defeated.defeater == winner
