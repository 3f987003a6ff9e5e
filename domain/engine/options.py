"""Options that several games have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from domain.engine.errors import BadOptions
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
