"""How Generals, Active Advisors and events modify other rules: GW-18.5."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeVar

from domain.games.great_wall import board
from domain.games.great_wall.cards import abilities, decks, kinds
from domain.games.great_wall.cards.amounts import Amount
from domain.games.great_wall.state.counters import value
from domain.games.great_wall.state.crowds import BIT, Places, set_of
from domain.games.great_wall.state.table import State

M = TypeVar("M", bound=abilities.Modifier)


ByKind = dict[type[abilities.Modifier], dict[str, tuple[Any, ...]]]
"""By kind and card, the modifiers of this kind."""


def _by_kind(cards: Iterable[kinds.General | kinds.Advisor | kinds.Event]) -> ByKind:
    """By kind, the modifiers of each card that has any. A kind that no card has costs no time."""
    found: ByKind = {}
    for card in cards:
        for one in card.passive if isinstance(card, kinds.Event) else card.modifiers:
            by_card = found.setdefault(type(one), {})
            by_card[card.id] = (*by_card.get(card.id, ()), one)
    return found


MODIFIERS = _by_kind((*decks.GENERALS.values(), *decks.ADVISORS.values()))
"""The modifiers of Generals and advisors."""
EVENT_MODIFIERS = _by_kind(decks.EVENTS.values())
"""The modifiers of events, which hold for all clans once revealed."""


def of_clan(state: State, clan: int, kind: type[M]) -> Sequence[M]:
    """The modifiers of a kind for a clan: the General's first, those of events last: GW-18.5."""
    if state.events:
        return [*_of_cards(state, clan, kind), *of_events(state, kind)]
    return _of_cards(state, clan, kind) if kind in MODIFIERS else ()


def _of_cards(state: State, clan: int, kind: type[M]) -> Sequence[M]:
    """The modifiers of a kind on the cards of a clan."""
    by_card = MODIFIERS.get(kind)
    if not by_card:
        return ()
    owned = state.clans[clan]
    found = by_card.get(owned.general, ())
    for card in owned.active:
        if card in by_card:
            found += by_card[card]
    return found


def of_events(state: State, kind: type[M]) -> Sequence[M]:
    """The modifiers of a kind by events in force, for all clans: GW-16.14, GW-18.5."""
    by_card = EVENT_MODIFIERS.get(kind)
    if not by_card:
        return ()
    return [one for card in state.events for one in by_card.get(card, ())]


def of_all(state: State, kind: type[M]) -> Sequence[M]:
    """The modifiers of a kind that change the board, by cards of all clans and events: GW-18.5."""
    found = of_events(state, kind) if state.events else ()
    if kind not in MODIFIERS:
        return found
    clans = range(len(state.clans))
    return [*(one for clan in clans for one in _of_cards(state, clan, kind)), *found]


# costs of a clan


def recruit_discount(state: State, clan: int, soldier: board.Soldier) -> board.Cost:
    """By resource, how much less a soldier of this type costs: GW-8.6, GW-18.5."""
    less: board.Cost = {}
    for one in of_clan(state, clan, abilities.RecruitDiscount):
        if one.resource and one.per == "soldier" and soldier in one.types:
            less[one.resource] = less.get(one.resource, 0) + value(state, clan, one.amount)
    return less


def total_recruit_discount(state: State, clan: int, soldiers: Sequence[board.Soldier]) -> int:
    """How many resources, of the clan's choice, these recruits together cost less: GW-18.5."""
    total = 0
    for one in of_clan(state, clan, abilities.RecruitDiscount):
        fitting = sum(soldier in one.types for soldier in soldiers)
        if one.per == "event":
            total += value(state, clan, one.amount) * (fitting > 0)
        elif one.resource is None:
            total += value(state, clan, one.amount) * fitting
    return total


def recruit_surcharge(state: State, clan: int, soldier: board.Soldier) -> int:
    """How many more resources of any type a soldier of this type costs: GW-18.5."""
    changes = of_clan(state, clan, abilities.RecruitCostDelta)
    return sum(one.amount for one in changes if soldier in one.types)


def upgrade_discount(state: State, clan: int, where: board.Location) -> int:
    """How much less an upgrade in this Location costs: GW-8.4, GW-18.5."""
    discounts = of_clan(state, clan, abilities.UpgradeDiscount)
    return _sum(
        state, clan, [d.amount for d in discounts if where in board.LOCATIONS_BY_WORD[d.where]]
    )


def build_discount(state: State, clan: int, what: Literal["wall", "barricade"]) -> int:
    """How much less it costs to build this: GW-8.8, GW-18.5."""
    discounts = of_clan(state, clan, abilities.BuildDiscount)
    return _sum(state, clan, [one.amount for one in discounts if one.what == what])


def save_discount(state: State, clan: int) -> int:
    """How much less chi it costs to save a soldier; negative if more: GW-10.12, GW-18.5."""
    less = _total(state, clan, abilities.SaveDiscount)
    return less - sum(one.amount for one in of_clan(state, clan, abilities.SaveCostDelta))


def boost_discount(state: State, clan: int) -> int:
    """How much less chi it costs to boost a tactic card: GW-9.3, GW-18.5."""
    return _total(state, clan, abilities.BoostDiscount)


def advisor_discount(state: State, clan: int) -> int:
    """How much less gold an advisor costs: GW-8.9, GW-18.5."""
    return _total(state, clan, abilities.AdvisorDiscount)


def shame_discount(state: State, clan: int) -> int:
    """How much less chi it costs in Summer to discard a Shame token: GW-12.2, GW-18.5."""
    return _total(state, clan, abilities.ShameDiscount)


