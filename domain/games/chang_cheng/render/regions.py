"""The regions on both sides of a board's part of the wall."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing.panel import FAINT, INK
from domain.engine.drawing.svg import Attribute, Markup, circle, group, mark, rect, text
from domain.engine.sentences import Words
from domain.games.chang_cheng.render import pieces
from domain.games.chang_cheng.render.sentences import is_scored_now, threat, value
from domain.games.chang_cheng.touch import REGION, WAITING
from domain.games.chang_cheng.view import ChinaView, MongolView, View

CARD_SCALE = 1.15
CARD_STEP = 28
POINTS = 80
"""How wide the words of what a region brought are, at most."""


def north(view: View, board: str, words: Words, side: float, high: float) -> Iterator[Markup]:
    """The Mongol regions of a board with their threats, and who knows them."""
    x = 0.0
    for region in view.mongol:
        if region.name.startswith(f"{board}:"):
            across = side * len(region.cells)
            parts = _mongol(view, region, words, across, high)
            yield group(mark(REGION.of(region.name), *parts), at=(x, 0))
            x += across


def south(view: View, board: str, words: Words, side: float, high: float) -> Iterator[Markup]:
    """The Chinese regions of a board with their values, tiles and cards."""
    x = 0.0
    for region in view.china:
        if region.name.startswith(f"{board}:"):
            across = side * len(region.cells)
            parts = _china(view, region, words, across, high)
            yield group(mark(REGION.of(region.name), *parts), at=(x, 0))
            x += across


def _mongol(
    view: View, region: MongolView, words: Words, across: float, high: float
) -> Iterator[Markup]:
    yield rect(
        1, 0, across - 2, high - 6, rx=7, fill=pieces.NORTH, stroke="#9c8f76", stroke_width=1.6
    )
    yield text(9, 20, region.name, 15, fill=FAINT, font_weight=700)
    middle = across / 2
    if region.removed:
        yield text(middle, 48, words("no_threat"), 16, fill=FAINT, text_anchor="middle")
        return
    tile = pieces.threat_tile(threat(region), region.threat is not None)
    yield group(tile, at=(middle - 22, 42))
    if region.open:
        yield text(middle + 10, 48, words("open"), 16, fill=FAINT)
    else:
        yield from _eyes(view, region.seen_by, middle + 16)


def _eyes(view: View, seats: tuple[int, ...], x: float) -> Iterator[Markup]:
    """Who has looked at the tile."""
    for place, seat in enumerate(seats):
        at = x + 20 * place
        yield circle(at, 43, 9, fill=pieces.PLAYERS[view.colours[seat]], stroke=INK)
        yield text(at, 48, str(seat), 13, fill="#ffffff", font_weight=700, text_anchor="middle")


def _china(
    view: View, region: ChinaView, words: Words, across: float, high: float
) -> Iterator[Markup]:
    yield rect(1, 6, across - 2, high - 8, rx=7, **_frame(view, region))
    yield text(9, 26, region.name, 15, fill=FAINT, font_weight=700)
    if region.emperor:
        yield group(pieces.emperor(), at=(across - 20, 24))
    if region.scored and not is_scored_now(view, region):
        yield group(*_won(view, region, words, across - 20), at=(10, 58))
    else:
        yield group(*_worth(view, region, words), at=(10, 58))
    yield from _cards(view, region, across, high)
    if view.last is not None and region.name in view.last.regions:
        yield pieces.last_mark(across / 2, 9)


def _worth(view: View, region: ChinaView, words: Words) -> Iterator[Markup]:
    """What the region is worth, and how much of that its prestige tile makes."""
    yield text(0, 10, words("worth"), 15, fill=FAINT)
    yield text(50, 12, str(value(view, region)), 28, fill=INK, font_weight=700)
    yield text(88, 10, words("with"), 15, fill=FAINT)
    yield group(pieces.prestige_tile(region.prestige), at=(138, 4))


def _won(view: View, region: ChinaView, words: Words, across: float) -> Iterator[Markup]:
    """The winners of a region and their points, side by side within `across` pixels."""
    if region.brought is None:
        yield text(0, 10, words("scored"), 16, fill=FAINT)
        return
    if not region.won_by:
        yield text(0, 10, words("won_by_nobody"), 16, fill=FAINT)
        return
    step = min(36, (across - POINTS) / len(region.won_by))
    for place, seat in enumerate(region.won_by):
        sign = pieces.wall(pieces.PLAYERS[view.colours[seat]], str(seat), step - 2)
        yield group(sign, at=(place * step, -32))
    points = words("points", count=region.brought)
    yield text(step * len(region.won_by) + 6, 10, points, 17, fill=INK, font_weight=700)


def _frame(view: View, region: ChinaView) -> dict[str, Attribute]:
    """The frame of a region: bold while players decide about it, faint once it has scored."""
    if is_scored_now(view, region):
        return {"fill": "#fff1bf", "stroke": INK, "stroke_width": 2.6}
    if region.scored:
        return {"fill": "#ecebe2", "stroke": "#b3ae9f", "stroke_width": 1.6}
    return {"fill": pieces.SOUTH, "stroke": "#8b9a63", "stroke_width": 1.6}


def _cards(view: View, region: ChinaView, across: float, high: float) -> Iterator[Markup]:
    """Cards face down, and those that wait while the region scores."""
    lying = [_card(view, card.seat, card.number) for card in region.cards]
    if view.tally is not None and is_scored_now(view, region):
        lying += [
            mark(WAITING.of(card.number), _card(view, card.seat, card.number))
            for card in view.tally.waiting
        ]
    step = min(CARD_STEP, (across - 46) / max(1, len(lying) - 1))
    for place, card in enumerate(lying):
        yield group(card, at=(10 + place * step, high - 43), scale=CARD_SCALE)


def _card(view: View, seat: int, number: int | None) -> Markup:
    return pieces.card(pieces.PLAYERS[view.colours[seat]], str(seat), number)
