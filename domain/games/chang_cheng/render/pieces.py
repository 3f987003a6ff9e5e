"""The pieces of Chang Cheng as shapes: walls, towers, ruins, tiles, cards."""

from __future__ import annotations

from collections.abc import Sequence

from domain.engine.drawing.panel import INK
from domain.engine.drawing.svg import Attribute, Markup, circle, group, path, polygon, rect, text
from domain.engine.play import Seat
from domain.engine.sentences import Words, seat_number

NORTH, SOUTH, ROAD = "#d9d2c0", "#e3ead0", "#b9a37c"
PLAYERS = {"red": "#c43d2c", "blue": "#2467ad", "green": "#2f7d4f", "purple": "#7a46a3"}
NEUTRAL_COLOUR = "#8f897d"
NUMBERS, HIGH = 16, 42
"""The height of the numbers of cells, and of the pieces below them."""


def sign(words: Words, seat: Seat | None) -> str:
    """What is written on pieces: the number of the seat, or the letter of neutral ones."""
    return words("letter_neutral") if seat is None else str(seat_number(seat))


def wall(colour: str, sign: str, width: float) -> Markup:
    """A wall with battlements as wide as a cell, or as two; a ring around it has room."""
    teeth = max(2, round(width / 13))
    tooth = (width - 9) / (2 * teeth - 1)
    edge = "".join(
        f"h{tooth:.2f}" + (f"v5h{tooth:.2f}v-5" if n < teeth - 1 else "") for n in range(teeth)
    )
    bricks = f"M4.5 23H{width - 4.5:.2f}M4.5 31H{width - 4.5:.2f}"
    return group(
        path(f"M4.5 8{edge}V38H4.5Z", fill=colour, stroke=INK, stroke_width=1.4),
        path(bricks, stroke="#ffffff", stroke_opacity=0.28, stroke_width=1.2),
        _sign(width / 2, 33, sign, 20),
    )


def tower(colour: str, sign: str, width: float) -> Markup:
    """A tower with a roof, higher than a wall."""
    a, b, middle = width * 0.2, width * 0.8, width / 2
    roof = f"M{width * 0.1:.2f} 15L{middle:.2f} 4L{width * 0.9:.2f} 15Z"
    return group(
        path(f"M{a:.2f} 15V38H{b:.2f}V15Z", fill=colour, stroke=INK, stroke_width=1.4),
        path(roof, fill="#ffffff", stroke=INK, stroke_width=1.4, stroke_linejoin="round"),
        path(roof, fill=colour, fill_opacity=0.55),
        _sign(middle, 34, sign, 20),
    )


def ruin(colour: str, sign: str, width: float) -> Markup:
    """Broken stones and a cross, with the sign of their owner."""
    w = width
    stones = f"M5 38V30L{w * 0.25:.2f} 25 {w * 0.4:.2f} 33 {w * 0.6:.2f} 27 {w - 5:.2f} 34V38Z"
    cross = f"M{w * 0.18:.2f} 9L{w * 0.48:.2f} 21M{w * 0.48:.2f} 9L{w * 0.18:.2f} 21"
    return group(
        path(stones, fill=colour, fill_opacity=0.45, stroke=INK, stroke_width=1.2),
        path(cross, stroke=INK, stroke_width=2.4),
        text(w * 0.72, 21, sign, 14, fill=INK, **_bold()),
    )


def reservation(colour: str, sign: str, width: float) -> Markup:
    """An empty cell on which only one may build."""
    frame = rect(5, 8, width - 10, 30, rx=3, fill="none", stroke=colour, stroke_width=2.2)
    return group(
        frame,
        text(width / 2, 29, sign, min(17, width * 0.5), fill=colour, **_bold()),
        stroke_dasharray="4 3",
    )


def last_ring(x: float, y: float, width: float, height: float) -> Markup:
    """A dashed ring that goes around what the last turn touched."""
    return group(
        rect(x, y, width, height, rx=5, stroke=INK, stroke_width=4.4),
        rect(x, y, width, height, rx=5, stroke="#ffffff", stroke_width=2.6, stroke_dasharray="7 5"),
        fill="none",
    )


def chip(colour: str, sign: str) -> Markup:
    """A player at a region, 19 by 20, by colour and sign."""
    return group(
        path("M0 2h5v3h4v-3h2v3h4v-3h4V20H0Z", fill=colour, stroke=INK, stroke_width=1.2),
        _sign(9.5, 17, sign, 14),
    )


def threat_tile(words: str, known: bool) -> Markup:
    """A tile of the Mongols, 36 by 22: its loss, or its back."""
    fill, ink = ("#fff3e2", "#8c2414") if known else ("#6a5a49", "#f2e7d3")
    return group(
        rect(-18, -11, 36, 22, rx=5, fill=fill, stroke=INK, stroke_width=1.3),
        text(0, 6, words, 17, fill=ink, **_bold()),
    )


def prestige_tile(value: int) -> Markup:
    """A round tile of prestige."""
    return group(
        circle(0, 0, 10, fill="#f6d873", stroke=INK, stroke_width=1.3),
        text(0, 5.3, str(value), 15, fill=INK, **_bold()),
    )


def card(colour: str, sign: str, number: int | None) -> Markup:
    """A card in the colour of its owner and with their sign: its back, 20 by 26, or beside the
    sign its number, 32 by 26.
    """
    if number is None:
        return group(
            rect(0, 0, 20, 26, rx=3, fill=colour, stroke=INK, stroke_width=1.2),
            rect(2.5, 2.5, 15, 21, rx=2, fill="none", stroke="#ffffff", stroke_opacity=0.7),
            _sign(10, 18.5, sign, 15),
        )
    return group(
        rect(0, 0, 32, 26, rx=3, fill=colour, stroke=INK, stroke_width=1.2),
        rect(2.5, 2.5, 15, 21, rx=2, fill="#ffffff"),
        text(10, 18.5, str(number), 15, fill=INK, **_bold()),
        _sign(24.5, 18.5, sign, 15),
    )


def named_card(colour: str, number: int, lines: Sequence[str]) -> Markup:
    """A card of one's own hand, 101 by 42, with its name in one line or two."""
    top = 26 - 8 * (len(lines) - 1)
    return group(
        rect(0, 0, 101, 42, rx=5, fill=colour, stroke=INK, stroke_width=1.2),
        rect(3, 3, 24, 36, rx=3, fill="#ffffff"),
        text(15, 28, str(number), 21, fill=INK, **_bold()),
        *(
            text(31, top + 16 * row, line, 15, fill="#ffffff", font_weight=700)
            for row, line in enumerate(lines)
        ),
    )


def emperor() -> Markup:
    """The seal of an emperor card."""
    return group(
        rect(-11, -11, 22, 22, rx=4, fill="#b3231b", stroke=INK, stroke_width=1.2),
        polygon(((0, -7), (6.5, 5), (-6.5, 5)), fill="#ffe9a8"),
    )


def _sign(x: float, y: float, sign: str, size: float) -> Markup:
    return text(x, y, sign, size, fill="#ffffff", **_bold())


def _bold() -> dict[str, Attribute]:
    return {"font_weight": 700, "text_anchor": "middle"}
