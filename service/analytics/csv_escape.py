"""Cells of CSV, of which no spreadsheet makes a formula."""

from __future__ import annotations

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How texts begin that a spreadsheet would carry out."""


def cell(text: str) -> str:
    """A text as a cell."""
    return f"'{text}" if text.startswith(FORMULA) else text
