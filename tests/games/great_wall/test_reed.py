"""Two players and the Reed Clan: chapter 15."""

import pytest

from domain.games.great_wall import board, moves
from domain.games.great_wall.events import clerks, hordes, soldiers, supply
from domain.games.great_wall.rules import reed as rules
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks as clerk_steps
from domain.games.great_wall.state.agenda import effects
from domain.games.great_wall.state.agenda import soldiers as soldier_steps
from domain.games.great_wall.state.hordes import PlacedSoldier
from tests.games.great_wall.course import after, begin, change
from tests.games.great_wall.game import (
    events_of,
    events_of_steps,
    kinds,
    legal_moves_of,
    new_table,
    of,
    refusal_of,
)
from tests.games.great_wall.table import horde, table
from tests.support.for_each import for_each

REED = 2
HOME = {"lumber_mill": 1, "quarry": 1, "gold_mine": 1}


def two(*clans, clerks=None, **values):
    """A table of two, where the Reed Clan has clerks on these Locations."""
    mine = [*clans, *({} for _ in range(REED - len(clans)))]
    reed = {"clerks": dict.fromkeys(clerks or HOME, 1), **values.pop("reed", {})}
    return table(*mine, reed, seats=2, tea=values.pop("tea", (0, 1, REED)), **values)


def resolve(location, *clans, active=0, **values):
    """The resolution of this Location, where the Reed Clan has a clerk."""
    state = two(*clans, clerks=[location], active=active, **values)
    return state, clerk_steps.ResolveLocation(location=location, advanced=True)


def test_the_reed_clan_has_three_clerks_ten_spearmen_and_no_more():
    """GW-15.1, GW-15.2"""
    state = new_table(2)
    reed = state.clans[REED]
    assert state.reed == REED
    assert {place: reed.at(place) for place in board.LOCATIONS if reed.at(place)} == HOME
    assert (reed.pool, reed.resources, reed.clerks_pool) == ((10, 0, 0), (0, 0, 0, 0), 0)
    assert [new_table(seats).reed for seats in (3, 4, 5)] == [None] * 3


@pytest.mark.parametrize(("active", "tea", "overlord"), [(1, (0, 1, 2), 1), (2, (2, 1, 0), 1)])
def test_the_overlord_is_the_active_player_or_the_highest(active, tea, overlord):
    """GW-15.3"""
    assert rules.overlord(two(active=active, tea=tea)) == overlord


def test_its_clerks_stand_alone_and_cannot_leave_a_full_location():
    """GW-15.4"""
    state = begin(
        two({"clerks": {"quarry": 3}}, active=0), clerk_steps.MoveReedClerks((0,), left=2)
    )
    assert refusal_of(state, moves.MoveClerk(0, "temple", "quarry")) == ("GW-6.2", "full")
    there = moves.MoveClerk(0, "gold_mine", "lumber_mill")
    assert refusal_of(state, there) == ("GW-15.4", "one_each")
    assert refusal_of(state, moves.MoveClerk(0, "temple")) == ("GW-15.4", "no_clerk")
    moved = after(state, moves.MoveClerk(0, "temple", "lumber_mill"))
    back = moves.MoveClerk(0, "lumber_mill", "temple")
    assert refusal_of(moved, back) == ("GW-15.4", "no_clerk")
    assert {one.to for one in legal_moves_of(moved, moves.MoveClerk)}.isdisjoint(
        ["temple", "gold_mine"]
    )


def test_its_clerks_stay_when_a_location_is_resolved():
    """GW-6.5, GW-15.4"""
    state, step = resolve("academy", {"clerks": {"academy": 1}})
    assert events_of_steps(state, step)[-1] == clerks.ClerksReturned("academy", (1, 0, 0))


def test_its_card_takes_the_leftmost_free_slot():
    """GW-7.2, GW-15.5"""
    clans = ({"shown": "economy", "hand": ()}, {"shown": "betrayal", "hand": ()})
    state = begin(two(*clans, tea=(0, 2, 1)), steps.PlaceCommands())
    state = after(state, moves.LayCommand(0, 2))
    assert [laid.clan for laid in state.track] == [REED, 1, 0]


def test_on_its_turn_its_clerks_move_first_and_then_all_others():
    """GW-15.5"""
    state = two(track=[(REED, rules.CARD)], tea=(1, 2, 0))
    state = begin(state, steps.TakeTurn(slot=0))
    assert state.agenda[-1] == clerk_steps.MoveReedClerks((1,), left=2)
    order = []
    for _ in range(3):
        order.append(state.agenda[-1].seats)
        state = after(state, moves.Done(*state.agenda[-1].seats))
    assert order == [(1,), (1,), (0,)]


