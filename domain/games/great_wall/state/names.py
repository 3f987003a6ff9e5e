"""The names and numbers that a table has, as types of what a position says."""

from __future__ import annotations

from typing import Annotated

from domain.engine.constraints import Choice, Unique
from domain.games.great_wall import board
from domain.games.great_wall.cards import decks
from domain.games.great_wall.cards.automata import SOLO

ClanNumber = Annotated[int, Choice("clan", lambda table: range(len(table.state.clans)))]
UsedSection = Annotated[
    board.Section, Choice("Section", lambda table: table.state.setup.table.sections)
]
SlotNumber = Annotated[
    int,
    Choice(
        "slot of the Time track",
        lambda table: range(table.state.setup.table.start_slot, len(table.state.setup.slots)),
    ),
]
HordeCard = Annotated[str, Choice("Horde card", lambda table: table.state.setup.hordes)]
General = Annotated[str, Choice("General", lambda table: ("", *table.state.setup.generals))]
Advisor = Annotated[str, Choice("advisor", lambda table: table.state.setup.advisors)]
Tactic = Annotated[str, Choice("tactic", lambda table: table.state.setup.tactics)]
Artifact = Annotated[str, Choice("artifact", lambda table: table.state.setup.artifacts)]
Request = Annotated[str, Choice("Request", lambda table: table.state.setup.requests)]
EventName = Annotated[str, Choice("event", lambda table: table.state.setup.events)]
Command = Annotated[str, Choice("command card", lambda _: {**decks.COMMANDS, **SOLO})]
Hordes = Unique[HordeCard]
Advisors = Unique[Advisor]
Tactics = Unique[Tactic]
Commands = Unique[Command]
