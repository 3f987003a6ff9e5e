"""The record of positions of a game that declares none: the fields of its state."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import reduce
from typing import Any, get_type_hints

import msgspec

from domain.engine.positions.reader import Position

DESCRIPTION = "A table; a match starts where a turn begins."
NOT_IN_POSITIONS = "setup"
"""The field of a state that a match stores beside its positions."""


def declared_or_derived(game: Any) -> type[Position]:
    """The record that a game declares, or one with all fields of the state that its `blank_state`
    returns, which is a dataclass or a struct, except `setup`.
    """
    if game.position_type is not Position:
        declared: type[Position] = game.position_type
        return declared
    state, steps = get_type_hints(game.blank_state)["return"], game.answers.steps
    types = get_type_hints(state, include_extras=True)
    types |= {"agenda": list[reduce(operator.or_, steps)]}  # type: ignore[misc]  # known at run time
    fields: Sequence[msgspec.inspect.Field] = msgspec.inspect.type_info(state).fields  # type: ignore[attr-defined]  # of both
    kind: Any = msgspec.defstruct(
        "Position",
        [
            (field.name, types[field.name], _default(field))
            for field in fields
            if field.name != NOT_IN_POSITIONS
        ],
        bases=(Position,),
        namespace={"__doc__": DESCRIPTION, "described_by": state},
        module=state.__module__,
        tag=game.key,
        frozen=True,
        kw_only=True,
    )
    derived: type[Position] = kind
    return derived


def _default(field: msgspec.inspect.Field) -> Any:
    both: Any = {"default": field.default, "default_factory": field.default_factory}
    return msgspec.field(**both)
