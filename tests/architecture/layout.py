"""The folders of the project."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[2]
CODE = ("domain", "service", "projections", "workers")
TOY = ROOT / "tests/engine/toy"
NUMBER = re.compile(r"\b[A-Z]{2,}-\d+\.\d+\b")


def page_of(game: str) -> Path:
    """The guide of a game; that of the toy stands beside its tests."""
    page = ROOT / f"docs/games/{game}.md"
    return page if page.exists() else ROOT / f"tests/games/{game}/page.md"


def rules_of(folder: Path) -> set[str]:
    """The numbers of the rules that a game has."""
    headings = re.findall(r"^#+ (.*)$", (folder / "RULES.md").read_text(), re.MULTILINE)
    return find_citations(headings)


def find_citations_in(folder: Path, prefixes: set[str]) -> set[str]:
    """The rule numbers in all code of a folder, for games with these prefixes."""
    numbers = find_citations(path.read_text() for path in folder.rglob("*.py"))
    return {number for number in numbers if number.split("-")[0] in prefixes}


def find_citations(texts: Iterable[str]) -> set[str]:
    """The rule numbers in these texts."""
    return {number for text in texts for number in NUMBER.findall(text)}
