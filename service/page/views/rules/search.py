"""The search of a rule book: its rules with all words of a query."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from domain.engine.game import Game

MARKS = re.compile(r"[*`|]|-{3,}")
"""Marks of Markdown in the text of a rule."""
LETTERS_BEFORE, LETTERS = 60, 220
"""How many letters an excerpt has before the first word that was found, and in all."""


class FoundRule(NamedTuple):
    """A rule, and an excerpt of its text in parts: every second one is a found word."""

    number: str
    excerpt: Sequence[str]


def find_rules(game: Game[Any], language: str, query: str) -> Sequence[FoundRule]:
    """The rules whose number or text has all words of a query, in the order of the book."""
    words = query.casefold().split()
    return list(_matches(game, language, words)) if words else []


def _matches(game: Game[Any], language: str, words: Sequence[str]) -> Iterator[FoundRule]:
    for number, text in game.resources.rulebooks[language].rules.items():
        plain = " ".join(MARKS.sub(" ", text).split())
        whole = f"{number} {plain}".casefold()
        if all(word in whole for word in words):
            yield FoundRule(number, _excerpt(plain, words))


def _excerpt(text: str, words: Sequence[str]) -> Sequence[str]:
    """The part of a text around the first of the words, divided at all of them."""
    pattern = re.compile(f"({'|'.join(map(re.escape, words))})", re.IGNORECASE)
    first = pattern.search(text)
    begin = max(0, first.start() - LETTERS_BEFORE) if first else 0
    end = begin + LETTERS
    parts = pattern.split(text[begin:end])
    parts[0] = ("…" if begin else "") + parts[0]
    parts[-1] += "…" if end < len(text) else ""
    return parts
