"""The heap, what happens to it, and how it looks."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Self

import msgspec

from domain.engine.drawing import svg as shapes
from domain.engine.drawing.layout import Panel, Picture
from domain.engine.play import Event, Move, Seat, Step
from domain.engine.sentences import Words
from domain.engine.touches import TouchKind

STONES = 7
COUNT = TouchKind("count", "thing", "")


@dataclass
class State:
    """The heap, and the seat that took the last stones."""

    heap: Annotated[int, msgspec.Meta(ge=0, le=STONES)] = STONES  # stones left
    last: Seat | None = None  # who took the last stones; null at first
    agenda: list[Any] = field(default_factory=list)  # whose turn it is

    def copy(self) -> Self:
        """Return an equal, independent state."""
        return replace(self, agenda=self.agenda[:])


class Turn(Step):
    """Take stones: NIM-1.1."""


class Take(Move):
    """Take this many stones: NIM-1.1."""

    count: Annotated[int, msgspec.Meta(ge=1, le=3)]  # stones to take


class StonesTaken(Event[State]):
    """A seat took stones: NIM-1.1."""

    seat: Seat
    count: int  # stones taken

    def apply(self, state: State) -> None:
        state.heap -= self.count
        state.last = self.seat


class View(msgspec.Struct, frozen=True, tag_field="game", tag="nim"):
    """The heap as everyone sees it."""

    heap: int  # stones left
    scores: tuple[int, ...]  # by seat, whether it took the last stone


def points(state: State) -> list[int]:
    """A point for the seat that took the last stone: NIM-1.1."""
    return [int(state.heap == 0 and state.last == seat) for seat in (0, 1)]


def blank(_setup: object, _seats: int) -> State:
    """A whole heap."""
    return State()


def view(state: State, _seat: Seat | None) -> View:
    """All of it."""
    return View(state.heap, tuple(points(state)))


def text(view: View, words: Words) -> str:
    """A stroke for each stone."""
    return words("heap", stones="|" * view.heap)


def draw(view: View, words: Words) -> Picture:
    """The numbers that can be taken, and the heap."""
    counts = (shapes.mark(COUNT.of(n), shapes.text(20 * n, 40, str(n), 16)) for n in (1, 2, 3))
    head = text(view, words)
    parts = (shapes.text(8, 20, head, 16), *counts)
    return Picture(words("title"), head, (Panel("map", "map", words("title"), 200, 60, parts),))
