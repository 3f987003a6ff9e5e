"""Text for terminals, where wide characters such as Chinese ones take two columns."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

MAX_COLUMNS = 80
"""Maximum width of a line."""
_MAX_CACHED_TEXTS = 2_000
"""Maximum number of texts whose lines are kept; most texts of a picture are also in the next."""
_PIECE = re.compile(
    r"\s+|[\uff08\u300c\u300e\u201c]*(?:[\u2e80-\uffff]|[^\s\u2e80-\uffff\u201c]{1,40})"
    r"[\uff09\u300d\u300f\u201d\uff0c\u3001\u3002\uff1b\uff1a\uff01\uff1f]*|\u201c"
)
"""An unbreakable piece: a word or a wide character, with the brackets and stops around it."""


def column_width(words: str) -> int:
    """The number of columns that words take."""
    if words.isascii():
        return len(words)
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in words)


def pad(words: str, columns: int) -> str:
    """Words, filled up with spaces to a number of columns."""
    return words + " " * (columns - column_width(words))


def wrap(words: str, columns: int = MAX_COLUMNS) -> list[str]:
    """Words as lines of at most this width, broken at spaces and beside wide characters."""
    return list(_wrap(words, columns))


@lru_cache(_MAX_CACHED_TEXTS)
def _wrap(words: str, columns: int) -> tuple[str, ...]:
    if column_width(words.strip()) <= columns:
        return (words.strip(),) if words.strip() else ()
    lines, taken = [""], 0
    for piece in _PIECE.findall(words):
        if taken + column_width(piece.rstrip()) > columns:
            lines.append("")
            taken = 0
        if taken or not piece.isspace():
            lines[-1] += piece
            taken += column_width(piece)
    return tuple(line.rstrip() for line in lines if line.strip())
