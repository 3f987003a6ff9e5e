"""What every chart has: its paper, its title, what it says to those who cannot see it."""

from __future__ import annotations

from domain.engine.drawing.svg import Markup, document, group, rect
from service.drawing.charts.text_metrics import wrapped
from service.drawing.charts.theme import Theme, filled, hatches, style, words

WIDTH = 720
MARGIN = 20
TITLE = 16
BELOW_TITLE = 34
"""From the last line of the title to the middle of what comes first below it."""


def heading(title: str, width: float = WIDTH) -> tuple[Markup, float]:
    """The title on one or two lines, and where the last of them stands."""
    lines = wrapped(title, TITLE, width - 2 * MARGIN, 2)
    placed = [
        words(MARGIN, 30 + 20 * place, said, TITLE, font_weight="bold")
        for place, said in enumerate(lines)
    ]
    return group(*placed), 10 + 20 * max(1, len(lines))


def framed(
    title: str,
    description: str,
    height: float,
    theme: Theme,
    *parts: Markup,
    series: int = 1,
    width: int = WIDTH,
) -> str:
    """The whole picture, for bars of so many series."""
    look = {"class": "annals-chart"}
    paper = rect(0, 0, width, round(height), **{"class": filled("paper")})
    defined = [hatches(series)] if series > 1 else []
    return document(
        width, round(height), title, description, style(theme), *defined, paper, *parts, **look
    )
