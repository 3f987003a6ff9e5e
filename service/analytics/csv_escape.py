"""Escapes CSV cells against formula injection."""

from __future__ import annotations

FORMULA_PREFIXES = ("=", "+", "-", "@", "\t", "\r")
"""Prefixes of text that a spreadsheet would run as a formula."""


def escape_cell(text: str) -> str:
    """Return a text as a safe cell."""
    return f"'{text}" if text.startswith(FORMULA_PREFIXES) else text
