"""Options that several games have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import inspect

from domain.engine.errors import BadOptions
from domain.engine.faults import Fault
from domain.engine.play import Seat

FirstPlayer = Annotated[
    str,
    msgspec.Meta(
        pattern="^(random|seat:[0-9])$",
        max_length=6,  # `$` would let a line end follow
        description="`random`, or a seat such as `seat:0`.",
    ),
]
"""Who begins."""
MODES = "modes"


def only_with(*modes: str) -> msgspec.Meta:
    """Marks an option that counts with these values of the option `mode` alone."""
    return msgspec.Meta(extra={MODES: modes})


@cache
def own_to_modes(options: type[msgspec.Struct]) -> Mapping[str, Sequence[str]]:
    """The options that count in some modes alone, by name, and these modes."""
    record = inspect.type_info(options)
    assert isinstance(record, inspect.StructType)
    marks = {
        field.name: field.type.extra or {}
        for field in record.fields
        if isinstance(field.type, inspect.Metadata)
    }
    return {name: mark[MODES] for name, mark in marks.items() if MODES in mark}


def counts(options: type[msgspec.Struct], name: str, mode: object) -> bool:
    """Whether an option means something in a mode."""
    modes = own_to_modes(options).get(name)
    return modes is None or mode in modes


def with_modes(modes: Sequence[str]) -> str:
    """When an option counts that is marked with these modes."""
    return f"only with `mode` {' or '.join(f'`{mode}`' for mode in modes)}"


def refuse_of_other_modes(options: msgspec.Struct) -> None:
    """BadOptions if an option is not as usual that counts in other modes alone."""
    kind, mode = type(options), getattr(options, "mode", None)
    usual = kind()
    faults = [
        Fault(f"It counts {with_modes(modes)}: leave it out otherwise.", (name,))
        for name, modes in own_to_modes(kind).items()
        if mode not in modes and getattr(options, name) != getattr(usual, name)
    ]
    if faults:
        raise BadOptions(" ".join(map(str, faults)), faults)


def choices(options: type[msgspec.Struct]) -> Mapping[str, Sequence[str]]:
    """The values that each option can have by name, also those of lists, as texts call them."""
    hints = get_type_hints(options)
    return {name: list(dict.fromkeys(map(str, _named(kind)))) for name, kind in hints.items()}


def first_seat(chosen: str, seats: int) -> Seat | None:
    """The seat that an option FirstPlayer names, None for chance; BadOptions if there is none."""
    if chosen == "random":
        return None
    seat = int(chosen.removeprefix("seat:"))
    if seat >= seats:
        raise BadOptions(f"`first_player` is {chosen}, but the seats are 0 to {seats - 1}.")
    return seat


def _named(kind: Any) -> Iterator[object]:
    """The values of a type that have names, at any depth."""
    if get_origin(kind) is Literal:
        yield from get_args(kind)
    else:
        for inner in get_args(kind):
            yield from _named(inner)
