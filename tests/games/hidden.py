"""What is hidden of an event, replaced by something else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec


def otherwise(event: Any, known: Any, events: Sequence[Any]) -> Iterator[Any]:
    """This event, of which somebody knows no more than `known`, with what is hidden replaced by
    what other events of its kind say there.
    """
    names = event.__struct_fields__
    hidden = [name for name in names if getattr(event, name) != getattr(known, name)]
    alike = [other for other in events if type(other) is type(event)] if hidden else []
    for other in alike[:20]:
        changes = {name: getattr(other, name) for name in hidden}
        if all(size(changes[name]) == size(getattr(event, name)) for name in hidden):
            yield msgspec.structs.replace(event, **changes)


def size(value: Any) -> int:
    """How many there are, which may be known of what is hidden."""
    return len(value) if isinstance(value, tuple | list | dict) else -1
