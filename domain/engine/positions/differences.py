"""What a table does not show of the position that it was read from."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import msgspec

from domain.engine.constraints import is_empty
from domain.engine.faults import Fault, Path


def find_lost(given: Any, written: Any, path: Path = ()) -> Iterator[Fault]:
    """The parts of a position that are missing, or different, when the table is written again.

    What is None or empty was left out. The order of a list may change.
    """
    if given is None or given == written or given in ((), {}):
        return
    if isinstance(given, msgspec.Struct) and type(given) is type(written):
        for name in given.__struct_fields__:
            yield from find_lost(getattr(given, name), getattr(written, name), (*path, name))
    elif isinstance(given, dict) and isinstance(written, dict):
        yield from _lost_values(given, written, path)
    elif not (_is_list(given) and _is_list(written) and len(given) == len(written)):
        yield Fault(f"By the rest of the position, this is {_quote(written)}.", path)
    elif _sorted(given) != _sorted(written):
        for at, (one, other) in enumerate(zip(given, written, strict=True)):
            yield from find_lost(one, other, (*path, at))


def _lost_values(given: dict[str, Any], written: dict[str, Any], path: Path) -> Iterator[Fault]:
    for name, value in given.items():
        if name in written:
            yield from find_lost(value, written[name], (*path, name))
        elif not is_empty(msgspec.to_builtins(value)):
            yield Fault("By the rest of the position, nothing is here.", (*path, name))


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _sorted(values: Collection[Any]) -> list[bytes]:
    """The items in an order that depends only on their contents."""
    return sorted(map(msgspec.json.encode, map(_in_order, msgspec.to_builtins(values))))


def _in_order(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _in_order(value[name]) for name in sorted(value)}
    if _is_list(value):
        return sorted(map(_in_order, value), key=msgspec.json.encode)
    return value


def _quote(value: Any) -> str:
    return f"`{msgspec.json.encode(value).decode()}`"
