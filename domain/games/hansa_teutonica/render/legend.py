"""The line under the map that says what the signs mean."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.panel import FAINT
from domain.engine.svg import Markup, Point, group, text
from domain.games.hansa_teutonica.board import PRIVILEGES
from domain.games.hansa_teutonica.render import pieces
from domain.games.hansa_teutonica.render.words import BONUS_NAMES, MARKER_NAMES
from domain.games.hansa_teutonica.view import View

LINE = 36
LETTER = 7.9
"""How wide a letter is on average."""


def height(view: View, across: float) -> float:
    """How much room it needs below a map so wide."""
    return (1 + max(row for row, *_ in _placed(view, across))) * LINE + 12


def parts(view: View, across: float) -> Iterator[Markup]:
    """What there is on this map, from left to right in as many lines as it takes."""
    for row, x, words, sign, wide in _placed(view, across):
        yield group(sign, at=(x + wide / 2, row * LINE))
        yield text(x + wide + 8, row * LINE + 6, words, 17, fill=FAINT)


def _placed(view: View, across: float) -> Iterator[tuple[int, float, str, Markup, float]]:
    """Each sign with its line, where it begins there, its words, and its width."""
    row, x = 0, 0.0
    for words, sign, wide in _entries(view):
        room = wide + 30 + LETTER * len(words)
        if x + room - 22 > across:
            row, x = row + 1, 0.0
        yield row, x, words, sign, wide
        x += room


def _entries(view: View) -> Iterator[tuple[str, Markup, float]]:
    """Words, a sign with its middle at the origin, and its width."""
    origin: Point = (0, 0)
    yield "trader", pieces.trader(view.colours[0], "0"), 26
    yield "merchant", pieces.merchant(view.colours[0], "0"), 28
    yield "free post", pieces.slot(), 22
    if any(route.post_requires for route in view.map.routes):
        yield "free post for a merchant", pieces.merchant_slot(), 24
    yield "office for a trader", pieces.office("trader", "white", 0), 30
    yield "for a merchant, with a coin", pieces.office("merchant", "orange", 1), 32
    for privilege in PRIVILEGES:
        yield privilege, pieces.ground(privilege), 30
    yield "controls the city", group(pieces.flag(view.colours[0], "0"), at=(-10, -8)), 24
    yield "touched last", group(pieces.last_frame([origin]), scale=0.8), 30
    yield from _of_the_map(view)
    if view.provinces:
        yield "pawn", group(pieces.pawn(), scale=0.8), 22
        yield "soldier", pieces.soldier(), 20


def _of_the_map(view: View) -> Iterator[tuple[str, Markup, float]]:
    """What is not on every map."""
    if any(route.tavern for route in view.map.routes):
        yield "tavern", pieces.tavern(), 24
    if any(city.green for city in view.map.cities):
        yield "green city", pieces.green_city(), 30
    for kind, words in MARKER_NAMES.items():
        yield words, pieces.marker(kind), 56
    for kind in sorted({r.permanent_bonus for r in view.map.routes if r.permanent_bonus}):
        yield BONUS_NAMES[kind], pieces.bonus(kind), pieces.bonus_width(kind)
    for country in sorted({route.country for route in view.map.routes} - {"England"}):
        yield country, pieces.road(country), 22
