"""Clerks of Qin Jiushao, and of the Reed Clan under him: GW-14.6, GW-14.7, GW-14.12."""

import pytest

from domain.games.great_wall import moves
from domain.games.great_wall.events import clerks, solo, supply
from domain.games.great_wall.rules import reed as reeds
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks as clerk_steps
from domain.games.great_wall.state.agenda import effects
from domain.games.great_wall.state.setup import Options, setup
from tests.games.great_wall.alone import AWAY, QIN, REED, clerks_at, deeds_of_qin, solo_table
from tests.games.great_wall.course import after, begin, change
from tests.games.great_wall.game import events_of_steps, kinds, legal_moves_of, of
from tests.games.great_wall.table import horde
from tests.support.for_each import for_each


def moving(n, state):
    """The moves of this number of clerks of Qin by one of his cards."""
    card = {2: "raise_banners", 3: "economy", 4: "despotism"}[n]
    return begin(state, effects.Perform(clan=QIN, script=f"solo/solo_{card}/first"))


def resolving(location, state, advanced=False):
    return state, clerk_steps.ResolveLocation(location=location, advanced=advanced)


def test_we22_qin_moves_two_clerks_and_his_lowest_location_is_full():
    """GW-14.6"""
    state = solo_table(
        {"clerks": {"quarry": 3}}, reed={"clerks": {**AWAY, "academy": 0, "quarry": 1}}
    )
    new = moving(2, state)
    assert clerks_at(new, QIN) == {"barracks": 1, "temple": 1}
    assert new.clans[QIN].clerks_pool == 6


def test_he_goes_up_the_track_a_clerk_to_each_location():
    """GW-14.6"""
    assert clerks_at(moving(4, solo_table()), QIN) == {
        "quarry": 1,
        "barracks": 1,
        "temple": 1,
        "lumber_mill": 1,
    }


def test_above_the_top_he_starts_again_from_below():
    """GW-14.6"""
    full = {"lumber_mill": 4, "gold_mine": 4, "temple": 4}
    assert clerks_at(moving(4, solo_table({"clerks": full})), QIN) == {"quarry": 2, "barracks": 2}


def test_with_an_empty_pool_the_clerk_comes_from_the_highest_that_is_not_full():
    """GW-14.6"""
    there = {"lumber_mill": 4, "temple": 3, "barracks": 1}
    state = solo_table(qin={"clerks": there, "clerks_pool": 0})
    events = events_of_steps(
        state, effects.Perform(clan=QIN, script="solo/solo_raise_banners/first")
    )
    ways = [(one.origin, one.to) for one in of(clerks.ClerkMoved, events)]
    # The Lumber Mill above the Temple is full; a clerk never stays in its Location.
    assert ways == [("temple", "quarry"), ("temple", "barracks")]


def test_a_clerk_does_not_move_to_its_own_location():
    """GW-14.6"""
    there = {"lumber_mill": 4, "gold_mine": 2, "temple": 2}
    state = solo_table(
        {"clerks": {"temple": 2, "quarry": 3, "barracks": 3}},
        qin={"clerks": there, "clerks_pool": 0},
        reed={"clerks": {**AWAY, "academy": 0, "quarry": 1}},
    )
    # Only the Gold Mine has a free slot; all others with a clerk of his are full.
    events = events_of_steps(
        state, effects.Perform(clan=QIN, script="solo/solo_raise_banners/first")
    )
    assert of(clerks.ClerkMoved, events) == []


def test_he_stops_if_no_clerk_can_leave():
    """GW-14.6"""
    there = {"lumber_mill": 4, "temple": 4}
    state = solo_table(qin={"clerks": there, "clerks_pool": 0})
    assert clerks_at(moving(2, state), QIN) == there
    production = dict.fromkeys(("quarry", "temple", "lumber_mill", "gold_mine"), 4)
    nowhere = solo_table({"clerks": {**production, "barracks": 3}})
    assert clerks_at(moving(2, nowhere), QIN) == {}


