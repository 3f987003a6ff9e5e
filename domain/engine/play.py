"""Moves, steps and events, and the play that carries a move out."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from inspect import isfunction
from types import ModuleType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Generic,
    Protocol,
    Self,
    TypeVar,
    dataclass_transform,
    get_type_hints,
)

import msgspec

from domain.engine.constraints import Choice, Unique
from domain.engine.dice import Dice

Seat = Annotated[int, Choice("seat", lambda table: range(table.seats))]
"""A position at the table, numbered from 0."""


@cache
def clockwise(seat: Seat, seats: int) -> tuple[Seat, ...]:
    """All seats in turn order, starting with this one."""
    return (*range(seat, seats), *range(seat))


class State(Protocol):
    """The state of a game. The last item of its agenda is the current step."""

    agenda: list[Any]

    def copy(self) -> Self:
        """A copy that shares no mutable data."""
        ...


S = TypeVar("S", bound=State)
T = TypeVar("T")
R = TypeVar("R", bound="Record")


@dataclass_transform(frozen_default=True)  # mypy would ask for `frozen` at each class below
class Record(msgspec.Struct, frozen=True, tag=True, gc=False):
    """An immutable record, written as JSON with the name of its class as `type`."""

    hidden_fields: ClassVar[tuple[str, ...]] = ()
    """Fields that only the `seat` of the record may know before the end; no seat if it has none."""


class Move(Record, frozen=True, forbid_unknown_fields=True):
    """A player's choice, which the rules may still refuse."""

    sealed: ClassVar[bool] = False
    """Whether the other seats may not read this move in the log of the match before the end."""

    visible_fields: ClassVar[tuple[str, ...]] = ()
    """Fields of a sealed move that its events may reveal."""

    own_events: ClassVar[tuple[str, ...] | None] = None
    """Names of the events that say what the player does with this move, rather than what follows;
    None for the first event with a sentence, () if no event says it.
    """

    seat: Seat  # the seat that moves, from 0; you may leave it out


class Step(Record, forbid_unknown_fields=True):
    """An item of the agenda. It waits for these seats; without seats it is automatic."""

    secret: ClassVar[bool] = False
    """Whether the step may depend on hidden information: a preview stops before it, and an undo
    needs consent.
    """

    public_answers: ClassVar[bool] = False
    """Whether all players know which moves answer the step, because they depend on nothing hidden:
    one without an alternative may then play itself. In a game that hides nothing, every step is so.
    """

    seats: Unique[Seat] = ()  # the seats that have to decide, in any order; empty if automatic


class Event(Record, Generic[S]):
    """What happened, in the past tense and with its whole result."""

    reveals: ClassVar[bool] = False
    """Whether a player learns hidden information: a preview stops here, and an undo needs consent.
    """

    def apply(self, state: S) -> None:
        """Write the result to the state, without running rules."""
        raise NotImplementedError


def redact(record: R, seat: Seat | None) -> R:
    """The record as this seat, or a spectator (None), may know it.

    A hidden value becomes None; a hidden tuple keeps its length, with None for each item.
    """
    if not record.hidden_fields or getattr(record, "seat", _NOBODY) == seat:
        return record
    blanks = {name: _blank(getattr(record, name)) for name in record.hidden_fields}
    return msgspec.structs.replace(record, **blanks)


_NOBODY = -1


def _blank(value: object) -> object:
    return (None,) * len(value) if isinstance(value, tuple) else None


class Awaiting(Event[State], Generic[T]):
    """The agenda after a move; its last item is the current step."""

    agenda: tuple[T, ...]
    """The remaining steps, the current one last; empty once the game is over."""

    def apply(self, state: State) -> None:
        """Replace the agenda."""
        state.agenda = list(self.agenda)


class Play(Generic[S]):
    """A move in progress: the working state, the dice, and the events so far."""

    __slots__ = ("dice", "events", "state")

    def __init__(self, state: S, dice: Dice) -> None:
        self.state = state
        self.dice = dice
        self.events: list[Event[Any]] = []

    def emit(self, event: Event[S]) -> None:
        """Apply an event and record it."""
        event.apply(self.state)
        self.events.append(event)

    def then(self, *steps: Step) -> None:
        """Put these steps on top of the agenda; the first of them becomes the current one."""
        agenda = self.state.agenda
        agenda += steps[::-1]


class NotDeterministic(Exception):
    """A preview reached chance or hidden information."""


class _NoDice:
    """Dice that stop a preview."""

    def below(self, n: int) -> int:
        raise NotDeterministic(n)


class Preview(Play[S]):
    """A trial of a move. It stops before it would reveal hidden information."""

    def __init__(self, state: S) -> None:
        super().__init__(state, _NoDice())

    def emit(self, event: Event[S]) -> None:
        """Apply an event and record it; raises NotDeterministic if it reveals something."""
        if event.reveals:
            raise NotDeterministic
        super().emit(event)


def records_in(kind: type[R], *modules: ModuleType) -> tuple[type[R], ...]:
    """All records of a kind (moves, events, steps) that these modules define, in source order."""
    return tuple(
        thing
        for module in modules
        for thing in vars(module).values()
        if isinstance(thing, type)
        and issubclass(thing, kind)
        and thing.__module__ == module.__name__
    )


def record_returned(function: Callable[..., Any]) -> type[msgspec.Struct]:
    """The record that a function returns by its annotation. Raises TypeError if it names none."""
    record = get_type_hints(function).get("return") if isfunction(function) else None
    if isinstance(record, type) and issubclass(record, msgspec.Struct):
        return record
    named = f"{function.__module__}.{function.__qualname__}"
    raise TypeError(f"{named} must name the record that it returns, such as `-> View`.")
