"""What every chart has: background, title and description."""

from __future__ import annotations

from collections.abc import Sequence

from domain.engine.drawing.svg import Markup, document, group, rect
from service.drawing.charts.text_metrics import wrap
from service.drawing.charts.theme import (
    Theme,
    draw_text,
    fill_class,
    make_hatches,
    make_style_sheet,
)

WIDTH = 720
NARROW_WIDTH = 300
"""The width of charts for a phone: a window of 360 px shows them without reduction."""
MARGIN = 20
TITLE_SIZE = 16
MAX_TITLE_LINES = 3
BELOW_TITLE = 34
"""Pixels from the last line of the title to the middle of what follows."""


def draw_title(title: str, width: float = WIDTH) -> tuple[Markup, float]:
    """Return the title on up to three lines, and the y of the last line."""
    lines = wrap(title, TITLE_SIZE, width - 2 * MARGIN, MAX_TITLE_LINES)
    drawn_lines = [
        draw_text(MARGIN, 30 + 20 * place, line, TITLE_SIZE, font_weight="bold")
        for place, line in enumerate(lines)
    ]
    return group(*drawn_lines), 10 + 20 * max(1, len(lines))


def compose(
    title: str,
    description: str,
    height: float,
    theme: Theme,
    *parts: Markup,
    series: int = 1,
    width: int = WIDTH,
    colours: Sequence[str] = (),
) -> str:
    """Return the whole picture as SVG, with hatches for bars of `series` series, the first of which
    have these `colours`.
    """
    look = {"class": "annals-chart"}
    paper = rect(0, 0, width, round(height), **{"class": fill_class("paper")})
    defined = [make_hatches(series)] if series > 1 else []
    return document(
        width,
        round(height),
        title,
        description,
        make_style_sheet(theme, colours),
        *defined,
        paper,
        *parts,
        **look,
    )
