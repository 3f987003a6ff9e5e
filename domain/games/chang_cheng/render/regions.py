"""The regions on both sides of a board's part of the wall."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

from domain.engine.drawing.panel import FAINT, INK
from domain.engine.drawing.svg import Attribute, Markup, circle, group, mark, rect, text
from domain.engine.play import Seat
from domain.engine.sentences import Words, seat_number
from domain.games.chang_cheng.render import pieces
from domain.games.chang_cheng.render.sentences import is_scored_now, leading, points_now, threat
from domain.games.chang_cheng.touch import REGION, WAITING
from domain.games.chang_cheng.view import ChinaView, MongolView, View

CARD_STEP, BACK_STEP, CHIP_STEP = 35, 23, 22
"""From a card to the next, from its back, and from one player to the next, where there is room."""
POINTS = 58
"""How wide the words of what a region brought are, at most."""
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
    yield rect(
        1, 0, across - 2, high - 3, rx=6, fill=pieces.NORTH, stroke="#9c8f76", stroke_width=1.6
    )
    yield _short_name(region.name, 18)
    if region.removed:
        yield text(40, 18, words("no_threat"), TEXT, fill=FAINT)
        return
    tile = pieces.threat_tile(threat(region), region.threat is not None)
    yield group(tile, at=(54, 12))
    if region.open:
        yield text(78, 18, words("open"), TEXT, fill=FAINT)
    else:
        yield from _eyes(view, region.seen_by, 86)


def _short_name(region: str, y: float) -> Markup:
    """The name of a region on its board."""
    return text(8, y, region.split(":")[1], TEXT, fill=FAINT, font_weight=700)


def _eyes(view: View, seats: tuple[int, ...], x: float) -> Iterator[Markup]:
    """Who has looked at the tile."""
    for place, seat in enumerate(seats):
        at = x + 20 * place
        yield circle(at, 12, 9, fill=pieces.PLAYERS[view.colours[seat]], stroke=INK)
        yield text(
            at,
            17,
            str(seat_number(seat)),
            13,
            fill="#ffffff",
            font_weight=700,
            text_anchor="middle",
        )


def _china(
    view: View, region: ChinaView, words: Words, across: float, high: float
) -> Iterator[Markup]:
    yield rect(1, 3, across - 2, high - 4, rx=6, **_frame(view, region))
    if view.last is not None and region.name in view.last.regions:
        yield pieces.last_ring(3, 5, across - 6, high - 8)
    yield _short_name(region.name, FIRST)
    if region.emperor:
        yield group(pieces.emperor(), at=(across - 20, 42))
    if region.scored and not is_scored_now(view, region):
        yield group(*_won(view, region, words, across - 40), at=(34, 0))
    else:
        yield group(*_worth(view, region, words, across - 40), at=(34, 0))
    yield from _cards(view, region, across)


def _worth(view: View, region: ChinaView, words: Words, across: float) -> Iterator[Markup]:
    """Who would score the region now, what it would bring, and the prestige tile in that."""
    seats, points = leading(view, region), str(points_now(view, region))
    end = yield from _chips(view, words, seats, across - 56)
    if not seats:
        yield text(0, FIRST, words("worth"), TEXT, fill=FAINT)
        end = 48
    yield text(end, FIRST + 2, points, 20, fill=INK, font_weight=700)
    yield group(pieces.prestige_tile(region.prestige), at=(end + 12 * len(points) + 18, 17))


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
        yield text(0, FIRST, words(key), TEXT, fill=FAINT)
        return
    end = yield from _chips(view, words, region.won_by, across - POINTS)
    points = words("points", count=region.brought)
    yield text(end, FIRST, points, 15, fill=INK, font_weight=700)


def _frame(view: View, region: ChinaView) -> dict[str, Attribute]:
    """The frame of a region: bold while players decide about it, faint once it has scored."""
    if is_scored_now(view, region):
        return {"fill": "#fff1bf", "stroke": INK, "stroke_width": 2.6}
    if region.scored:
        return {"fill": "#ecebe2", "stroke": "#b3ae9f", "stroke_width": 1.6}
    return {"fill": pieces.SOUTH, "stroke": "#8b9a63", "stroke_width": 1.6}


def _cards(view: View, region: ChinaView, across: float) -> Iterator[Markup]:
    """Cards face down, and those that wait while the region scores."""
    lying = [(_card(view, card.seat, card.number), card.number) for card in region.cards]
    if view.tally is not None and is_scored_now(view, region):
        lying += [
            (mark(WAITING.of(card.number), _card(view, card.seat, card.number)), card.number)
            for card in view.tally.waiting
        ]
    steps = [BACK_STEP if number is None else CARD_STEP for _, number in lying]
    closer = min(1, (across - 14) / max(1, sum(steps)))
    for place, (card, _) in enumerate(lying):
        yield group(card, at=(8 + closer * sum(steps[:place]), SECOND))


def _card(view: View, seat: int, number: int | None) -> Markup:
    return pieces.card(pieces.PLAYERS[view.colours[seat]], str(seat_number(seat)), number)
