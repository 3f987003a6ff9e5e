"""Games recorded as data and as text, to be replayed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import msgspec

from domain.engine import codec
from domain.engine.dice import Luck, choose
from domain.engine.game import Json, awaited, decide, fold, legal_moves, preview, start
from domain.games.tigris_euphrates import GAME
from domain.games.tigris_euphrates.state import State


@dataclass(frozen=True)
class Plan:
    """What a recorded game begins with, and the seed of its choices and of its dice."""

    name: str
    seed: int
    seats: int
    options: Json = field(default_factory=dict)
    position: Json | None = None

    def table(self) -> State:
        """The table before the first event."""
        setup = GAME.setup(codec.read_options(GAME, self.options), self.seats)
        if self.position is None:
            return GAME.blank(setup, self.seats)
        return GAME.read_position(setup, self.position, self.seats)

    def dice(self, entry: int) -> Luck:
        """The dice of an entry, the first of which is 0."""
        return Luck(f"{self.seed}/{entry}")


def record(plan: Plan) -> Json:
    """The game of this plan, each move with its events."""
    state, choices = plan.table(), Luck(plan.seed)
    entries: list[Json] = []
    if plan.position is None:
        entries.append(entry(None, start(GAME, state.setup, plan.seats, plan.dice(0))))
        fold(state, read(entries[0]))
    while awaited(state):
        move = eventful(state, choices)
        entries.append(entry(move, decide(GAME, state, move, plan.dice(len(entries)))))
        fold(state, read(entries[-1]))
    known: Json = msgspec.to_builtins(plan)
    return {**known, "entries": entries}


def eventful(state: State, dice: Luck) -> Any:
    """Of some moves the one by which most happens, so that games are colourful."""
    legal = legal_moves(GAME, state, *awaited(state))
    some = [choose(dice, legal) for _ in range(6)]
    return max(some, key=lambda move: len(preview(GAME, state, move)))


def entry(move: Any, events: Any) -> Json:
    return {"move": codec.to_json(move), "events": codec.to_json(events)}


def read(recorded: Json) -> Any:
    """The events of an entry."""
    return codec.read_events(GAME, codec.encode(recorded["events"]))


def as_json(recorded: Json) -> str:
    """One line for each entry, so that a change is easy to see."""
    head = {key: value for key, value in recorded.items() if key != "entries"}
    lines = [msgspec.json.encode(line).decode() for line in recorded["entries"]]
    opened = msgspec.json.encode(head).decode().removesuffix("}")
    return f'{opened},\n"entries":[\n' + ",\n".join(lines) + "\n]}\n"


def as_text(plan: Plan, recorded: Json) -> str:
    """The same game to read: what happened, then the table and how many moves there are."""
    state, parts = plan.table(), []
    for number, line in enumerate(recorded["entries"]):
        fold(state, read(line))
        told = [" ".join(pieces(event)) for event in line["events"][:-1]]
        menu = [f"seat {seat}: {len(legal_moves(GAME, state, seat))}" for seat in awaited(state)]
        moves = f"moves of {', '.join(menu)}" if menu else "no moves"
        parts.append("\n".join([f"# {number}", *told, moves]))
    views = [GAME.text(GAME.view(state, seat)) for seat in (None, *range(plan.seats))]
    return "\n\n".join(parts + views)


def pieces(event: Json) -> list[str]:
    """An event as words."""
    written = {name: msgspec.json.encode(value).decode() for name, value in event.items()}
    told = [f"{name}={value}" for name, value in written.items() if name != "type"]
    return [word.replace('"', "") for word in (written["type"], *told)]
