"""Members of a position and fields of a state: the same values, in the form that the type says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import UnionType
from typing import Annotated, Any, Protocol, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

Record = type[msgspec.Struct]
N = TypeVar("N", bound=str)
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Row:
    """Annotates an object whose values the state has in a row, in the order of these names."""

    names: Sequence[str]
    kind: Callable[[Iterable[Any]], Any] = tuple
    empty: Any = 0  # the value for a name that is left out, unless it is a row


def fill(target: Any, record: msgspec.Struct, names: Iterable[str]) -> None:
    """Set these fields of the target to the members of a record that are not None."""
    forms = _forms(type(record))
    for name in names:
        if (value := getattr(record, name)) is not None:
            if form := forms[name]:
                value = form.read(value)
            kind = type(getattr(target, name))
            setattr(target, name, kind(value) if kind in (list, bytearray) else value)


def members(kind: Record, source: Any, names: Iterable[str]) -> dict[str, Any]:
    """These members of a record, from the fields of the source."""
    forms, found = _forms(kind), {}
    for name in names:
        value, form = getattr(source, name), forms[name]
        value = form.write(value) if form and value is not None else value
        found[name] = tuple(value) if isinstance(value, list | bytearray) else value
    return found


def by_name(names: Iterable[N], row: Iterable[T]) -> dict[N, T]:
    """The values of a row by name, without those that are empty."""
    return {name: value for name, value in zip(names, row, strict=True) if value}


class _Form(Protocol):
    """How the state has a value."""

    def read(self, value: Any) -> Any:
        """The value of a field of the state, from that of a member."""

    def write(self, value: Any) -> Any:
        """The value of a member, from that of a field of the state."""


@cache
def _forms(kind: Record) -> Mapping[str, _Form | None]:
    """The form of each member; None for those that the state has as they are."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: _form_of(hints[name]) for name in kind.__struct_fields__}


def _form_of(kind: Any) -> _Form | None:
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        rows = [note for note in inner[1:] if isinstance(note, Row)]
        return _InRow(rows[0], _form_of(get_args(inner[0])[1])) if rows else _form_of(inner[0])
    if origin in (Union, UnionType):
        return next(filter(None, map(_form_of, inner)), None)
    form = _form_of(inner[0]) if origin is tuple else None
    return form and _Each(form)


class _InRow:
    """An object by name, in a row."""

    def __init__(self, row: Row, inner: _Form | None) -> None:
        self._row, self._inner = row, inner
        self._nothing = self._in_order({})

    def read(self, value: Mapping[str, Any]) -> Any:
        """The values in the order of the names."""
        return self._row.kind(self._in_order(value) if value else self._nothing)

    def write(self, value: Sequence[Any]) -> dict[str, Any]:
        """The values by name, without those that are empty."""
        if tuple(value) == self._nothing:
            return {}
        return by_name(self._row.names, map(self._inner.write, value) if self._inner else value)

    def _in_order(self, value: Mapping[str, Any]) -> tuple[Any, ...]:
        row, inner = self._row, self._inner
        if inner:
            return tuple([inner.read(value.get(name, {})) for name in row.names])
        return tuple([value.get(name, row.empty) for name in row.names])


@dataclass(frozen=True)
class _Each:
    """A list whose items have a form."""

    form: _Form

    def read(self, value: Iterable[Any]) -> tuple[Any, ...]:
        """Each item as the state has it."""
        return tuple(map(self.form.read, value))

    def write(self, value: Iterable[Any]) -> tuple[Any, ...]:
        """Each item as JSON has it."""
        return tuple(map(self.form.write, value))
