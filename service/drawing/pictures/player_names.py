"""Names of players as pictures show them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from domain.engine.resources.texts import distinguish
from domain.engine.sentences import SeatName, Words, capitalize
from service.drawing.pictures.fonts import code_points

MAX_NAME_WIDTH = 14
"""Width of a name in characters; a Chinese character, for example, counts as two."""
_NUMBER = re.compile(r" \(\d\)$|\uff08\d\uff09$")
"""The number of a seat, which distinguishes equal names."""


def fit_names(names: Sequence[str | None], own_fonts: bool) -> tuple[str | None, ...]:
    """Distinct names, shortened to fit into a picture, with the number of their seat if they have
    it; with `own_fonts` only names that our fonts can show.
    """
    drawable = [
        name if name and not (own_fonts and _has_missing_glyphs(name)) else None for name in names
    ]
    return distinguish([name and _truncate(name) for name in drawable])


def append_players(text: str, names: Sequence[str | None], words: Words) -> str:
    """Return a board as text, followed by the player of each seat: its columns have no room for
    names.
    """
    players = [
        capitalize(words("whose_seat", seat=SeatName(seat), name=name))
        for seat, name in enumerate(names)
        if name
    ]
    return "\n".join([text, *players, ""]) if players else text


def _truncate(name: str) -> str:
    width, number = 0, _NUMBER.search(name)
    base = name[: number.start()] if number else name
    for place, letter in enumerate(base):
        width += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if width > MAX_NAME_WIDTH:
            return f"{base[: place - 1].rstrip()}\u2026{name[len(base) :]}"
    return name


def _has_missing_glyphs(name: str) -> bool:
    """Return whether our fonts lack a character of this name."""
    return not code_points().issuperset(map(ord, name))
