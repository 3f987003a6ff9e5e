"""Pictures made of panels: what a game draws, and the engine lays out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log
from typing import Literal

from domain.engine.drawing.panel import PAPER, SeatsView
from domain.engine.drawing.svg import Markup, Point, document, panel_group, rect
from domain.engine.play import Seat
from domain.engine.sentences import Words

Role = Literal["head", "map", "own", "seat", "table", "legend"]
"""What a panel shows: the title and whose turn it is; the board; what the viewer owns; what another
seat owns; what lies beside the board; or what the signs mean.
"""
Shape = Literal["wide", "tall"]
ASPECT: dict[Shape, float] = {"wide": 1.5, "tall": 0.7}
"""The width of each shape, divided by its height, that layouts come close to."""
MARGIN = 20
"""Around the panels, in pixels."""
GAP = 18
"""Between two panels, in pixels."""


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
    width = min(_widths(panels), key=lambda each: _misfit(panels, each, ASPECT[shape]))
    corners = _pack(panels, width)
    height = _bottom(panels, corners) + 2 * MARGIN
    width += 2 * MARGIN
    return document(
        round(width),
        round(height),
        picture.title,
        picture.description,
        *picture.definitions,
        rect(0, 0, round(width), round(height), fill=PAPER),
        *(
            _place(panel, (x + MARGIN, y + MARGIN))
            for panel, (x, y) in zip(panels, corners, strict=True)
        ),
    )


def _place(panel: Panel, at: Point) -> Markup:
    size = (panel.width, panel.height)
    data = {"panel": panel.name, "role": panel.role, **({"folds": "true"} if panel.folds else {})}
    return panel_group(panel.parts, at, size, panel.label, **data)


def _widths(panels: Sequence[Panel]) -> Iterator[float]:
    """Possible widths: that of the widest panel, then one panel more beside it each time."""
    widest = max(panels, key=lambda panel: panel.width)
    width = widest.width
    yield width
    for panel in panels:
        if panel is not widest:
            width += GAP + panel.width
            yield width


def _misfit(panels: Sequence[Panel], width: float, aspect: float) -> float:
    """How far a layout of this width is from an aspect, as the logarithm of a ratio."""
    return abs(log(width / _bottom(panels, _pack(panels, width)) / aspect))


def _bottom(panels: Sequence[Panel], corners: Iterable[Point]) -> float:
    return max(y + panel.height for panel, (_, y) in zip(panels, corners, strict=True))


def _pack(panels: Sequence[Panel], width: float) -> list[Point]:
    """The top left corners of the panels: each as high as possible, then as far left."""
    corners: list[Point] = []
    for panel in panels:
        placed = list(zip(panels, corners, strict=False))
        lefts = [0.0, *(x + other.width + GAP for other, (x, _) in placed)]
        tops = [(_top(placed, x, panel), x) for x in lefts if x + panel.width <= width]
        y, x = min(tops)
        corners.append((x, y))
    return corners


def _top(placed: Sequence[tuple[Panel, Point]], left: float, panel: Panel) -> float:
    """Where a panel at this distance from the left edge is below all that are in its way."""
    return max(
        (
            y + other.height + GAP
            for other, (x, y) in placed
            if x < left + panel.width and left < x + other.width
        ),
        default=0.0,
    )
