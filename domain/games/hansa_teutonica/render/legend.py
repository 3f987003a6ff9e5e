"""The line under the map that says what the signs mean."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.panel import FAINT
from domain.engine.svg import Markup, Point, group, text
from domain.games.hansa_teutonica.render import pieces
from domain.games.hansa_teutonica.view import View

HEIGHT = 44


def parts(view: View) -> Iterator[Markup]:
    """What there is on this map, from left to right."""
    x = 16.0
    for words, sign in _entries(view):
        wide = 28 if words in ("marker", "controls the city") else 20
        yield group(sign, at=(x, 0))
        yield text(x + wide, 5, words, 13.5, fill=FAINT)
        x += wide + 24 + 6.6 * len(words)


def _entries(view: View) -> Iterator[tuple[str, Markup]]:
    origin: Point = (0, 0)
    yield "trader", pieces.trader(view.colours[0], "0")
    yield "merchant", pieces.merchant(view.colours[0], "0")
    yield "free post", pieces.slot()
    if any(route.post_requires for route in view.map.routes):
        yield "for a merchant", pieces.merchant_slot()
    yield "office for a trader", pieces.office("trader", "white", 0)
    yield "for a merchant, with a coin", pieces.office("merchant", "orange", 1)
    yield "controls the city", group(pieces.flag(view.colours[0], "0"), at=(-4, -6))
    yield "marker", pieces.marker("swap_offices")
    yield "done last", group(pieces.last_frame([origin]), scale=0.75)
    for country in sorted({route.country for route in view.map.routes} - {"England"}):
        yield country, pieces.road(country)
    if view.provinces:
        yield "pawn", group(pieces.pawn(), scale=0.8)
        yield "soldier", pieces.soldier()
