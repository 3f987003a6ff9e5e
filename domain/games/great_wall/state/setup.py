"""What is chosen before a match, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import msgspec

from domain.games.great_wall import board
from domain.games.great_wall.cards import decks


class InSet(Protocol):
    """A card that belongs to a set."""

    @property
    def set(self) -> str:
        """The name of the set."""
        ...


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What can be chosen: GW-2.4, GW-1.10."""

    extended_decks: bool = False
    open_resources: bool = False


class Setup(msgspec.Struct, frozen=True):
    """All that a match goes by: the numbers for its seats, and the cards that are in its decks."""

    table: board.Table
    slots: tuple[board.Slot, ...]
    hordes: tuple[str, ...]
    generals: tuple[str, ...]
    advisors: tuple[str, ...]
    tactics: tuple[str, ...]
    artifacts: tuple[str, ...]
    open_resources: bool


def setup(options: Options, seats: int) -> Setup:
    """Work out all that a match with these options and seats goes by: GW-2.1, GW-2.3, GW-17.1."""
    table = board.TABLES[seats]
    added = ("5p",) if seats == max(board.TABLES) else ()
    extended = ("extended",) if options.extended_decks else ()
    return Setup(
        table=table,
        slots=board.TIME_TRACK[table.side],
        hordes=_horde_deck(table, ("base", *extended)),
        generals=_deck(decks.GENERALS, ("base", *added)),
        advisors=_deck(decks.ADVISORS, ("base", *added)),
        tactics=_deck(decks.TACTICS, ("base", *added)),
        artifacts=_deck(decks.ARTIFACTS, ("base", *extended)),
        open_resources=options.open_resources,
    )


def _deck(cards: Mapping[str, InSet], sets: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name, card in cards.items() if card.set in sets)


def _horde_deck(table: board.Table, sets: tuple[str, ...]) -> tuple[str, ...]:
    """The Horde cards of these sets that name a Section in use: GW-2.4, GW-2.5."""
    named = _deck(decks.HORDES, sets)
    return tuple(card for card in named if decks.HORDES[card].invasion in table.sections)