def test_on_its_turn_each_moves_two_clerks_to_two_locations():
    """GW-15.5"""
    state = begin(two(track=[(REED, rules.CARD)]), steps.TakeTurn(slot=0))
    state = after(state, moves.Done(0))
    for seat in (0, 1):
        state = after(state, moves.MoveClerk(seat, "academy"))
        there = moves.MoveClerk(seat, "academy")
        assert refusal_of(state, there) == ("GW-6.2", "wrong_spread")
        state = after(state, moves.MoveClerk(seat, "embassy"))
    assert [clan.clerks_pool for clan in state.clans[:2]] == [3, 3]


def test_the_overlord_orders_the_locations_on_its_turn():
    """GW-15.3, GW-15.5"""
    clans = ({"clerks": {"academy": 1}}, {"clerks": {"logistics": 1}})
    state = begin(two(*clans, active=REED, tea=(1, 2, 0)), clerk_steps.ActivationStep())
    assert state.agenda[-1].seats == (1,)


@pytest.mark.parametrize(("card", "asked"), [("economy", True), ("attack_order", False)])
def test_in_a_part_for_others_it_may_move_clerks_in_tea_order(card, asked):
    """GW-15.6"""
    state = two(track=[(0, card)], active=0)
    new = begin(state, steps.CommandPart(clan=REED, slot=0, part="others"))
    assert [type(step).__name__ for step in new.agenda] == ["MoveReedClerks"] * asked
    assert not asked or new.agenda[-1].seats == (0,)


@for_each(
    ("location", "resource"), [("lumber_mill", "wood"), ("quarry", "stone"), ("gold_mine", "gold")]
)
def test_it_fills_the_warehouse(location, resource):
    """GW-15.7"""
    events = events_of_steps(*resolve(location))
    assert of(supply.WarehouseStocked, events) == [supply.WarehouseStocked(REED, {resource: 1})]


def test_in_the_temple_the_active_player_may_return_a_token():
    """GW-15.7"""
    ashamed = {"shamed": {"spearman": 2}}
    state = begin(*resolve("temple", ashamed))
    new = after(state, moves.ReturnShame(0, "spearman"))
    assert (new.agenda, new.clans[0].shame) == ([], 1)
    assert begin(*resolve("temple", ashamed, active=REED)).agenda == []


def test_in_the_embassy_an_advisor_is_discarded():
    """GW-15.7"""
    track = ("herald", "spy", "tea_master", "carpenter")
    state = begin(*resolve("embassy", advisors=track))
    away = moves.DiscardAdvisor(0, "fletcher")
    assert refusal_of(state, away) == ("GW-15.7", "no_advisor")
    assert kinds(events_of(state, moves.DiscardAdvisor(0, "spy")))[:2] == [
        "AdvisorsDiscarded",
        "AdvisorRevealed",
    ]


def test_at_the_builders_it_gets_a_free_barricade_without_honor():
    """GW-15.7"""
    state = begin(*resolve("builders", barricades={"center": 2, "right": 1}))
    new = after(state, moves.BuildBarricade(0, "center"))
    assert change(state, new) == {"barricades center": 1}
    assert new.clans[REED].honor == 0
    full = begin(*resolve("builders", barricades={"center": 3, "right": 2}))
    assert (full.agenda, full.barricades) == ([], (0, 3, 3))


def test_in_the_barracks_a_spearman_takes_any_spot_that_it_can():
    """GW-15.7"""
    laid = {"center": [horde("scouts_center"), horde("raiders_center")]}
    state = begin(*resolve("barracks", hordes=laid))
    spots = {(one.section, one.row, one.spots[0]) for one in legal_moves_of(state, moves.Attack)}
    assert spots == {("center", 0, spot) for spot in (2, 3, 8, 9)}
    attack = moves.Attack(0, "spearman", "pool", "center", 0, (2,))
    new = after(state, attack)
    assert list(new.hordes[1][0].soldiers()) == [PlacedSoldier(REED, "spearman", 2)]
    assert new.clans[REED].pool == (9, 0, 0)
    assert change(state, new) == {}
    assert begin(*resolve("barracks")).agenda == []


