"""What is wrong in what was sent: every fault, its place, and what would be right there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec
from jsonschema_rs import Draft202012Validator
from jsonschema_rs import ValidationError as Error
from jsonschema_rs import ValidationErrorKind as Kind

Schema = dict[str, Any]
Path = tuple[str | int, ...]

MOST = 20
"""More faults than these are not told at once."""
NO_NULL = 'It is not of type "null".'
PLACE = re.compile(r"(.*?)(?: - at (?:`key` in )?`\$(.*)`)?", re.DOTALL)
STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")


class Fault(NamedTuple):
    """A sentence, and the members and indices that lead to the place it is about."""

    detail: str
    path: Path = ()

    def __str__(self) -> str:
        """The sentence behind its place."""
        return f"`{'/'.join(map(str, self.path))}`: {self.detail}" if self.path else self.detail


def find_faults(kind: Any, data: Any, error: Exception) -> list[Fault]:
    """What is wrong in JSON data that msgspec refused, with this error, to read as such a type."""
    try:
        faults = _told_of_all(kind, _validator(kind).iter_errors(_tagged(kind, data)))
    except UnicodeEncodeError:  # half of a character: msgspec says the same
        faults = []
    return faults[:MOST] or [_as_refused(error)]


def _tagged(kind: Any, data: Any) -> Any:
    """The same data, with the tag that a record may leave out if it can be of one kind only."""
    config = getattr(kind, "__struct_config__", None)
    if config is None or config.tag is None or not isinstance(data, dict):
        return data
    return {config.tag_field: config.tag, **data}


@cache
def _schema(kind: Any) -> Schema:
    return msgspec.json.schema(kind)


@cache
def _validator(kind: Any) -> Draft202012Validator:
    return Draft202012Validator(_schema(kind), mask="It")


def _told_of_all(kind: Any, errors: Iterable[Error]) -> list[Fault]:
    # That there are too many items is told, so nothing is said of each of them.
    known = (error for error in errors if not isinstance(error.kind, Kind.FalseSchema))
    return [fault for error in known for fault in _told(kind, error)]


def _told(kind: Any, error: Error) -> Iterator[Fault]:
    """The faults that an error of the validator is about."""
    path = tuple(error.instance_path)
    match error.kind:
        case Kind.AdditionalProperties(unexpected=names):
            known = _listed(_refusing(kind, error)["properties"])
            for name in names:
                yield Fault(f"There is no such member; known are {known}.", (*path, name))
        case Kind.Required(property=name):
            yield Fault(_missing(kind, error, name), (*path, name))
        case Kind.Enum(options=options):
            yield Fault(f"Expected {_either(options)}.", path)
        case Kind.AnyOf(context=branches):
            yield from _of_branches(kind, path, branches)
        case Kind.Pattern():
            words = _refusing(kind, error).get("description")
            yield Fault(f"Expected {words}" if words else f"{error.message}.", path)
        case _:
            yield Fault(f"{error.message}.", path)


def _of_branches(kind: Any, path: Path, branches: Sequence[Sequence[Error]]) -> Iterable[Fault]:
    """What keeps data from being one of several kinds.

    If `type` says which one it is to be, or if it is much like one of them, what is wrong in that;
    else what each of them would want.
    """
    tag = (*path, "type")
    told = [_told_of_all(kind, branch) for branch in branches]
    right = [faults for faults in told if all(fault.path != tag for fault in faults)]
    deep = [faults for faults in right if all(fault.path != path for fault in faults)]
    if deep:
        return deep[0]
    if len(right) < len(told):
        types = [name for branch in branches for name in _types(kind, branch, tag)]
        return [Fault(f"Expected {_either(types)}.", tag)]
    wanted = [faults[0].detail for faults in right if faults[0].detail != NO_NULL]
    return [Fault(" Or: ".join(wanted), path)]


def _types(kind: Any, branch: Sequence[Error], tag: Path) -> Iterator[Any]:
    """The `type` of the kind of record that data failed to be."""
    for error in branch:
        match error.kind:
            case Kind.Enum(options=options) if tuple(error.instance_path) == tag:
                yield from options
            case Kind.Required(property="type"):
                yield from _own_types(kind, error)
            case _:
                pass


def _missing(kind: Any, error: Error, name: str) -> str:
    return f"Expected {_either(_own_types(kind, error))}." if name == "type" else "This is missing."


def _own_types(kind: Any, error: Error) -> list[str]:
    """What `type` says in records of the kind that data without it failed to be."""
    types: list[str] = _refusing(kind, error)["properties"]["type"]["enum"]
    return types


def _refusing(kind: Any, error: Error) -> Schema:
    """The schema that one of its keywords made refuse the data."""
    root = _schema(kind)
    here: Any = root
    for step in error.evaluation_path[:-1]:
        here = root["$defs"][here["$ref"].rpartition("/")[2]] if step == "$ref" else here[step]
    found: Schema = here
    return found


def _either(options: Sequence[Any]) -> str:
    words = [f"`{option}`" for option in options]
    return f"one of {', '.join(words)}" if len(words) > 1 else "".join(words)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "none"


def _as_refused(error: Exception) -> Fault:
    """What only msgspec refuses, such as the name of a member, with its place."""
    detail, place = PLACE.fullmatch(str(error)).groups("")  # type: ignore[union-attr]  # matches all
    path = (int(index) if index else name for name, index in STEP.findall(place))
    return Fault(f"{detail}.", tuple(path))
