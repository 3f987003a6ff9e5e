"""The rules of a game as their numbers and texts, read from its RULES.md."""

from __future__ import annotations

import re

RULE = re.compile(r"^#+ ([A-Z]{2,}-\d+\.\d+)\b[^\n]*\n+(.*?)(?=^#|\Z)", re.MULTILINE | re.DOTALL)


def parse(markdown: str) -> dict[str, str]:
    """Each rule's text by its number, such as QIN-4.1; a rule is a heading with a text below."""
    return {number: " ".join(text.split()) for number, text in RULE.findall(markdown)}
