"""The land on both sides of a board's part of the wall: mountains, earth, and hills with trees."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing.relief import LIGHT, SHADOW
from domain.engine.drawing.svg import (
    Attribute,
    Markup,
    definitions,
    gradient,
    group,
    path,
    pattern,
    rect,
)
from domain.games.chang_cheng.board import BOARDS, LENGTH

WIDTH = 52.0
"""The width of a cell."""
ACROSS = LENGTH * WIDTH
NORTH, WALL, SOUTH = 27, 58, 60
"""The heights of Mongol regions, the wall, and Chinese regions: four boards must fit a screen."""
NUMBERS = 16
"""The height of the numbers of cells, above their pieces."""
HIGH = NORTH + WALL + SOUTH
HALO: dict[str, Attribute] = {
    "stroke_width": 3,
    "stroke_linejoin": "round",
    "paint_order": "stroke",
}
"""An outline of words that keeps them readable on a landscape."""
STEPPE, GRASS = "#e9dfc3", "#e3ebc4"
"""The colours of these outlines, north and south of the wall."""

Rise = tuple[float, float, float]
"""A mountain or hill: where its middle is, its height, and half its width."""
_PEAKS: tuple[Rise, ...] = (
    (20, 15, 26),
    (74, 22, 34),
    (131, 17, 30),
    (186, 23, 38),
    (262, 19, 34),
    (318, 14, 26),
    (371, 22, 36),
    (440, 18, 30),
    (497, 23, 40),
    (560, 16, 28),
    (606, 20, 32),
)
_HILLS: tuple[Rise, ...] = (
    (40, 15, 90),
    (190, 20, 120),
    (330, 13, 80),
    (470, 22, 130),
    (600, 16, 70),
)
_TREES: tuple[tuple[float, float], ...] = (
    *((12, 58), (19, 55), (27, 58), (150, 57), (158, 54), (232, 56), (330, 57), (338, 53)),
    *((346, 57), (402, 55), (486, 57), (494, 54), (560, 56), (630, 55), (638, 52), (646, 56)),
)
_SHIFT = 97.0
"""How far the land of each board lies beside that of the one before."""


def patterns() -> Markup:
    """What the land of all boards is filled with."""
    return definitions(
        gradient("sky", "#cbd8dc", "#e7dcbd"),
        gradient("earth", "#d3bd8f", "#a88c5e"),
        gradient("grass", "#dfe8ba", "#b3ca85"),
        pattern(
            "stones",
            26,
            path("M0 .5H26M0 8.5H26M0 17H26M6 .5v8M19 .5v8M13 8.5v8.5", **_line("#7c6a49")),
            fill="#b3a283",
        ),
    )


def ground(board: str) -> Markup:
    """The land of a board with the bed of its wall, from its top left corner."""
    return _GROUNDS[board]


def _ground(number: int) -> Iterator[Markup]:
    yield rect(2, 3, ACROSS, HIGH, rx=4, **SHADOW)
    yield rect(0, 0, ACROSS, HIGH, rx=4, fill="url(#grass)", stroke="#4f4530", stroke_width=1.4)
    yield from _mountains(number)
    yield from _bed()
    yield group(*_fields(number), at=(0, NORTH + WALL))


def _mountains(number: int) -> Iterator[Markup]:
    """A range on the horizon, lit from the left, with snow on the highest peaks."""
    peaks = list(_shift(_PEAKS, number))
    yield rect(0.7, 0.7, ACROSS - 1.4, NORTH, rx=3, fill="url(#sky)")
    sides = (
        f"M{x - w:.0f} {NORTH}L{x:.0f} {NORTH - h:.0f}L{x + w:.0f} {NORTH}Z" for x, h, w in peaks
    )
    yield path("".join(sides), fill="#c4bda6")
    dark = (
        f"M{x:.0f} {NORTH - h:.0f}L{x + w:.0f} {NORTH}H{x + w / 4:.0f}l{-w / 6:.0f} {-h / 3:.0f}Z"
        for x, h, w in peaks
    )
    yield path("".join(dark), fill="#a9a189")
    snow = (
        f"M{x - w / 4:.0f} {NORTH - h * 0.75:.0f}l{w / 4:.0f} {-h / 4:.0f} {w / 4:.0f} {h / 4:.0f}"
        "l-4-1-3 3-3-3Z"
        for x, h, w in peaks
        if h > 18
    )
    yield path("".join(snow), fill="#f6f4ec")


def _bed() -> Iterator[Markup]:
    """The strip of earth for the wall, with its foundation of stones and a post at each border."""
    yield rect(0, NORTH, ACROSS, WALL, fill="url(#earth)")
    top, foot = NORTH + NUMBERS + 6, NORTH + WALL - 3
    yield rect(0, top, ACROSS, foot - top, fill="#6d5836", fill_opacity=0.22)
    yield rect(0, foot - 14, ACROSS, 14, fill="url(#stones)")
    yield path(f"M0 {top}H{ACROSS:g}", **_line("#4c3b20", 1.4))
    yield path(f"M0 {foot - 14}H{ACROSS:g}", **LIGHT)
    borders = "".join(f"M{n * WIDTH:g} {NORTH + 2}V{foot}" for n in range(1, LENGTH))
    yield path(borders, **_line("#7a6338"))
    yield path(f"M0 {NORTH}H{ACROSS:g}M0 {NORTH + WALL}H{ACROSS:g}", **_line("#5d4c2c", 1.6))


def _fields(number: int) -> Iterator[Markup]:
    """Hills with furrows and trees, along the lower edge."""
    hills = list(_shift(_HILLS, number))
    rows = "".join(
        f"M{x - w:.0f} {SOUTH}Q{x:.0f} {SOUTH - 2 * h:.0f} {x + w:.0f} {SOUTH}Z"
        for x, h, w in hills
    )
    yield path(rows, fill="#a5c077")
    furrows = "".join(
        f"M{x - w * part:.0f} {SOUTH}Q{x:.0f} {SOUTH - 2 * h * part:.0f} {x + w * part:.0f} {SOUTH}"
        for x, h, w in hills
        for part in (0.4, 0.6, 0.8)
    )
    yield path(furrows, **_line("#8fad61"))
    trees = [((x + number * _SHIFT) % (ACROSS - 20) + 10, y) for x, y in _TREES]
    crowns = "".join(f"M{x - 4:.0f} {y}q1-9 4-13q3 4 4 13Z" for x, y in trees)
    yield path(crowns, fill="#5d8047")
    lit = "".join(f"M{x - 3:.0f} {y - 1}q.6-7 3-11v11Z" for x, y in trees)
    yield path(lit, fill="#7a9c5c")


def _shift(rises: tuple[Rise, ...], number: int) -> Iterator[Rise]:
    """The same mountains or hills at other places, all of them on the board."""
    for x, high, half in rises:
        yield half + (x + number * _SHIFT) % (ACROSS - 2 * half), high, half


def _line(colour: str, width: float = 1) -> dict[str, Attribute]:
    return {"fill": "none", "stroke": colour, "stroke_width": width}


_GROUNDS: dict[str, Markup] = {
    board: group(*_ground(number)) for number, board in enumerate(BOARDS)
}
