"""The kinds of keys in the tables of docs/event-store.md."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

STORE_PAGE = Path(__file__).parents[2] / "docs" / "event-store.md"
ROW = re.compile(r"^\| `([^`]+)`( and all keys below it)?.* \|.*\|.*\|$", re.MULTILINE)


def is_documented(name: str) -> bool:
    """Whether the tables contain the kind of this key."""
    return any(known.fullmatch(name) for known in _documented_keys())


@cache
def _documented_keys() -> list[re.Pattern[str]]:
    return [_pattern(name, bool(more)) for name, more in ROW.findall(STORE_PAGE.read_text())]


def _pattern(name: str, and_more: bool) -> re.Pattern[str]:
    text = re.sub(r"<[^>]+>", ".+", re.sub(r"([{}])", r"\\\1", name)).replace("p7", r"p\d+")
    return re.compile(text + ("(:.+)?" if and_more else ""), re.DOTALL)
