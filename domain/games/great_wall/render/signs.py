"""Signs in a row: an icon with its number, a price, tokens; each with the words that explain it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from domain.engine.drawing.panel import INK
from domain.engine.drawing.svg import Markup, explain, group, path
from domain.engine.sentences import Sentence, Words
from domain.games.great_wall.render import letters
from domain.games.great_wall.render.icons import ICONS
from domain.games.great_wall.sayings import bill
from domain.games.great_wall.state.bills import Bill

DIGIT = 8.0
"""The width of a digit of small words."""
ICON = 17
"""The width of an icon with the space behind it."""
GAP, MAX_GAP = 9, 44
"""Between two signs of a row; at most, room for a number that changes, such as `3 \u2192 18`."""
PRICED, STEP = 0.78, 13.5
"""The scale of the icons of a price, and the width of each with the space behind it."""


MAX_CACHED = 2048
"""More signs than pictures of several tables have."""


_ARROW = path("M-2 -4L2 0L-2 4", fill="none", stroke=INK, stroke_width=1.6)
"""Between a price and what it buys."""


class Sign(NamedTuple):
    """Something drawn from its left end, its middle at a height of 0."""

    width: float
    drawn: Markup


@lru_cache(MAX_CACHED)
def icon(name: str, x: float = 8, scale: float = 1) -> Markup:
    """An icon, its middle at this distance from the left."""
    return group(ICONS[name], at=(x, 0), scale=scale)


@lru_cache(MAX_CACHED)
def count(name: str, number: int | str, said: str) -> Sign:
    """An icon and a number, and what they mean in words."""
    written = str(number)
    digits = letters.small(ICON, 5, written, font_weight=700)
    width = ICON + letters.length(written, bold=True)
    return Sign(width, explain(said, icon(name), digits))


def stock(words: Words, amounts: Mapping[Any, int]) -> list[Sign]:
    """How much there is of each resource."""
    return [
        count(name, number, words(f"some_{name}", count=number)) for name, number in amounts.items()
    ]


@lru_cache(MAX_CACHED)
def price(said: str, cost: Bill, before: str | None = None, honor: int = 0) -> Sign:
    """A price tag, and what it says in words; `before` is the icon of what is bought, and `honor`
    what the buyer gains.
    """
    parts, x = [], 8.0
    if before is not None:
        parts.append(icon(before, x + 6, PRICED))
        x += STEP
    for written, name in _entries(cost):
        parts.append(letters.small(x, 5, written, font_weight=700))
        x += DIGIT * len(written)
        if name:
            parts.append(icon(name, x + 6.5, PRICED))
            x += STEP
    if honor:
        parts.append(group(_ARROW, at=(x + 4, 0)))
        parts.append(letters.small(x + 9, 5, str(honor), font_weight=700))
        x += 9 + DIGIT * len(str(honor))
        parts.append(icon("honor", x + 6.5, PRICED))
        x += STEP
    return Sign(x + 1, explain(said, tag(x + 1), *parts))


def tag(width: float) -> Markup:
    """The outline of a price tag."""
    edge = f"M0 0L5 -11H{width:.0f}V11H5Z"
    return path(edge, fill="#ffffff", stroke="#8a7c5f")


def _entries(cost: Bill) -> Iterator[tuple[str, str | None]]:
    """Each amount of a bill with its icon; without one, how much the whole is lower."""
    named = msgspec.structs.asdict(cost)
    less = named.pop("less")
    amounts: list[tuple[str, str | None]] = [
        (str(number), name) for name, number in named.items() if number
    ]
    yield from amounts or [("0", None)]
    if less:
        yield f"\u2212{less}", None


def place(signs: Iterable[Sign], x: float, y: float, gap: float = GAP) -> Iterator[Markup]:
    """The signs from left to right."""
    for sign in signs:
        yield group(sign.drawn, at=(x, y))
        x += sign.width + gap


def even_gap(signs: Sequence[Sign], across: float) -> float:
    """The gap with which signs fill a row of this width, up to MAX_GAP."""
    free = across - sum(sign.width for sign in signs)
    return min(MAX_GAP, free / max(1, len(signs) - 1))


def length(signs: Iterable[Sign], gap: float = GAP) -> float:
    """The width of a row of signs."""
    return sum(sign.width + gap for sign in signs) - gap


def rows(signs: Iterable[Sign], across: float, gap: float = GAP) -> list[list[Sign]]:
    """The signs in rows of at most this width."""
    found: list[list[Sign]] = []
    for sign in signs:
        if not found or length([*found[-1], sign], gap) > across:
            found.append([])
        found[-1].append(sign)
    return found


def material(number: int) -> Bill:
    """A price in wood, stone or gold, in any mix."""
    return Bill(any_wsg=number)


def name_cost(words: Words, what: str, cost: Bill) -> str:
    """A thing and its price in words; `what` is the key of the name."""
    return words("cost", what=Sentence(what), cost=bill(None, cost))
