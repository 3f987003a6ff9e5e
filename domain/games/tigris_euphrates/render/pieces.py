"""The pieces as shapes: ground, tiles, leaders, monuments, treasures; the cell is 50 wide."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from domain.engine.drawing.panel import INK, PAPER
from domain.engine.drawing.relief import LIGHT, SHADOW, cast_shadow, raised_disc, raised_rect
from domain.engine.drawing.svg import (
    Attribute,
    Markup,
    circle,
    group,
    mark_last,
    path,
    pattern,
    polygon,
    rect,
    text,
)

SIDE = 50
"""The side of a cell in pixels."""
MAX_CACHED = 256
"""More pieces of a kind than several tables have."""
LAND, IVORY = "#e9d9ad", "#f6ecd2"
GOLD = "#f2c230"
AT_ODDS = "#d6208c"
"""The colour of conflicts."""

TINTS = ("#38332F", "#B93822", "#8CC152", "#2D6CB4")
"""Settlements, temples, markets, farms: different in lightness too, each with its sign."""
MARKS = ("#F3EAD6", "#FFE3D6", "#1F3D10", "#E4F1FF")
SIGNS = (
    "M-13 12V-3L-4-11L5-3V12ZM-8 12V5h7v7M5 2h9v10H5",
    "M-15 12v-5h5v-5h4v-5h4v-5h4v5h4v5h4v5h5v5Z",
    "M-14-2Q-14-11-5-11H5Q14-11 14-2ZM-11-2V12M11-2V12M-14 5H14",
    "M0 13V-6M0-6Q-6-9 0-14Q6-9 0-6M0 2Q-9 2-10-6Q-2-6 0 2M0 2Q9 2 10-6Q2-6 0 2"
    "M0 10Q-9 10-10 2Q-2 2 0 10M0 10Q9 10 10 2Q2 2 0 10",
)
"""A house, a stepped tower, a stall, an ear of corn."""
DYNASTIES = {
    "archer": "M-6-12Q9-9 9 0Q9 9-6 12M-6-12V12M-11 0H13M8-3.5L13 0L8 3.5M-14-3L-11 0L-14 3",
    "bull": "M-12-10Q-13-2-6-2M12-10Q13-2 6-2M-6-3Q-8 4-3 12H3Q8 4 6-3Q0-7-6-3M-2.5 8h.1M2.5 8h.1",
    "pot": "M-6-12H6M-4-12Q-4-7-9-3Q-12 4-5 12H5Q12 4 9-3Q4-7 4-12M-9-3H9",
    "lion": "M0-12L4-8L9-9L9-4L13 0L9 4L9 9L4 8L0 12L-4 8L-9 9L-9 4L-13 0L-9-4L-9-9L-4-8Z"
    "M-4-2h.1M4-2h.1M0 1V4M-4 6Q0 8 4 6",
}
"""The signs of the dynasties as line drawings."""


def patterns() -> tuple[Markup, ...]:
    """Waves for the river, dunes for the land, hatching for what lies face down."""
    return (
        pattern(
            "river",
            25,
            path("M0 8q6-5 12.5 0t12.5 0M0 20q6-5 12.5 0t12.5 0", **line("#5599b1", 1.5)),
            path("M0 10q6-5 12.5 0t12.5 0", **line("#b9deea", 1)),
            fill="#86c0d2",
        ),
        pattern("sand", 4 * SIDE, *_dunes(), fill=LAND),
        pattern(
            "face_down",
            8,
            path("M-2 10L10-2M-2 2L2-2M6 10L10 6", **line("#9a8967", 1.4)),
            fill="#b8a88a",
        ),
    )


def _dunes() -> Iterator[Markup]:
    """Sand of sixteen cells: ridges of dunes with their dark sides, and a few stones."""
    yield path(
        "M12 60Q52 22 104 40Q78 46 70 66Q42 52 12 60ZM96 152Q138 112 190 134Q164 138 156 160"
        "Q128 144 96 152ZM116 16Q142 2 172 12Q156 18 150 28Q134 18 116 16Z"
        "M14 176Q40 150 76 160Q58 168 54 182Q34 174 14 176Z",
        fill="#dcc993",
    )
    yield path(
        "M8 92q20-8 40 0t40 0M110 74q18-7 36 0t36 0M20 124q14-6 28 0t28 0M120 184q14-6 28 0t28 0"
        "M12 60Q52 22 104 40M96 152Q138 112 190 134",
        **line("#cbb57c", 1.2),
    )
    stones = "M60 108h.1M64 111h.1M178 54h.1M92 188h.1M186 98h.1M14 26h.1"
    yield path(stones, **line("#a58f58", 2.6))


@lru_cache(MAX_CACHED)
def tile(color: int, side: float = SIDE) -> Markup:
    """A tile face up, centred on the origin."""
    half, scale = side / 2 - 3 * side / SIDE, side / SIDE
    body: dict[str, Attribute] = {"fill": TINTS[color], "stroke": INK}
    return group(
        raised_rect(-half, -half, 2 * half, 2 * half, rx=side / 9, depth=2.4 * scale, **body),
        group(sign(color), scale=scale * 0.9),
    )


def sign(color: int, width: float = 2.2) -> Markup:
    """The sign of a colour, about 30 pixels wide, centred on the origin."""
    return path(SIGNS[color], **line(MARKS[color], width))


@lru_cache(MAX_CACHED)
def face_down(side: float = SIDE) -> Markup:
    """A tile face down."""
    half = side / 2 - 3 * side / SIDE
    return raised_rect(
        -half, -half, 2 * half, 2 * half, rx=side / 9, fill="url(#face_down)", stroke="#6b5c3f"
    )


@lru_cache(MAX_CACHED)
def leader(color: int, dynasty: str, sign: str, scale: float = 1) -> Markup:
    """A leader: the sign of its dynasty in a ring of its colour, with its letter.

    The letter has the same size at every scale, so that it stays readable.
    """
    return group(
        raised_disc(0, 0, 22, depth=3, fill=TINTS[color], stroke=INK, stroke_width=1.2),
        circle(0, 0, 15.6, fill=IVORY, stroke=INK, stroke_opacity=0.6),
        path("M-13.6 2Q-13.6-13.6 2-13.6", fill="none", stroke="#000000", stroke_opacity=0.25),
        group(path(DYNASTIES[dynasty], **line(INK, 2.4)), scale=0.78),
        group(initial(color, sign), at=(14, 14), scale=1 / scale),
        scale=scale,
    )


def initial(color: int, sign: str) -> Markup:
    """A kind of leader by its letter, centred on the origin."""
    return group(
        circle(0, 0, 10.5, fill=TINTS[color], stroke=PAPER, stroke_width=1.6),
        text(0, 5.3, sign, 15, **_letter(MARKS[color])),
    )


def dynasty_sign(dynasty: str, scale: float = 1) -> Markup:
    """The sign of a dynasty."""
    return group(path(DYNASTIES[dynasty], **line(INK, 2.4)), scale=scale)


@lru_cache(MAX_CACHED)
def monument(colors: tuple[int, int], scale: float = 1) -> Markup:
    """A stepped tower, half in each colour, with both signs."""
    left = "M0-34H-10V-22H-20V-8H-30V8H-38V26H0Z"
    right = "M0-34H10V-22H20V-8H30V8H38V26H0Z"
    steps = "M-36.5 25V9.5H-28.5V-6.5H-18.5V-20.5H-8.5V-32.5H9M10-20.5H19M20-6.5H29M30 9.5H37"
    one, two = colors
    return group(
        cast_shadow(left + right, (4, 5)),
        path(left + right, fill="none", stroke=PAPER, stroke_width=6, stroke_linejoin="round"),
        path(left, fill=TINTS[one], stroke=INK, stroke_width=1.4),
        path(right, fill=TINTS[two], stroke=INK, stroke_width=1.4),
        path("M-10-22H10M-20-8H20M-30 8H30", stroke="#000000", stroke_opacity=0.3, fill="none"),
        path(steps, **LIGHT),
        group(sign(one, 2.6), at=(-15, 10), scale=0.72),
        group(sign(two, 2.6), at=(15, 10), scale=0.72),
        scale=scale,
    )


@lru_cache(MAX_CACHED)
def treasure(corner: bool = False, scale: float = 1) -> Markup:
    """A cut stone; those of corner temples are square, with a dark heart."""
    if corner:
        shadow = rect(-7, -6, 16, 16, rx=2, **SHADOW)
        stone = rect(-8, -8, 16, 16, rx=2, fill=GOLD, stroke=INK, stroke_width=1.6)
        cut = polygon(((0, -5.5), (5.5, 0), (0, 5.5), (-5.5, 0)), fill=INK)
    else:
        points = ((0, -9), (8, -1), (0, 9), (-8, -1))
        shadow = polygon(tuple((x + 1.5, y + 2.5) for x, y in points), **SHADOW)
        stone = polygon(points, fill=GOLD, stroke=INK, stroke_width=1.6, stroke_linejoin="round")
        cut = path("M-8-1H8M-3-1L0-8L3-1L0 8Z", **line(INK, 0.9))
    shine = path("M-5.5-2.4L-1-7", **line("#ffffff", 1.2))
    return group(shadow, stone, cut, *([] if corner else [shine]), scale=scale)


@lru_cache(MAX_CACHED)
def catastrophe(side: float = SIDE) -> Markup:
    """A cell lost for ever."""
    half = side / 2 - 3 * side / SIDE
    cracks = "M-20-15L-6-6L-10 4L4 9L1 20M-6-6L8-12L12-22M4 9L18 2"
    return group(
        raised_rect(-half, -half, 2 * half, 2 * half, rx=3, fill="#5a534c", stroke=INK),
        group(path(cracks, **line("#f0e6d2", 2.4)), scale=side / SIDE),
    )


def unification(scale: float = 1) -> Markup:
    """Two interlocked rings for the unification tile."""
    return group(
        rect(-21, -21, 42, 42, rx=6, fill=PAPER, fill_opacity=0.88, stroke=INK, stroke_width=2),
        circle(-6, 0, 9, fill="none", stroke=INK, stroke_width=4),
        circle(6, 0, 9, fill="none", stroke="#9a5fb0", stroke_width=4),
        scale=scale,
    )


def at_odds(scale: float = 1) -> Markup:
    """A ring that goes around a leader in conflict."""
    return circle(0, 0, 27 * scale, fill=AT_ODDS, stroke=PAPER, stroke_width=2)


@lru_cache(MAX_CACHED)
def back(side: float) -> Markup:
    """A tile in a hand that the viewer does not see."""
    half = side / 2 - 1
    return group(
        raised_rect(-half, -half, 2 * half, 2 * half, rx=3, fill="#cdbd9b", stroke=INK),
        text(0, side * 0.2, "?", side * 0.6, **_letter("#4f4636")),
    )


def last_frame(outline: str) -> Markup:
    """A dashed frame for the last action."""
    return mark_last(
        path(outline, fill="none", stroke=INK, stroke_width=6),
        path(outline, fill="none", stroke="#ffffff", stroke_width=3.4, stroke_dasharray="8 6"),
    )


def line(colour: str, width: float) -> dict[str, Attribute]:
    """The style of a line with round ends."""
    return {
        "fill": "none",
        "stroke": colour,
        "stroke_width": width,
        "stroke_linecap": "round",
        "stroke_linejoin": "round",
    }


def _letter(colour: str) -> dict[str, Attribute]:
    return {"fill": colour, "font_weight": 700, "text_anchor": "middle"}
