"""Finds all faults in JSON input: where each is, and what would be valid there."""

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

DECODE_ERRORS = (msgspec.ValidationError, UnicodeEncodeError)
"""Raised for wrong fields, and for half of a surrogate pair."""
MAX_FAULTS = 20
"""Maximum number of faults reported for one input."""
NOT_NULL_DETAIL = 'It is not of type "null".'
_ERROR_WITH_PATH = re.compile(r"(.*?)(?: - at (?:`key` in )?`\$(.*)`)?", re.DOTALL)
_PATH_ITEM = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")


class Fault(NamedTuple):
    """A sentence about a fault, and the path of members and indices that leads to it."""

    detail: str
    path: Path = ()

    def __str__(self) -> str:
        """The path and the sentence."""
        return f"`{'/'.join(map(str, self.path))}`: {self.detail}" if self.path else self.detail


def find_faults(kind: Any, data: Any, error: Exception) -> list[Fault]:
    """All faults in JSON data that msgspec refused, with this error, to decode as this type."""
    try:
        faults = _faults_of_all(kind, _validator(kind).iter_errors(_add_tag(kind, data)))
    except UnicodeEncodeError:  # half of a surrogate pair: msgspec reports it as well
        faults = []
    return faults[:MAX_FAULTS] or [_msgspec_fault(error)]


def _add_tag(kind: Any, data: Any) -> Any:
    """The data with the tag added that a record may omit where only one class is possible."""
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


def _faults_of_all(kind: Any, errors: Iterable[Error]) -> list[Fault]:
    # If there are too many items, one fault says so; skip the errors of the single items.
    known = (error for error in errors if not isinstance(error.kind, Kind.FalseSchema))
    return [fault for error in known for fault in _faults_of(kind, error)]


def _faults_of(kind: Any, error: Error) -> Iterator[Fault]:
    """The faults that a validator error is about."""
    path = tuple(error.instance_path)
    match error.kind:
        case Kind.AdditionalProperties(unexpected=names):
            known = name_list(_refusing_schema(kind, error)["properties"])
            for name in names:
                yield Fault(f"There is no such member; known are {known}.", (*path, name))
        case Kind.Required(property=name):
            yield Fault(_missing_detail(kind, error, name), (*path, name))
        case Kind.Enum(options=options):
            yield Fault(f"Expected {_one_of(options)}.", path)
        case Kind.AnyOf(context=branches):
            yield from _faults_of_branches(kind, path, branches)
        case Kind.Pattern():
            words = _refusing_schema(kind, error).get("description")
            yield Fault(f"Expected {words}" if words else f"{error.message}.", path)
        case _:
            yield Fault(f"{error.message}.", path)


def _faults_of_branches(
    kind: Any, path: Path, branches: Sequence[Sequence[Error]]
) -> Iterable[Fault]:
    """The faults of data that fits none of several classes.

    If `type` names a class, or the data is close to one of them: the faults against that class.
    Else one fault that lists what each class expects.
    """
    tag = (*path, "type")
    by_branch = [_faults_of_all(kind, branch) for branch in branches]
    matching = [faults for faults in by_branch if all(fault.path != tag for fault in faults)]
    nested = [faults for faults in matching if all(fault.path != path for fault in faults)]
    if nested:
        return nested[0]
    if len(matching) < len(by_branch):
        types = [name for branch in branches for name in _tags_of_branch(kind, branch, tag)]
        return [Fault(f"Expected {_one_of(types)}.", tag)]
    expected = [faults[0].detail for faults in matching if faults[0].detail != NOT_NULL_DETAIL]
    return [Fault(" Or: ".join(expected), path)]


def _tags_of_branch(kind: Any, branch: Sequence[Error], tag: Path) -> Iterator[Any]:
    """The `type` that a branch of the schema expects."""
    for error in branch:
        match error.kind:
            case Kind.Enum(options=options) if tuple(error.instance_path) == tag:
                yield from options
            case Kind.Required(property="type"):
                yield from _own_tags(kind, error)
            case _:
                pass


def _missing_detail(kind: Any, error: Error, name: str) -> str:
    return f"Expected {_one_of(_own_tags(kind, error))}." if name == "type" else "This is missing."


def _own_tags(kind: Any, error: Error) -> list[str]:
    """The `type` that the schema requires and the data lacks."""
    types: list[str] = _refusing_schema(kind, error)["properties"]["type"]["enum"]
    return types


def _refusing_schema(kind: Any, error: Error) -> Schema:
    """The schema that refused the data."""
    root = _schema(kind)
    here: Any = root
    for step in error.evaluation_path[:-1]:
        here = root["$defs"][here["$ref"].rpartition("/")[2]] if step == "$ref" else here[step]
    found: Schema = here
    return found


def _one_of(options: Sequence[Any]) -> str:
    words = [f"`{option}`" for option in options]
    return f"one of {', '.join(words)}" if len(words) > 1 else "".join(words)


def name_list(names: Iterable[str]) -> str:
    """These names for a sentence."""
    return ", ".join(f"`{name}`" for name in names) or "none"


def _msgspec_fault(error: Exception) -> Fault:
    """The msgspec error as a fault with its path, for what only msgspec refuses (such as member
    names).
    """
    detail, place = _ERROR_WITH_PATH.fullmatch(str(error)).groups("")  # type: ignore[union-attr]  # matches all
    path = (int(index) if index else name for name, index in _PATH_ITEM.findall(place))
    return Fault(f"{detail}.", tuple(path))