@for_each("card", ["economy", "despotism", "work_harder", "raise_banners"])
def test_where_a_card_lets_others_move_he_moves_two(card):
    """GW-14.6, GW-14.5"""
    step = steps.CommandPart(clan=QIN, slot=0, part="others")
    events = events_of_steps(solo_table(track=[(0, card)], active=0), step)
    by = solo.PartOfCard(card, "others")
    assert events[0] == solo.QinActed("move", "GW-14.6", by)
    assert [one.to for one in of(clerks.ClerkMoved, events)] == ["quarry", "barracks"]


def test_on_reeds_turn_he_moves_two_clerks_in_tea_order():
    """GW-14.6, GW-15.5"""
    state = solo_table(track=[(REED, reeds.CARD)], tea=(QIN, 0, REED))
    state = begin(state, steps.TakeTurn(slot=0))
    assert state.agenda[-1] == clerk_steps.MoveReedClerks((0,), left=2)
    state = after(state, moves.Done(0))
    assert clerks_at(state, QIN) == {"quarry": 1, "barracks": 1}
    assert isinstance(state.agenda[-1], clerk_steps.MoveClerks)
    other = begin(solo_table(track=[(REED, reeds.CARD)]), steps.TakeTurn(slot=0))
    assert clerks_at(after(other, moves.Done(0)), QIN) == {}, "the human is higher"


def test_we04_two_clerks_in_a_location_with_an_overseer_of_level_two():
    """GW-14.7"""
    state = solo_table(
        {"clerks": {"quarry": 1}},
        {"clerks": {"quarry": 2}, "clerks_pool": 6, "overseers": {"quarry": 2}},
        {"clerks": {"quarry": 1, "academy": 1, "embassy": 1}},
        tokens=("chi", "gold", "wound", "wood", "stone"),
        active=0,
    )
    new = after(begin(*resolving("quarry", state)), moves.Done(0))
    assert new.clans[QIN].honor == 4
    assert new.tokens == ("stone", "chi", "gold", "wound", "wood")
    assert (new.clans[QIN].clerks_pool, new.clans[QIN].at("quarry")) == (8, 0)
    assert change(state, new) == {"stone": 1, "clerks": 1, "at quarry": -1, "stored stone": 1}


def test_he_gets_neither_resources_nor_upgrades_nor_shame_in_production():
    """GW-14.7, GW-6.7"""
    state = solo_table(qin={"clerks": {"quarry": 4}, "clerks_pool": 4})
    events = events_of_steps(*resolving("quarry", state))
    assert of(solo.QinGathered, events) == [solo.QinGathered(QIN, "quarry", 4, 1, 4)]
    assert kinds(events) == ["LocationActivated", "QinGathered", "TokenRaised", "ClerksReturned"]
    assert begin(*resolving("quarry", state)).shame == 10


def test_his_clerk_keeps_the_human_from_being_alone_in_a_location():
    """GW-6.7"""
    crowd = solo_table({"clerks": {"quarry": 3}}, {"clerks": {"quarry": 1}, "clerks_pool": 7})
    own = solo_table({"clerks": {"quarry": 4}})
    asked = [begin(*resolving("quarry", one)).agenda[-1] for one in (crowd, own)]
    assert [type(step).__name__ for step in asked] == ["Donate", "PlaceShame"]


def test_in_the_barracks_each_clerk_recruits_a_spearman():
    """GW-14.7, GW-14.8"""
    state = solo_table(
        qin={"clerks": {"barracks": 2}, "clerks_pool": 6},
        hordes={"right": [horde("scouts_right")]},
    )
    new = begin(*resolving("barracks", state))
    assert new.horde_cards("right")[0].count_covered(QIN) == 2
    assert new.tokens[0] == "wound"
    assert new.clans[QIN].honor == 4
    assert deeds_of_qin(events_of_steps(*resolving("barracks", state))) == [("recruit", "GW-14.8")]


def test_an_advanced_activation_resolves_his_clerks_too():
    """GW-6.6, GW-14.7"""
    state = solo_table(qin={"clerks": {"temple": 1}, "clerks_pool": 7})
    asked = begin(state, clerk_steps.AdvancedActivation((0,), left=1, where="any"))
    assert legal_moves_of(asked, moves.ActivateLocation) == [moves.ActivateLocation(0, "temple")]
    new = after(asked, moves.ActivateLocation(0, "temple"))
    assert (new.clans[QIN].honor, new.tokens[0]) == (1, "chi")


