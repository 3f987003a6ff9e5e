"""Production Locations: GW-8.1 to GW-8.5."""

from domain.games.great_wall import board, moves
from domain.games.great_wall.events import clerks, supply
from domain.games.great_wall.state.agenda import clerks as clerk_steps
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

RICH = {"wood": 9, "stone": 9, "gold": 9, "chi": 9}


def resolve(location, *clans, **values):
    """A table where this Location is resolved with an Advanced Activation."""
    step = clerk_steps.ResolveLocation(location=location, advanced=True)
    return begin(table(*clans, active=0, **values), step)


@for_each(
    ("location", "resource"),
    [("lumber_mill", "wood"), ("quarry", "stone"), ("gold_mine", "gold"), ("temple", "chi")],
)
def test_each_clerk_gathers_one_resource_and_the_overseer_its_level(location, resource):
    """GW-8.1, GW-8.3"""
    own = {"clerks": {location: 2}, "overseers": {location: 2}}
    idle = {"overseers": {location: 3}}
    events = events_of_steps(
        table(own, idle, active=0),
        clerk_steps.ResolveLocation(location=location, advanced=True),
    )
    taken = of(supply.ResourcesTaken, events)
    assert [(one.seat, one.resources) for one in taken] == [(0, {resource: 2}), (0, {resource: 2})]


def test_all_gather_then_all_upgrade_then_all_donate():
    """GW-8.2"""
    clan = {"clerks": {"quarry": 1}, "resources": RICH}
    state = resolve("quarry", clan, clan, tea=(1, 0, 2))
    assert [one.has("stone") for one in state.clans] == [10, 10, 0]
    asked = []
    while state.agenda:
        step = state.agenda[-1]
        asked.append((type(step).__name__, *step.seats))
        state = after(state, moves.Done(*step.seats))
    assert asked == [("Upgrade", 1), ("Upgrade", 0), ("Donate", 1), ("Donate", 0)]


def test_the_first_upgrade_places_a_soldier_as_overseer():
    """GW-8.4"""
    state = resolve("quarry", {"clerks": {"quarry": 1}, "resources": {"wood": 2}})
    place = moves.UpgradeOverseer(0, "quarry", "horseman")
    assert {one.soldier for one in legal_moves_of(state, moves.UpgradeOverseer)} == set(
        board.SOLDIERS
    )
    assert of(clerks.OverseerUpgraded, events_of(state, place)) == [
        clerks.OverseerUpgraded(0, "quarry", 1, "horseman")
    ]
    assert change(state, after(state, place)) == {
        "wood": -2,
        "level quarry": 1,
        "pool horseman": -1,
    }
    assert refusal_of(state, moves.UpgradeOverseer(0, "quarry")) == ("GW-8.4", "wrong_soldier")
    assert refusal_of(state, moves.UpgradeOverseer(0, "temple", "archer")) == (
        "GW-8.4",
        "other_place",
    )


def test_an_overseer_moves_up_by_one_level_at_the_next_cost():
    """GW-8.4"""
    own = {"clerks": {"gold_mine": 1}, "overseers": {"gold_mine": 2}, "resources": {"stone": 4}}
    state = resolve("gold_mine", own)
    up = moves.UpgradeOverseer(0, "gold_mine")
    assert change(state, after(state, up)) == {"stone": -4, "level gold_mine": 1}
    again = moves.UpgradeOverseer(0, "gold_mine", "archer")
    assert refusal_of(state, again) == ("GW-8.4", "wrong_soldier")


@for_each(
    "own",
    [
        {"overseers": {"quarry": 3}, "resources": RICH},
        {"overseers": {"quarry": 1}, "resources": {"wood": 2}},
        {"pool": {}, "resources": RICH},
    ],
)
def test_impossible_upgrades_are_not_offered(own):
    """GW-8.4, GW-11.3"""
    state = resolve("quarry", {"clerks": {"quarry": 1}, **own})
    assert isinstance(state.agenda[-1], clerk_steps.Donate)


def test_one_resource_of_the_kind_is_donated_for_honor():
    """GW-8.5"""
    state = resolve("lumber_mill", {"clerks": {"lumber_mill": 2}})
    wood = moves.DonateResource(0, "wood")
    assert legal_moves_of(state, moves.DonateResource) == [wood]
    assert refusal_of(state, moves.DonateResource(0, "gold")) == ("GW-8.5", "wrong_type")
    assert kinds(events_of(state, wood)) == ["ResourceDonated", "ClerksReturned"]
    donated = {"wood": -1, "honor": 2, "stored wood": 1}
    assert change(state, after(state, wood)) == {**donated, "at lumber_mill": -2, "clerks": 2}


def test_chi_is_not_donated():
    """GW-8.5"""
    assert resolve("temple", {"clerks": {"temple": 2}}).agenda == []
