"""Names of players in pictures.

Games know seats alone, and call them `seat 0`, `Seat 1, green`. Whoever looks at a picture sees
names there; words for people who cannot see it are treated alike.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from html import escape
from textwrap import wrap

from service.pictures.fonts import letters

SEAT = re.compile(r"\b[Ss]eat (\d+)\b")
COLUMNS = 80
WIDEST = 14
"""Letters of a name; Chinese characters, say, are two letters wide."""


def with_names(svg: str, names: Sequence[str | None], own_fonts: bool) -> str:
    """An SVG picture with names in the place of seats; a seat without a name is called a seat.

    With `own_fonts` it is drawn with ours, so names with letters that they lack are left out.
    """
    shown = [name and escape(name) for name in shown_names(names, own_fonts)]

    def named(found: re.Match[str]) -> str:
        seat = int(found[1])
        return (shown[seat] if seat < len(shown) else None) or found[0]

    return SEAT.sub(named, svg)


def shown_names(names: Sequence[str | None], own_fonts: bool) -> list[str | None]:
    """Names as there is room for them in a picture, no two alike; with `own_fonts` those alone
    whose letters our fonts have.
    """
    known = [name if name and not (own_fonts and _exotic(name)) else None for name in names]
    return [name and _distinct(known, seat) for seat, name in enumerate(known)]


def told_below(text: str, names: Sequence[str | None]) -> str:
    """A board as text, and below it whose seat is whose: its columns have no room for names."""
    told = [f"seat {seat} is {name}" for seat, name in enumerate(names) if name]
    if not told:
        return text
    return "\n".join([text, *wrap(f"S{', '.join(told)[1:]}.", COLUMNS), ""])


def _distinct(names: Sequence[str | None], seat: int) -> str:
    """A name, short enough, and with the number of its seat if another seat has the same."""
    name = _cut(names[seat] or "")
    alike = sum(other is not None and _cut(other) == name for other in names) > 1
    return f"{name} ({seat})" if alike else name


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
