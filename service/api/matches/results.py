"""The result of a scored match: points over time, and the picture for links."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Literal

from flask import Blueprint, Response

from domain.match.errors import Impossible
from domain.match.points import PointsAt
from domain.match.state import Match
from service.drawing.charts.points_graph import PointsGraph, draw_points_graph
from service.drawing.charts.texts import words_in
from service.http.addresses import MATCH
from service.http.context import annals, context, payer, viewer_id
from service.http.json_responses import json_response
from service.http.language import language
from service.http.requests import parse_query
from service.http.responses.chart_responses import POLICY, svg_response
from service.http.responses.picture_responses import picture_response
from service.http.responses.representation import Representation, not_modified
from service.http.schemas.common import EmptyObject, LanguageQuery, ThemeQuery
from service.matches import queries, results

bp = Blueprint("results", __name__, url_prefix=MATCH)
NOTHING, LANGUAGE, THEME = EmptyObject(), LanguageQuery(), ThemeQuery()


@bp.get("/points")
def points(match_id: str) -> Response:
    """Return the points of each seat at each version that changed them."""
    parse_query(NOTHING)
    match = _find_scored(match_id)
    headers = Representation(match, None, fixed=False).headers
    if same := not_modified(headers):
        return same
    return json_response(_points_content(match, _read_points(match)), headers=headers)


@bp.get("/points.svg")
def points_graph(match_id: str) -> Response:
    """Return the same as a picture."""
    parse_query(LANGUAGE)
    match = _find_scored(match_id)
    labels = results.point_labels(annals(), match, language())
    colours = results.seat_colours(match)
    digest = sha256("|".join([language(), *labels, *colours]).encode()).hexdigest()[:16]
    headers = Representation(match, None, fixed=False).picture_headers(digest, with_names=True)
    if same := not_modified(headers):
        return same
    changes = [(one.version, one.points) for one in _read_points(match)]
    heading = match.game.words(language())(match.game.score_parts.heading)
    title = words_in(language())("points_over_time", counted=heading)
    graph = PointsGraph(title, labels, changes, language(), colours)
    return svg_response(draw_points_graph(graph), headers)


@bp.get("/result.svg")
def svg(match_id: str) -> Response:
    """Return the picture for links as SVG."""
    picture = _picture_response(match_id, "svg", "image/svg+xml")
    picture.headers["Content-Security-Policy"] = POLICY
    return picture


@bp.get("/result.png")
def png(match_id: str) -> Response:
    """Return the picture for links as PNG."""
    return _picture_response(match_id, "png", "image/png")


def _picture_response(match_id: str, form: Literal["svg", "png"], mimetype: str) -> Response:
    theme = parse_query(THEME)["theme"]
    match = _find_scored(match_id)
    drawing = results.result_drawing(annals(), match, form, language(), theme)
    shown = Representation(match, None, fixed=False, final=queries.is_final(match), public=False)
    return picture_response(drawing, shown.picture_headers(drawing.digest, True), mimetype)


def _points_content(match: Match, changes: Sequence[PointsAt]) -> dict[str, object]:
    """Return columns: versions, and the points of each seat and rival."""
    assert match.scoring
    seats = len(match.scoring.lines)
    columns = list(zip(*(one.points for one in changes), strict=True))
    return {
        "version": match.version,
        "versions": [one.version for one in changes],
        "seats": columns[:seats],
        "rivals": [
            {"key": rival.key, "points": column}
            for rival, column in zip(match.scoring.rivals, columns[seats:], strict=True)
        ],
    }


def _read_points(match: Match) -> Sequence[PointsAt]:
    return context().point_histories.read(match, payer())


def _find_scored(match_id: str) -> Match:
    match = queries.match_for(annals(), match_id, viewer_id())
    if match.scoring is None:
        raise Impossible("not_scored", "A match has a result once it is scored.")
    return match
