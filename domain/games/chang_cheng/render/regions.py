"""The regions on both sides of the wall."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.panel import FAINT, INK
from domain.engine.svg import Attribute, Markup, circle, group, path, rect, text
from domain.games.chang_cheng.render import pieces
from domain.games.chang_cheng.render.words import threat, value
from domain.games.chang_cheng.view import ChinaView, MongolView, View

CARD_STEP = 25
WIDE = 84
"""From here on a region has room for words."""


def north(view: View, width: float, high: float) -> Iterator[Markup]:
    """The Mongol regions with their threats, and who knows them."""
    x = 0.0
    for region in view.mongol:
        across = width * len(region.cells)
        yield group(*_mongol(view, region, across, high), at=(x, 0))
        x += across


def south(view: View, width: float, high: float) -> Iterator[Markup]:
    """The Chinese regions with their values, tiles and cards."""
    x = 0.0
    for region in view.china:
        across = width * len(region.cells)
        yield group(*_china(view, region, across, high), at=(x, 0))
        x += across


def _mongol(view: View, region: MongolView, across: float, high: float) -> Iterator[Markup]:
    yield rect(
        1, 0, across - 2, high - 6, rx=7, fill=pieces.NORTH, stroke="#9c8f76", stroke_width=1.6
    )
    yield text(9, 18, region.name, 13, fill=FAINT, font_weight=700)
    middle = across / 2
    if region.removed:
        yield text(middle, 56, "no threat", 13, fill=FAINT, text_anchor="middle")
    else:
        tile = pieces.threat_tile(threat(region), region.threat is not None)
        yield group(tile, at=(middle, 48))
    if region.open:
        yield text(middle, 84, "open", 12, fill=FAINT, text_anchor="middle")
    elif region.seen_by:
        yield from _eyes(view, region.seen_by, middle)


def _eyes(view: View, seats: tuple[int, ...], middle: float) -> Iterator[Markup]:
    """Who has looked at the tile."""
    start = middle - 9 * (len(seats) - 1)
    for place, seat in enumerate(seats):
        x = start + 18 * place
        yield circle(x, 81, 8, fill=pieces.PLAYERS[view.colours[seat]], stroke=INK)
        yield text(x, 85, str(seat), 11, fill="#ffffff", font_weight=700, text_anchor="middle")


def _china(view: View, region: ChinaView, across: float, high: float) -> Iterator[Markup]:
    yield rect(1, 6, across - 2, high - 8, rx=7, **_frame(view, region))
    yield text(9, high - 10, region.name, 13, fill=FAINT, font_weight=700)
    yield text(12, 42, str(value(view, region)), 30, fill=INK, font_weight=700)
    yield group(pieces.prestige_tile(region.prestige), at=(min(66, across - 18), 32))
    if region.emperor:
        yield group(pieces.emperor(), at=(across - 18, 92))
    if region.scored and not _is_scored_now(view, region):
        yield path("M14 56l6 7L33 50", fill="none", stroke="#2f7d4f", stroke_width=4)
        if across > WIDE:
            yield text(38, 63, "scored", 13, fill=FAINT)
    yield from _cards(view, region, across)
    if view.last is not None and region.name in view.last.regions:
        yield pieces.last_mark(across / 2, 9)


def _frame(view: View, region: ChinaView) -> dict[str, Attribute]:
    """What is being decided about stands out, what was scored steps back."""
    if _is_scored_now(view, region):
        return {"fill": "#fff1bf", "stroke": INK, "stroke_width": 2.6}
    if region.scored:
        return {"fill": "#ecebe2", "stroke": "#b3ae9f", "stroke_width": 1.6}
    return {"fill": pieces.SOUTH, "stroke": "#8b9a63", "stroke_width": 1.6}


def _is_scored_now(view: View, region: ChinaView) -> bool:
    return view.tally is not None and view.tally.region == region.name


def _cards(view: View, region: ChinaView, across: float) -> Iterator[Markup]:
    """Cards that lie face down, and those that wait while the region is scored."""
    lying = [(c.seat, c.number) for c in region.cards]
    if view.tally is not None and view.tally.region == region.name:
        lying += [(c.seat, c.number) for c in view.tally.waiting]
    in_row = max(1, int((across - 10) // CARD_STEP))
    step = 34 if len(lying) <= 2 * in_row else 17
    for place, (seat, number) in enumerate(lying):
        row, col = divmod(place, in_row)
        colour = pieces.PLAYERS[view.colours[seat]]
        yield group(
            pieces.card(colour, str(seat), number), at=(8 + col * CARD_STEP, 72 + row * step)
        )
