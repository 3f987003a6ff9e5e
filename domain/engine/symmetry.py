"""Symmetries: renamings of seats, spaces and other things that leave the course of a game
unchanged.

If a board looks the same when you turn it, or the seats differ only in whose turn it is, some
positions differ only in names. A symmetry renames things in all JSON that a game writes: views,
moves, events and positions. The name of a field says what its values stand for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from domain.engine.play import Seat

Rename = Callable[[Any], Any]
"""Renames the value of a field."""


def keep_value(value: object) -> object:
    """Return the value itself."""
    return value


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A renaming of all things in a game, and its inverse."""

    seats: tuple[Seat, ...]  # by old seat: the new seat
    forward: Rename = keep_value
    backward: Rename = keep_value


Symmetries = Callable[[Any, int], Sequence[Symmetry]]
"""All symmetries of a game, from a setup and a number of seats. They form a group; the identity
comes first.
"""


def identity_only(_setup: object, seats: int) -> Sequence[Symmetry]:
    """The symmetries of a game that has none but the identity."""
    return (Symmetry(tuple(range(seats))),)


def rename_fields(fields: Mapping[str, Rename], value: Any) -> Any:
    """JSON in which the fields of these names are renamed, at any depth."""
    if isinstance(value, dict):
        return {
            name: fields[name](inner) if name in fields else rename_fields(fields, inner)
            for name, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [rename_fields(fields, inner) for inner in value]
    return value


def compose(second: Symmetry, first: Symmetry) -> Symmetry:
    """The symmetry that applies `first`, then `second`."""
    return Symmetry(
        tuple(second.seats[seat] for seat in first.seats),
        lambda value: second.forward(first.forward(value)),
        lambda value: first.backward(second.backward(value)),
    )


@dataclass(frozen=True)
class Rotation:
    """A rotation of the seats around the table, by a number of places."""

    by: int
    seats: int

    def seat(self, value: Any) -> Any:
        """Rename seats at any depth; lists keep their order."""
        if isinstance(value, list | tuple):
            return [self.seat(inner) for inner in value]
        return value if value is None else (value + self.by) % self.seats

    def group(self, value: Sequence[Seat]) -> list[Seat]:
        """Rename a set of seats, which is written in ascending order."""
        return sorted(self.seat(value))

    def by_seat(self, value: Any) -> Any:
        """Reorder a list with one value per seat. Leaves null and lists of another length
        unchanged.
        """
        if not isinstance(value, list | tuple) or len(value) != self.seats:
            return value
        return [value[(seat - self.by) % self.seats] for seat in range(self.seats)]


def seat_rotations(
    fields: Callable[[Rotation], Mapping[str, Rename]],
) -> Symmetries:
    """The symmetries of a game in which only the order of the seats matters; `fields` says how to
    rotate the fields that contain seats.
    """

    @lru_cache
    def turns(seats: int) -> Sequence[Symmetry]:
        return tuple(_rotation(fields, by, seats) for by in range(seats))

    return lambda _setup, seats: turns(seats)


def _rotation(fields: Callable[[Rotation], Mapping[str, Rename]], by: int, seats: int) -> Symmetry:
    there, back = Rotation(by, seats), Rotation(-by % seats, seats)
    if by == 0:
        return Symmetry(tuple(range(seats)))
    return Symmetry(
        tuple(there.seat(list(range(seats)))),
        partial(rename_fields, fields(there)),
        partial(rename_fields, fields(back)),
    )


def product(some: Iterable[Symmetry], others: Sequence[Symmetry]) -> Sequence[Symmetry]:
    """The product of two independent sets of symmetries."""
    return tuple(compose(one, other) for one in some for other in others)
