"""Lines for terminals, where letters such as Chinese ones are two columns wide."""

from __future__ import annotations

import re
import unicodedata

COLUMNS = 80
"""As wide as a text may be."""
_PIECE = re.compile(
    r"\s+|[\uff08\u300c\u300e\u201c]*(?:[\u2e80-\uffff]|[^\s\u2e80-\uffff\u201c]{1,40})"
    r"[\uff09\u300d\u300f\u201d\uff0c\u3001\u3002\uff1b\uff1a\uff01\uff1f]*|\u201c"
)
"""What no line end comes into: a word, or a wide letter, with the brackets and stops around it."""


def wide(words: str) -> int:
    """How many columns words take."""
    if words.isascii():
        return len(words)
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in words)


def padded(words: str, columns: int) -> str:
    """Words with spaces behind them up to a number of columns."""
    return words + " " * (columns - wide(words))


def wrapped(words: str, columns: int = COLUMNS) -> list[str]:
    """Words as lines that are no wider, broken at spaces and beside wide letters."""
    lines, taken = [""], 0
    for piece in _PIECE.findall(words):
        if taken + wide(piece.rstrip()) > columns:
            lines.append("")
            taken = 0
        if taken or not piece.isspace():
            lines[-1] += piece
            taken += wide(piece)
    return [line.rstrip() for line in lines if line.strip()]
