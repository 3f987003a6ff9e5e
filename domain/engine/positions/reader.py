"""Reads positions and writes them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Self, TypeVar

import msgspec

from domain.engine.constraints import Table, find_constraint_faults
from domain.engine.errors import BadPosition
from domain.engine.faults import DECODE_ERRORS, MAX_FAULTS, Fault, Path, find_faults
from domain.engine.positions.differences import find_lost
from domain.engine.positions.forms import fill, members

Json = dict[str, Any]
R = TypeVar("R", bound=msgspec.Struct)

MAX_NUMBER = 9_999
"""Maximum absolute value of a number in a position. It keeps computations with them bounded."""
LONG_NUMBER = re.compile(rb"\d{%d}|\de" % len(str(MAX_NUMBER + 1)))
"""Digits that may belong to a larger number."""
OUT_OF_RANGE = f"It is not between -{MAX_NUMBER} and {MAX_NUMBER}."


class Position(
    msgspec.Struct, tag_field="game", frozen=True, forbid_unknown_fields=True, omit_defaults=True
):
    """The record of a position: a game declares the members, with types and defaults.

    `show` returns, and `put` reads, the members that the state has in a form that no type says.
    Every other member that has the name of a field of the state also has its value, in the form
    that its type says (see `Row`). A member of None is left out: the empty table decides. Further
    members are short forms for others; only `put` reads them.
    """

    history: ClassVar[frozenset[str]] = frozenset()
    """Members about what was done before, such as the last move. They change nothing in the play,
    and a match that starts from a position from outside has none of them.
    """

    def bare_table(self, _setup: Any, _seats: int) -> Any | None:
        """The state to fill; None for the empty table of the game."""
        return None

    def put(self, state: Any) -> None:
        """Put on the table what `show` returns; all other members are there already."""

    def without_short_forms(self) -> Self:
        """The position without members that `put` uses up, such as a pile to deal hands from."""
        return self

    @staticmethod
    def show(_state: Any) -> Mapping[str, Any]:
        """The members that the state has in a form that no type says."""
        return {}


def read_position(game: Any, setup: Any, data: Json, seats: int, *, strict: bool) -> Any:
    """The state of a position. Raises BadPosition if its types, or the box, do not allow it.

    If `strict`, also if the constraints of its types do not hold, or the table does not show all
    that the position says, and leave out its history. A recorded match does not depend on these.
    """
    kind: type[Position] = game.position_type
    position = convert(kind, data)
    state = position.bare_table(setup, seats) or game.blank_state(setup, seats)
    if strict:
        if LONG_NUMBER.search(msgspec.json.encode(data)):  # usually none, and a search is cheap
            _refuse(Fault(OUT_OF_RANGE, path) for path in _paths_out_of_range(data))
        _refuse(find_constraint_faults(kind, position, Table(state, seats)))
    names = [one for one in _fields(kind, state) if not (strict and one in kind.history)]
    fill(state, position, names)
    position.put(state)
    if strict:
        _refuse_lost(position, state, names)
    return state


def write_position(kind: type[Position], state: Any) -> Json:
    """The position of a state."""
    shown, copied = kind.show(state), members(kind, state, _fields(kind, state))
    written: Json = msgspec.to_builtins(kind(**copied, **shown))
    return written


def convert(kind: type[R], data: Json) -> R:
    """The record that this JSON describes. Raises BadPosition with all faults."""
    try:
        record = msgspec.convert(data, kind)
    except DECODE_ERRORS as error:
        faults = find_faults(kind, data, error)
        raise BadPosition(" ".join(map(str, faults)), faults) from error
    return record


def _refuse_lost(position: Position, state: Any, names: Iterable[str]) -> None:
    """Raise BadPosition if the state, read from these members of a position and those that `show`
    returns, does not show all of them.
    """
    kind = type(position)
    written = convert(kind, write_position(kind, state))
    given = position.without_short_forms()
    there = (*names, *kind.show(state))
    parts = ((name, getattr(given, name), getattr(written, name)) for name in there)
    _refuse(fault for name, one, other in parts for fault in find_lost(one, other, (name,)))


def _refuse(faults: Iterable[Fault]) -> None:
    if found := list(faults)[:MAX_FAULTS]:
        raise BadPosition(" ".join(map(str, found)), found)


def _paths_out_of_range(data: Any, path: Path = ()) -> Iterator[Path]:
    """The paths to numbers that are too large for a position."""
    if isinstance(data, int | float):
        yield from () if abs(data) <= MAX_NUMBER else (path,)
    elif isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _paths_out_of_range(value, (*path, key))


_FIELDS: dict[type[Position], tuple[str, ...]] = {}


def _fields(kind: type[Position], state: Any) -> tuple[str, ...]:
    """The members that are fields of the state; they are the same for every state of a game."""
    if kind not in _FIELDS:
        shown, names = kind.show(state), kind.__struct_fields__
        _FIELDS[kind] = tuple(name for name in names if hasattr(state, name) and name not in shown)
    return _FIELDS[kind]
