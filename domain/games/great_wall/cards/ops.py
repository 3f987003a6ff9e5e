"""Operations: what the effects of cards do, a record for each kind: GW-18.6."""

from __future__ import annotations

from typing import Literal

from domain.games.great_wall.cards.amounts import (
    Amount,
    Cost,
    Phrase,
    Places,
    Positive,
    Resources,
    Soldiers,
    to_snake_case,
)
from domain.games.great_wall.cards.conditions import Condition


class Operation(Phrase, frozen=True, tag_field="op", tag=to_snake_case):
    """An instruction on a card; `op` names its kind."""


class Gain(Operation, frozen=True):
    """Take resources from the supply, honor and tactic cards: GW-18.6."""

    wood: Amount = 0
    stone: Amount = 0
    gold: Amount = 0
    chi: Amount = 0
    any: Amount = 0  # that number more, each of a type that the player chooses
    any_of: Resources | None = None  # the types to choose from; all four if left out
    different: bool = False  # each chosen resource has another type
    honor: Amount = 0
    tactics: Amount = 0

    def __post_init__(self) -> None:
        """Refuse an empty gain, and options where there is no choice."""
        _check_something(self)
        if not self.any and (self.any_of or self.different):
            raise ValueError("`any_of` and `different` need `any`")


class Lose(Operation, frozen=True):
    """Lose resources, honor and tactic cards, as far as the clan has them: GW-18.6."""

    wood: Amount = 0
    stone: Amount = 0
    gold: Amount = 0
    chi: Amount = 0
    any: Amount = 0  # that number more, each of a type that the player chooses
    any_of: Resources | None = None  # the types to choose from; all four if left out
    honor: Amount = 0
    tactics: Amount = 0  # the player chooses the cards

    def __post_init__(self) -> None:
        """Refuse an empty loss, and options where there is no choice."""
        _check_something(self)
        if not self.any and self.any_of:
            raise ValueError("`any_of` needs `any`")


class May(Operation, frozen=True):
    """Pay the cost, if the player wants to, and do this; up to `times` times: GW-18.6."""

    do: Ops
    cost: Cost | None = None
    times: Amount = 1


class Choose(Operation, frozen=True):
    """Do exactly `n` of the options, each at most once: GW-18.6."""

    options: tuple[Ops, ...]
    n: Positive = 1

    def __post_init__(self) -> None:
        """Refuse to choose more options than there are."""
        if self.n > len(self.options):
            raise ValueError(f"{self.n} of {len(self.options)} options")


class If(Operation, frozen=True, rename={"otherwise": "else"}):
    """Do this if the condition holds now, otherwise that: GW-18.6."""

    cond: Condition
    do: Ops
    otherwise: Ops = ()


class EachPlayer(Operation, frozen=True):
    """Each of these players does this, in Tea order: GW-18.6."""

    who: Literal["others", "all"]
    do: Ops


class ChoosePlayers(Operation, frozen=True):
    """Name up to n different players, each of whom does this: GW-18.6."""

    n: Amount
    do: Ops
    include_self: bool = False


class MoveClerks(Operation, frozen=True):
    """Move up to n of your clerks, each once: GW-6.2, GW-18.6."""

    n: Amount | Literal["all"]
    spread: Literal["any", "distinct", "one_or_two"]


class AdvancedActivation(Operation, frozen=True):
    """Activate up to n Locations with clerks on them, one after another: GW-6.6, GW-18.6."""

    n: Amount
    where: Places


class ClerksCountAs(Operation, frozen=True):
    """Your clerks count as more while a Location is resolved: GW-6.8, GW-18.6."""

    where: Places
    each: Amount
    until: Literal["end_of_turn"]


class HireClerk(Operation, frozen=True):
    """Take up to n of your clerks from the Clerk space into the pool: GW-8.9, GW-18.6."""

    n: Amount
    cost: Cost | None = None  # for each, instead of the printed cost


class HireAdvisor(Operation, frozen=True):
    """Hire up to n advisors from the track, each for less gold: GW-8.9, GW-18.6."""

    n: Amount
    discount: Amount = 0


class UpgradeOverseer(Operation, frozen=True):
    """Upgrade up to n different Overseers, without a clerk there: GW-8.4, GW-18.6."""

    n: Amount
    where: Places = "production"
    discount: Amount = 0
    free: bool = False


class OverseerIncome(Operation, frozen=True):
    """Take what up to n Overseers yield: your own, or those of one other player: GW-18.6."""

    n: Amount | Literal["all"]
    whose: Literal["own", "other"]
    where: Places = "production"


