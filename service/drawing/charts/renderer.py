"""Charts as SVG: no script, all words escaped, readable in light and dark and without colours."""

from __future__ import annotations

from service.drawing.charts.chart import Chart, Kind, told
from service.drawing.charts.layout import BELOW_TITLE, MARGIN, WIDTH, framed, heading
from service.drawing.charts.lines import lines
from service.drawing.charts.lines import shown as shown_in_lines
from service.drawing.charts.rows import rows
from service.drawing.charts.rows import shown as shown_in_rows
from service.drawing.charts.texts import words_in
from service.drawing.charts.theme import Theme, legend, words


def svg(chart: Chart, kind: Kind, theme: Theme = "auto") -> str:
    """A chart as a picture: `bars` from 0 with whiskers, `points` with whiskers, or `lines` with
    bands along labels that have an order.

    The theme `auto` is as the viewer likes it; where none is known it is light.
    """
    title, y = heading(chart.title)
    y += BELOW_TITLE
    if not chart.marks:
        nothing = words(MARGIN, y, words_in(chart.language)("nothing"), 12.5, "soft")
        return framed(chart.title, told(chart, ()), y + MARGIN, theme, title, nothing)
    said = told(chart, shown_in_lines(chart) if kind == "lines" else shown_in_rows(chart))
    names, below = legend(chart.series, kind, MARGIN, y, WIDTH - 2 * MARGIN)
    y += below
    picture, end = lines(chart, y) if kind == "lines" else rows(chart, kind, y)
    series = len(chart.series) if kind == "bars" else 1
    return framed(chart.title, said, end, theme, title, names, picture, series=series)
