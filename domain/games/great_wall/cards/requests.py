"""What the Emperor requests in the cooperative game: GW-16.11, GW-18.10."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import astuple

from domain.games.great_wall import board
from domain.games.great_wall.cards.amounts import (
    NAMED_COUNTER,
    Counter,
    Natural,
    Phrase,
    Positive,
    Soldiers,
)

Check = Literal[
    "every_section_has_horde",
    "no_breach_this_year",
    "rest_zone_soldiers_each_section",
    "wall_levels_total_at_least",
    "each_player_count_at_least",
    "each_player_count_at_most",
    "hordes_defeated_this_year_at_least",
]
"""What must hold when a Request is declared: GW-18.10."""


COUNT_CHECKS = frozenset({"each_player_count_at_least", "each_player_count_at_most"})
"""The checks that count something of each player."""
CHECKS_WITH_NUMBER = COUNT_CHECKS | {
    "rest_zone_soldiers_each_section",
    "wall_levels_total_at_least",
    "hordes_defeated_this_year_at_least",
}
"""The checks that need a number."""
PLAYERS = {str(players) for players in board.PLAYERS["coop"]}


class PerPlayer(Phrase, frozen=True):
    """A number for each player, plus a fixed number: GW-18.10."""

    per_player: Positive
    plus: Natural = 0


Share = Positive | PerPlayer


class Sacrifice(Phrase, frozen=True):
    """Components that players remove from the game: GW-16.11."""

    component: Literal["soldier"]
    types: Soldiers
    n: Positive


class Payment(Phrase, frozen=True):
    """What each player, all together, or the Warehouse pays or sacrifices."""

    wood: Share = 0
    stone: Share = 0
    gold: Share = 0
    chi: Share = 0
    honor: Share = 0
    any: Share = 0  # resources of any type
    sacrifice: Sacrifice | None = None

    def __post_init__(self) -> None:
        """Refuse an empty payment."""
        if not any(astuple(self)):
            raise ValueError("a payment must not be empty")

    @property
    def not_in_the_warehouse(self) -> bool:
        """Whether it asks for something that the Warehouse never holds: GW-8.12."""
        return bool(self.chi or self.honor or self.sacrifice)


class RequestNeed(Phrase, frozen=True):
    """One need of a Request: either a payment or a check: GW-18.10."""

    pay_each: Payment | None = None
    pay_together: Payment | None = None
    pay_warehouse: Payment | None = None
    check: Check | None = None
    n: Positive | dict[str, Positive] | None = None  # for the check; or by number of players
    count: Counter | None = None  # what the check counts for each player

    def __post_init__(self) -> None:
        """Refuse several needs at once, and members that mean nothing for this need."""
        given = (self.pay_each, self.pay_together, self.pay_warehouse, self.check)
        if sum(one is not None for one in given) != 1:
            raise ValueError("a need must be one payment or one check")
        # Counters of an event have no meaning here: GW-18.7.
        odd = self.count == NAMED_COUNTER or (self.count or "").endswith("_now")
        if (self.count is not None) != (self.check in COUNT_CHECKS) or odd:
            raise ValueError("`count` is only for checks that count for each player")
        if (self.n is not None) != (self.check in CHECKS_WITH_NUMBER):
            raise ValueError("`n` is only for checks that need a number")
        if isinstance(self.n, dict) and set(self.n) != PLAYERS:
            raise ValueError("`n` needs one number, or one for each number of players")
        if self.pay_warehouse and self.pay_warehouse.not_in_the_warehouse:
            raise ValueError("the Warehouse pays only with wood, stone and gold")
