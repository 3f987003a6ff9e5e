"""Each class that extends one of a library says in decision 51 when it may go."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.architecture.layout import CODE, ROOT

OVERRIDDEN = ("rq", "redis", "uvicorn")
"""Libraries of which classes override what is not meant for it: a test file has the name of each
module with such a class.
"""
DECLARED = ("msgspec", "Strict")
"""A library and a class of ours whose subclasses only declare records."""
SUBCLASS = re.compile(r"^ *class \w+\(", re.MULTILINE)
OWN = (*CODE, *sys.stdlib_module_names)
DECISION = ROOT / "docs/decisions/51-second-statements.md"


class Class(NamedTuple):
    """A class of the code."""

    name: str
    module: str
    bases: dict[str, str]
    """The classes that it extends, each with the package it was imported from, or an empty text."""


def classes_in(path: Path) -> Iterator[Class]:
    """The classes of a file that extend others."""
    if not SUBCLASS.search(text := path.read_text(encoding="utf-8")):
        return  # to parse all code takes seconds
    nodes = list(ast.walk(ast.parse(text)))
    origin = dict(imports(nodes))
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            names = [ast.unparse(base).split("[")[0].split(".")[0] for base in node.bases]
            yield Class(node.name, path.stem, {name: origin.get(name, "") for name in names})


def imports(nodes: list[ast.AST]) -> Iterator[tuple[str, str]]:
    """The names that a file imports, each with its package."""
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            for name in node.names:
                yield name.asname or name.name, (node.module or "").split(".")[0]
        elif isinstance(node, ast.Import):
            for name in node.names:
                package = name.name.split(".")[0]
                yield name.asname or package, package


@cache
def find_subclasses() -> dict[str, tuple[str, str]]:
    """The classes that extend a class of a library, or one that does: their modules and the
    libraries.
    """
    files = [path for room in CODE for path in (ROOT / room).rglob("*.py")]
    classes = [one for path in files for one in classes_in(path)]
    found: dict[str, tuple[str, str]] = {}
    while more := {
        one.name: (one.module, library)
        for one in classes
        for library in libraries_of(one, found)
        if one.name not in found
    }:
        found |= more
    return found


def libraries_of(one: Class, found: dict[str, tuple[str, str]]) -> Iterator[str]:
    """The libraries whose classes this one extends, itself or by classes found before."""
    for base, package in one.bases.items():
        if base in found and base not in DECLARED:
            yield found[base][1]
        elif package and package not in (*OWN, *DECLARED):
            yield package


def read_rows() -> dict[str, str]:
    """The classes in the tables of the decision, each with the test that holds it."""
    rows = [row.split("|") for row in DECISION.read_text(encoding="utf-8").splitlines()]
    return {
        name.strip(" `"): row[3].strip(" `")
        for row in rows
        if len(row) == 6 and row[1].startswith(" `")
        for name in row[1].partition("(")[0].split(",")
    }


@pytest.mark.slow
def test_each_is_in_the_decision_with_its_test() -> None:
    tests, found = read_rows(), find_subclasses()
    assert {"LeanWorker", "PriorityWorker", "Turn", "Strict", "_Dumper"} <= found.keys()
    assert "NewPlayer" not in found
    assert sorted(found.keys() - tests.keys()) == []
    for name, (module, library) in found.items():
        assert (ROOT / tests[name]).is_file(), name
        if library in OVERRIDDEN:
            assert Path(tests[name]).name == f"test_{module}.py", name


@pytest.mark.slow
def test_each_class_of_the_decision_is_in_the_code() -> None:
    listed = {name for name in read_rows() if name.isidentifier()}
    assert sorted(listed - find_subclasses().keys()) == []