def activating(order, **values):
    """His turn, with two full Locations of his and one of only the human."""
    state = solo_table(
        {"clerks": {"quarry": 2, "lumber_mill": 3, "academy": 1, "logistics": 1}},
        {"clerks": {"quarry": 2, "lumber_mill": 1}, "clerks_pool": 5},
        active=QIN,
        **values,
    )
    state.setup = setup(Options(mode="solo", solo_activation_order=order), 1)
    return state


@pytest.mark.parametrize(
    ("order", "first"),
    [("lowest_first", ["quarry", "lumber_mill"]), ("highest_first", ["lumber_mill", "quarry"])],
)
def test_on_his_turn_his_locations_come_first_and_the_human_orders_the_rest(order, first):
    """GW-14.7, GW-14.15"""
    events = events_of_steps(activating(order), clerk_steps.ActivationStep())
    assert [one.location for one in of(solo.QinChose, events)] == first[:1]
    assert of(solo.QinChose, events)[0].rule == "GW-14.7"
    state = begin(activating(order), clerk_steps.ActivationStep())
    while not isinstance(state.agenda[-1], clerk_steps.OrderActivations):
        state = after(state, moves.Done(0))
    assert state.agenda[-1].seats == (0,)
    assert state.agenda[-1].waiting == ("logistics", "academy")
    assert clerks_at(state, QIN) == {}


def test_a_location_of_his_track_without_his_clerks_is_for_the_human_to_order():
    """GW-14.7"""
    state = solo_table({"clerks": {"barracks": 3, "academy": 1}}, active=QIN)
    step = begin(state, clerk_steps.ActivationStep()).agenda[-1]
    assert (step.seats, step.waiting) == ((0,), ("barracks", "academy"))


def test_on_the_turn_of_others_the_human_orders_all_locations():
    """GW-6.4, GW-14.7"""
    state = activating("lowest_first")
    state.active = REED
    state = begin(state, clerk_steps.ActivationStep())
    assert set(state.agenda[-1].waiting) == {"lumber_mill", "quarry", "logistics", "academy"}


# the Reed Clan under him


def reed_moving(reed, **values):
    """The origins and destinations of its clerks by a card of his."""
    qin = values.pop("qin", {})
    state = solo_table(values.pop("human", {}), qin, {"clerks": reed}, active=QIN, **values)
    step = effects.Perform(clan=QIN, script="solo/solo_economy/others", at=1)
    events = events_of_steps(state, step)
    assert deeds_of_qin(events) == [("move_reed", "GW-14.12")]
    assert {one.clan for one in of(clerks.ClerkMoved, events)} <= {REED}
    return [(one.origin, one.to) for one in of(clerks.ClerkMoved, events)]


def test_reed_clerks_off_the_track_go_first_in_the_order_of_the_board():
    """GW-14.12"""
    there = {"academy": 1, "embassy": 1, "gold_mine": 1}
    assert reed_moving(there) == [("embassy", "quarry"), ("academy", "barracks")]


def test_after_them_reed_clerks_of_the_highest_location_of_the_track_go():
    """GW-14.12"""
    there = {"lumber_mill": 1, "gold_mine": 1, "academy": 1}
    assert reed_moving(there) == [("academy", "quarry"), ("gold_mine", "barracks")]


def test_reed_clerks_beside_qin_stay_as_long_as_others_can_go():
    """GW-14.12"""
    there = {"lumber_mill": 1, "gold_mine": 1, "temple": 1}
    his = {"clerks": {"gold_mine": 1}, "clerks_pool": 7}
    ways = [("lumber_mill", "quarry"), ("temple", "barracks")]
    assert reed_moving(there, qin=his) == ways
    everywhere = {"clerks": dict.fromkeys(there, 1), "clerks_pool": 5}
    ways = [("gold_mine", "quarry"), ("lumber_mill", "barracks")]
    assert reed_moving(there, qin=everywhere) == ways


