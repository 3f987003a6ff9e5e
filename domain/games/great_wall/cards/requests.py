"""What the Emperor requests of all players in the cooperative game: GW-16.11, GW-18.10."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import astuple

from domain.games.great_wall import board
from domain.games.great_wall.cards.amounts import (
    NAMED,
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
"""What must be so when a Request is declared: GW-18.10."""


COUNTED = frozenset({"each_player_count_at_least", "each_player_count_at_most"})
"""The checks that count something of each player."""
NUMBERED = COUNTED | {
    "rest_zone_soldiers_each_section",
    "wall_levels_total_at_least",
    "hordes_defeated_this_year_at_least",
}
"""The checks that ask for a number."""
PLAYERS = {str(players) for players in board.PLAYERS["coop"]}


class PerPlayer(Phrase, frozen=True):
    """So many for each player, and so many more: GW-18.10."""

    per_player: Positive
    plus: Natural = 0


Share = Positive | PerPlayer


class Sacrifice(Phrase, frozen=True):
    """Components that leave the game: GW-16.11."""

    component: Literal["soldier"]
    types: Soldiers
    n: Positive


class Payment(Phrase, frozen=True):
    """What is paid or sacrificed, by each player, by all together, or by the Warehouse."""

    wood: Share = 0
    stone: Share = 0
    gold: Share = 0
    chi: Share = 0
    honor: Share = 0
    any: Share = 0  # resources of any type
    sacrifice: Sacrifice | None = None

    def __post_init__(self) -> None:
        """Refuse a payment of nothing."""
        if not any(astuple(self)):
            raise ValueError("a payment names something")

    @property
    def not_in_the_warehouse(self) -> bool:
        """Whether it asks for what never lies in the Warehouse: GW-8.12."""
        return bool(self.chi or self.honor or self.sacrifice)


class Need(Phrase, frozen=True):
    """One thing that a Request needs: either a payment or a check: GW-18.10."""

    pay_each: Payment | None = None
    pay_together: Payment | None = None
    pay_warehouse: Payment | None = None
    check: Check | None = None
    n: Positive | dict[str, Positive] | None = None  # for the check; by the number of players
    count: Counter | None = None  # what the check counts, of each player

    def __post_init__(self) -> None:
        """Refuse several things at once, and what means nothing beside what is asked for."""
        told = (self.pay_each, self.pay_together, self.pay_warehouse, self.check)
        if sum(one is not None for one in told) != 1:
            raise ValueError("a need is one payment or one check")
        odd = self.count == NAMED or (self.count or "").endswith("_now")  # of no event: GW-18.7
        if (self.count is not None) != (self.check in COUNTED) or odd:
            raise ValueError("`count` says what is counted of each player, and of nothing else")
        if (self.n is not None) != (self.check in NUMBERED):
            raise ValueError("`n` is the number that a check asks for, if it asks for one")
        if isinstance(self.n, dict) and set(self.n) != PLAYERS:
            raise ValueError("`n` has a number for each count of players, or is the same for all")
        if self.pay_warehouse and self.pay_warehouse.not_in_the_warehouse:
            raise ValueError("the Warehouse pays with wood, stone and gold")
