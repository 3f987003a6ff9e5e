"""The texts of charts in each language."""

from __future__ import annotations

from functools import cache

from domain.engine.resources.texts import read
from domain.engine.sentences import Words

TEXTS = read(__package__)


@cache
def words_in(language: str) -> Words:
    """Return the texts of charts in a language."""
    return Words(TEXTS[language])