def test_at_the_tea_house_it_moves_like_all_others():
    """GW-15.7"""
    clans = ({"clerks": {}}, {"clerks": {"tea_house": 1}})
    assert begin(*resolve("tea_house", *clans, tea=(0, 1, 2))).tea == (1, 2, 0)


def test_a_card_that_it_defeats_is_discarded_and_its_soldiers_return_to_the_pool():
    """GW-15.8"""
    card = horde("scouts_center", 1, by2=(3,)).with_soldier(REED, (8,)).with_soldier(0, (9,))
    state = two({"pool": {}}, hordes={"center": [card]}, reed={"pool": {"spearman": 8}})
    events = events_of_steps(state, soldier_steps.DefeatCheck())
    (defeated,) = of(hordes.HordeDefeated, events)
    assert (defeated.defeater, [one.clan for one in defeated.credits]) == (REED, [0])
    new = begin(state, soldier_steps.DefeatCheck())
    assert new.horde_discard == ("scouts_center",)
    assert new.clans[REED].pool == (10, 0, 0)
    assert new.clans[REED].rest == ((0, 0, 0),) * 3


def test_its_soldiers_die_without_being_saved():
    """GW-13.6, GW-15.8"""
    card = horde("scouts_center", by2=(3,)).with_soldier(REED, (8,))
    state = two(hordes={"center": [card]}, reed={"pool": {"spearman": 8}})
    events = events_of_steps(state, steps.Casualties(section="center", clans=(REED,)))
    assert kinds(events) == ["SoldiersKilled"]
    assert len(of(soldiers.SoldiersKilled, events)[0].killed) == 1


def test_a_raid_counts_only_players():
    """GW-5.3, GW-15.9"""
    laid = {
        "center": [horde(f"{kind}_center") for kind in ("leader", "scouts", "raiders")],
        "right": [horde("leader_right")],
    }
    state = two(hordes=laid, horde_deck=("axemen_right", "axemen_center"), indicator="right")
    (raid,) = of(hordes.RaidMade, events_of_steps(state, steps.PlaceHordes(left=1)))
    assert raid.tokens == 2


def test_in_the_temple_no_token_is_returned_without_an_active_player():
    """GW-1.9, GW-15.7"""
    assert begin(*resolve("temple", {"shamed": {"spearman": 2}}, active=None)).agenda == []


def test_a_player_who_becomes_highest_on_its_turn_orders_the_other_locations():
    """GW-15.3, GW-15.5"""
    clans = ({"clerks": {"academy": 1}}, {"clerks": {"tea_house": 2, "logistics": 1}})
    state = begin(two(*clans, active=REED, tea=(0, 1, 2)), clerk_steps.ActivationStep())
    assert state.agenda[-1].seats == (0,)
    state = after(state, moves.ActivateLocation(0, "tea_house"))
    assert state.tea == (1, 0, 2)
    assert state.agenda[-1] == clerk_steps.OrderActivations((1,), waiting=("logistics", "academy"))


def test_its_card_cannot_be_copied():
    """GW-9.6, GW-15.9"""
    state = begin(
        two(track=[(REED, rules.CARD), (0, "betrayal"), (1, "economy")]),
        effects.CopyCommand((0,)),
    )
    assert legal_moves_of(state, moves.CopyCard) == [moves.CopyCard(0, 2)]
    assert refusal_of(state, moves.CopyCard(0, 0)) == ("GW-9.6", "not_to_be_copied")
    alone = two(track=[(REED, rules.CARD), (0, "betrayal"), (1, "betrayal")])
    state = begin(alone, effects.Perform(clan=0, script="commands/betrayal/first"))
    assert isinstance(state.agenda[-1], clerk_steps.MoveClerks), "nothing else can be chosen"


def test_without_a_spearman_in_its_pool_nothing_happens_in_the_barracks():
    """GW-15.2, GW-15.7"""
    laid = {"center": [horde("scouts_center")]}
    state, step = resolve("barracks", hordes=laid, reed={"pool": {}})
    assert begin(state, step).agenda == []
    asked = begin(state, soldier_steps.ReedSpearman((0,)))
    attack = moves.Attack(0, "spearman", "pool", "center", 0, (2,))
    assert legal_moves_of(asked, moves.Attack) == []
    assert refusal_of(asked, attack) == ("GW-15.7", "no_spearman")
    ridden = moves.Attack(0, "horseman", "pool", "center", 0, (2, 3))
    assert refusal_of(asked, ridden) == ("GW-15.7", "no_spearman")
