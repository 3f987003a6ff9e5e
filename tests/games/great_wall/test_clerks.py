"""Clerks and activation: chapter 6."""

from domain.engine.game import fold
from domain.games.great_wall import board, moves
from domain.games.great_wall.events import clerks, supply
from domain.games.great_wall.state.agenda import clerks as clerk_steps
from domain.games.great_wall.state.agenda.clerks import MoveClerks
from domain.games.great_wall.state.table import ClerkBonus
from tests.games.great_wall.course import after, begin, change
from tests.games.great_wall.game import (
    events_of,
    events_of_steps,
    kinds,
    legal_moves_of,
    of,
    refusal_of,
)
from tests.games.great_wall.table import table
from tests.support.for_each import for_each

ACTIVATION = clerk_steps.ActivationStep()


def moving(spread="any", left=3, moved=(), **own):
    return begin(
        table({"clerks_pool": 2, **own}),
        MoveClerks((0,), left=left, spread=spread, moved=moved),
    )


def move(to, origin=None):
    return moves.MoveClerk(0, to, origin)


def test_a_clerk_goes_from_the_pool_or_a_location_to_another_location():
    """GW-6.2"""
    state = moving(clerks={"quarry": 1})
    assert events_of(state, move("temple")) == [clerks.ClerkMoved(0, None, "temple")]
    assert change(state, after(state, move("academy", "quarry"))) == {
        "at quarry": -1,
        "at academy": 1,
    }
    assert refusal_of(state, move("quarry", "quarry")) == ("GW-6.2", "same_place")
    assert refusal_of(state, move("quarry", "temple")) == ("GW-6.2", "no_clerk")
    assert refusal_of(moving(clerks_pool=0), move("quarry")) == ("GW-6.2", "no_clerk")


def test_a_regular_location_holds_as_many_as_it_has_slots_a_special_one_any_number():
    """GW-6.1"""
    state = moving(clerks={"tea_house": 2, "academy": 6})
    assert refusal_of(state, move("tea_house")) == ("GW-6.1", "no_slot")
    assert refusal_of(state, move("academy")) is None
    goals = {one.to for one in legal_moves_of(state, moves.MoveClerk)}
    assert goals == set(board.LOCATIONS) - {"tea_house"}


def test_no_clerk_leaves_a_full_regular_location():
    """GW-6.2"""
    state = moving(clerks={"tea_house": 2, "embassy": 1})
    assert refusal_of(state, move("quarry", "tea_house")) == ("GW-6.2", "full")
    assert refusal_of(state, move("quarry", "embassy")) is None


def test_a_clerk_moves_once_by_an_effect():
    """GW-6.2"""
    state = after(moving(clerks={"quarry": 1}), move("temple"))
    assert refusal_of(state, move("quarry", "temple")) == ("GW-6.2", "no_clerk")
    state = after(state, move("temple", "quarry"), move("gold_mine"))
    assert state.agenda == []


