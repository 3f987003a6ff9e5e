"""Charts as answers."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Response

from service.charts.chart import Chart, Kind
from service.charts.drawing import svg

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""What an SVG picture may do in a browser."""


def picture(chart: Chart, kind: Kind, headers: Mapping[str, str]) -> Response:
    """A chart as SVG; drawn here and now, since that takes less than a page of a list."""
    drawn = Response(svg(chart, kind), headers=dict(headers), mimetype="image/svg+xml")
    drawn.headers["Content-Security-Policy"] = POLICY
    return drawn
