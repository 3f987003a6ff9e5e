"""What every chart has: background, title and description."""

from __future__ import annotations

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
MARGIN = 20
TITLE_SIZE = 16
BELOW_TITLE = 34
"""Pixels from the last line of the title to the middle of what follows."""


def draw_title(title: str, width: float = WIDTH) -> tuple[Markup, float]:
    """Return the title on one or two lines, and the y of the last line."""
    lines = wrap(title, TITLE_SIZE, width - 2 * MARGIN, 2)
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
) -> str:
    """Return the whole picture as SVG, with hatches for bars of `series` series."""
    look = {"class": "annals-chart"}
    paper = rect(0, 0, width, round(height), **{"class": fill_class("paper")})
    defined = [make_hatches(series)] if series > 1 else []
    return document(
        width,
        round(height),
        title,
        description,
        make_style_sheet(theme),
        *defined,
        paper,
        *parts,
        **look,
    )