@for_each(
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
    assert refusal_of(state, move("quarry")) == there
    assert refusal_of(state, move("gold_mine")) == elsewhere
    assert {one.to for one in legal_moves_of(state, moves.MoveClerk)}.isdisjoint(
        ["quarry"] if there else ["gold_mine"] if elsewhere else []
    )


def test_each_move_is_optional():
    """GW-1.5, GW-6.2"""
    assert after(moving(), moves.Done(0)).agenda == []


def standing(*clans, **values):
    """A table with these clerks, where the first seat is active."""
    return table(*({"clerks": clan} for clan in clans), active=0, **values)


def test_full_regular_and_visited_special_locations_activate():
    """GW-6.3, GW-6.4"""
    state = begin(standing({"quarry": 3, "tea_house": 2, "academy": 1}, {"temple": 3}), ACTIVATION)
    assert [one.location for one in legal_moves_of(state, moves.ActivateLocation)] == [
        "tea_house",
        "academy",
    ]
    quarry = moves.ActivateLocation(0, "quarry")
    assert refusal_of(state, quarry) == ("GW-6.4", "not_waiting")


def test_a_special_location_with_only_the_reed_clan_does_not_activate():
    """GW-6.3, GW-15.7"""
    state = table({}, {}, {"clerks": {"builders": 1, "academy": 1}}, seats=2, active=0)
    assert begin(state, ACTIVATION).agenda == []
    advanced = clerk_steps.AdvancedActivation((0,), left=1, where="special")
    assert legal_moves_of(begin(state, advanced), moves.ActivateLocation) == []


def test_locations_that_activate_late_wait_and_those_no_longer_active_are_skipped():
    """GW-6.4"""
    waiting = clerk_steps.OrderActivations((0,), waiting=("tea_house", "academy", "embassy"))
    state = begin(standing({"tea_house": 1, "academy": 1, "embassy": 1, "logistics": 1}), waiting)
    assert [one.location for one in legal_moves_of(state, moves.ActivateLocation)] == [
        "academy",
        "embassy",
    ]
    gone = moves.ActivateLocation(0, "tea_house")
    assert refusal_of(state, gone) == ("GW-6.3", "not_active")


def test_the_active_player_orders_the_locations():
    """GW-6.4"""
    state = begin(standing({"tea_house": 2}, {"academy": 1}), ACTIVATION)
    events = events_of(state, moves.ActivateLocation(0, "academy"))
    assert [one.location for one in of(clerks.LocationActivated, events)] == [
        "academy",
        "tea_house",
    ]


def test_all_there_resolve_in_tea_order_and_their_clerks_return():
    """GW-6.5"""
    state = standing({"academy": 1}, {"academy": 2}, {"academy": 1}, tea=(2, 0, 1))
    events = events_of_steps(state, clerk_steps.ResolveLocation(location="academy"))
    assert [event.seat for event in of(supply.TacticDrawn, events)] == [2, 0, 1, 1]
    assert events[-1] == clerks.ClerksReturned("academy", (1, 2, 1))


def test_an_advanced_activation_needs_a_clerk_of_any_clan_and_no_full_location():
    """GW-6.6"""
    state = begin(
        standing({"barracks": 1}, {"quarry": 1}, tea=(1, 0, 2)),
        clerk_steps.AdvancedActivation((0,), left=2, where="any"),
    )
    quarry = moves.ActivateLocation(0, "quarry")
    assert [one.location for one in legal_moves_of(state, moves.ActivateLocation)] == [
        "quarry",
        "barracks",
    ]
    events = events_of(state, quarry)
    assert of(supply.ResourcesTaken, events) == [supply.ResourcesTaken(1, {"stone": 1})]
    assert "ShameTaken" not in kinds(events)
    again = after(state, quarry, moves.Done(1))
    assert refusal_of(again, quarry) == ("GW-6.6", "no_clerks")


@for_each(
    ("clans", "tokens"),
    [([{"barracks": 3}], 1), ([{"barracks": 2}, {"barracks": 1}], 0), ([{"tea_house": 2}], 0)],
)
def test_a_clan_alone_in_a_location_with_the_icon_gets_one_shame_token(clans, tokens):
    """GW-6.7"""
    state = standing(*clans)
    (location,) = clans[0]
    resolved = begin(state, clerk_steps.ResolveLocation(location=location))
    pending = [type(step).__name__ for step in resolved.agenda].count("PlaceShame")
    assert pending == tokens


def test_reed_clerks_count_as_a_clan_for_the_icon():
    """GW-6.7"""
    state = table({"clerks": {"barracks": 2}}, {}, {"clerks": {"barracks": 1}}, seats=2, active=0)
    resolved = begin(state, clerk_steps.ResolveLocation(location="barracks"))
    assert "PlaceShame" not in [type(step).__name__ for step in resolved.agenda]


def test_clerks_that_count_as_more_do_so_only_while_a_location_is_resolved():
    """GW-6.8"""
    twice, thrice = ClerkBonus(0, "any", 2), ClerkBonus(0, "temple", 3)
    state = standing({"temple": 2}, {"temple": 1}, doubled=(twice, thrice))
    assert events_of_steps(state, ACTIVATION) == []
    events = events_of_steps(state, clerk_steps.ResolveLocation(location="temple", advanced=True))
    assert of(supply.ResourcesTaken, events) == [
        supply.ResourcesTaken(0, {"chi": 6}),
        supply.ResourcesTaken(1, {"chi": 1}),
    ]
    assert events[-1] == clerks.ClerksReturned("temple", (2, 1, 0))


def test_repeated_effects_make_clerks_count_as_more_once():
    """GW-6.8"""
    twice, thrice = ClerkBonus(0, "temple", 2), ClerkBonus(0, "temple", 3)
    state = standing({"temple": 2})
    fold(state, [clerks.ClerksDoubled(0, "temple", each) for each in (2, 2, 3, 2)])
    assert state.doubled == (twice, thrice)


def test_abilities_answer_in_tea_order_before_the_clerks_return():
    """GW-1.6, GW-6.5"""
    own = {"general": "cai_xiang", "supporting": ("spy",), "clerks": {"academy": 2}}
    state = table(own, {**own, "clerks": {"academy": 1}}, {**own}, tea=(2, 1, 0), active=0)
    events = events_of_steps(state, clerk_steps.ResolveLocation(location="academy"))
    assert kinds(events[-3:]) == ["HonorChanged", "HonorChanged", "ClerksReturned"]
    assert [(one.seat, one.honor) for one in of(supply.HonorChanged, events)] == [(2, 2), (0, 2)]


def test_no_more_advanced_activations_than_the_effect_allows():
    """GW-6.6"""
    state = standing({"academy": 1, "tea_house": 1, "logistics": 1})
    state = begin(state, clerk_steps.AdvancedActivation((0,), left=2, where="any"))
    one = after(state, moves.ActivateLocation(0, "academy"))
    assert one.agenda[-1].left == 1
    assert after(one, moves.ActivateLocation(0, "logistics")).agenda == []
