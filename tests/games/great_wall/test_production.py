"""Production Locations: GW-8.1 to GW-8.5."""

import pytest

from domain.games.great_wall import board, moves
from domain.games.great_wall.events import clerks, supply
from domain.games.great_wall.state.steps import clerks as clerk_steps
from tests.games.great_wall.course import after, begun, change
from tests.games.great_wall.game import done, kinds, of, offered, refused, told
from tests.games.great_wall.table import table

RICH = {"wood": 9, "stone": 9, "gold": 9, "chi": 9}


def resolved(location, *clans, **values):
    """A table at which this Location is resolved with an Advanced Activation."""
    step = clerk_steps.ResolveLocation(location=location, advanced=True)
    return begun(table(*clans, active=0, **values), step)


@pytest.mark.parametrize(
    ("location", "resource"),
    [("lumber_mill", "wood"), ("quarry", "stone"), ("gold_mine", "gold"), ("temple", "chi")],
)
def test_each_clerk_gathers_one_resource_and_the_overseer_its_level(location, resource):
    """GW-8.1, GW-8.3"""
    own = {"clerks": {location: 2}, "overseers": {location: 2}}
    idle = {"overseers": {location: 3}}
    events = done(
        table(own, idle, active=0),
        clerk_steps.ResolveLocation(location=location, advanced=True),
    )
    taken = of(supply.ResourcesTaken, events)
    assert [(one.seat, one.resources) for one in taken] == [(0, {resource: 2}), (0, {resource: 2})]


def test_all_gather_before_anybody_upgrades_and_all_upgrade_before_anybody_donates():
    """GW-8.2"""
    clan = {"clerks": {"quarry": 1}, "resources": RICH}
    state = resolved("quarry", clan, clan, tea=(1, 0, 2))
    assert [one.has("stone") for one in state.clans] == [10, 10, 0]
    asked = []
    while state.agenda:
        step = state.agenda[-1]
        asked.append((type(step).__name__, *step.seats))
        state = after(state, moves.Done(*step.seats))
    assert asked == [("Upgrade", 1), ("Upgrade", 0), ("Donate", 1), ("Donate", 0)]


def test_the_first_upgrade_places_a_soldier_as_overseer():
    """GW-8.4"""
    state = resolved("quarry", {"clerks": {"quarry": 1}, "resources": {"wood": 2}})
    place = moves.UpgradeOverseer(0, "quarry", "horseman")
    assert {one.soldier for one in offered(state, moves.UpgradeOverseer)} == set(board.SOLDIERS)
    assert of(clerks.OverseerUpgraded, told(state, place)) == [
        clerks.OverseerUpgraded(0, "quarry", 1, "horseman")
    ]
    assert change(state, after(state, place)) == {
        "wood": -2,
        "level quarry": 1,
        "pool horseman": -1,
    }
    assert refused(state, moves.UpgradeOverseer(0, "quarry")) == ("GW-8.4", "wrong_soldier")
    assert refused(state, moves.UpgradeOverseer(0, "temple", "archer")) == ("GW-8.4", "other_place")


def test_an_overseer_moves_up_by_one_level_at_the_next_cost():
    """GW-8.4"""
    own = {"clerks": {"gold_mine": 1}, "overseers": {"gold_mine": 2}, "resources": {"stone": 4}}
    state = resolved("gold_mine", own)
    up = moves.UpgradeOverseer(0, "gold_mine")
    assert change(state, after(state, up)) == {"stone": -4, "level gold_mine": 1}
    again = moves.UpgradeOverseer(0, "gold_mine", "archer")
    assert refused(state, again) == ("GW-8.4", "wrong_soldier")


@pytest.mark.parametrize(
    "own",
    [
        {"overseers": {"quarry": 3}, "resources": RICH},
        {"overseers": {"quarry": 1}, "resources": {"wood": 2}},
        {"pool": {}, "resources": RICH},
    ],
)
def test_nobody_is_asked_for_an_upgrade_that_cannot_be(own):
    """GW-8.4, GW-11.3"""
    state = resolved("quarry", {"clerks": {"quarry": 1}, **own})
    assert isinstance(state.agenda[-1], clerk_steps.Donate)


def test_one_resource_of_the_kind_is_donated_for_honor():
    """GW-8.5"""
    state = resolved("lumber_mill", {"clerks": {"lumber_mill": 2}})
    wood = moves.DonateResource(0, "wood")
    assert offered(state, moves.DonateResource) == [wood]
    assert refused(state, moves.DonateResource(0, "gold")) == ("GW-8.5", "wrong_type")
    assert kinds(told(state, wood)) == ["ResourceDonated", "ClerksReturned"]
    donated = {"wood": -1, "honor": 2, "stored wood": 1}
    assert change(state, after(state, wood)) == {**donated, "at lumber_mill": -2, "clerks": 2}


def test_chi_is_not_donated():
    """GW-8.5"""
    assert resolved("temple", {"clerks": {"temple": 2}}).agenda == []
