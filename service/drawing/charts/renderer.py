"""Charts as SVG without scripts; readable in light and dark themes and without colours."""

from __future__ import annotations

from service.drawing.charts.chart import Chart, Kind, describe
from service.drawing.charts.layout import BELOW_TITLE, MARGIN, WIDTH, compose, draw_title
from service.drawing.charts.lines import draw_lines
from service.drawing.charts.lines import visible_marks as shown_in_lines
from service.drawing.charts.rows import draw_rows
from service.drawing.charts.rows import visible_marks as shown_in_rows
from service.drawing.charts.texts import words_in
from service.drawing.charts.theme import Theme, draw_legend, draw_text


def render_svg(chart: Chart, kind: Kind, theme: Theme = "auto") -> str:
    """Return a chart as SVG: `bars` from 0 with whiskers, `points` with whiskers, or `lines` with
    bands along ordered labels.

    The theme `auto` follows the viewer's preference, and is light where that is unknown.
    """
    title, y = draw_title(chart.title)
    y += BELOW_TITLE
    if not chart.marks:
        nothing = draw_text(MARGIN, y, words_in(chart.language)("nothing"), 12.5, "soft")
        return compose(chart.title, describe(chart, ()), y + MARGIN, theme, title, nothing)
    description = describe(
        chart, shown_in_lines(chart) if kind == "lines" else shown_in_rows(chart)
    )
    names, below = draw_legend(chart.series, kind, MARGIN, y, WIDTH - 2 * MARGIN)
    y += below
    picture, end = draw_lines(chart, y) if kind == "lines" else draw_rows(chart, kind, y)
    series = len(chart.series) if kind == "bars" else 1
    return compose(chart.title, description, end, theme, title, names, picture, series=series)