def test_reed_clerks_only_move_down():
    """GW-14.12"""
    assert reed_moving({"quarry": 1, "barracks": 1, "temple": 1}) == []
    full = {"clerks": {"quarry": 4, "barracks": 3}}
    assert reed_moving({"lumber_mill": 1, "temple": 1, "academy": 1}, human=full) == [
        ("academy", "gold_mine")
    ]


def test_a_reed_clerk_in_a_full_location_stays_and_so_does_one_that_has_moved():
    """GW-15.4, GW-14.12, GW-6.2"""
    full = {"clerks": {"gold_mine": 3}}
    there = {"gold_mine": 1, "lumber_mill": 1, "academy": 1}
    assert reed_moving(there, human=full) == [("academy", "quarry"), ("lumber_mill", "barracks")]
    off = {"academy": 1, "quarry": 1, "barracks": 1}
    assert reed_moving(off) == [("academy", "temple")], "no other leads down"


@for_each(
    ("location", "resource"), [("lumber_mill", "wood"), ("quarry", "stone"), ("gold_mine", "gold")]
)
def test_reed_also_fills_the_warehouse_on_his_turn(location, resource):
    """GW-14.12, GW-15.7"""
    state = solo_table({"clerks": {location: 1}}, reed={"clerks": {location: 1}}, active=QIN)
    events = events_of_steps(*resolving(location, state, advanced=True))
    stocked = supply.WarehouseStocked(REED, {resource: 1}, "GW-14.12")
    assert of(supply.WarehouseStocked, events) == [stocked]


def test_on_his_turn_the_temple_of_reed_does_nothing():
    """GW-14.12, GW-15.7"""
    ashamed = {"clerks": {"temple": 1}, "shamed": {"spearman": 2}}
    step = clerk_steps.ResolveFor(clan=REED, location="temple")
    assert begin(solo_table(ashamed, active=QIN), step).agenda == []
    assert begin(solo_table(ashamed, active=0), step).agenda != []


def test_on_his_turn_the_leftmost_advisor_leaves_at_the_embassy():
    """GW-14.12"""
    track = ("herald", "spy", "tea_master", "carpenter")
    state = solo_table(active=QIN, advisors=track, advisor_deck=("fletcher",))
    events = events_of_steps(state, clerk_steps.ResolveFor(clan=REED, location="embassy"))
    assert deeds_of_qin(events) == [("reed_advisor", "GW-14.12")]
    new = begin(state, clerk_steps.ResolveFor(clan=REED, location="embassy"))
    assert new.advisors == ("spy", "tea_master", "carpenter", "fletcher")


@for_each(
    ("barricades", "built"),
    [
        ({"center": 1, "right": 2}, (0, 1, 3)),
        ({"center": 1, "right": 3}, (0, 2, 3)),
        ({"center": 3, "right": 3}, (0, 3, 3)),
    ],
)
def test_on_his_turn_the_barricade_goes_where_the_indicator_points(barricades, built):
    """GW-14.12"""
    state = solo_table(active=QIN, barricades=barricades)
    step = clerk_steps.ResolveFor(clan=REED, location="builders")
    new = begin(state, step)
    assert new.barricades == built
    assert (new.clans[REED].honor, new.clans[QIN].honor) == (0, 0)
    assert deeds_of_qin(events_of_steps(state, step)) == [("reed_barricade", "GW-14.12")]
    assert begin(state, step).clans[QIN].honor == 0


@pytest.mark.parametrize("section", ["right", "center"])
def test_on_his_turn_a_reed_spearman_attacks_like_his_own_without_honor(section):
    """GW-14.12, GW-14.8"""
    state = solo_table(active=QIN, hordes={section: [horde(f"scouts_{section}", 1)]})
    step = clerk_steps.ResolveFor(clan=REED, location="barracks")
    new = begin(state, step)
    assert [one.spot for one in new.horde_cards(section)[0].soldiers(REED)] == [3]
    assert [clan.honor for clan in new.clans] == [0, 0, 0]
    assert deeds_of_qin(events_of_steps(state, step)) == [("reed_attack", "GW-14.12")]
    assert begin(solo_table(active=QIN), step).clans[REED].pool == (10, 0, 0), "nothing to attack"
