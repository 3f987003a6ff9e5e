"""Symmetries: other names for the same things, under which a game goes on just the same.

If a board looks the same when it is turned, or seats are alike but for whose turn it is, then there
are positions that differ in names alone. A symmetry gives each thing another name, in all that a
game writes as JSON: views, moves, events and positions. What a field stands for is known by its
name, as in the glossary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from domain.engine.play import Seat

Rename = Callable[[Any], Any]
"""What becomes of the value of a field."""


def unchanged(value: object) -> object:
    """The same again."""
    return value


@dataclass(frozen=True, eq=False)
class Symmetry:
    """Other names for all things of a game, and the way back."""

    seats: tuple[Seat, ...]  # by seat, which one it becomes
    there: Rename = unchanged
    back: Rename = unchanged


Symmetries = Callable[[Any, int], Sequence[Symmetry]]
"""All symmetries of a game, from a setup and a number of seats: with any two of them also what
comes of one after the other, and the one that changes nothing first."""


def none_but_itself(_setup: object, seats: int) -> Sequence[Symmetry]:
    """What every game has: everything may keep its name."""
    return (Symmetry(tuple(range(seats))),)


def renamed(fields: Mapping[str, Rename], value: Any) -> Any:
    """JSON in which each field of one of these names is renamed, wherever it stands."""
    if isinstance(value, dict):
        return {
            name: fields[name](inner) if name in fields else renamed(fields, inner)
            for name, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [renamed(fields, inner) for inner in value]
    return value


def after(second: Symmetry, first: Symmetry) -> Symmetry:
    """The symmetry that does one after the other."""
    return Symmetry(
        tuple(second.seats[seat] for seat in first.seats),
        lambda value: second.there(first.there(value)),
        lambda value: first.back(second.back(value)),
    )


@dataclass(frozen=True)
class Turned:
    """Seats that have moved on around the table: what was of the first is now of another."""

    by: int
    seats: int

    def seat(self, value: Any) -> Any:
        """Seats wherever they stand; a list keeps its order."""
        if isinstance(value, list | tuple):
            return [self.seat(inner) for inner in value]
        return value if value is None else (value + self.by) % self.seats

    def group(self, value: Sequence[Seat]) -> list[Seat]:
        """Seats in no order but that of their numbers."""
        return sorted(self.seat(value))

    def by_seat(self, value: Any) -> Any:
        """Values by seat, in which seats stand for nothing; null, or one of another length,
        is left as it is.
        """
        if not isinstance(value, list | tuple) or len(value) != self.seats:
            return value
        return [value[(seat - self.by) % self.seats] for seat in range(self.seats)]


def around_the_table(
    fields: Callable[[Turned], Mapping[str, Rename]],
) -> Symmetries:
    """The symmetries of a game whose seats are alike but for who is next to whom, from the fields
    that name them.
    """

    @lru_cache
    def turns(seats: int) -> Sequence[Symmetry]:
        return tuple(_turned(fields, by, seats) for by in range(seats))

    return lambda _setup, seats: turns(seats)


def _turned(fields: Callable[[Turned], Mapping[str, Rename]], by: int, seats: int) -> Symmetry:
    there, back = Turned(by, seats), Turned(-by % seats, seats)
    if by == 0:
        return Symmetry(tuple(range(seats)))
    return Symmetry(
        tuple(there.seat(list(range(seats)))),
        partial(renamed, fields(there)),
        partial(renamed, fields(back)),
    )


def together(some: Iterable[Symmetry], others: Sequence[Symmetry]) -> Sequence[Symmetry]:
    """Each of some after each of others, which have nothing to do with one another."""
    return tuple(after(one, other) for one in some for other in others)
