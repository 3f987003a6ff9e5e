"""Constraints of a position that depend on the table, as annotations of its types."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import getitem
from types import UnionType
from typing import Annotated, Any, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from domain.engine.faults import Fault, name_list

T = TypeVar("T")
MAX_NAMES = 12
"""A fault lists the valid values if there are no more than this."""


class Table(NamedTuple):
    """The table that a position is read for: an empty state, and the number of seats."""

    state: Any
    seats: int


@dataclass(frozen=True, eq=False)
class Choice:
    """A constraint: the value is one of those that the table has."""

    what: str  # the word for such a value, such as `cell`
    values: Callable[[Table], Collection[Any]]

    def __call__(self, value: Any, table: Table) -> Sequence[Fault]:
        """The fault of a value that the table does not have."""
        values = self.values(table)
        if value in values:
            return ()
        known = (
            f" Known are {name_list(map(str, sorted(values)))}." if len(values) <= MAX_NAMES else ""
        )
        return (Fault(f"There is no {self.what} {value!r} on this table.{known}"),)


@dataclass(frozen=True, eq=False)
class Size:
    """A constraint: the list has this number of items."""

    what: str  # what each item is for, such as `seat`
    count: Callable[[Table], int]

    def __call__(self, value: Any, table: Table) -> Sequence[Fault]:
        """The fault of a list of another length."""
        count = self.count(table)
        right = len(value) == count
        return () if right else (Fault(f"Expected {count} items, one for each {self.what}."),)


@dataclass(frozen=True, eq=False)
class Distinct:
    """A constraint: the list has no duplicates."""

    def __call__(self, value: Any, _table: Table) -> Sequence[Fault]:
        """The fault of a list that names something twice."""
        right = len(value) < 2 or len(set(value)) == len(value)
        return () if right else (Fault("It names something twice."),)


@dataclass(frozen=True, eq=False)
class Holds:
    """A constraint: the value fulfils a condition."""

    rule: str  # what is right, as a sentence
    condition: Callable[[Any, Table], object]

    def __call__(self, value: Any, table: Table) -> Sequence[Fault]:
        """The fault of a value that does not fulfil it."""
        return () if self.condition(value, table) else (Fault(self.rule),)


def is_empty(value: Any) -> bool:
    """Whether a value says that there is nothing."""
    if isinstance(value, dict | list | tuple):
        return all(map(is_empty, value.values() if isinstance(value, dict) else value))
    return not value


FORK_INSTEAD = "To go on from the middle of a turn, fork a match."
MIDDLE = f"A position begins where a turn begins: leave this out. {FORK_INSTEAD}"
MidTurn = Annotated[T, Holds(MIDDLE, lambda value, _: is_empty(value))]
"""What is there only in the middle of a turn: a position from outside has none of it."""
Unique = Annotated[tuple[T, ...], Distinct()]
"""A list without duplicates."""
ONE_PER_SEAT = Size("seat", lambda table: table.seats)
PerSeat = Annotated[tuple[T, ...], ONE_PER_SEAT]
"""A list with an item for each seat."""

_Check = Callable[[Any, Table], Sequence[Fault]]


def find_constraint_faults(kind: Any, value: Any, table: Table) -> Sequence[Fault]:
    """What the constraints in this type find wrong with a value of the type."""
    check = _check_of(kind)
    return check(value, table) if check else ()


@cache
def _check_of(kind: Any) -> _Check | None:
    """A check of all constraints in a type; None if it has none."""
    origin, inner = get_origin(kind) or kind, get_args(kind)
    if origin is Annotated:
        own = [note for note in inner[1:] if isinstance(note, Choice | Distinct | Holds | Size)]
        return _check_all([*own, _check_of(inner[0])])
    if origin in (Union, UnionType):
        return _check_by_class({_class_of(one): _check_of(one) for one in inner})
    if inner:
        return _check_of_collection(origin, inner)
    if isinstance(origin, type) and issubclass(origin, msgspec.Struct):
        hints = get_type_hints(origin, include_extras=True)
        checks = {name: _check_of(hints[name]) for name in origin.__struct_fields__}
        return _check_parts(checks, getattr)
    return None


def _check_of_collection(origin: Any, inner: Sequence[Any]) -> _Check | None:
    if origin is dict:
        keys, values = map(_check_of, inner)
        return _check_all([_check_items(_names, keys), _check_items(dict.items, values)])
    if origin is tuple and inner[-1] is not Ellipsis:
        return _check_parts({at: _check_of(one) for at, one in enumerate(inner)}, getitem)
    return _check_items(enumerate, _check_of(inner[0])) if origin in (tuple, list) else None


def _check_all(checks: Iterable[_Check | None]) -> _Check | None:
    present = [check for check in checks if check]
    if len(present) < 2:
        return present[0] if present else None

    def check(value: Any, table: Table) -> Sequence[Fault]:
        found: list[Fault] = []
        for one in present:
            found += one(value, table)
        return found

    return check


def _check_items(
    items: Callable[[Any], Iterable[tuple[Any, Any]]], check_item: _Check | None
) -> _Check | None:
    """The check of a list or an object, for which `items` returns the keys and values."""
    if check_item is None:
        return None

    def check(value: Any, table: Table) -> Sequence[Fault]:
        found: list[Fault] = []
        for key, item in items(value):
            if faults := check_item(item, table):
                found += _below(key, faults)
        return found

    return check


def _check_parts(
    checks: Mapping[Any, _Check | None], get: Callable[[Any, Any], Any]
) -> _Check | None:
    """The check of a record, or of a list in which each item has its own type."""
    present = [(key, check) for key, check in checks.items() if check]
    if not present:
        return None

    def check(value: Any, table: Table) -> Sequence[Fault]:
        found: list[Fault] = []
        for key, check_part in present:
            if faults := check_part(get(value, key), table):
                found += _below(key, faults)
        return found

    return check


def _check_by_class(checks: Mapping[Any, _Check | None]) -> _Check | None:
    """The check of a union, whose members have different classes."""
    if not any(checks.values()):
        return None

    def check(value: Any, table: Table) -> Sequence[Fault]:
        chosen = checks.get(type(value))
        return chosen(value, table) if chosen else ()

    return check


def _names(value: Mapping[Any, Any]) -> Iterable[tuple[Any, Any]]:
    """The names of an object, each with itself."""
    return zip(value, value, strict=True)


def _below(key: str | int, faults: Iterable[Fault]) -> Iterable[Fault]:
    """The same faults, in the part with this key."""
    return [Fault(detail, (key, *path)) for detail, path in faults]


def _class_of(kind: Any) -> Any:
    """The class of the values of a type."""
    inner = get_args(kind)
    return _class_of(inner[0]) if get_origin(kind) is Annotated else get_origin(kind) or kind
