"""Abilities of Generals and advisors: what they do when, and what they change: GW-18.4, GW-18.5."""

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
    snake,
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
"""When an ability fires; some words are on no card yet: GW-18.7, GW-18.14."""

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
"""The filters that a trigger understands; the others none: GW-18.4."""


class Triggered(Phrase, frozen=True):
    """Do this each time something happens to which the filters fit: GW-18.4."""

    trigger: Trigger
    do: Ops
    types: Soldiers | None = None  # one of these types took part; any if left out
    where: Places | None = None  # it was such a Location; any if left out
    min_clerks: Positive | None = None  # with that many clerks; 1 if left out
    role: Role | None = None  # the part in the defeat; any if left out
    choice: Choice | None = None  # what was chosen; anything if left out

    def __post_init__(self) -> None:
        """Refuse a filter that has no meaning for the trigger."""
        for name in ("types", "where", "min_clerks", "role", "choice"):
            if getattr(self, name) is not None and name not in FILTERS.get(self.trigger, ()):
                raise ValueError(f"`{self.trigger}` has no `{name}`")


class Modifier(Phrase, frozen=True, tag_field="modifier", tag=snake):
    """What holds as long as the card lies there; `modifier` says what: GW-18.5."""


class RecruitDiscount(Modifier, frozen=True):
    """Soldiers of these types cost fewer resources: GW-18.5."""

    types: Soldiers
    amount: Amount
    resource: Resource | None = None  # of which type; the buyer chooses if left out
    per: Literal["soldier", "event"] = "soldier"  # for each of them, or for all together


class UpgradeDiscount(Modifier, frozen=True):
    """To upgrade an Overseer there costs fewer resources: GW-18.5."""

    where: Places
    amount: Amount


class BuildDiscount(Modifier, frozen=True):
    """To build costs fewer resources; the honor stays as it is: GW-18.5."""

    what: Literal["wall", "barricade"]
    amount: Amount


class SaveDiscount(Modifier, frozen=True):
    """To save a soldier costs less chi: GW-18.5."""

    amount: Amount


class BoostDiscount(Modifier, frozen=True):
    """To boost a tactic card costs less chi: GW-18.5."""

    amount: Amount


class AdvisorDiscount(Modifier, frozen=True):
    """Advisors cost less gold: GW-18.5."""

    amount: Amount


class ShameDiscount(Modifier, frozen=True):
    """To discard a Shame token in Summer costs less chi: GW-18.5."""

    amount: Amount


class ClerkCountsAs(Modifier, frozen=True, rename={"but": "except"}):
    """Own clerks count as more while such a Location is resolved: GW-6.8, GW-18.5."""

    where: Places
    but: Places | None = None  # not there
    each: Amount | None = None  # for each clerk
    first: Amount | None = None  # for one of them, the others count as 1

    def __post_init__(self) -> None:
        """Refuse both readings at once, and none."""
        if (self.each is None) == (self.first is None):
            raise ValueError("either `each` or `first`")


class HandLimit(Modifier, frozen=True):
    """So many tactic cards can be in hand: GW-9.5, GW-18.5."""

    n: Positive


class ResourceAsAny(Modifier, frozen=True):
    """This resource pays in place of any other: GW-18.5."""

    resource: Resource


class TrackMatchBonus(Modifier, frozen=True):
    """A command card that counts named cards on the track, and finds one, counts more: GW-18.5."""

    amount: Amount


class NoOverseers(Modifier, frozen=True):
    """Overseers can be neither placed nor upgraded nor used: GW-18.5."""


class OverseerYieldChoice(Modifier, frozen=True):
    """What the Overseer there yields can be of any type: GW-18.5."""

    where: Places


class BreachShameShield(Modifier, frozen=True):
    """So many Shame tokens of a breach are ignored: GW-13.6, GW-18.5."""

    amount: Amount


class SpearmanRows(Modifier, frozen=True):
    """Spearmen attack in so many rows: GW-10.3, GW-18.5."""

    rows: Positive


class DefenseDelta(Modifier, frozen=True):
    """The Defense of every Section changes, after all else: GW-13.3, GW-18.5."""

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
    """What a player gathers of this resource in a Location changes: GW-8.3, GW-18.5."""

    resource: Resource
    amount: Whole


class LocationClosed(Modifier, frozen=True):
    """No clerks can be moved there, and it does not activate: GW-6.1, GW-18.5."""

    where: Places


class NoDonate(Modifier, frozen=True):
    """Nobody can donate: GW-8.5, GW-18.5."""


class RecruitCostDelta(Modifier, frozen=True):
    """Each soldier of these types costs so many more resources of any type: GW-8.6, GW-18.5."""

    types: Soldiers
    amount: Whole


class SaveCostDelta(Modifier, frozen=True):
    """To save a soldier costs so much more chi: GW-10.12, GW-18.5."""

    amount: Whole


class InvasionDelta(Modifier, frozen=True):
    """So many more Horde cards come each Spring, but one at least: GW-5.2, GW-18.5."""

    amount: Whole


class OtherMovesDelta(Modifier, frozen=True):
    """What command cards let others move changes by so many clerks: GW-7.3, GW-18.5."""

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
