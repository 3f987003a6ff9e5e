"""How Generals and Active Advisors modify other rules: GW-18.5."""

import pytest
from msgspec.structs import replace

from domain.games.great_wall import board, moves
from domain.games.great_wall.cards import abilities
from domain.games.great_wall.cards.amounts import Count
from domain.games.great_wall.rules import winter
from domain.games.great_wall.rules.effects import modifiers
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks, soldiers
from domain.games.great_wall.state.bills import Bill
from domain.games.great_wall.state.clans import Overseer
from domain.games.great_wall.state.table import ClerkBonus
from tests.games.great_wall.course import after, begin
from tests.games.great_wall.game import events_of_steps, legal_moves_of, refusal_of
from tests.games.great_wall.table import horde, table

TWO = Count("supporting_advisors")


@pytest.fixture
def holding(monkeypatch):
    """A table where the first General has these modifiers, and two Supporting Advisors."""

    def hold(*own, **values):
        by_kind = {type(one): {"own": tuple(o for o in own if type(o) is type(one))} for one in own}
        monkeypatch.setattr(modifiers, "MODIFIERS", by_kind)
        return table({"general": "own", "supporting": ("a", "b")}, **values)

    return hold


def test_no_horde_card_has_negative_power(holding):
    """GW-13.3, GW-18.5"""
    laid = {"left": [horde("shamans_left"), horde("lancers_left")]}
    state = holding(abilities.PowerDelta(amount=-2), hordes=laid)
    assert winter.power(state, "left") == 0 + 3


def test_a_surcharge_on_recruits_adds_to_the_cost_of_a_card(holding):
    """GW-8.6, GW-18.5"""
    state = holding(abilities.RecruitCostDelta(types=("spearman",), amount=1))
    state.clans[0].resources = (1, 1, 0, 0)
    step = soldiers.Recruit((0,), left=1, types=("spearman",), cost=Bill(any_wsg=2), named=())
    assert refusal_of(begin(state, step), moves.NameRecruit(0, "spearman")) == (
        "GW-8.6",
        "too_dear",
    )


def both(function, state, *more):
    """The results of a function for the owner of the card, and for another clan."""
    return function(state, 0, *more), function(state, 1, *more)


def test_recruits_cost_less_of_a_resource(holding):
    """GW-18.5"""
    state = holding(
        abilities.RecruitDiscount(types=("spearman",), resource="stone", amount=1),
        abilities.RecruitDiscount(types=("spearman", "archer"), resource="stone", amount=TWO),
    )
    assert both(modifiers.recruit_discount, state, "spearman") == ({"stone": 3}, {})
    assert both(modifiers.recruit_discount, state, "archer") == ({"stone": 2}, {})
    assert both(modifiers.recruit_discount, state, "horseman") == ({}, {})
    assert both(modifiers.total_recruit_discount, state, ("spearman",)) == (0, 0)


def test_recruits_cost_less_of_any_resource(holding):
    """GW-18.5"""
    state = holding(
        abilities.RecruitDiscount(types=("spearman",), amount=1),
        abilities.RecruitDiscount(types=("archer", "spearman"), amount=TWO, per="event"),
    )
    troop = ("spearman", "spearman", "archer")
    assert both(modifiers.total_recruit_discount, state, troop) == (4, 0)
    assert both(modifiers.total_recruit_discount, state, ("horseman",)) == (0, 0)
    assert both(modifiers.recruit_discount, state, "spearman") == ({}, {})


def test_recruits_cost_more(holding):
    """GW-18.5, GW-18.14"""
    state = holding(abilities.RecruitCostDelta(types=("archer",), amount=2))
    assert both(modifiers.recruit_surcharge, state, "archer") == (2, 0)
    assert both(modifiers.recruit_surcharge, state, "spearman") == (0, 0)


