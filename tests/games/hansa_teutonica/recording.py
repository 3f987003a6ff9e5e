"""Games of Hansa Teutonica recorded as data and as text, to be replayed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec

from domain.engine import codec
from domain.engine.bots import sight_of
from domain.engine.dice import Luck, choose
from domain.engine.game import Json, awaited, decide, fold, legal_moves, start
from domain.games.hansa_teutonica import GAME
from domain.games.hansa_teutonica.state import State


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
    """The game of this plan: mostly a bot's moves, some by chance, each with its events."""
    state, choices = plan.table(), Luck(plan.seed)
    entries: list[Json] = []
    if plan.position is None:
        entries.append(entry(None, start(GAME, state.setup, plan.seats, plan.dice(0))))
        fold(state, read(entries[0]))
    while awaited(state):
        move = chosen(state, choices)
        entries.append(entry(move, decide(GAME, state, move, plan.dice(len(entries)))))
        fold(state, read(entries[-1]))
    known: Json = msgspec.to_builtins(plan)
    return {**known, "entries": entries}


def chosen(state: State, choices: Luck) -> Any:
    (seat,) = awaited(state)
    if choices.below(8):
        return GAME.levels[2].bot(sight_of(GAME, state, seat, choices))
    kinds: dict[type, list[Any]] = {}
    for move in legal_moves(GAME, state, seat):
        kinds.setdefault(type(move), []).append(move)
    return choose(choices, choose(choices, list(kinds.values())))


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
    """The same game to read: what happened, how many moves there are, sometimes the table."""
    state, parts = plan.table(), []
    for number, line in enumerate(recorded["entries"]):
        fold(state, read(line))
        told = [" ".join(pieces(event)) for event in line["events"][:-1]]
        menu = [len(legal_moves(GAME, state, seat)) for seat in awaited(state)]
        waits = f"awaiting {awaited(state)} moves {menu} actions {state.actions}"
        parts.append("\n".join([f"# {number}", *told, waits]))
        if number % 20 == 0 or not awaited(state):
            parts.append(GAME.text(GAME.view(state, None)))
    return "\n\n".join(parts) + "\n"


def pieces(event: Json) -> Iterator[str]:
    """An event as words."""
    for name, value in event.items():
        text = msgspec.json.encode(value).decode().replace('"', "")
        yield text if name == "type" else f"{name}={text}"
