"""The regions on both sides of a board's part of the wall."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

from domain.engine.drawing.panel import INK
from domain.engine.drawing.relief import raised_disc
from domain.engine.drawing.svg import Attribute, Markup, explain, group, mark, rect, text
from domain.engine.play import Seat
from domain.engine.sentences import Words, seat_number
from domain.games.chang_cheng.render import pieces
from domain.games.chang_cheng.render.landscape import GRASS, HALO, STEPPE
from domain.games.chang_cheng.render.sentences import (
    effect,
    is_scored_now,
    leading,
    points_now,
    threat,
)
from domain.games.chang_cheng.touch import REGION, WAITING
from domain.games.chang_cheng.view import ChinaView, MongolView, View

CARD_STEP, BACK_STEP, CHIP_STEP = 35, 23, 22
"""From a card to the next, from its back, and from one player to the next, where there is room."""
POINTS = 58
"""How wide the words of what a region brought are, at most."""
TILE, WORTH = 22, 170
"""How wide a prestige tile is, and at most all about the worth of a region."""
TEXT, FIRST, SECOND = 14, 22, 29
"""The size of words, the base of the first line, and the top of the second one."""


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
    yield rect(2, 2, across - 4, high - 4, rx=5, **_border("#f7f0dc", "#8a7a55", 0.12))
    yield _short_name(region.name, 18, STEPPE)
    if region.removed:
        yield text(40, 18, words("no_threat"), TEXT, fill=INK, stroke=STEPPE, **HALO)
        return
    tile = pieces.threat_tile(threat(region), region.threat is not None)
    yield group(tile, at=(54, 12))
    if region.open:
        yield text(78, 18, words("open"), TEXT, fill=INK, stroke=STEPPE, **HALO)
    else:
        yield from _eyes(view, region.seen_by, 86)


def _short_name(region: str, y: float, halo: str) -> Markup:
    """The name of a region on its board."""
    name = region.split(":")[1]
    return text(8, y, name, TEXT, fill=INK, font_weight=700, stroke=halo, **HALO)


def _eyes(view: View, seats: tuple[int, ...], x: float) -> Iterator[Markup]:
    """Who has looked at the tile."""
    for place, seat in enumerate(seats):
        at = x + 20 * place
        yield raised_disc(at, 12, 9, fill=pieces.PLAYERS[view.colours[seat]], stroke=INK)
        yield text(
            at,
            17,
            str(seat_number(seat)),
            13,
            fill="#FFFFFF",
            font_weight=700,
            text_anchor="middle",
        )


def _china(
    view: View, region: ChinaView, words: Words, across: float, high: float
) -> Iterator[Markup]:
    yield rect(2, 4, across - 4, high - 6, rx=5, **_frame(view, region))
    if view.last is not None and region.name in view.last.regions:
        yield pieces.last_ring(3, 5, across - 6, high - 8)
    yield _short_name(region.name, FIRST, GRASS)
    if region.emperor:
        yield group(pieces.emperor(), at=(across - 20, 42))
    if region.scored and not is_scored_now(view, region):
        yield group(*_won(view, region, words, across - 40), at=(34, 0))
    else:
        yield group(*_worth(view, region, words, across - 40), at=(34, 0))
    yield from _cards(view, region, words, across)


def _worth(view: View, region: ChinaView, words: Words, across: float) -> Iterator[Markup]:
    """Who would score the region now, what it would bring, and the prestige tile in that: these two
    stay where they are, since a preview draws a number that counts in its place.
    """
    seats, points = leading(view, region), str(points_now(view, region))
    yield from _chips(view, words, seats, min(across, WORTH) - 56)
    if not seats:
        yield text(0, FIRST, words("worth"), TEXT, fill=INK)
    right = min(across, WORTH) - TILE
    yield text(right - 2, FIRST + 2, points, 20, fill=INK, font_weight=700, text_anchor="end")
    yield group(pieces.prestige_tile(region.prestige), at=(right + TILE / 2, 17))


def _chips(
    view: View, words: Words, seats: Sequence[Seat | None], across: float
) -> Generator[Markup, None, float]:
    """Players side by side within `across` pixels; returns where they end."""
    step = min(CHIP_STEP, across / max(1, len(seats)))
    for place, seat in enumerate(seats):
        colour = pieces.NEUTRAL_COLOUR if seat is None else pieces.PLAYERS[view.colours[seat]]
        yield group(pieces.chip(colour, pieces.sign(words, seat)), at=(place * step, 6))
    return step * len(seats) + 3


def _won(view: View, region: ChinaView, words: Words, across: float) -> Iterator[Markup]:
    """The winners of a region and their points, side by side within `across` pixels."""
    if region.brought is None or not region.won_by:
        key = "scored" if region.brought is None else "won_by_nobody"
        yield text(0, FIRST, words(key), TEXT, fill=INK)
        return
    end = yield from _chips(view, words, region.won_by, across - POINTS)
    points = words("points", count=region.brought)
    yield text(end, FIRST, points, 15, fill=INK, font_weight=700)


def _frame(view: View, region: ChinaView) -> dict[str, Attribute]:
    """The frame of a region: bold while players decide about it, faint once it has scored."""
    if is_scored_now(view, region):
        return {"fill": "#fff1bf", "stroke": INK, "stroke_width": 2.6}
    if region.scored:
        return _border("#f3efe2", "#a39c86", 0.75)
    return _border("#f4f7df", "#6f8247", 0.3)


def _border(ground: str, edge: str, opacity: float) -> dict[str, Attribute]:
    """The style of a region through which the land is seen."""
    return {"fill": ground, "fill_opacity": opacity, "stroke": edge, "stroke_width": 1.6}


def _cards(view: View, region: ChinaView, words: Words, across: float) -> Iterator[Markup]:
    """Cards face down, and those that wait while the region scores."""
    lying = [(_card(view, card.seat, card.number), card.number) for card in region.cards]
    if view.tally is not None and is_scored_now(view, region):
        lying += [
            (mark(WAITING.of(card.number), explain(effect(words, card.number), drawn)), card.number)
            for card in view.tally.waiting
            for drawn in [_card(view, card.seat, card.number)]
        ]
    steps = [BACK_STEP if number is None else CARD_STEP for _, number in lying]
    closer = min(1, (across - 14) / max(1, sum(steps)))
    for place, (card, _) in enumerate(lying):
        yield group(card, at=(8 + closer * sum(steps[:place]), SECOND))


def _card(view: View, seat: int, number: int | None) -> Markup:
    return pieces.card(pieces.PLAYERS[view.colours[seat]], str(seat_number(seat)), number)
