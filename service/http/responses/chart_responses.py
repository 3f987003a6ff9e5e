"""Charts as answers."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Response

from service.drawing.charts.chart import Chart, Kind
from service.drawing.charts.renderer import svg
from service.http.language import in_its_language

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""What an SVG picture may do in a browser."""


def picture(chart: Chart, kind: Kind, headers: Mapping[str, str]) -> Response:
    """A chart as SVG; drawn here and now, since that takes less than a page of a list."""
    return as_picture(svg(chart, kind), headers)


def as_picture(drawn: str, headers: Mapping[str, str]) -> Response:
    """An answer that is an SVG picture, with words in the language of this request."""
    answer = Response(drawn, headers=dict(headers), mimetype="image/svg+xml")
    answer.headers["Content-Security-Policy"] = POLICY
    return in_its_language(answer)