def test_upgrades_cost_less_where_the_card_says(holding):
    """GW-18.5, GW-18.14"""
    state = holding(abilities.UpgradeDiscount(where="temple", amount=1))
    assert both(modifiers.upgrade_discount, state, "temple") == (1, 0)
    assert both(modifiers.upgrade_discount, state, "quarry") == (0, 0)
    state = holding(abilities.UpgradeDiscount(where="production", amount=TWO))
    assert both(modifiers.upgrade_discount, state, "quarry") == (2, 0)


def test_building_costs_less(holding):
    """GW-18.5"""
    state = holding(
        abilities.BuildDiscount(what="wall", amount=2),
        abilities.BuildDiscount(what="wall", amount=TWO),
        abilities.BuildDiscount(what="barricade", amount=1),
    )
    assert both(modifiers.build_discount, state, "wall") == (4, 0)
    assert both(modifiers.build_discount, state, "barricade") == (1, 0)


@pytest.mark.parametrize(
    ("kind", "function"),
    [
        (abilities.SaveDiscount, modifiers.save_discount),
        (abilities.BoostDiscount, modifiers.boost_discount),
        (abilities.AdvisorDiscount, modifiers.advisor_discount),
        (abilities.ShameDiscount, modifiers.shame_discount),
        (abilities.BreachShameShield, modifiers.breach_shield),
        (abilities.TrackMatchBonus, modifiers.match_bonus),
    ],
)
def test_effects_of_several_cards_add_up(holding, kind, function):
    """GW-18.5, GW-18.14"""
    assert both(function, holding(kind(amount=1), kind(amount=TWO))) == (3, 0)


def test_saving_can_cost_more(holding):
    """GW-18.5"""
    state = holding(abilities.SaveCostDelta(amount=2), abilities.SaveDiscount(amount=1))
    assert both(modifiers.save_discount, state) == (-1, 0)


def test_a_resource_pays_for_any_other(holding):
    """GW-18.5"""
    state = holding(abilities.ResourceAsAny(resource="gold"))
    assert both(modifiers.wild_resource, state) == ("gold", None)


def test_clerks_count_as_more_where_the_card_says(holding):
    """GW-6.8"""
    state = holding(abilities.ClerkCountsAs(where="any", but="gold_mine", each=TWO))
    assert both(modifiers.count_clerks, state, "quarry", 3) == (6, 3)
    assert both(modifiers.count_clerks, state, "quarry", 0) == (0, 0)
    assert both(modifiers.count_clerks, state, "gold_mine", 3) == (3, 3)


def test_one_clerk_counts_as_more_and_the_others_as_one(holding):
    """GW-6.8"""
    state = holding(abilities.ClerkCountsAs(where="special", first=3))
    assert both(modifiers.count_clerks, state, "academy", 2) == (4, 2)
    assert both(modifiers.count_clerks, state, "quarry", 2) == (2, 2)


def test_clerks_never_count_as_fewer(holding):
    """GW-6.8"""
    state = holding(abilities.ClerkCountsAs(where="any", each=0))
    assert both(modifiers.count_clerks, state, "quarry", 2) == (2, 2)


def test_the_largest_of_several_counts(holding):
    """GW-6.8"""
    for_now = (ClerkBonus(0, "quarry", 4), ClerkBonus(1, "regular", 2))
    state = holding(
        abilities.ClerkCountsAs(where="quarry", each=3),
        abilities.ClerkCountsAs(where="any", first=2),
        doubled=for_now,
    )
    assert both(modifiers.count_clerks, state, "quarry", 2) == (8, 4)
    assert both(modifiers.count_clerks, state, "temple", 2) == (3, 4)
    assert both(modifiers.count_clerks, state, "academy", 2) == (3, 2)


def test_hands_can_hold_more(holding):
    """GW-9.5"""
    assert both(modifiers.hand_limit, holding(abilities.HandLimit(n=7))) == (7, 5)


def test_some_have_no_overseers(holding):
    """GW-18.5"""
    assert both(modifiers.can_have_overseers, holding(abilities.NoOverseers())) == (False, True)


