"""Each class that extends rq, redis-py or uvicorn says in decision 51 when it may go."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.layout import CODE, ROOT

LIBRARIES = ("rq", "redis", "uvicorn")
DECISION = ROOT / "docs/decisions/51-second-statements.md"


def bases_by_class(path: Path) -> Iterator[tuple[str, set[str]]]:
    """The classes of a file, and the classes that each extends; those of a library by its name."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    origin = {
        name.asname or name.name: (node.module or "").split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            names = {ast.unparse(base).split(".")[0] for base in node.bases}
            yield node.name, names | {origin.get(name, name) for name in names}


def find_subclasses() -> dict[str, str]:
    """The classes that extend a class of these libraries, or one that does, and their modules."""
    files = [path for room in CODE for path in (ROOT / room).rglob("*.py")]
    classes = [(path.stem, *one) for path in files for one in bases_by_class(path)]
    found: dict[str, str] = {}
    while (
        more := {
            name: module for module, name, bases in classes if bases & {*LIBRARIES, *found}
        }.items()
        - found.items()
    ):
        found |= more
    return found


def test_each_is_in_the_decision_with_the_test_that_has_its_name() -> None:
    rows = [row.split("|") for row in DECISION.read_text(encoding="utf-8").splitlines()]
    tests = {
        name.strip(" `"): row[3].strip(" `")
        for row in rows
        if len(row) == 6
        for name in row[1].partition("(")[0].split(",")
    }
    found = find_subclasses()
    assert "LeanWorker" in found
    assert sorted(found.keys() - tests.keys()) == []
    for name, module in found.items():
        assert (ROOT / tests[name]).is_file(), name
        assert Path(tests[name]).name == f"test_{module}.py", name
