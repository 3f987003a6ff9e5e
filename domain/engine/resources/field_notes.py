"""Descriptions of the fields of records, for authors of clients.

A description is the comment at the end of the field's line, or the docstring below the field, or
else an entry in a glossary: that of the game, or the common one of the engine. The entry
`View.seat` describes the field in that record and its subclasses; the entry `seat` describes every
other field of this name.
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

import msgspec

Glossary = Mapping[str, str]
FILE_NAME = "fields.json"


def read(package: str) -> Glossary:
    """The glossary in the folder of a package; empty if there is no file."""
    found = files(package).joinpath(FILE_NAME)
    glossary: Glossary = json.loads(found.read_text(encoding="utf-8")) if found.is_file() else {}
    return glossary


COMMON = read("domain.engine")


def field_note(record: type[msgspec.Struct], field: str, own: Glossary) -> str | None:
    """The description of a field; None if there is none. `own` is the glossary of its game."""
    for base in record.__mro__:
        if description := _in_source(base).get(field):
            return description
    for entry in glossary_keys(record, field):
        if description := own.get(entry) or COMMON.get(entry):
            return description
    return None


def glossary_keys(record: type[msgspec.Struct], field: str) -> Iterator[str]:
    """The glossary keys for a field of a record, most specific first."""
    yield from (f"{base.__name__}.{field}" for base in record.__mro__)
    yield field


def _in_source(record: type) -> Mapping[str, str]:
    if not issubclass(record, msgspec.Struct) or record is msgspec.Struct:
        return {}
    source = getattr(record, "described_by", record)  # the state, for positions derived from it
    return _notes(source.__module__).get(source.__name__, {})


@cache
def _notes(module: str) -> Mapping[str, Mapping[str, str]]:
    """The descriptions in the source of a module, by record and field."""
    source = inspect.getsource(sys.modules[module])
    lines = source.splitlines()
    return {
        node.name: dict(_fields(node, lines))
        for node in ast.parse(source).body
        if isinstance(node, ast.ClassDef)
    }


def _fields(record: ast.ClassDef, lines: list[str]) -> Iterator[tuple[str, str]]:
    for node, below in zip(record.body, [*record.body[1:], None], strict=True):
        match node, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(ast.Constant(str(text))):
                yield name, _fragment(text)
            case ast.AnnAssign(target=ast.Name(id=name)), _:
                _, mark, comment = lines[(node.end_lineno or node.lineno) - 1].partition("  # ")
                if mark:
                    yield name, comment
            case _:
                pass


def _fragment(text: str) -> str:
    """The text in the style of a comment: lower case at the start, no full stop at the end."""
    words = " ".join(text.split()).rstrip(".")
    return words[0].lower() + words[1:]
