"""The pieces of Chang Cheng as shapes: walls, towers, ruins, tiles, cards."""

from __future__ import annotations

from domain.engine.drawing.panel import INK
from domain.engine.drawing.svg import Attribute, Markup, circle, group, path, polygon, rect, text

NORTH, SOUTH, ROAD = "#d9d2c0", "#e3ead0", "#b9a37c"
PLAYERS = {"red": "#c43d2c", "blue": "#2467ad", "green": "#2f7d4f", "purple": "#7a46a3"}
NEUTRAL_COLOUR = "#8f897d"
HIGH = 64
"""How high the row of cells is."""


def wall(colour: str, sign: str, width: float) -> Markup:
    """A wall with battlements as wide as a cell, or as two."""
    teeth = max(2, round(width / 13))
    tooth = (width - 4) / (2 * teeth - 1)
    edge = "".join(
        f"h{tooth:.2f}" + (f"v6h{tooth:.2f}v-6" if n < teeth - 1 else "") for n in range(teeth)
    )
    bricks = f"M2 30H{width - 2:.2f}M2 41H{width - 2:.2f}"
    return group(
        path(f"M2 13{edge}V52H2Z", fill=colour, stroke=INK, stroke_width=1.4),
        path(bricks, stroke="#ffffff", stroke_opacity=0.28, stroke_width=1.2),
        _sign(width / 2, 42, sign, min(22, width * 0.7)),
    )


def tower(colour: str, sign: str, width: float) -> Markup:
    """A tower with a roof, higher than a wall."""
    a, b, middle = width * 0.14, width * 0.86, width / 2
    roof = f"M{middle - width * 0.52:.2f} 9L{middle:.2f} -13L{middle + width * 0.52:.2f} 9Z"
    return group(
        path(f"M{a:.2f} 9V52H{b:.2f}V9Z", fill=colour, stroke=INK, stroke_width=1.4),
        path(roof, fill="#ffffff", stroke=INK, stroke_width=1.4, stroke_linejoin="round"),
        path(roof, fill=colour, fill_opacity=0.55),
        _sign(middle, 38, sign, min(22, width * 0.62)),
    )


def ruin(colour: str, sign: str, width: float) -> Markup:
    """Broken stones with a small sign of their owner."""
    w = width
    stones = f"M2 52V40L{w * 0.25:.2f} 33 {w * 0.4:.2f} 43 {w * 0.6:.2f} 36 {w - 2:.2f} 46V52Z"
    cross = f"M{w * 0.28:.2f} 14L{w * 0.72:.2f} 28M{w * 0.72:.2f} 14L{w * 0.28:.2f} 28"
    return group(
        path(stones, fill=colour, fill_opacity=0.45, stroke=INK, stroke_width=1.2),
        path(cross, stroke=INK, stroke_width=2.4),
        text(w / 2, 50, sign, 12, fill=INK, text_anchor="middle"),
    )


def reservation(colour: str, sign: str, width: float) -> Markup:
    """An empty cell on which only one may build."""
    frame = rect(3, 16, width - 6, 36, rx=3, fill="none", stroke=colour, stroke_width=2.2)
    return group(
        frame,
        text(width / 2, 40, sign, min(17, width * 0.5), fill=colour, **_bold()),
        stroke_dasharray="4 3",
    )


def threat_tile(words: str, known: bool) -> Markup:
    """A tile of the Mongols, 46 by 32: its loss, or its back."""
    fill, ink = ("#fff3e2", "#8c2414") if known else ("#6a5a49", "#f2e7d3")
    return group(
        rect(-23, -16, 46, 32, rx=5, fill=fill, stroke=INK, stroke_width=1.3),
        text(0, 8, words, 22, fill=ink, **_bold()),
    )


def prestige_tile(value: int) -> Markup:
    """A round tile of prestige."""
    return group(
        circle(0, 0, 14, fill="#f6d873", stroke=INK, stroke_width=1.3),
        text(0, 6, str(value), 17, fill=INK, **_bold()),
    )


def card(colour: str, sign: str, number: int | None) -> Markup:
    """A card, 22 by 30, in the colour of its owner and with their sign: its back, or its number."""
    face = rect(0, 0, 22, 30, rx=3, fill=colour, stroke=INK, stroke_width=1.2)
    if number is None:
        frame = rect(3, 3, 16, 24, rx=2, fill="none", stroke="#ffffff", stroke_opacity=0.7)
        return group(face, frame, _sign(11, 20, sign, 14))
    return group(
        face,
        rect(2.5, 2.5, 17, 16, rx=2, fill="#ffffff"),
        text(11, 16, str(number), 15, fill=INK, **_bold()),
        _sign(11, 27.5, sign, 10),
    )


def emperor() -> Markup:
    """The seal of an emperor card."""
    return group(
        rect(-11, -11, 22, 22, rx=4, fill="#b3231b", stroke=INK, stroke_width=1.2),
        polygon(((0, -7), (6.5, 5), (-6.5, 5)), fill="#ffe9a8"),
    )


def last_mark(x: float, y: float) -> Markup:
    """A triangle that points down at the last piece."""
    points = ((x - 6, y - 9), (x + 6, y - 9), (x, y))
    return polygon(points, fill="#ffcf33", stroke=INK, stroke_width=1.3)


def _sign(x: float, y: float, sign: str, size: float) -> Markup:
    return text(x, y, sign, size, fill="#ffffff", **_bold())


def _bold() -> dict[str, Attribute]:
    return {"font_weight": 700, "text_anchor": "middle"}
