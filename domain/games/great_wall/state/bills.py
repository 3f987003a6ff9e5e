"""Bills: what a clan must pay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import msgspec
from msgspec.structs import astuple

from domain.games.great_wall import board
from domain.games.great_wall.cards.amounts import Cost


class Bill(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Resources and honor to pay at once: GW-18.2.

    Of wood, stone and gold the payer adds `any_wsg` in any mix. In total the payer pays `less`
    fewer resources, of their choice.
    """

    wood: int = 0
    stone: int = 0
    gold: int = 0
    chi: int = 0
    any_wsg: int = 0
    honor: int = 0
    less: int = 0

    @classmethod
    def of(cls, cost: board.Cost, less: int = 0) -> Self:
        """The bill for a printed cost."""
        return cls(**cost, less=less)

    @property
    def fixed(self) -> tuple[int, int, int, int]:
        """The resources that the bill names, in the order of the box."""
        return self.wood, self.stone, self.gold, self.chi

    @property
    def total(self) -> int:
        """How many resources the bill has in total."""
        named = self.wood + self.stone + self.gold + self.chi
        return max(0, named + self.any_wsg - self.less)


NOTHING = Bill()
"""The bill of a free effect."""


def together(bills: Sequence[Bill]) -> Bill:
    """The sum of these bills."""
    return Bill(*map(sum, zip(*map(astuple, bills), strict=True)))


def bill_of(cost: Cost | None) -> Bill:
    """The bill for a cost on a card, if it has one: GW-18.2."""
    if cost is None:
        return NOTHING
    named = {name: getattr(cost, name) for name in (*board.RESOURCES, "honor")}
    return Bill(any_wsg=cost.any_of_wsg, **named)
