"""A move being carried out: what is still to be done, what has happened, the working state."""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar, dataclass_transform

import msgspec

from domain.engine.dice import Dice

Seat = int
"""A place at the table, counted from 0."""


@cache
def clockwise(seat: Seat, seats: int) -> tuple[Seat, ...]:
    """All seats from this one on, which is by number."""
    return (*range(seat, seats), *range(seat))


class State(Protocol):
    """What the rules of a game work on: its agenda, with the next step last, and the rest."""

    agenda: list[Any]

    def copy(self) -> Self:
        """The same position again, sharing nothing that can change."""
        ...


S = TypeVar("S", bound=State)
T = TypeVar("T")
R = TypeVar("R", bound="Record")


@dataclass_transform(frozen_default=True)  # mypy would ask for `frozen` at each class below
class Record(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A frozen fact, written as JSON with the name of its class as `type`."""

    hidden: ClassVar[tuple[str, ...]] = ()
    """Fields that before the end only the `seat` of the record may know, or nobody if it has
    none."""


class Move(Record, frozen=True, forbid_unknown_fields=True):
    """What a player chose: an order that the rules judge."""

    sealed: ClassVar[bool] = False
    """A choice that the other seats may not read in the annals before the end."""

    shown: ClassVar[tuple[str, ...]] = ()
    """Fields of a sealed choice that may show all the same in what happens."""

    seat: Seat  # whose move it is, from 0; need not be sent


class Step(Record, forbid_unknown_fields=True):
    """Something still to be done: by these seats, or by itself if there are none."""

    secret: ClassVar[bool] = False
    """Carrying it out may depend on what some seat does not know: a preview stops before
    it, an undo needs consent."""

    seats: tuple[Seat, ...] = ()  # who has to do it, in any order; none if it needs nobody


class Event(Record, Generic[S]):
    """What happened, in the past tense and with its whole result."""

    reveals: ClassVar[bool] = False
    """Somebody learnt by it what was hidden before: a preview stops, an undo needs consent."""

    def apply(self, state: S) -> None:
        """Write this down in the state, running no rule."""
        raise NotImplementedError


def redact(record: R, seat: Seat | None) -> R:
    """A record as this seat, or a spectator, may know it: None in the place of what is hidden, or
    as many as there are values.
    """
    if not record.hidden or getattr(record, "seat", _NOBODY) == seat:
        return record
    blanks = {name: _blank(getattr(record, name)) for name in record.hidden}
    return msgspec.structs.replace(record, **blanks)


_NOBODY = -1


def _blank(value: object) -> object:
    return (None,) * len(value) if isinstance(value, tuple) else None


class Awaiting(Event[State], Generic[T]):
    """Where a move came to rest: the agenda, with the next step last."""

    agenda: tuple[T, ...]
    """The steps that are still to be done, the next one last; none once the game is over."""

    def apply(self, state: State) -> None:
        """The agenda is this one now."""
        state.agenda = list(self.agenda)


class Play(Generic[S]):
    """One move being carried out: the working state, the dice, what has happened so far."""

    __slots__ = ("dice", "events", "state")

    def __init__(self, state: S, dice: Dice) -> None:
        self.state = state
        self.dice = dice
        self.events: list[Event[Any]] = []

    def emit(self, event: Event[S]) -> None:
        """Let something happen."""
        event.apply(self.state)
        self.events.append(event)

    def then(self, *steps: Step) -> None:
        """Do these next, in this order, before whatever was planned already."""
        agenda = self.state.agenda
        agenda += steps[::-1]


class Unforeseen(Exception):
    """A preview came to something that is hidden or left to chance."""


class Preview(Play[S]):
    """A move tried out: it ends before anything hidden would come to light."""

    def emit(self, event: Event[S]) -> None:
        """Let something happen, unless it would reveal something."""
        if event.reveals:
            raise Unforeseen
        super().emit(event)


def defined_in(kind: type[R], *modules: ModuleType) -> tuple[type[R], ...]:
    """All records of a kind (moves, events, steps) that these modules define, in their order."""
    return tuple(
        thing
        for module in modules
        for thing in vars(module).values()
        if isinstance(thing, type)
        and issubclass(thing, kind)
        and thing.__module__ == module.__name__
    )
