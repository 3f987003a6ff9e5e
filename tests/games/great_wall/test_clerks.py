"""Clerks and activation: chapter 6."""

import pytest

from domain.engine.game import fold
from domain.games.great_wall import board, moves
from domain.games.great_wall.events import clerks, supply
from domain.games.great_wall.state.steps import clerks as clerk_steps
from domain.games.great_wall.state.steps.clerks import MoveClerks
from domain.games.great_wall.state.table import Doubled
from tests.games.great_wall.course import after, begun, change
from tests.games.great_wall.game import done, kinds, of, offered, refused, told
from tests.games.great_wall.table import table

ACTIVATION = clerk_steps.ActivationStep()


def moving(spread="any", left=3, moved=(), **own):
    return begun(
        table({"clerks_pool": 2, **own}),
        MoveClerks((0,), left=left, spread=spread, moved=moved),
    )


def move(to, origin=None):
    return moves.MoveClerk(0, to, origin)


def test_a_clerk_goes_from_the_pool_or_a_location_to_another_location():
    """GW-6.2"""
    state = moving(clerks={"quarry": 1})
    assert told(state, move("temple")) == [clerks.ClerkMoved(0, None, "temple")]
    assert change(state, after(state, move("academy", "quarry"))) == {
        "at quarry": -1,
        "at academy": 1,
    }
    assert refused(state, move("quarry", "quarry")) == ("GW-6.2", "same_place")
    assert refused(state, move("quarry", "temple")) == ("GW-6.2", "no_clerk")
    assert refused(moving(clerks_pool=0), move("quarry")) == ("GW-6.2", "no_clerk")


def test_a_regular_location_holds_as_many_as_it_has_slots_a_special_one_any_number():
    """GW-6.1"""
    state = moving(clerks={"tea_house": 2, "academy": 6})
    assert refused(state, move("tea_house")) == ("GW-6.1", "no_slot")
    assert refused(state, move("academy")) is None
    goals = {one.to for one in offered(state, moves.MoveClerk)}
    assert goals == set(board.LOCATIONS) - {"tea_house"}


def test_no_clerk_leaves_a_full_regular_location():
    """GW-6.2"""
    state = moving(clerks={"tea_house": 2, "embassy": 1})
    assert refused(state, move("quarry", "tea_house")) == ("GW-6.2", "full")
    assert refused(state, move("quarry", "embassy")) is None


def test_a_clerk_moves_once_by_an_effect():
    """GW-6.2"""
    state = after(moving(clerks={"quarry": 1}), move("temple"))
    assert refused(state, move("quarry", "temple")) == ("GW-6.2", "no_clerk")
    state = after(state, move("temple", "quarry"), move("gold_mine"))
    assert state.agenda == []


@pytest.mark.parametrize(
    ("spread", "moved", "there", "elsewhere"),
    [
        ("any", ("quarry", "temple"), None, None),
        ("distinct", ("quarry",), ("GW-6.2", "wrong_spread"), None),
        ("one_or_two", ("quarry", "temple"), None, ("GW-6.2", "wrong_spread")),
    ],
)
def test_some_effects_say_how_clerks_are_spread(spread, moved, there, elsewhere):
    """GW-6.2"""
    state = moving(spread, moved=moved)
    assert refused(state, move("quarry")) == there
    assert refused(state, move("gold_mine")) == elsewhere
    assert {one.to for one in offered(state, moves.MoveClerk)}.isdisjoint(
        ["quarry"] if there else ["gold_mine"] if elsewhere else []
    )


def test_each_move_is_optional():
    """GW-1.5, GW-6.2"""
    assert after(moving(), moves.Done(0)).agenda == []


def standing(*clans, **values):
    """A table with these clerks, at which the first seat is active."""
    return table(*({"clerks": clan} for clan in clans), active=0, **values)


def test_full_regular_and_visited_special_locations_activate():
    """GW-6.3, GW-6.4"""
    state = begun(standing({"quarry": 3, "tea_house": 2, "academy": 1}, {"temple": 3}), ACTIVATION)
    assert [one.location for one in offered(state, moves.ActivateLocation)] == [
        "tea_house",
        "academy",
    ]
    quarry = moves.ActivateLocation(0, "quarry")
    assert refused(state, quarry) == ("GW-6.4", "not_waiting")


def test_a_special_location_with_none_but_the_reed_clan_does_not_activate():
    """GW-6.3, GW-15.7"""
    state = table({}, {}, {"clerks": {"builders": 1, "academy": 1}}, seats=2, active=0)
    assert begun(state, ACTIVATION).agenda == []
    advanced = clerk_steps.AdvancedActivation((0,), left=1, where="special")
    assert offered(begun(state, advanced), moves.ActivateLocation) == []


def test_what_was_not_active_at_the_beginning_waits_and_what_is_not_any_more_is_skipped():
    """GW-6.4"""
    waiting = clerk_steps.OrderActivations((0,), waiting=("tea_house", "academy", "embassy"))
    state = begun(standing({"tea_house": 1, "academy": 1, "embassy": 1, "logistics": 1}), waiting)
    assert [one.location for one in offered(state, moves.ActivateLocation)] == [
        "academy",
        "embassy",
    ]
    gone = moves.ActivateLocation(0, "tea_house")
    assert refused(state, gone) == ("GW-6.3", "not_active")


