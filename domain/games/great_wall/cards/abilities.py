"""Abilities of Generals and advisors: what they do and when, what they change: GW-18.4, GW-18.5."""

from __future__ import annotations

from typing import Literal

from domain.games.great_wall.board import Resource
from domain.games.great_wall.cards.amounts import (
    Amount,
    Phrase,
    Places,
    Positive,
    Soldiers,
    Whole,
    to_snake_case,
)
from domain.games.great_wall.cards.ops import Ops

Trigger = Literal[
    "setup_done",  # the end of the setup
    "reveal",  # the command cards were revealed
    "after_command_step",  # your own turn, after the Command step
    "after_activation_step",  # your own turn, before the Horde Defeat check
    "income",  # Summer, after what your Overseers yield
    "reclaim_choice",  # Summer, after your choice
    "spring_invasion",  # Spring, after the new Horde cards
    "location_activated",  # a Location was resolved in which you had `min_clerks` clerks
    "upgrade",  # you upgraded an Overseer
    "donate",  # you donated
    "recruit",  # you recruited at least 1 soldier of `types`
    "attack",  # you attacked with at least 1 soldier of `types`
    "last_wound",  # you filled the last free Vital spot of at least 1 Horde card
    "horde_defeated",  # a Horde card was defeated, and you had the `role`
    "soldier_killed",  # at least 1 of your soldiers of `types` was killed
    "soldier_saved",  # at least 1 of your soldiers was saved
    "would_be_killed",  # at least 1 of your soldiers is about to be killed
    "breach",  # a Section was breached, after its kills
    "shame_gained",  # you received at least 1 Shame token
    "build_wall",  # you built a Wall part
    "build_barricade",  # you built a Barricade
    "hire_clerk",  # you hired a clerk
    "hire_advisor",  # you hired an advisor
    "play_tactic",  # you played a tactic card
    "other_clerk_move",  # another player's command card lets you move clerks
    "tea_moved",  # your Tea marker moved up
    "request_fulfilled",  # a Request of the Emperor was fulfilled
]
"""When an ability fires. Some of these words are on no card yet: GW-18.7, GW-18.14."""

Window = Literal[
    "horde_defeated",  # M2: a Horde card is about to be defeated
    "you_defeat_horde",  # M2, and you cover most of its Vital spots
    "you_attack",  # M1: after an attack event of yours
    "you_deal_last_wound",  # M1, and it filled the last free Vital spot of a Horde card
    "your_soldier_killed",  # M3: soldiers of yours are about to be killed
    "after_your_command_step",  # M4: your own turn, after the Command step
    "you_recruit",  # M5: after you recruited
]
"""When a tactic card can be played: GW-9.4, GW-18.7."""

Role = Literal["any", "participated", "claimed"]
Choice = Literal["any", "reclaim", "honor"]

FILTERS: dict[str, frozenset[str]] = {
    "location_activated": frozenset({"where", "min_clerks"}),
    "recruit": frozenset({"types"}),
    "attack": frozenset({"types"}),
    "soldier_killed": frozenset({"types"}),
    "horde_defeated": frozenset({"role"}),
    "reclaim_choice": frozenset({"choice"}),
}
"""By trigger, the filters that it understands; the other triggers understand none: GW-18.4."""


class TriggeredAbility(Phrase, frozen=True):
    """Do this each time something happens that passes the filters: GW-18.4."""

    trigger: Trigger
    do: Ops
    types: Soldiers | None = None  # at least one of these types took part; any if left out
    where: Places | None = None  # the Location is one of these; any if left out
    min_clerks: Positive | None = None  # with at least this number of clerks; 1 if left out
    role: Role | None = None  # your role in the defeat; any if left out
    choice: Choice | None = None  # what was chosen; anything if left out

    def __post_init__(self) -> None:
        """Refuse a filter that the trigger does not understand."""
        for name in ("types", "where", "min_clerks", "role", "choice"):
            if getattr(self, name) is not None and name not in FILTERS.get(self.trigger, ()):
                raise ValueError(f"`{self.trigger}` has no `{name}`")


class Modifier(Phrase, frozen=True, tag_field="modifier", tag=to_snake_case):
    """A change of the rules while the card lies there; `modifier` names it: GW-18.5."""


class RecruitDiscount(Modifier, frozen=True):
    """Soldiers of these types cost fewer resources: GW-18.5."""

    types: Soldiers
    amount: Amount
    resource: Resource | None = None  # its type; the buyer chooses if left out
    per: Literal["soldier", "event"] = "soldier"  # for each of them, or once for all


class UpgradeDiscount(Modifier, frozen=True):
    """Upgrading an Overseer in these Locations costs fewer resources: GW-18.5."""

    where: Places
    amount: Amount


