"""Horde cards: their Vital spots, rewards and abilities: GW-9.8, GW-18.8."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from domain.games.great_wall.board import Section
from domain.games.great_wall.cards.amounts import Natural, Phrase
from domain.games.great_wall.cards.kinds import BaseCard, Set

WIDTH = 6
"""How many spots a row of the grid has: GW-9.8."""

AbilityKind = Literal[
    "none",
    "halve_defense",
    "barricades_less",
    "power_per_other_horde",
    "power_other_hordes",
    "lethality_section",
    "lethality_self",
    "no_archer_wounds",
    "no_spearmen",
    "plunder_on_breach",
    "toll_while_first",
    "kill_firing_on_winter",
    "kill_on_attack",
    "swap_forward",
]
WITHOUT_AMOUNT: tuple[AbilityKind, ...] = (
    "none",
    "halve_defense",
    "no_archer_wounds",
    "no_spearmen",
    "swap_forward",
)
"""The abilities that have no amount: GW-18.8."""


class Reward(Phrase, frozen=True):
    """What a soldier on a Vital spot brings: GW-10.6."""

    wood: Natural = 0
    stone: Natural = 0
    gold: Natural = 0
    chi: Natural = 0
    any: Natural = 0  # that number more, each of a type that the player chooses
    honor: Natural = 0
    tactics: Natural = 0


class Ability(Phrase, frozen=True):
    """An ability of a Horde card: GW-18.8."""

    kind: AbilityKind
    amount: Natural = 0

    def __post_init__(self) -> None:
        """Refuse an amount that the ability does not need, and a missing one that it needs."""
        if (self.amount == 0) != (self.kind in WITHOUT_AMOUNT):
            raise ValueError(f"`{self.kind}` and an `amount` of {self.amount}")


GridRow = Annotated[tuple[Reward | None, ...], msgspec.Meta(min_length=WIDTH, max_length=WIDTH)]


class HordeType(BaseCard, frozen=True, kw_only=True, rename={"id": "type"}):
    """What all cards of a type share: GW-9.8."""

    id: str
    set: Set
    power: Natural
    honor: Natural
    shame_slots: Natural
    grid: tuple[GridRow, GridRow]
    ability: Ability

    def __post_init__(self) -> None:
        """Refuse a card without a Vital spot."""
        if not any(spot is not None for row in self.grid for spot in row):
            raise ValueError("a Horde card needs a Vital spot")


class HordeEntry(Phrase, frozen=True):
    """A Horde card as the file lists it: its type, and what is on its back."""

    id: str
    type: str
    invasion: Section


class HordeCard(msgspec.Struct, frozen=True):
    """A Horde card: its type, and what is on its back: GW-9.8."""

    id: str
    type: str
    name: str
    set: Set
    text: str
    power: int
    honor: int
    shame_slots: int
    ability: Ability
    invasion: Section
    grid: tuple[Reward | None, ...]
    """By spot, 6 x row + column; None if there is no Vital spot."""


def make_horde_card(printed: HordeEntry, kind: HordeType) -> HordeCard:
    """A Horde card of this type: GW-9.8."""
    return HordeCard(
        id=printed.id,
        type=kind.id,
        name=kind.name,
        set=kind.set,
        text=kind.text,
        power=kind.power,
        honor=kind.honor,
        shame_slots=kind.shame_slots,
        ability=kind.ability,
        invasion=printed.invasion,
        grid=kind.grid[0] + kind.grid[1],
    )
