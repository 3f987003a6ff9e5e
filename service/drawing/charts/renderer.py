"""Charts as SVG without scripts; readable in light and dark themes and without colours."""

from __future__ import annotations

from service.drawing.charts.chart import Chart, Kind, describe
from service.drawing.charts.layout import (
    BELOW_TITLE,
    MARGIN,
    NARROW_WIDTH,
    WIDTH,
    compose,
    draw_title,
)
from service.drawing.charts.lines import draw_lines
from service.drawing.charts.lines import visible_marks as shown_in_lines
from service.drawing.charts.rows import draw_rows
from service.drawing.charts.rows import visible_marks as shown_in_rows
from service.drawing.charts.texts import words_in
from service.drawing.charts.theme import Theme, draw_legend, draw_text


def render_svg(chart: Chart, kind: Kind, theme: Theme = "auto", *, narrow: bool = False) -> str:
    """Return a chart as SVG: `bars` from 0 with whiskers, `points` with whiskers, or `lines` with
    bands along ordered labels. A `narrow` one fits a phone.

    The theme `auto` follows the viewer's preference, and is light where that is unknown.
    """
    width = NARROW_WIDTH if narrow else WIDTH
    title, y = draw_title(chart.title, width)
    y += BELOW_TITLE
    if not chart.marks:
        nothing = draw_text(MARGIN, y, words_in(chart.language)("nothing"), 12.5, "soft")
        return compose(
            chart.title, describe(chart, ()), y + MARGIN, theme, title, nothing, width=width
        )
    description = describe(
        chart, shown_in_lines(chart) if kind == "lines" else shown_in_rows(chart)
    )
    names, below = draw_legend(_name_series(chart), kind, MARGIN, y, width - 2 * MARGIN)
    y += below
    if kind == "lines":
        picture, end = draw_lines(chart, y, width)
    else:
        picture, end = draw_rows(chart, kind, y, width)
    series = len(chart.series) if kind == "bars" else 1
    parts = (title, names, picture)
    return compose(chart.title, description, end, theme, *parts, series=series, width=width)


def _name_series(chart: Chart) -> list[str]:
    """Return the names of the series; one without a name beside others is the other one."""
    names = chart.series
    other = words_in(chart.language)("other_series")
    return [name or other for name in names] if len(names) > 1 else names