def test_the_yield_of_an_overseer_can_be_chosen(holding):
    """GW-18.5"""
    state = holding(abilities.OverseerYieldChoice(where="lumber_mill"))
    assert both(modifiers.can_choose_yield, state, "lumber_mill") == (True, False)
    assert both(modifiers.can_choose_yield, state, "quarry") == (False, False)


def test_spearmen_attack_in_more_rows(holding):
    """GW-10.3"""
    assert both(modifiers.spearman_rows, holding(abilities.SpearmanRows(rows=2))) == (2, 1)


def test_modifiers_change_yields_gathering_donations_and_moves(holding):
    """GW-18.5, GW-18.14"""
    state = holding(
        abilities.IncomeDelta(amount=-1),
        abilities.GatherDelta(resource="wood", amount=-2),
        abilities.NoDonate(),
        abilities.OtherMovesDelta(amount=-1),
    )
    assert both(modifiers.income_bonus, state) == (-1, 0)
    assert both(modifiers.gather_bonus, state, "wood") == (-2, 0)
    assert both(modifiers.gather_bonus, state, "gold") == (0, 0)
    assert both(modifiers.can_donate, state) == (False, True)
    assert both(modifiers.other_moves_bonus, state) == (-1, 0)


def test_modifiers_of_the_board_hold_for_all(holding):
    """GW-18.5, GW-18.14"""
    state = holding(
        abilities.DefenseDelta(amount=1),
        abilities.PowerDelta(amount=2),
        abilities.LethalityDelta(amount=-1),
        abilities.InvasionDelta(amount=3),
        abilities.LocationClosed(where="tea_house"),
    )
    assert modifiers.defense_bonus(state) == 1
    assert modifiers.power_bonus(state) == 2
    assert modifiers.lethality_bonus(state) == -1
    assert modifiers.invasion_bonus(state) == 3
    assert modifiers.is_closed(state, "tea_house")
    assert not modifiers.is_closed(state, "temple")


def test_an_active_advisor_modifies_and_a_supporting_one_does_not():
    """GW-9.2, GW-18.5"""
    assert modifiers.hand_limit(table({"active": ("spy", "librarian")}), 0) == 7
    assert modifiers.hand_limit(table({"supporting": ("librarian",)}), 0) == 5


def test_a_closed_location_is_not_activated_by_any_effect(holding):
    """GW-6.6, GW-18.5, GW-18.14"""
    state = holding(abilities.LocationClosed(where="quarry"))
    state.clans[0].clerks = state.clans[1].clerks = (1, 1, 0, 0, 1, 0, 0, 0, 0, 0)
    state = begin(state, clerks.AdvancedActivation((0,), left=1, where="any"))
    assert {one.location for one in legal_moves_of(state, moves.ActivateLocation)} == {
        "lumber_mill",
        "barracks",
    }
    quarry = moves.ActivateLocation(0, "quarry")
    assert refusal_of(state, quarry) == ("GW-6.6", "no_clerks")


@pytest.mark.parametrize(("amount", "placed"), [(-9, 1), (1, 3), (None, 2)])
def test_more_or_fewer_horde_cards_come_but_one_at_least(holding, amount, placed):
    """GW-5.2, GW-18.5, GW-18.14"""
    state = holding(*([] if amount is None else [abilities.InvasionDelta(amount=amount)]))
    assert _invading(state) == placed


def test_no_horde_card_comes_if_the_slot_says_none(holding):
    """GW-4.1, GW-5.2"""
    state = holding()
    quiet = (state.setup.slots[0], replace(state.setup.slots[1], new_hordes=0))
    state.setup = replace(state.setup, slots=quiet)
    assert _invading(state) == 0


def _invading(state):
    """How many Horde cards are drawn in Spring."""
    state.clans[0].hand = ("economy",)
    return sum(
        type(event).__name__ == "HordeDrawn" for event in events_of_steps(state, steps.Spring())
    )


