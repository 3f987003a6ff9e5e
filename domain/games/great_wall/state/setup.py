"""The options of a match, and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, Protocol

import msgspec

from domain.engine.options import misfit, only_in_modes
from domain.games.great_wall import board
from domain.games.great_wall.cards import decks

MAX_PLAYERS = max(board.PLAYERS["standard"])
"""A match with this number of players uses more cards: GW-17.1."""


class InSet(Protocol):
    """A card that belongs to a set."""

    @property
    def set(self) -> str:
        """The name of the set."""
        ...


ActivationOrder = Literal["lowest_first", "highest_first"]
"""The order in which Qin Jiushao activates his Locations: GW-14.7, GW-14.15."""
InitialHordes = Annotated[int, msgspec.Meta(ge=2, le=6)]
"""The number of Horde cards at the start of a solo game: GW-14.1, GW-14.15."""
SOLO = only_in_modes("solo")


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options that the host chooses: GW-1.1, GW-1.10, GW-2.4, GW-14.15."""

    mode: board.Mode = "standard"
    extended_decks: bool = False
    open_resources: bool = False
    difficulty: Annotated[board.Difficulty, SOLO] = "normal"
    solo_activation_order: Annotated[ActivationOrder, SOLO] = "lowest_first"
    solo_initial_hordes: Annotated[InitialHordes, SOLO] = 2


class Setup(msgspec.Struct, frozen=True):
    """The numbers for the seats of a match, and the cards of its decks."""

    table: board.Table
    slots: tuple[board.Slot, ...]
    hordes: tuple[str, ...]
    generals: tuple[str, ...]
    advisors: tuple[str, ...]
    tactics: tuple[str, ...]
    artifacts: tuple[str, ...]  # none in the cooperative game: GW-16.1
    requests: tuple[str, ...]  # these and the events in the cooperative game only
    events: tuple[str, ...]
    open_resources: bool
    difficulty: board.Difficulty
    activation_order: ActivationOrder


def setup(options: Options, seats: int) -> Setup:
    """The setup for these options and seats.

    GW-2.1, GW-2.3, GW-14.1, GW-16.1, GW-17.1. Raises BadOptions if the mode does not allow that
    number of seats.
    """
    table = _table(options, seats)
    coop = table.mode == "coop"
    added = ("5p",) if seats == MAX_PLAYERS else ()
    more = ("coop",) if coop else ()
    extended = ("extended",) if options.extended_decks else ()
    hordes = ("coop", *(f"coop_{name}" for name in extended)) if coop else ("base", *extended)
    return Setup(
        table=table,
        slots=board.TIME_TRACK[table.side],
        hordes=_horde_deck(table, hordes),
        generals=_deck(decks.GENERALS, ("base", *more, *added)),
        advisors=_deck(decks.ADVISORS, ("base", *added)),
        tactics=_deck(decks.TACTICS, ("base", *more, *added)),
        artifacts=() if coop else _deck(decks.ARTIFACTS, ("base", *extended)),
        requests=_requests(table, ("base", *extended)) if coop else (),
        events=tuple(decks.EVENTS) if coop else (),
        open_resources=options.open_resources,
        difficulty=options.difficulty,
        activation_order=options.solo_activation_order,
    )


def _table(options: Options, seats: int) -> board.Table:
    """The numbers for this mode and these seats: GW-1.1, GW-14.1."""
    few, many = board.PLAYERS[options.mode][0], board.PLAYERS[options.mode][-1]
    if not few <= seats <= many:
        raise misfit("mode", f"`mode` {options.mode} is for {few} to {many} players, not {seats}.")
    table = board.TABLES[options.mode, seats]
    if table.qin:
        return msgspec.structs.replace(table, initial_hordes=options.solo_initial_hordes)
    return table


def _requests(table: board.Table, sets: tuple[str, ...]) -> tuple[str, ...]:
    """The Requests of these sets, without those that a game of two excludes: GW-16.1."""
    named = _deck(decks.REQUESTS, sets)
    few = table.players == min(board.PLAYERS["coop"])
    return tuple(
        name for name in named if not (few and decks.REQUESTS[name].removed_with_2_players)
    )


def _deck(cards: Mapping[str, InSet], sets: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name, card in cards.items() if card.set in sets)


def _horde_deck(table: board.Table, sets: tuple[str, ...]) -> tuple[str, ...]:
    """The Horde cards of these sets that name a Section in use: GW-2.4, GW-2.5."""
    named = _deck(decks.HORDES, sets)
    return tuple(card for card in named if decks.HORDES[card].invasion in table.sections)


def is_cooperative(setup: Setup) -> bool:
    """Whether all seats win or lose together: GW-14.14, GW-16.2."""
    return setup.table.mode != "standard"
