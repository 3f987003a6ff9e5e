"""Games of Chang Cheng recorded as data and as text, to be replayed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec

from domain.engine import codec
from domain.engine.dice import Luck, choose
from domain.engine.game import Json, awaited, decide, fold, legal_moves, start
from domain.games.chang_cheng import GAME
from domain.games.chang_cheng.state import State
from domain.games.chang_cheng.view import CellView, View

SIGNS = {"single": "", "double": "=", "tower": "^", "ruin": "x"}


@dataclass(frozen=True)
class Plan:
    """What a recorded game begins with, and the seed of its choices and of its dice."""

    name: str
    seed: int
    seats: int
    options: Json = field(default_factory=dict)

    def table(self) -> State:
        """The table before the first event."""
        setup = GAME.setup(codec.read_options(GAME, self.options), self.seats)
        return GAME.blank(setup, self.seats)

    def dice(self, entry: int) -> Luck:
        """The dice of an entry, the first of which is 0."""
        return Luck(f"{self.seed}/{entry}")


def record(plan: Plan) -> Json:
    """The game of this plan, each move with its events."""
    state, choices = plan.table(), Luck(plan.seed)
    entries = [entry(None, start(GAME, state.setup, plan.seats, plan.dice(0)))]
    fold(state, read(entries[0]))
    while awaited(state):
        menu: dict[type, list[Any]] = {}
        for move in legal_moves(GAME, state, *awaited(state)):
            menu.setdefault(type(move), []).append(move)
        move = choose(choices, choose(choices, list(menu.values())))
        entries.append(entry(move, decide(GAME, state, move, plan.dice(len(entries)))))
        fold(state, read(entries[-1]))
    known: Json = msgspec.to_builtins(plan)
    return {**known, "entries": entries}


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
    """The same game to read: what happened, then the wall and what each seat knows."""
    state, parts = plan.table(), []
    for number, line in enumerate(recorded["entries"]):
        fold(state, read(line))
        told = [" ".join(pieces(event)) for event in line["events"][:-1]]
        parts.append("\n".join([f"# {number}", *told, "", *shown(state)]))
    return "\n\n".join(parts) + "\n"


def pieces(event: Json) -> Iterator[str]:
    """An event as words."""
    for name, value in event.items():
        text = msgspec.json.encode(value).decode().replace('"', "")
        yield text if name == "type" else f"{name}={text}"


def shown(state: State) -> list[str]:
    """The wall as all see it, and what each seat sees besides."""
    views = [GAME.view(state, seat) for seat in (None, *range(state.seats))]
    public = views[0]
    menu = [len(legal_moves(GAME, state, seat)) for seat in awaited(state)]
    return [
        f"{'+'.join(public.boards)} {' '.join(map(sign, public.cells))}",
        f"scores {public.scores} emperors {public.emperors} extensions {public.extensions}",
        f"awaiting {public.awaiting} {public.step} moves {menu} ended {public.ended}",
        *(secrets(view) for view in views),
    ]


def sign(cell: CellView) -> str:
    """A cell in a letter or two."""
    if cell.kind is None:
        return "(" + "".join(map(str, cell.kept_for)) if cell.kept_for else "."
    return ("n" if cell.seat is None else str(cell.seat)) + SIGNS[cell.kind]


def secrets(view: View) -> str:
    """What only this viewer sees."""
    threats = " ".join("-" if r.removed else str(r.threat or "?") for r in view.mongol)
    hands = " | ".join("?" if hand is None else "".join(map(str, hand)) for hand in view.hands)
    cards = " ".join(
        f"{region.name}:{card.seat}/{card.number or '?'}"
        for region in view.china
        for card in region.cards
    )
    return f"seat {view.seat} threats {threats} hands {hands} cards {cards}".rstrip()