@pytest.mark.parametrize(
    ("amount", "level", "stone", "donates"),
    [(0, 1, 3, True), (1, 1, 4, True), (-1, 1, 2, True), (-3, 2, 1, True), (-9, 2, 0, False)],
)
def test_more_or_less_is_gathered_but_never_less_than_zero(holding, amount, level, stone, donates):
    """GW-8.3, GW-8.5, GW-18.5, GW-18.14"""
    state = holding(abilities.GatherDelta(resource="stone", amount=amount))
    clan = state.clans[0]
    clan.clerks, clan.resources = (0, 2, *(0,) * 8), (0, 5, 0, 0)
    clan.overseers = (None, Overseer(level, "archer"), None, None)
    state.active = 0
    new = begin(state, clerks.ResolveLocation(location="quarry", advanced=True))
    assert new.clans[0].has("stone") == 5 + stone
    assert [type(step).__name__ for step in new.agenda[-1:]] == ["Donate"] * donates


def test_no_clerk_goes_to_a_closed_location(holding):
    """GW-6.1, GW-18.5, GW-18.14"""
    state = holding(abilities.LocationClosed(where="special"), seats=2)
    moving = clerks.MoveClerks((1,), left=1, spread="any")
    for asked in (moving, clerks.MoveReedClerks((1,), left=1)):
        new = begin(state, asked)
        origin = None if asked is moving else "quarry"
        assert refusal_of(new, moves.MoveClerk(1, "academy", origin)) == ("GW-6.1", "closed")
        assert refusal_of(new, moves.MoveClerk(1, "temple", origin)) is None
        goals = {one.to for one in legal_moves_of(new, moves.MoveClerk, 1)}
        assert goals.isdisjoint(board.SPECIAL)


def test_a_closed_location_does_not_activate(holding):
    """GW-6.3, GW-18.5, GW-18.14"""
    state = holding(abilities.LocationClosed(where="academy"))
    state.clans[0].clerks = (0,) * (len(board.LOCATIONS) - 1) + (2,)
    state.active = 0
    assert events_of_steps(state, clerks.ActivationStep()) == []


def test_a_clan_without_overseers_neither_uses_nor_upgrades_one(holding):
    """GW-8.3, GW-8.4, GW-18.5"""
    state = holding(abilities.NoOverseers(), active=0)
    for clan in state.clans[:2]:
        clan.clerks, clan.resources = (0, 0, 0, 1, *(0,) * 6), (0, 0, 9, 0)
        clan.overseers = (None, None, None, Overseer(2, "archer"))
    new = begin(state, clerks.ResolveLocation(location="temple", advanced=True))
    assert [clan.has("chi") for clan in new.clans[:2]] == [1, 3]
    assert (type(new.agenda[-1]).__name__, new.agenda[-1].seats) == ("Upgrade", (1,))


def test_an_overseer_can_yield_any_type(holding):
    """GW-8.3, GW-18.5"""
    state = holding(abilities.OverseerYieldChoice(where="temple"), active=0)
    state.clans[0].clerks = (0, 0, 0, 1, *(0,) * 6)
    state.clans[0].overseers = (None, None, None, Overseer(2, "archer"))
    new = begin(state, clerks.ResolveLocation(location="temple", advanced=True))
    new = after(new, moves.TakeResource(0, "gold"), moves.TakeResource(0, "chi"))
    assert new.clans[0].resources == (0, 0, 1, 2)


def test_some_cannot_donate(holding):
    """GW-8.5, GW-18.5, GW-18.14"""
    state = holding(abilities.NoDonate(), active=0)
    for clan in state.clans[:2]:
        clan.clerks = (1, *(0,) * 9)
    new = begin(state, clerks.ResolveLocation(location="lumber_mill", advanced=True))
    assert (type(new.agenda[-1]).__name__, new.agenda[-1].seats) == ("Donate", (1,))
    assert after(new, moves.Done(1)).agenda == []
