"""Names of players as they stand in pictures."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from domain.engine.sentences import Who, Words, apart, begun
from service.drawing.pictures.fonts import letters

WIDEST = 14
"""Letters of a name; Chinese characters, say, are two letters wide."""


def shown_names(names: Sequence[str | None], own_fonts: bool) -> tuple[str | None, ...]:
    """Names as there is room for them in a picture, no two alike; with `own_fonts` those alone
    whose letters our fonts have.
    """
    known = [name if name and not (own_fonts and _exotic(name)) else None for name in names]
    return apart([name and _cut(name) for name in known])


def told_below(text: str, names: Sequence[str | None], words: Words) -> str:
    """A board as text, and below it whose seat is whose: its columns have no room for names."""
    told = [
        begun(words("whose_seat", seat=Who(seat), name=name))
        for seat, name in enumerate(names)
        if name
    ]
    return "\n".join([text, *told, ""]) if told else text


def _cut(name: str) -> str:
    wide = 0
    for place, letter in enumerate(name):
        wide += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if wide > WIDEST:
            return f"{name[: place - 1].rstrip()}\u2026"
    return name


def _exotic(name: str) -> bool:
    """Whether there are letters in it that the fonts shipped with us do not have."""
    return not letters().issuperset(map(ord, name))