class BuildDiscount(Modifier, frozen=True):
    """Building costs fewer resources; its honor does not change: GW-18.5."""

    what: Literal["wall", "barricade"]
    amount: Amount


class SaveDiscount(Modifier, frozen=True):
    """Saving a soldier costs less chi: GW-18.5."""

    amount: Amount


class BoostDiscount(Modifier, frozen=True):
    """Boosting a tactic card costs less chi: GW-18.5."""

    amount: Amount


class AdvisorDiscount(Modifier, frozen=True):
    """Advisors cost less gold: GW-18.5."""

    amount: Amount


class ShameDiscount(Modifier, frozen=True):
    """Discarding a Shame token in Summer costs less chi: GW-18.5."""

    amount: Amount


class ClerkCountsAs(Modifier, frozen=True, rename={"but": "except"}):
    """Own clerks count as more while such a Location is resolved: GW-6.8, GW-18.5."""

    where: Places
    but: Places | None = None  # not in these
    each: Amount | None = None  # what each clerk counts as
    first: Amount | None = None  # what one of them counts as; the others count as 1

    def __post_init__(self) -> None:
        """Refuse both `each` and `first`, and neither of them."""
        if (self.each is None) == (self.first is None):
            raise ValueError("exactly one of `each` and `first` is needed")


class HandLimit(Modifier, frozen=True):
    """A clan can hold this number of tactic cards: GW-9.5, GW-18.5."""

    n: Positive


class ResourceAsAny(Modifier, frozen=True):
    """This resource pays in place of any other: GW-18.5."""

    resource: Resource


class TrackMatchBonus(Modifier, frozen=True):
    """A command card that finds the cards it counts on the track counts higher: GW-18.5."""

    amount: Amount


class NoOverseers(Modifier, frozen=True):
    """The clan can neither place nor upgrade nor use Overseers: GW-18.5."""


class OverseerYieldChoice(Modifier, frozen=True):
    """The clan chooses the types of resources that the Overseer there yields: GW-18.5."""

    where: Places


class BreachShameShield(Modifier, frozen=True):
    """The clan ignores this number of Shame tokens of a breach: GW-13.6, GW-18.5."""

    amount: Amount


class SpearmanRows(Modifier, frozen=True):
    """Spearmen attack in this number of rows: GW-10.3, GW-18.5."""

    rows: Positive


class DefenseDelta(Modifier, frozen=True):
    """The Defense of every Section changes, after all other effects: GW-13.3, GW-18.5."""

    amount: Whole


class PowerDelta(Modifier, frozen=True):
    """The Offensive Power of every Horde card changes: GW-13.3, GW-18.5."""

    amount: Whole


class LethalityDelta(Modifier, frozen=True):
    """Lethality changes: GW-4.2, GW-18.5."""

    amount: Whole


class IncomeDelta(Modifier, frozen=True):
    """What every Overseer yields in Summer changes: GW-12.1, GW-18.5."""

    amount: Whole


class GatherDelta(Modifier, frozen=True):
    """The amount of this resource that a player gathers in a Location changes: GW-8.3, GW-18.5."""

    resource: Resource
    amount: Whole


class LocationClosed(Modifier, frozen=True):
    """Clerks cannot move to the Location, and it does not activate: GW-6.1, GW-18.5."""

    where: Places


class NoDonate(Modifier, frozen=True):
    """No player can donate: GW-8.5, GW-18.5."""


class RecruitCostDelta(Modifier, frozen=True):
    """Each soldier of these types costs more resources of any type: GW-8.6, GW-18.5."""

    types: Soldiers
    amount: Whole


class SaveCostDelta(Modifier, frozen=True):
    """Saving a soldier costs more chi: GW-10.12, GW-18.5."""

    amount: Whole


class InvasionDelta(Modifier, frozen=True):
    """More or fewer Horde cards come each Spring, but at least one: GW-5.2, GW-18.5."""

    amount: Whole


class OtherMovesDelta(Modifier, frozen=True):
    """Command cards of others let the clan move more or fewer clerks: GW-7.3, GW-18.5."""

    amount: Whole


AnyModifier = (
    RecruitDiscount
    | UpgradeDiscount
    | BuildDiscount
    | SaveDiscount
    | BoostDiscount
    | AdvisorDiscount
    | ShameDiscount
    | ClerkCountsAs
    | HandLimit
    | ResourceAsAny
    | TrackMatchBonus
    | NoOverseers
    | OverseerYieldChoice
    | BreachShameShield
    | SpearmanRows
    | DefenseDelta
    | PowerDelta
    | LethalityDelta
    | IncomeDelta
    | GatherDelta
    | LocationClosed
    | NoDonate
    | RecruitCostDelta
    | SaveCostDelta
    | InvasionDelta
    | OtherMovesDelta
)
