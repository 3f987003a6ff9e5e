"""The pieces of Qin as shapes: ground, tiles, pagodas, villages."""

from __future__ import annotations

from domain.engine.drawing.panel import INK, PAPER
from domain.engine.drawing.svg import Markup, circle, group, path, pattern, polygon, rect, text
from domain.engine.sentences import Words

SIDE = 48
"""The side of a cell in pixels."""

TINTS = {"R": "#d9593a", "Y": "#f3c93a", "B": "#22609f"}
MARKS = {"R": "#ffe3d6", "Y": "#a87b00", "B": "#a9d2f2"}
LETTERS = {"R": "#ffffff", "Y": "#4a3600", "B": "#ffffff"}

PLAYERS = {"green": "#12805c", "purple": "#8a3fa0", "black": "#24211e", "white": "#ffffff"}
EDGES = {"green": "#ffffff", "purple": "#ffffff", "black": "#ffffff", "white": "#24211e"}


def patterns() -> tuple[Markup, ...]:
    """Patterns that tell surfaces apart without colour: diamonds, dots, bars, waves, hatching."""
    return (
        pattern("R", 12, _ground("R"), polygon(((6, 3), (9, 6), (6, 9), (3, 6)), **_mark("R"))),
        pattern("Y", 12, _ground("Y"), circle(6, 6, 1.9, **_mark("Y"))),
        pattern("B", 12, _ground("B"), rect(0, 5, 12, 2, **_mark("B"))),
        pattern(
            "water",
            24,
            rect(0, 0, 24, 24, fill="#b9dde4"),
            path("M0 8q6-6 12 0t12 0M0 20q6-6 12 0t12 0", **_line("#6fb0bf", 1.6)),
        ),
        pattern(
            "ruin",
            8,
            rect(0, 0, 8, 8, fill="#8b857b", fill_opacity=0.3),
            path("M-2 10L10-2M-2 2L2-2M6 10L10 6", **_line(INK, 1.6)),
        ),
    )


def tile(words: Words, kind: str, side: float) -> Markup:
    """A tile face up, with the letters of its colours."""
    halves = [
        group(
            rect(0, 0, side, side, fill=f"url(#{color})"),
            text(side / 2, side * 0.73, letter, side * 0.64, **_letter(color), **_halo(color)),
            at=(number * side, 0),
        )
        for number, (color, letter) in enumerate(zip(kind, letters(words, kind), strict=True))
    ]
    return group(*halves, rect(0, 0, 2 * side, side, rx=3, **_line(INK, 1.4)))


def letters(words: Words, kind: str) -> str:
    """The letter of each colour of a tile in the language."""
    return "".join(words(f"letter_{color}") for color in kind)


def back(side: float) -> Markup:
    """A tile face down."""
    return group(
        rect(0, 0, 2 * side, side, rx=3, fill="#b8a68a", stroke=INK, stroke_width=1.4),
        rect(3, 3, 2 * side - 6, side - 6, rx=2, **_line("#efe4cc", 1)),
        polygon(
            ((side, 6), (side * 1.5, side / 2), (side, side - 6), (side / 2, side / 2)),
            **_line("#efe4cc", 1),
        ),
    )


def start_space(words: Words, color: str) -> Markup:
    """The ring and letter of a start space, on a cell of its colour."""
    middle = SIDE / 2
    return group(
        circle(middle, middle, 15, fill=TINTS[color], stroke=LETTERS[color], stroke_width=2.5),
        text(middle, middle + 7, letters(words, color), 20, **_letter(color)),
    )


def village() -> Markup:
    """Three houses in a yard."""
    return group(_yard(), *(_house(x, y) for x, y in ((13, 18), (35, 18), (24, 36))))


def connected_village(colour: str, sign: str) -> Markup:
    """A pagoda between two houses."""
    return group(
        _yard(),
        *(group(_house(0, 0), at=at, scale=0.8) for at in ((11, 38), (37, 38))),
        group(pagoda(colour, sign), at=(SIDE / 2, SIDE / 2)),
    )


def _yard() -> Markup:
    return rect(3, 3, SIDE - 6, SIDE - 6, rx=9, fill="#ead9b0", stroke="#b59a63", stroke_width=1.2)


def _house(x: float, y: float) -> Markup:
    return group(
        rect(-6, -2, 12, 8, fill=PAPER, stroke="#6b4a2b", stroke_width=1.2),
        polygon(((-9, -1.5), (0, -10), (9, -1.5)), fill="#8a5a34", stroke="#6b4a2b"),
        at=(x, y),
    )


def pagoda(colour: str, sign: str) -> Markup:
    """A pagoda in this colour with the sign of its seat, centred on the origin."""
    body = "M-9 17V2h18V17zM-16 3Q-9 1-7-5H7Q9 1 16 3ZM-6-5v-5H6v5zM-11-9Q-4-11 0-19Q4-11 11-9Z"
    style = {"stroke_linejoin": "round", "fill": PLAYERS[colour]}
    return group(
        path(body, stroke=EDGES[colour], stroke_width=5, **style),
        path(body, stroke=INK, stroke_width=1.2, **style),
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
    return group(
        path(line, fill="none", stroke=INK, stroke_width=6),
        path(line, fill="none", stroke="#ffffff", stroke_width=3.4, stroke_dasharray="8 6"),
    )


def _ground(color: str) -> Markup:
    return rect(0, 0, 12, 12, fill=TINTS[color])


def _mark(color: str) -> dict[str, str | float]:
    return {"fill": MARKS[color], "fill_opacity": 0.55}


def _letter(color: str) -> dict[str, str | int]:
    return {"fill": LETTERS[color], "font_weight": 700, "text_anchor": "middle"}


def _halo(color: str) -> dict[str, str | int]:
    """An outline that keeps a letter readable on a patterned surface."""
    return {"stroke": TINTS[color], "stroke_width": 6, "paint_order": "stroke"}


def _line(colour: str, width: float) -> dict[str, str | float]:
    return {"fill": "none", "stroke": colour, "stroke_width": width}
