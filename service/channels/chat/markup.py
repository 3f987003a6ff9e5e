"""Markdown for chats: escapes and truncates texts."""

from __future__ import annotations

import re

_MARKDOWN = re.compile(r"(^-|[\\*_~`|<>@#\[\]])")
_CODE = re.compile(r"(`[^`]+`)")


def escape_markdown(text: str) -> str:
    """Escape foreign text: no Markdown, no mentions, one line."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def escape_outside_code(text: str) -> str:
    """Escape a text of the service that quotes foreign words. What is between backticks stays code:
    in code there is no Markdown and no mention.
    """
    parts = _CODE.split(" ".join(text.split()))
    return "".join(
        part if number % 2 else _MARKDOWN.sub(r"\\\1", part) for number, part in enumerate(parts)
    )


def truncate(text: str, max_chars: int) -> str:
    """Return the text, cut to this length with an ellipsis."""
    return text if len(text) <= max_chars else f"{text[: max_chars - 1]}\u2026"


def code_block(board: str, max_chars: int) -> str:
    """Return a board as a code block."""
    shown = truncate(board.replace("```", "'''"), max_chars)
    return f"```\n{shown}\n```"