class WarehouseAdd(Operation, frozen=True):
    """Put n resources from the supply into the Warehouse: GW-8.12, GW-18.6."""

    n: Amount
    any_of: Resources

    def __post_init__(self) -> None:
        """Refuse resources that the Warehouse does not hold: GW-8.12."""
        if "chi" in self.any_of:
            raise ValueError("the Warehouse holds no chi")


class Recruit(Operation, frozen=True):
    """Recruit up to n soldiers of these types, all at once: GW-8.6, GW-18.6."""

    n: Amount
    types: Soldiers
    cost: Cost | None = None  # for each, instead of the printed cost
    discount: Amount = 0  # on the total
    free: bool = False


class Attack(Operation, frozen=True, rename={"source": "from"}):
    """Attack with up to n of your soldiers in the Sections: GW-9.7, GW-18.6."""

    n: Amount | Literal["all"]
    types: Soldiers
    source: Literal["rest", "firing", "rest_or_firing"]
    sections: Amount
    each_section: Amount | None = None  # at most that number in each Section
    not_recruited_now: bool = False  # without soldiers that the event before recruited


class Wound(Operation, frozen=True):
    """Put up to n Wound markers on free Vital spots: GW-10.14, GW-18.6."""

    n: Amount
    target: Literal["this_horde", "first_row", "any_row"]
    sections: Literal["this", "one", "any"]


class MoveSoldiers(Operation, frozen=True):
    """Move soldiers between two Sections, up to n times: GW-8.10, GW-18.6."""

    n: Amount


class Save(Operation, frozen=True):
    """Save up to n of your soldiers that are about to be killed: GW-18.13."""

    n: Amount | Literal["all"]
    cost: Cost | None = None  # for each


class Kill(Operation, frozen=True):
    """Up to n of these soldiers of every player are killed: GW-10.12, GW-18.6."""

    n: Amount
    types: Soldiers
    where: Literal[
        "this_horde",
        "this_section_hordes",
        "all_hordes",
        "firing_this_section",
        "firing_all",
        "rest_all",
    ]
    most_first: bool = False  # first where most of their soldiers stand


class BuildBarricade(Operation, frozen=True):
    """Build up to n Barricades: GW-8.8, GW-18.6."""

    n: Amount
    discount: Amount = 0
    free: bool = False
    no_honor: bool = False
    section: Literal["any", "this"] = "any"


class BuildWall(Operation, frozen=True):
    """Build a Wall part: GW-8.8, GW-18.6."""

    discount: Amount = 0
    where: Literal["any", "lowest"] = "any"


class Donate(Operation, frozen=True):
    """Donate up to n resources of the pool: GW-8.5, GW-18.6."""

    n: Amount


class DiscardShame(Operation, frozen=True):
    """Return up to n of your Shame tokens: GW-11.4, GW-18.6."""

    n: Amount | Literal["all"]


class GainShame(Operation, frozen=True):
    """Get n Shame tokens, one by one: GW-11.2, GW-18.6."""

    n: Amount


class TeaUp(Operation, frozen=True):
    """Move your Tea marker up: GW-8.7, GW-18.6."""

    steps: Positive | Literal["top"]


class Reclaim(Operation, frozen=True):
    """Take up to n of your command cards back from the discard: GW-12.4, GW-18.6."""

    n: Amount | Literal["all"]


class PlaceHordes(Operation, frozen=True):
    """Place n new Horde cards: GW-5.2, GW-18.6."""

    n: Amount


class ReturnClerks(Operation, frozen=True):
    """Every player takes up to n of their clerks back to the pool: GW-18.6."""

    where: Places
    n: Amount


class CopyCommand(Operation, frozen=True):
    """Do what another player's command card does for its owner: GW-9.6."""


Op = (
    Gain
    | Lose
    | May
    | Choose
    | If
    | EachPlayer
    | ChoosePlayers
    | MoveClerks
    | AdvancedActivation
    | ClerksCountAs
    | HireClerk
    | HireAdvisor
    | UpgradeOverseer
    | OverseerIncome
    | WarehouseAdd
    | Recruit
    | Attack
    | Wound
    | MoveSoldiers
    | Save
    | Kill
    | BuildBarricade
    | BuildWall
    | Donate
    | DiscardShame
    | GainShame
    | TeaUp
    | Reclaim
    | PlaceHordes
    | ReturnClerks
    | CopyCommand
)
Ops = tuple[Op, ...]
"""Operations, done in this order."""

AMOUNTS = ("wood", "stone", "gold", "chi", "any", "honor", "tactics")


def _check_something(op: Gain | Lose) -> None:
    """Refuse an operation that changes nothing."""
    if not any(getattr(op, name) for name in AMOUNTS):
        raise ValueError("the operation changes nothing")
