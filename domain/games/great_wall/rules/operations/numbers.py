"""The values of the numbers of an operation for the clan that does it: GW-18.1."""

from __future__ import annotations

from typing import Literal

from domain.games.great_wall.cards.amounts import Amount
from domain.games.great_wall.rules.effects import modifiers
from domain.games.great_wall.state.agenda.effects import Perform
from domain.games.great_wall.state.clans import Source
from domain.games.great_wall.state.counters import count_matches, value
from domain.games.great_wall.state.table import State

SOURCES: dict[str, Source] = {
    "generals": "generals",
    "advisors": "advisors",
    "tactics": "tactics",
    "commands": "command_cards",
    "events": "costs",  # they bring none
}
"""By deck, the source of the honor that its cards bring."""


def value_of(state: State, here: Perform, amount: Amount) -> int:
    """The value of an amount; higher for some if a command card finds others: GW-18.1, GW-18.5."""
    if isinstance(amount, int):
        return amount
    clan = here.clan if here.counts is None else here.counts
    found = amount.name is not None and count_matches(state, amount.name)
    bonus = modifiers.match_bonus(state, clan) if found and _is_command(here) else 0
    return value(state, clan, amount, here.context) + bonus


def value_or_all(state: State, here: Perform, amount: Amount | Literal["all"]) -> int | None:
    """The value of an amount; None for `all`: GW-18.6."""
    return None if amount == "all" else value_of(state, here, amount)


def _is_command(here: Perform) -> bool:
    """Whether the operation is on a command card: GW-18.5."""
    return here.script.startswith("commands/")


def source_of(here: Perform) -> Source:
    """The source of the honor that this operation brings."""
    return SOURCES[here.script.split("/", 1)[0]]