def test_the_active_player_orders_the_locations():
    """GW-6.4"""
    state = begun(standing({"tea_house": 2}, {"academy": 1}), ACTIVATION)
    events = told(state, moves.ActivateLocation(0, "academy"))
    assert [one.location for one in of(clerks.LocationActivated, events)] == [
        "academy",
        "tea_house",
    ]


def test_all_there_resolve_in_tea_order_and_their_clerks_return():
    """GW-6.5"""
    state = standing({"academy": 1}, {"academy": 2}, {"academy": 1}, tea=(2, 0, 1))
    events = done(state, clerk_steps.ResolveLocation(location="academy"))
    assert [event.seat for event in of(supply.TacticDrawn, events)] == [2, 0, 1, 1]
    assert events[-1] == clerks.ClerksReturned("academy", (1, 2, 1))


def test_an_advanced_activation_needs_a_clerk_of_anybody_and_no_full_location():
    """GW-6.6"""
    state = begun(
        standing({"barracks": 1}, {"quarry": 1}, tea=(1, 0, 2)),
        clerk_steps.AdvancedActivation((0,), left=2, where="any"),
    )
    quarry = moves.ActivateLocation(0, "quarry")
    assert [one.location for one in offered(state, moves.ActivateLocation)] == [
        "quarry",
        "barracks",
    ]
    events = told(state, quarry)
    assert of(supply.ResourcesTaken, events) == [supply.ResourcesTaken(1, {"stone": 1})]
    assert "ShameTaken" not in kinds(events)
    again = after(state, quarry, moves.Done(1))
    assert refused(again, quarry) == ("GW-6.6", "no_clerks")


@pytest.mark.parametrize(
    ("clans", "tokens"),
    [([{"barracks": 3}], 1), ([{"barracks": 2}, {"barracks": 1}], 0), ([{"tea_house": 2}], 0)],
)
def test_a_clan_alone_in_a_location_with_the_icon_gets_one_shame_token(clans, tokens):
    """GW-6.7"""
    state = standing(*clans)
    (location,) = clans[0]
    resolved = begun(state, clerk_steps.ResolveLocation(location=location))
    pending = [type(step).__name__ for step in resolved.agenda].count("PlaceShame")
    assert pending == tokens


def test_reed_clerks_count_as_a_clan_for_the_icon():
    """GW-6.7"""
    state = table({"clerks": {"barracks": 2}}, {}, {"clerks": {"barracks": 1}}, seats=2, active=0)
    resolved = begun(state, clerk_steps.ResolveLocation(location="barracks"))
    assert "PlaceShame" not in [type(step).__name__ for step in resolved.agenda]


def test_clerks_that_count_as_more_do_so_only_while_a_location_is_resolved():
    """GW-6.8"""
    twice, thrice = Doubled(0, "any", 2), Doubled(0, "temple", 3)
    state = standing({"temple": 2}, {"temple": 1}, doubled=(twice, thrice))
    assert done(state, ACTIVATION) == []
    events = done(state, clerk_steps.ResolveLocation(location="temple", advanced=True))
    assert of(supply.ResourcesTaken, events) == [
        supply.ResourcesTaken(0, {"chi": 6}),
        supply.ResourcesTaken(1, {"chi": 1}),
    ]
    assert events[-1] == clerks.ClerksReturned("temple", (2, 1, 0))


def test_clerks_count_as_more_once_however_often_it_is_said():
    """GW-6.8"""
    twice, thrice = Doubled(0, "temple", 2), Doubled(0, "temple", 3)
    state = standing({"temple": 2})
    fold(state, [clerks.ClerksDoubled(0, "temple", each) for each in (2, 2, 3, 2)])
    assert state.doubled == (twice, thrice)


def test_abilities_answer_in_tea_order_before_the_clerks_return():
    """GW-1.6, GW-6.5"""
    own = {"general": "cai_xiang", "supporting": ("spy",), "clerks": {"academy": 2}}
    state = table(own, {**own, "clerks": {"academy": 1}}, {**own}, tea=(2, 1, 0), active=0)
    events = done(state, clerk_steps.ResolveLocation(location="academy"))
    assert kinds(events[-3:]) == ["HonorChanged", "HonorChanged", "ClerksReturned"]
    assert [(one.seat, one.honor) for one in of(supply.HonorChanged, events)] == [(2, 2), (0, 2)]


def test_no_more_advanced_activations_than_the_effect_allows():
    """GW-6.6"""
    state = standing({"academy": 1, "tea_house": 1, "logistics": 1})
    state = begun(state, clerk_steps.AdvancedActivation((0,), left=2, where="any"))
    one = after(state, moves.ActivateLocation(0, "academy"))
    assert one.agenda[-1].left == 1
    assert after(one, moves.ActivateLocation(0, "logistics")).agenda == []
