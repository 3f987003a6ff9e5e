"""The kinds of keys that the tables of docs/event-store.md have."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "event-store.md"
ROW = re.compile(r"^\| `([^`]+)`( and all that begins with it)?.* \|.*\|.*\|$", re.MULTILINE)


def is_documented(name: str) -> bool:
    """Whether a key of this name is of a kind in the tables."""
    return any(known.fullmatch(name) for known in _documented())


@cache
def _documented() -> list[re.Pattern[str]]:
    return [_pattern(name, bool(more)) for name, more in ROW.findall(PAGE.read_text())]


def _pattern(name: str, and_more: bool) -> re.Pattern[str]:
    text = re.sub(r"<[^>]+>", ".+", re.sub(r"([{}])", r"\\\1", name)).replace("p7", r"p\d+")
    return re.compile(text + ("(:.+)?" if and_more else ""), re.DOTALL)
