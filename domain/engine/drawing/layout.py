"""Pictures made of panels: what a game draws, and the engine lays out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from math import log
from typing import Literal, NamedTuple, get_args

from domain.engine.drawing.panel import PAPER, SeatsView
from domain.engine.drawing.svg import Markup, Point, document, panel_group, rect
from domain.engine.drawing.themes import NO_PALETTES, Palettes
from domain.engine.play import Seat
from domain.engine.sentences import Words

Role = Literal["head", "map", "own", "seat", "table", "legend"]
"""What a panel shows: the title and whose turn it is; the board; what the viewer owns; what another
seat owns; what lies beside the board; or what the signs mean.
"""
Shape = Literal["wide", "tall"]
SHAPES: tuple[Shape, ...] = get_args(Shape)
ASPECT = 1.5
"""The width of a wide layout, divided by its height, that it comes close to. A tall one is no wider
than its widest panel, for telephones.
"""
MAX_WIDTH = 1440
"""In pixels, unless a panel is wider: in a chat, 550 pixels wide, letters of 13.5 are legible."""
MARGIN = 20
"""Around the panels, in pixels."""
GAP = 18
"""Between two panels, in pixels."""
_MAX_CACHED_LAYOUTS = 256
"""More than the games have: the sizes of panels seldom change during a match."""


@dataclass(frozen=True)
class Panel:
    """A part of a picture, drawn from its top left corner."""

    name: str  # unique in its picture
    role: Role
    label: str  # for screen readers
    width: float
    height: float
    parts: tuple[Markup, ...]
    folds: bool = False  # whether nothing in it changes during a decision


@dataclass(frozen=True)
class Picture:
    """The table as panels, the most important first."""

    title: str
    description: str
    panels: tuple[Panel, ...]
    definitions: tuple[Markup, ...] = ()  # patterns that panels refer to
    palettes: Palettes = NO_PALETTES  # colours in themes that differ from the usual


def plain_panel(
    words: Words, role: Role, size: Point, parts: Iterable[Markup], *, folds: bool = False
) -> Panel:
    """The only panel of a role in a picture, named after it."""
    return Panel(role, role, words(f"panel_{role}"), *size, tuple(parts), folds)


def seat_panel(
    view: SeatsView, words: Words, seat: Seat, size: Point, parts: Iterable[Markup]
) -> Panel:
    """The panel of a seat: `own` for the viewer's, `seat-1` for another."""
    if seat == view.seat:
        return plain_panel(words, "own", size, parts)
    return Panel(f"seat-{seat}", "seat", words.heading(seat), *size, tuple(parts))


def seats_from_own(view: SeatsView, count: int) -> list[Seat]:
    """All seats, the viewer's first."""
    return sorted(range(count), key=lambda seat: seat != view.seat)


def compose(picture: Picture, shape: Shape = "wide") -> str:
    """The panels of a picture in one SVG document of this shape."""
    panels = picture.panels
    layout = _lay_out(tuple((panel.width, panel.height) for panel in panels), shape)
    width, height = (round(length + 2 * MARGIN) for length in layout.size)
    return document(
        width,
        height,
        picture.title,
        picture.description,
        *picture.definitions,
        rect(0, 0, width, height, fill=PAPER),
        *(
            _place(panel, (x + MARGIN, y + MARGIN))
            for panel, (x, y) in zip(panels, layout.corners, strict=True)
        ),
    )


def _place(panel: Panel, at: Point) -> Markup:
    size = (panel.width, panel.height)
    data = {"panel": panel.name, "role": panel.role, **({"folds": "true"} if panel.folds else {})}
    return panel_group(panel.parts, at, size, panel.label, **data)


@lru_cache(_MAX_CACHED_LAYOUTS)
def _lay_out(sizes: tuple[Point, ...], shape: Shape) -> _Layout:
    """Where panels of these sizes stand: in the wide layout whose aspect is the closest, or in the
    narrowest one.
    """
    widths = islice(_widths(sizes), 1 if shape == "tall" else None)
    layouts = [_Layout(tuple(_pack(sizes, width)), sizes, width) for width in widths]
    return min(layouts, key=lambda each: abs(log(each.size[0] / each.size[1] / ASPECT)))


class _Layout(NamedTuple):
    """The top left corners of panels of these sizes, within a width."""

    corners: tuple[Point, ...]
    sizes: tuple[Point, ...]
    width: float

    @property
    def size(self) -> Point:
        bottoms = (y + size[1] for (_, y), size in zip(self.corners, self.sizes, strict=True))
        return self.width, max(bottoms)


def _widths(sizes: Sequence[Point]) -> Iterator[float]:
    """Possible widths: that of the widest panel, then one more beside it each time it fits."""
    width, widest = max((size[0], -number) for number, size in enumerate(sizes))
    yield width
    for number, size in enumerate(sizes):
        if number != -widest:
            width += GAP + size[0]
            if width > MAX_WIDTH:
                return
            yield width


def _pack(sizes: Sequence[Point], width: float) -> list[Point]:
    """The top left corners of panels: each as high as possible, then as far left."""
    corners: list[Point] = []
    for size in sizes:
        placed = list(zip(sizes, corners, strict=False))
        lefts = [0.0, *(x + other[0] + GAP for other, (x, _) in placed)]
        tops = [(_top(placed, x, size[0]), x) for x in lefts if x + size[0] <= width]
        y, x = min(tops)
        corners.append((x, y))
    return corners


def _top(placed: Sequence[tuple[Point, Point]], left: float, width: float) -> float:
    """Where a panel at this distance from the left edge is below all that are in its way."""
    return max(
        (y + size[1] + GAP for size, (x, y) in placed if x < left + width and left < x + size[0]),
        default=0.0,
    )
