"""Words as chats have them: Markdown of others does nothing, and nothing is too long."""

from __future__ import annotations

import re

_SIGNS = re.compile(r"([\\*_~`|<>@#\[\]()-])")


def plain(words: str) -> str:
    """Words of somebody else: no sign in them does anything, and nobody is called."""
    return _SIGNS.sub(r"\\\1", " ".join(words.split()))


def cut(words: str, most: int) -> str:
    """Words that are no longer than this."""
    return words if len(words) <= most else f"{words[: most - 1]}\u2026"


def fenced(board: str, most: int) -> str:
    """A board as text, in letters of one width."""
    shown = cut(board.replace("```", "'''"), most)
    return f"```\n{shown}\n```"
