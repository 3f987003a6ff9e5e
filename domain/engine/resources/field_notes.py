"""What the fields of records are, for those who write clients.

It is said where a field is written, by the comment at the end of its line or the text below it, or
else by its name in a glossary: that of its game, or the one here of what all games have. A glossary
says `View.seat` of the field of that record and of those that are made from it, and `seat` of any
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
FILE = "fields.json"


def read(package: str) -> Glossary:
    """The glossary in the folder of a package; FileNotFoundError if it has none."""
    text = files(package).joinpath(FILE).read_text(encoding="utf-8")
    glossary: Glossary = json.loads(text)
    return glossary


COMMON = read("domain.engine")


def note(record: type[msgspec.Struct], field: str, own: Glossary) -> str | None:
    """What is said of a field of a record, if anything is; `own` is the glossary of its game."""
    for base in record.__mro__:
        if said := _in_source(base).get(field):
            return said
    for entry in entries(record, field):
        if said := own.get(entry) or COMMON.get(entry):
            return said
    return None


def entries(record: type[msgspec.Struct], field: str) -> Iterator[str]:
    """How a glossary can name a field of a record, the narrowest first."""
    yield from (f"{base.__name__}.{field}" for base in record.__mro__)
    yield field


def _in_source(record: type) -> Mapping[str, str]:
    if not issubclass(record, msgspec.Struct) or record is msgspec.Struct:
        return {}
    return _notes(record.__module__).get(record.__name__, {})


@cache
def _notes(module: str) -> Mapping[str, Mapping[str, str]]:
    """By record of a module and by field, what the source says of it."""
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
    """A text of sentences as comments are written: it begins small, and more may follow."""
    words = " ".join(text.split()).rstrip(".")
    return words[0].lower() + words[1:]
