"""Record games as data and as text, and replay them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck, choose
from domain.engine.errors import Refusal
from domain.engine.game import Game, Json, begin, decide, fold, legal_moves, seats_to_move


@dataclass(frozen=True)
class Plan:
    """The start of a recorded game, and the seed of its choices and its dice."""

    game: ClassVar[Game[Any]]

    name: str
    seed: int
    seats: int
    options: Json = field(default_factory=dict)

    def table(self) -> Any:
        """The table before the first event."""
        return self.game.blank_state(self.setup(), self.seats)

    def setup(self) -> Any:
        """What follows from the options."""
        return self.game.setup(json_codec.read_options(self.game, self.options), self.seats)

    def dice(self, entry: int) -> Luck:
        """The dice of an entry, the first of which is 0."""
        return Luck(f"{self.seed}/{entry}")

    def choose(self, state: Any, choices: Luck) -> Any:
        """The next move to record: any legal one."""
        menus = (legal_moves(self.game, state, seat) for seat in seats_to_move(state))
        return choose(choices, [move for menu in menus for move in menu])

    def show(self, state: Any) -> list[str]:
        """The lines of the text that show the table after each entry."""
        raise NotImplementedError

    def beside(self, number: int, state: Any) -> list[str]:
        """Additional lines of the text after some entries."""
        return []


@dataclass(frozen=True)
class PlanFrom(Plan):
    """The same for a game that may begin with a position."""

    position: Json | None = None

    def table(self) -> Any:
        """The position, if there is one."""
        if self.position is None:
            return super().table()
        return self.game.read_position(self.setup(), self.position, self.seats)


def record(plan: Plan) -> Json:
    """The game of this plan, each move with its events."""
    state, choices = plan.table(), Luck(plan.seed)
    entries: list[Json] = []
    if not seats_to_move(state):
        entries.append(entry(None, again(plan, state, 0, None)))
        fold(state, read(plan, entries[0]))
    while seats_to_move(state):
        move = plan.choose(state, choices)
        entries.append(entry(move, decide(plan.game, state, move, plan.dice(len(entries)))))
        fold(state, read(plan, entries[-1]))
    known: Json = msgspec.to_builtins(plan)
    return {**known, "entries": entries}


def entry(move: Any, events: Any) -> Json:
    return {"move": json_codec.to_json(move), "events": json_codec.to_json(events)}


def read(plan: Plan, recorded: Json) -> Any:
    """The events of an entry."""
    return json_codec.read_events(plan.game, json_codec.encode(recorded["events"]))


def again(plan: Plan, state: Any, number: int, move: Json | None) -> Any:
    """The events of this move, made once more with the same dice."""
    dice = plan.dice(number)
    if move is None:
        return begin(plan.game, plan.setup(), plan.seats, dice)
    return decide(plan.game, state, json_codec.read_move(plan.game, move["seat"], move), dice)


def replay(plan: Plan, recorded: Json) -> Any:
    """The end of a recorded game; fails unless each move still has the same events."""
    state = plan.table()
    for number, line in enumerate(recorded["entries"]):
        assert again(plan, state, number, line["move"]) == read(plan, line)
        fold(state, read(plan, line))
    return state


def as_json(recorded: Json) -> str:
    """One line for each entry, so that a change is easy to see."""
    head = {key: value for key, value in recorded.items() if key != "entries"}
    lines = [msgspec.json.encode(line).decode() for line in recorded["entries"]]
    opened = msgspec.json.encode(head).decode().removesuffix("}")
    return f'{opened},\n"entries":[\n' + ",\n".join(lines) + "\n]}\n"


def as_text(plan: Plan, recorded: Json) -> str:
    """The game for readers: its events, and the table after them."""
    state, parts = plan.table(), []
    for number, line in enumerate(recorded["entries"]):
        fold(state, read(plan, line))
        told = [" ".join(pieces(event)) for event in line["events"][:-1]]
        parts.append("\n".join([f"# {number}", *told, *plan.show(state)]))
        parts += plan.beside(number, state)
    return "\n\n".join(parts) + "\n"


def pieces(event: Json) -> Iterator[str]:
    """An event as words."""
    for name, value in event.items():
        text = msgspec.json.encode(value).decode().replace('"', "")
        yield text if name == "type" else f"{name}={text}"


@dataclass(frozen=True)
class Replays:
    """The recorded games of a folder, and what they must contain."""

    folder: Path
    plans: list[Any]
    in_words: tuple[str, ...]  # games that are also recorded as text
    options: tuple[str, ...] = ()  # options, with each of whose choices a game is recorded
    shows: Mapping[str, Callable[[Json], bool]] = field(default_factory=dict)
    """What each game is recorded for, by the name of the game."""
    rare: frozenset[str] = frozenset()  # events and moves that are in none of the games

    def write(self, plan: Plan, rules: int | None = None) -> None:
        """Record a game. Raises if a recording of this version of the rules exists and the same
        moves have other events now.
        """
        assert plan.game.rules != rules or not self.plays_otherwise(plan), (
            f"Let `rules` of {plan.game.key} grow, then run `make replays`."
        )
        recorded = record(plan)
        self.folder.mkdir(exist_ok=True)
        (self.folder / f"{plan.name}.json").write_text(as_json(recorded))
        if plan.name in self.in_words:
            self.write_words(plan.name)

    def write_words(self, name: str) -> None:
        """Write the text of a recorded game."""
        told, _ = self.words(name)
        (self.folder / f"{name}.txt").write_text(told)

    def plays_otherwise(self, plan: Plan) -> bool:
        """Whether the recorded moves of a game have other events now."""
        if not (self.folder / f"{plan.name}.json").exists():
            return False
        recorded = self.load(plan.name)
        try:
            replay(msgspec.convert(recorded, type(plan)), recorded)  # with the recorded plan
        except (AssertionError, Refusal, msgspec.ValidationError):
            return True
        return False

    def load(self, name: str) -> Json:
        """A recorded game."""
        recorded: Json = msgspec.json.decode((self.folder / f"{name}.json").read_bytes())
        return recorded

    def entries(self) -> list[Json]:
        """All entries of all games."""
        return [line for plan in self.plans for line in self.load(plan.name)["entries"]]

    def option_values(self, option: str) -> set[Any]:
        """The values of this option in the games."""
        options = (json_codec.read_options(plan.game, plan.options) for plan in self.plans)
        return {getattr(one, option) for one in options}

    def words(self, name: str) -> tuple[str, str]:
        """The text of a game as written now, and as recorded."""
        plan = next(plan for plan in self.plans if plan.name == name)
        recorded = self.folder / f"{name}.txt"
        return as_text(plan, self.load(name)), recorded.read_text() if recorded.exists() else ""


def events(recorded: Json) -> list[Json]:
    """All events of a recorded game."""
    return [event for line in recorded["entries"] for event in line["events"]]


def count(recorded: Json, kind: str) -> int:
    """How many events of this kind a recorded game has."""
    return sum(event["type"] == kind for event in events(recorded))


def winners(recorded: Json) -> list[int]:
    """The seats that win a recorded game."""
    (end,) = (event for event in events(recorded) if event["type"] == "GameEnded")
    seats: list[int] = end["winners"]
    return seats
