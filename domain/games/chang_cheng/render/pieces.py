"""The pieces of Chang Cheng as shapes: walls, towers, ruins, tiles, cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate

from domain.engine.drawing.panel import INK, KEPT_INK
from domain.engine.drawing.relief import (
    LIGHT,
    SHADOW,
    cast_shadow,
    join,
    raised_disc,
    raised_path,
    raised_rect,
)
from domain.engine.drawing.svg import (
    Attribute,
    Markup,
    circle,
    group,
    mark_last,
    path,
    rect,
    text,
)
from domain.engine.play import Seat
from domain.engine.sentences import Words, seat_number
from domain.games.chang_cheng.board import LENGTH, Layout

MAX_CACHED = 256
"""More pieces of a kind than several tables have."""
TABLE, LACQUER, PARCHMENT = "#e6dcc2", "#7D2418", "#fbf3dd"
"""What the boards lie on, their plaques, and the ground of dark signs."""
VELLUM = "#FBF3DD"
"""The ground of signs in the colour of a player."""
STEPPE, MEADOW, EARTH = "#d9d2c0", "#d3e0a8", "#b9a37c"
"""Both sides of the wall, and its bed, on small boards."""
PLAYERS = {"red": "#C43D2C", "blue": "#2467AD", "green": "#2F7D4F", "purple": "#7A46A3"}
NEUTRAL_COLOUR = "#78726A"

_JOINED: dict[str, Attribute] = {"stroke_linecap": "round", "stroke_linejoin": "round"}
ACTIONS = {
    1: "M9.5 19L21 6.5M20.5 19L9 6.5M8 15l4.5 4.5M22 15l-4.5 4.5",
    2: "M7 9Q15 6 23 9Q23 18 18 18Q15 16 15 14Q15 16 12 18Q7 18 7 9ZM10 12h2M18 12h2",
    3: "M7 9q4-4 8 0t8 0M7 14q4-4 8 0t8 0M7 19q4-4 8 0t8 0",
    4: "M15 6L9 20M15 6L21 20M10.5 16H19.5M15 4.5v1",
    5: "M8 20H22M10 20V14M20 20V14M7 14Q15 11 23 14M11 11.5V9H19v2.5M9 9Q15 4 21 9",
    6: "M5 15h5M20 15h5M10 18V12Q11 6 15 6Q19 6 20 12V18ZM10 14H20",
}
"""The sign of each card as a line drawing: swords, a mask, waves, compasses, a gate, a cap."""


def sign(words: Words, seat: Seat | None) -> str:
    """What is written on pieces: the number of the seat, or the letter of neutral ones."""
    return words("letter_neutral") if seat is None else str(seat_number(seat))


@lru_cache(MAX_CACHED)
def wall(colour: str, sign: str, width: float) -> Markup:
    """A wall with battlements as wide as a cell, or as two: it meets the next one."""
    teeth = max(2, round(width / 13))
    tooth, right = (width - 2) / (2 * teeth - 1), width - 1
    edge = f"h{tooth:.2f}" + f"v5h{tooth:.2f}v-5h{tooth:.2f}" * (teeth - 1)
    tops = f"M2 9.2h{tooth - 2:.2f}" + f"m1.5 5h{tooth - 1:.2f}m1.5-5h{tooth - 2:.2f}" * (teeth - 1)
    return group(
        rect(2, 38, width - 2, 3.6, **SHADOW),
        path(f"M1 8{edge}V39H1Z", fill=colour, stroke=INK, stroke_width=1.4),
        path(f"M1.7 38.3V33.5H{right - 0.7:.2f}V38.3Z", **SHADOW),
        path(_bricks(width), fill="none", stroke="#0004"),
        path(f"{tops}M2.3 38V15", **LIGHT),
        _sign(width / 2, 33, sign, 20),
    )


def _bricks(width: float) -> str:
    """The joints between the stones of a wall, beside its sign."""
    across, right = width / 2 - 10, width / 2 + 9
    return "".join(
        f"M{left:.2f} 20h{across:.2f}m{-across:.2f} 6.5h{across:.2f}"
        f"M{left + across / 2:.2f} 20v6.5M{left + across / 4:.2f} 26.5v7"
        for left in (1.6, right)
    )


@lru_cache(MAX_CACHED)
def tower(colour: str, sign: str, width: float) -> Markup:
    """A tower with two roofs that bend upwards at their ends, higher than a wall."""
    a, b, middle = width * 0.2, width * 0.8, width / 2
    roof = (
        f"M{width * 0.04:.2f} 13Q{width * 0.22:.2f} 14 {width * 0.34:.2f} 8L{middle:.2f} 3"
        f"L{width * 0.66:.2f} 8Q{width * 0.78:.2f} 14 {width * 0.96:.2f} 13L{width * 0.9:.2f} 17"
        f"H{width * 0.1:.2f}Z"
    )
    return group(
        rect(a + 3, 15, b - a - 0.5, 26, **SHADOW),
        path(f"M{a:.2f} 16L{a - 3:.2f} 38H{b + 3:.2f}L{b:.2f} 16Z", fill=colour, stroke=INK),
        path(f"M{b - 4:.2f} 17L{b - 3:.2f} 38H{b + 3:.2f}L{b:.2f} 17Z", **SHADOW),
        path(f"M{a + 1:.2f} 17L{a - 1.8:.2f} 37", **LIGHT),
        path(roof, fill=colour, stroke=INK, stroke_width=1.4, stroke_linejoin="round"),
        path(roof, fill="#FFFFFF", fill_opacity=0.3),
        path(f"M{middle:.2f} 4L{width * 0.35:.2f} 9M{a:.2f} 14.4H{b:.2f}", **LIGHT),
        _sign(middle, 34.5, sign, 20),
    )


def ruin(colour: str, sign: str, width: float) -> Markup:
    """A wall with a breach and the stones that fell out of it, with the sign of its owner."""
    w = width
    left = f"M5 38V16h{w * 0.09:.2f}v4h{w * 0.08:.2f}l{w * 0.05:.2f} 7 -3 4 5 7Z"
    right = f"M{w - 5:.2f} 38V24l{-w * 0.07:.2f} 1 {-w * 0.04:.2f} 4 {-w * 0.1:.2f} 3 -2 6Z"
    stones = f"M{w * 0.42:.2f} 38l2-5 5-1 3 6ZM{w * 0.56:.2f} 38l1-3 4 0 2 3Z"
    return group(
        cast_shadow(left + right + stones),
        path(left + right, fill=colour, stroke=INK, stroke_width=1.2, stroke_linejoin="round"),
        path(left + right, fill=PARCHMENT, fill_opacity=0.4),
        path(stones, fill=EARTH, stroke=INK, stroke_linejoin="round"),
        path(f"M6.2 36V17.2h{w * 0.07:.2f}M{w - 6.2:.2f} 25.5l{-w * 0.06:.2f} 1", **LIGHT),
        circle(w * 0.66, 14, 9, fill=PARCHMENT, stroke=INK),
        text(w * 0.66, 19, sign, 14, fill=INK, **_bold()),
    )


def reservation(colour: str, sign: str, width: float) -> Markup:
    """An empty cell on which only one may build."""
    frame: dict[str, Attribute] = {"fill": VELLUM, "stroke": colour}
    return group(
        rect(5, 8, width - 10, 30, rx=3, stroke_width=2.2, stroke_dasharray="4 3", **frame),
        text(width / 2, 29, sign, min(17, width * 0.5), fill=colour, **_bold()),
    )


def last_ring(x: float, y: float, width: float, height: float) -> Markup:
    """A dashed ring that goes around what the last turn touched."""
    style: dict[str, Attribute] = {"rx": 5, "fill": "none"}
    dashes: dict[str, Attribute] = {"stroke": "#ffffff", "stroke_dasharray": "7 5", **style}
    return mark_last(
        rect(x, y, width, height, stroke=INK, stroke_width=4.4, **style),
        rect(x, y, width, height, stroke_width=2.6, **dashes),
    )


def plaque(name: str, width: float) -> Markup:
    """A plaque beside a board with its name, 24 high."""
    return join(
        raised_rect(2, 2, width - 2, 22, rx=3, fill=LACQUER, stroke=INK),
        text(width / 2 + 1, 19, name, 16, fill=VELLUM, **_bold()),
    )


def open_end(width: float, height: float) -> Markup:
    """Room for another board beside the wall."""
    x, y = width / 2, height / 2
    return group(
        rect(3, 2, width - 6, height - 4, rx=4, fill=PARCHMENT, stroke_dasharray="4 3"),
        path(f"M{x - 6:g} {y:g}h12M{x:g} {y - 6:g}v12", fill="none"),
        stroke=INK,
        stroke_width=1.6,
    )


def spare_board(layout: Layout, sign: str, side: float) -> Markup:
    """A board of the reserve, 38 high, with cells as wide as `side`: its regions and its sign."""
    across = side * LENGTH
    return group(
        raised_rect(0, 0, across, 38, rx=3, fill=EARTH, stroke=INK, stroke_width=1.2),
        *_regions(layout.mongol, 1, side, rx=1, fill=STEPPE),
        *_regions(layout.china, 25, side, rx=5, fill=MEADOW),
        text(across / 2, 24.5, sign, 15, fill=INK, **_bold()),
    )


def _regions(sizes: Sequence[int], y: float, side: float, **shape: str | float) -> Iterator[Markup]:
    """The regions on one side of a small board, by their numbers of cells."""
    for first, size in zip(accumulate((0, *sizes)), sizes, strict=False):
        yield rect(side * first + 1, y, side * size - 2, 12, stroke="#8d7a54", **shape)


@lru_cache(MAX_CACHED)
def chip(colour: str, sign: str) -> Markup:
    """A player at a region, 19 by 20, by colour and sign."""
    body = "M0 2h5v3h4v-3h2v3h4v-3h4V20H0Z"
    return group(
        raised_path(body, "M1.2 19V3.2h3M9.5 3.2h1", 1.4, fill=colour, stroke=INK),
        _sign(9.5, 17, sign, 14),
    )


@lru_cache(MAX_CACHED)
def threat_tile(words: str, known: bool) -> Markup:
    """A tile of the Mongols, 36 by 22: its loss, or its back."""
    fill, ink = ("#fff0d6", "#8c2414") if known else ("#5B4636", "#F7E9CF")
    return group(
        raised_rect(-18, -11, 36, 22, rx=5, depth=1.6, fill=fill, stroke=INK),
        text(0, 6, words, 17, fill=ink, **_bold()),
    )


@lru_cache(MAX_CACHED)
def prestige_tile(value: int) -> Markup:
    """A round tile of prestige."""
    return group(
        raised_disc(0, 0, 10, depth=1.4, fill="#efc143", stroke="#6b4a00"),
        circle(0, 0, 7.6, fill="#fbe08a"),
        text(0, 5.3, str(value), 15, fill=INK, **_bold()),
    )


@lru_cache(MAX_CACHED)
def card(colour: str, sign: str, number: int | None) -> Markup:
    """A card in the colour of its owner and with their sign: its back, 20 by 26, or beside the
    sign its number, 32 by 26.
    """
    if number is None:
        return group(
            raised_rect(0, 0, 20, 26, rx=3, depth=1.4, fill=PARCHMENT, stroke=INK),
            rect(2.2, 2.2, 15.6, 21.6, rx=1.6, fill=colour),
            _sign(10, 18.5, sign, 15),
        )
    return group(
        raised_rect(0, 0, 32, 26, rx=3, depth=1.4, fill=colour, stroke=INK),
        rect(2.2, 2.2, 15.6, 21.6, rx=2, fill=PARCHMENT),
        text(10, 18.5, str(number), 15, fill=INK, **_bold()),
        _sign(24.5, 18.5, sign, 15),
    )


def named_card(colour: str, number: int, lines: Sequence[str]) -> Markup:
    """A card of one's own hand, 101 by 42, with its sign, and its name in one line or two."""
    top = 26 - 8 * (len(lines) - 1)
    return group(
        raised_rect(0, 0, 101, 42, rx=5, fill=PARCHMENT, stroke=INK, stroke_width=1.2),
        rect(2.6, 2.6, 95.8, 36.8, rx=3.4, fill=colour),
        rect(3, 3, 24, 36, rx=3, fill=VELLUM),
        path(ACTIONS[number], fill="none", stroke=colour, stroke_width=1.8, **_JOINED),
        text(15, 36, str(number), 17, fill=KEPT_INK, **_bold()),
        *(
            text(31, top + 16 * row, line, 15, fill="#FFFFFF", font_weight=700)
            for row, line in enumerate(lines)
        ),
    )


@lru_cache(1)
def emperor() -> Markup:
    """The seal of an emperor card."""
    return group(
        raised_rect(-11, -11, 22, 22, rx=4, fill="#B3231B", stroke=INK),
        path("M-7 5.5V-3L-3 1 0-6 3 1 7-3V5.5Z", fill="#FFDF86", stroke="#6B1009"),
    )


def _sign(x: float, y: float, sign: str, size: float) -> Markup:
    return text(x, y, sign, size, fill="#FFFFFF", **_bold())


def _bold() -> dict[str, Attribute]:
    return {"font_weight": 700, "text_anchor": "middle"}
