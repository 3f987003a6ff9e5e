"""The Tea House and the Builders' Encampment: GW-8.7, GW-8.8, GW-8.12."""

from domain.games.great_wall import moves
from domain.games.great_wall.events import supply
from domain.games.great_wall.state.agenda import clerks as clerk_steps
from tests.games.great_wall.course import after, begin, change
from tests.games.great_wall.game import events_of, legal_moves_of, of, refusal_of
from tests.games.great_wall.table import table
from tests.support.for_each import for_each

TEA = clerk_steps.ResolveLocation(location="tea_house")


@for_each(
    ("clerks", "order"),
    [
        ([0, 1, 1, 1], (1, 2, 3, 0)),  # four seats in the order 0, 1, 2, 3
        ([0, 0, 0, 3], (3, 0, 1, 2)),
        ([1, 0, 0, 2], (0, 1, 3, 2)),
        ([0, 0, 2, 0], (0, 2, 1, 3)),  # not full: an Advanced Activation
    ],
)
def test_markers_go_up_by_one_or_to_the_top_if_one_clan_filled_the_house(clerks, order):
    """GW-1.3, GW-8.7"""
    state = table(*({"clerks": {"tea_house": count}} for count in clerks), seats=4, active=0)
    assert begin(state, TEA).tea == order


def test_an_advanced_activation_of_a_full_house_moves_no_marker_to_the_top():
    """GW-6.6, GW-8.7"""
    state = table({}, {}, {"clerks": {"tea_house": 2}}, active=0)
    step = clerk_steps.ResolveLocation(location="tea_house", advanced=True)
    assert begin(state, step).tea == (0, 2, 1)
    assert begin(state, TEA).tea == (2, 0, 1)


def building(clerks=1, seats=3, **values):
    """A table where the first seat builds."""
    own = values.pop("own", {"resources": {"wood": 9, "stone": 9, "gold": 9}})
    state = table({"clerks": {"builders": clerks}, **own}, active=0, seats=seats, **values)
    return begin(state, clerk_steps.ResolveLocation(location="builders"))


BARRICADE = moves.BuildBarricade(0, "left")
WALL = moves.BuildWall(0, "center")


def test_a_barricade_costs_any_two_and_brings_two_honor():
    """GW-8.8"""
    state = building(barricades={"left": 2})
    new = after(state, BARRICADE, moves.PayBill(0, wood=1, gold=1))
    gone = {"wood": -1, "gold": -1, "honor": 2, "barricades left": 1}
    assert change(state, new) == {**gone, "at builders": -1, "clerks": 1}
    full = building(barricades={"left": 3})
    assert refusal_of(full, BARRICADE) == ("GW-8.8", "no_slot")


@for_each(("level", "cost"), [(0, 5), (1, 10), (2, 15)])
def test_the_next_level_costs_as_much_as_it_brings(level, cost):
    """GW-8.8"""
    state = building(walls={"center": level})
    chosen = after(state, WALL)
    assert chosen.agenda[-1].bill.total == cost
    new = after(chosen, moves.PayBill(0, wood=min(cost, 8), stone=max(0, cost - 8)))
    found = change(state, new)
    assert (found["honor"], found["wall center"]) == (cost, 1)


def test_a_wall_has_three_levels():
    """GW-8.8"""
    assert refusal_of(building(walls={"center": 3}), WALL) == ("GW-8.8", "complete")


def test_the_warehouse_pays_first():
    """GW-8.8, GW-8.12"""
    state = building(warehouse={"stone": 3}, own={"resources": {"stone": 2}})
    events = events_of(state, WALL)
    assert of(supply.WarehousePaid, events) == [supply.WarehousePaid(0, {"stone": 3})]
    assert of(supply.Paid, events) == [supply.Paid(0, {"stone": 2}, 0, "GW-8.8")]
    assert of(supply.WallBuilt, events) == [supply.WallBuilt(0, "center", 1, 5)]


def test_the_builder_chooses_what_the_warehouse_pays_if_it_has_more():
    """GW-8.8"""
    state = after(building(warehouse={"stone": 3, "gold": 1}, barricades={}), BARRICADE)
    assert legal_moves_of(state, moves.PayBill) == [
        moves.PayBill(0, stone=1, gold=1),
        moves.PayBill(0, stone=2),
    ]
    assert refusal_of(state, moves.PayBill(0, wood=2)) == ("GW-18.2", "not_there")
    assert refusal_of(state, moves.PayBill(0, stone=1)) == ("GW-18.2", "wrong_payment")
    new = after(state, moves.PayBill(0, stone=2))
    assert change(state, new)["stored stone"] == -2


def test_builds_that_cannot_be_paid_are_refused():
    """GW-8.8"""
    own = {"resources": {"wood": 1, "chi": 9}}
    state = building(own=own, warehouse={"gold": 1}, barricades={})
    assert refusal_of(state, WALL) == ("GW-8.8", "too_dear")
    assert refusal_of(state, BARRICADE) is None


def test_one_build_for_each_clerk():
    """GW-8.8"""
    state = building(clerks=2, barricades={})
    paid = moves.PayBill(0, wood=2)
    once = after(state, BARRICADE, paid)
    twice = after(once, BARRICADE, paid)
    assert (len(once.agenda) > 0, twice.agenda) == (True, [])
    assert after(state, moves.Done(0)).agenda == []


def test_archers_stay_on_a_section_that_grows():
    """GW-8.8, GW-10.5"""
    own = {"resources": {"wood": 9}, "firing": {"center": 1}}
    state = building(own=own)
    new = after(state, WALL)
    assert new.clans[0].firing_in("center") == 1
    assert new.free_firing_spots("center") == state.free_firing_spots("center") + 1