def wild_resource(state: State, clan: int) -> board.Resource | None:
    """The resource that pays for any other, if a card says so: GW-18.5."""
    found = of_clan(state, clan, abilities.ResourceAsAny)
    return found[0].resource if found else None


# abilities of a clan


def count_clerks(state: State, clan: int, where: board.Location, clerks: int) -> int:
    """How many clerks those of a clan count as while a Location is resolved: GW-6.8."""
    if clerks == 0:
        return 0
    most = clerks
    for doubled in state.doubled:
        if doubled.clan == clan and where in board.LOCATIONS_BY_WORD[doubled.where]:
            most = max(most, doubled.each * clerks)
    for one in of_clan(state, clan, abilities.ClerkCountsAs):
        if where in board.LOCATIONS_BY_WORD[one.where] and where not in board.LOCATIONS_BY_WORD.get(
            one.but or "", ()
        ):
            most = max(most, _count_by_card(state, clan, one, clerks))
    return max(most, 0)


def _count_by_card(state: State, clan: int, one: abilities.ClerkCountsAs, clerks: int) -> int:
    """How many clerks these count as by one card: GW-6.8."""
    if one.each is not None:
        return clerks * value(state, clan, one.each)
    assert one.first is not None
    return clerks - 1 + value(state, clan, one.first)


def hand_limit(state: State, clan: int) -> int:
    """How many tactic cards a clan can hold: GW-9.5."""
    limits = (one.n for one in of_clan(state, clan, abilities.HandLimit))
    return max(limits, default=board.HAND_LIMIT)


def can_have_overseers(state: State, clan: int) -> bool:
    """Whether a clan can have Overseers: GW-18.5."""
    return not of_clan(state, clan, abilities.NoOverseers)


def can_choose_yield(state: State, clan: int, where: board.Location) -> bool:
    """Whether what the Overseer of a clan there yields can be of any type: GW-18.5."""
    choices = of_clan(state, clan, abilities.OverseerYieldChoice)
    return any(where in board.LOCATIONS_BY_WORD[one.where] for one in choices)


def breach_shield(state: State, clan: int) -> int:
    """How many Shame tokens of a breach a clan ignores: GW-13.6, GW-18.5."""
    return _total(state, clan, abilities.BreachShameShield)


def spearman_rows(state: State, clan: int) -> int:
    """In how many rows the Spearmen of a clan attack: GW-10.3."""
    return max((one.rows for one in of_clan(state, clan, abilities.SpearmanRows)), default=1)


def match_bonus(state: State, clan: int) -> int:
    """How much higher a command card counts that finds cards it counts on the track: GW-18.5."""
    return _total(state, clan, abilities.TrackMatchBonus)


def income_bonus(state: State, clan: int) -> int:
    """How much more each Overseer yields in Summer: GW-12.1, GW-18.5."""
    return sum(one.amount for one in of_clan(state, clan, abilities.IncomeDelta))


def gather_bonus(state: State, clan: int, resource: board.Resource) -> int:
    """How much more of this resource a clan gathers in a Location: GW-8.3, GW-18.5."""
    changes = of_clan(state, clan, abilities.GatherDelta)
    return sum(one.amount for one in changes if one.resource == resource)


def can_donate(state: State, clan: int) -> bool:
    """Whether a clan can donate: GW-8.5, GW-18.5."""
    return not of_clan(state, clan, abilities.NoDonate)


def other_moves_bonus(state: State, clan: int) -> int:
    """How many more clerks a clan moves by other players' cards: GW-7.3, GW-18.5."""
    return sum(one.amount for one in of_clan(state, clan, abilities.OtherMovesDelta))


# the board


def defense_bonus(state: State) -> int:
    """How much higher the Defense of every Section is: GW-13.3, GW-18.5."""
    return sum(one.amount for one in of_all(state, abilities.DefenseDelta))


def power_bonus(state: State) -> int:
    """How much higher the Offensive Power of every Horde card is: GW-13.3, GW-18.5."""
    return sum(one.amount for one in of_all(state, abilities.PowerDelta))


def lethality_bonus(state: State) -> int:
    """How much higher Lethality is: GW-4.2, GW-18.5."""
    return sum(one.amount for one in of_all(state, abilities.LethalityDelta))


def invasion_bonus(state: State) -> int:
    """How many more Horde cards come each Spring: GW-5.2, GW-18.5."""
    return sum(one.amount for one in of_all(state, abilities.InvasionDelta))


def find_closed(state: State) -> Places:
    """The Locations where clerks cannot go, and which do not activate: GW-6.1, GW-18.5."""
    closed = 0
    for one in of_all(state, abilities.LocationClosed):
        closed |= set_of(board.LOCATIONS_BY_WORD[one.where])
    return closed


def is_closed(state: State, location: board.Location) -> bool:
    """Whether clerks cannot go to a Location, and it does not activate: GW-6.1, GW-18.5."""
    return bool(find_closed(state) & BIT[location])


Discount = (
    abilities.SaveDiscount
    | abilities.BoostDiscount
    | abilities.AdvisorDiscount
    | abilities.ShameDiscount
    | abilities.BreachShameShield
    | abilities.TrackMatchBonus
)
D = TypeVar("D", bound=Discount)


def _total(state: State, clan: int, kind: type[D]) -> int:
    """The sum of all modifiers of a kind: GW-18.5."""
    return _sum(state, clan, [one.amount for one in of_clan(state, clan, kind)])


def _sum(state: State, clan: int, amounts: Sequence[Amount]) -> int:
    return sum([value(state, clan, amount) for amount in amounts])
