"""What the numbers of an operation come to for whoever does it: GW-18.1."""

from __future__ import annotations

from typing import Literal

from domain.games.great_wall.cards.amounts import Amount
from domain.games.great_wall.rules.effects import modifiers
from domain.games.great_wall.state.clans import Source
from domain.games.great_wall.state.counters import matches, value
from domain.games.great_wall.state.steps.effects import Perform
from domain.games.great_wall.state.table import State

SOURCES: dict[str, Source] = {
    "generals": "generals",
    "advisors": "advisors",
    "tactics": "tactics",
    "commands": "command_cards",
    "events": "costs",  # they bring none
}
"""By deck, where the honor that its cards bring comes from."""


def number(state: State, here: Perform, amount: Amount) -> int:
    """What an amount comes to; more for some if a command card finds others: GW-18.1, GW-18.5."""
    if isinstance(amount, int):
        return amount
    clan = here.clan if here.counts is None else here.counts
    found = amount.name is not None and matches(state, amount.name)
    bonus = modifiers.match_bonus(state, clan) if found and _is_command(here) else 0
    return value(state, clan, amount, here.context) + bonus


def number_or_all(state: State, here: Perform, amount: Amount | Literal["all"]) -> int | None:
    """What an amount comes to; None if it is all: GW-18.6."""
    return None if amount == "all" else number(state, here, amount)


def _is_command(here: Perform) -> bool:
    """Whether an operation is that of a command card: GW-18.5."""
    return here.script.startswith("commands/")


def source(here: Perform) -> Source:
    """Where the honor comes from that this operation brings."""
    return SOURCES[here.script.split("/", 1)[0]]
