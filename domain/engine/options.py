"""Helpers for the options of games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from domain.engine.errors import BadOptions
from domain.engine.faults import Fault
from domain.engine.play import Seat

FirstPlayer = Annotated[
    str,
    msgspec.Meta(
        pattern="^(random|seat:[0-9])$",
        max_length=6,  # `$` also matches before a final newline
        description="`random`, or a seat such as `seat:0`.",
    ),
]
"""The seat that starts."""
MODES_KEY = "modes"


def only_in_modes(*modes: str) -> msgspec.Meta:
    """Mark an option that has an effect only in these values of the option `mode`."""
    return msgspec.Meta(extra={MODES_KEY: modes})


@cache
def mode_specific_options(options: type[msgspec.Struct]) -> Mapping[str, Sequence[str]]:
    """The options that have an effect only in some modes, with these modes."""
    return {
        name: mark.extra[MODES_KEY]
        for name, kind in get_type_hints(options, include_extras=True).items()
        for mark in getattr(kind, "__metadata__", ())
        if isinstance(mark, msgspec.Meta) and mark.extra and MODES_KEY in mark.extra
    }


def has_effect(options: type[msgspec.Struct], name: str, mode: object) -> bool:
    """Whether an option has an effect in a mode."""
    modes = mode_specific_options(options).get(name)
    return modes is None or mode in modes


def modes_note(modes: Sequence[str]) -> str:
    """A remark that an option needs one of these modes."""
    return f"only with `mode` {' or '.join(f'`{mode}`' for mode in modes)}"


def check_modes(options: msgspec.Struct) -> None:
    """Raise BadOptions if an option differs from its default but has no effect in its mode."""
    kind, mode = type(options), getattr(options, "mode", None)
    usual = kind()
    faults = [
        Fault(f"It counts {modes_note(modes)}: leave it out otherwise.", (name,))
        for name, modes in mode_specific_options(kind).items()
        if mode not in modes and getattr(options, name) != getattr(usual, name)
    ]
    if faults:
        raise BadOptions(" ".join(map(str, faults)), faults)


def option_values(options: type[msgspec.Struct]) -> Mapping[str, Sequence[str]]:
    """The possible values of each option, including those in lists, as text keys name them."""
    hints = get_type_hints(options)
    return {
        name: list(dict.fromkeys(map(str, _literal_values(kind)))) for name, kind in hints.items()
    }


def misfit(name: str, reason: str) -> BadOptions:
    """A refusal of the value of an option that does not fit the seats or the other options."""
    return BadOptions(reason, [Fault(reason, (name,))])


def first_seat(chosen: str, seats: int) -> Seat | None:
    """The seat that an option FirstPlayer names; None for random. BadOptions if there is no such
    seat.
    """
    if chosen == "random":
        return None
    seat = int(chosen.removeprefix("seat:"))
    if seat >= seats:
        raise misfit(
            "first_player", f"`first_player` is {chosen}, but the seats are 0 to {seats - 1}."
        )
    return seat


def _literal_values(kind: Any) -> Iterator[object]:
    """The literal values inside a type, at any depth."""
    if get_origin(kind) is Literal:
        yield from get_args(kind)
    else:
        for inner in get_args(kind):
            yield from _literal_values(inner)
