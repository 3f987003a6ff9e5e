"""The pieces of Qin as shapes: ground, tiles, pagodas, villages."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from domain.engine.drawing.panel import INK
from domain.engine.drawing.relief import LIGHT, SHADOW, join, raised_disc, raised_rect
from domain.engine.drawing.svg import (
    Attribute,
    Cell,
    Markup,
    curve,
    group,
    mark_last,
    path,
    pattern,
    polygon,
    rect,
    text,
)
from domain.engine.sentences import Words

SIDE = 48
"""The side of a cell in pixels."""
MAX_CACHED = 256
"""More pagodas or tiles than several tables have."""

TINTS = {"R": "#C74A2C", "Y": "#F3C93A", "B": "#22609F"}
MARKS = {"R": "#F0937A", "Y": "#C39312", "B": "#6FA3D6"}
SIDES = {"R": "#9c3519", "Y": "#b8880f", "B": "#123f6d"}
GROWTH = {
    "R": "M7 17l6-9 6 9M28 17l6-9 6 9M17 41l6-9 6 9M38 41l5-7M5 41l5-7",
    "Y": "M12 19V8M9 10l3 3 3-3M36 19V8M33 10l3 3 3-3M24 42V31M21 33l3 3 3-3M8 42v-8M40 42v-8",
    "B": "M5 12q5-5 10 0t10 0 10 0 8-2M5 24q5-5 10 0t10 0 10 0 8-2M5 36q5-5 10 0t10 0 10 0 8-2",
}
"""What is drawn on the tiles of each colour: hills, ears of corn, paddies."""
_BROOK = (
    *((0.19, 0), (0.2, 0.16), (0.3, 0.24), (0.35, 0.46), (0.5, 0.5)),
    *((0.65, 0.54), (0.7, 0.76), (0.8, 0.84), (0.81, 1)),
)
"""Where the brook bends, as parts of the width and the height: on Lion it joins the waters."""
LETTERS = {"R": "#FFFFFF", "Y": "#4A3600", "B": "#FFFFFF"}
GRASS, WOOD = "#dbe3bd", "#5a4630"

PLAYERS = {"green": "#12805C", "purple": "#8A3FA0", "black": "#24211E", "white": "#FFFFFF"}
EDGES = {"green": "#FFFFFF", "purple": "#FFFFFF", "black": "#FFFFFF", "white": "#24211E"}


def patterns() -> tuple[Markup, ...]:
    """Surfaces, which differ without colour, too: hills, corn, paddies, waves, grass, hatching.

    Those of the colours are cells of this side, with their relief: a group around each moves it.
    """
    return (
        *(pattern(color, SIDE, *_face(color)) for color in TINTS),
        pattern(
            "water",
            24,
            path("M0 8q6-6 12 0t12 0M0 20q6-6 12 0t12 0", **_line("#5fa2b8", 1.6)),
            path("M0 10q6-6 12 0t12 0", **_line("#c3e4ec", 1)),
            fill="#8fc6d6",
        ),
        pattern("grass", 2 * SIDE, *_meadow(), fill=GRASS),
        pattern(
            "ruin",
            8,
            path("M-2 10L10-2M-2 2L2-2M6 10L10 6", **_line(INK, 1.6)),
            fill="#8b857b",
            fill_opacity=0.3,
        ),
    )


def _face(color: str) -> Iterator[Markup]:
    """A cell of a tile: its body, its colour with what grows on it, and light on its upper edge."""
    yield rect(0.5, 0.5, SIDE - 1, SIDE - 1, rx=5, fill=SIDES[color])
    yield rect(1, 1, SIDE - 2.5, SIDE - 4, rx=4.5, fill=TINTS[color])
    yield path(GROWTH[color], stroke_linecap="round", **_line(MARKS[color], 1.8))
    yield path(f"M2.4 {SIDE - 7}V6Q2.4 2.4 6 2.4H{SIDE - 6}", **LIGHT)


def _meadow() -> Iterator[Markup]:
    """Grassland of four cells: parcels of land, and tufts on them."""
    side = 2 * SIDE
    yield path(f"M0 0H40L52 34 0 44ZM52 34L{side} 22V70L60 78Z", fill="#d3deaa")
    yield path(f"M0 44L52 34 60 78 44 {side}H0Z", fill="#c9d8a0")
    yield path(
        "M14 18l2-6 2 6M70 12l2-6 2 6M78 48l2-6 2 6M30 62l2-6 2 6M12 84l2-6 2 6M72 88l2-6 2 6",
        **_line("#8fa763", 1.3),
    )


def brook(width: float, height: float) -> Iterator[Markup]:
    """A brook that winds through a land of this size; it makes no difference to what is built."""
    line = curve([(x * width, y * height) for x, y in _BROOK])
    yield path(line, **_line("#e9dcae", 10))
    yield path(line, **_line("#4f8ba1", 6.4))
    yield path(line, **_line("#8fc6d6", 4.4))


def tile(words: Words, kind: str, side: float) -> Markup:
    """A tile face up, with the letters of its colours."""
    return _tile(kind, letters(words, kind), side)


@lru_cache(MAX_CACHED)
def _tile(kind: str, signs: str, side: float) -> Markup:
    halves = [
        group(
            rect(0, 0, SIDE, SIDE, fill=f"url(#{color})"),
            text(SIDE / 2, SIDE * 0.73, letter, SIDE * 0.64, **_letter(color), **_halo(color)),
            at=(number * side, 0),
            scale=side / SIDE,
        )
        for number, (color, letter) in enumerate(zip(kind, signs, strict=True))
    ]
    return group(raised_rect(0, 0, 2 * side, side, rx=side / 9, fill=WOOD, stroke=INK), *halves)


def letters(words: Words, kind: str) -> str:
    """The letter of each colour of a tile in the language."""
    return "".join(words(f"letter_{color}") for color in kind)


def back(side: float) -> Markup:
    """A tile face down."""
    return group(
        raised_rect(0, 0, 2 * side, side, rx=side / 9, fill="#b8a68a", stroke=INK),
        rect(3, 3, 2 * side - 6, side - 6, rx=2, **_line("#efe4cc", 1)),
        polygon(
            ((side, 6), (side * 1.5, side / 2), (side, side - 6), (side / 2, side / 2)),
            **_line("#efe4cc", 1),
        ),
    )


def start_space(words: Words, color: str) -> Markup:
    """The medal with the letter of a start space, on a cell of its colour."""
    middle = SIDE / 2
    return group(
        raised_disc(middle, middle, 15, fill=TINTS[color], stroke=LETTERS[color], stroke_width=2.5),
        text(middle, middle + 7, letters(words, color), 20, **_letter(color)),
    )


@lru_cache(1)
def village() -> Markup:
    """Three houses and two trees in a yard."""
    trees = path("M7 31q4-13 8 0ZM35 14q3-9 6 0Z", fill="#5f8a48")
    return group(_yard(), trees, _houses((14, 20), (34, 26), (22, 38)))


@lru_cache(MAX_CACHED)
def connected_village(colour: str, sign: str) -> Markup:
    """A pagoda between two houses."""
    return group(
        _yard(),
        _houses((11, 37), (37, 37)),
        group(pagoda(colour, sign), at=(SIDE / 2, SIDE / 2)),
    )


def _yard() -> Markup:
    return raised_rect(
        3, 3, SIDE - 6, SIDE - 6, rx=9, fill="#e6d2a2", stroke="#9a7d45", stroke_width=1.2
    )


def _houses(*feet: Cell) -> Markup:
    """Houses with gabled roofs, whose right sides are dark."""

    def draw(line: str, **style: Attribute) -> Markup:
        return path("".join(f"M{x} {y}{line}" for x, y in feet), **style)

    return join(
        draw("m-6-2h13.5v9.5h-13.5Z", **SHADOW),
        draw("m-6-2h12v8h-12Z", fill="#fbf2dc", stroke="#6b4a2b"),
        draw("m-1.5 6v-4.5h3v4.5Z", fill="#6b4a2b"),
        draw("m-9-1.5l9-8.5 9 8.5Z", fill="#a5603a", stroke="#5d3417"),
        draw("m0-9.3l7.6 7.3h-5.6Z", fill="#7c4424"),
    )


_PAGODA = (
    "M-9 17V2H9V17ZM-17 .5Q-16 3.5-13 3.5H13Q16 3.5 17 .5Q11 .5 8-4H-8Q-11 .5-17 .5ZM-6-4V-7H6V-4Z"
    "M-13-9.5Q-12-6.5-9.5-6.5H9.5Q12-6.5 13-9.5Q8-9.5 5.5-13H-5.5Q-8-9.5-13-9.5ZM-4-13v-2H4v2Z"
    "M-8.5-17Q-8-14.5-6-14.5H6Q8-14.5 8.5-17Q3.5-17 0-22Q-3.5-17-8.5-17Z"
)
"""A pagoda with three roofs."""


@lru_cache(MAX_CACHED)
def pagoda(colour: str, sign: str) -> Markup:
    """A pagoda in this colour with the sign of its seat, centred on the origin."""
    edge: dict[str, Attribute] = {"stroke": EDGES[colour], "paint_order": "stroke"}
    return group(
        path("M-8 20H12Q21 12 21 3L14-4-6 0Z", **SHADOW),
        path(_PAGODA, fill=PLAYERS[colour], stroke_width=4.6, stroke_linejoin="round", **edge),
        path("M4 17H9V3.5Q16 3.5 17 .5Q11 .5 8-4L6-7Q12-6.5 13-9.5 8-9.5 4-14.5Z", **SHADOW),
        path("M-7.8 16V5M-13 .3Q-9-.4-7.2-3H6M-9.5-9.6Q-6.5-10.4-5-12H4M-4-17.6L0-20.6", **LIGHT),
        text(0, 15.5, sign, 16, fill=EDGES[colour], font_weight=700, text_anchor="middle"),
    )


def double_pagoda(colour: str, sign: str) -> Markup:
    """Two pagodas side by side."""
    return group(
        group(pagoda(colour, ""), at=(-9, -4), scale=0.82),
        group(pagoda(colour, sign), at=(8, 3), scale=0.88),
    )


def last_frame(line: str) -> Markup:
    """A dashed frame for the last tile; no player's colour looks like it."""
    return mark_last(
        path(line, fill="none", stroke=INK, stroke_width=6),
        path(line, fill="none", stroke="#ffffff", stroke_width=3.4, stroke_dasharray="8 6"),
    )


def _letter(color: str) -> dict[str, str | int]:
    return {"fill": LETTERS[color], "font_weight": 700, "text_anchor": "middle"}


def _halo(color: str) -> dict[str, str | int]:
    """An outline that keeps a letter readable on a patterned surface."""
    return {"stroke": TINTS[color], "stroke_width": 6, "paint_order": "stroke"}


def _line(colour: str, width: float) -> dict[str, str | float]:
    return {"fill": "none", "stroke": colour, "stroke_width": width}
