"""Where things are."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[2]
CODE = ("domain", "service", "projections", "workers")
TOY = ROOT / "tests/engine/toy"
NUMBER = re.compile(r"\b[A-Z]{2,}-\d+\.\d+\b")


def rules_of(folder: Path) -> set[str]:
    """The numbers of the rules that a game has."""
    headings = re.findall(r"^#+ (.*)$", (folder / "RULES.md").read_text(), re.MULTILINE)
    return cited(headings)


def cited_in(folder: Path, prefixes: set[str]) -> set[str]:
    """The numbers in all code of a folder, of the games that have these prefixes."""
    numbers = cited(path.read_text() for path in folder.rglob("*.py"))
    return {number for number in numbers if number.split("-")[0] in prefixes}


def cited(texts: Iterable[str]) -> set[str]:
    """The numbers of rules in these texts."""
    return {number for text in texts for number in NUMBER.findall(text)}
