"""The analysis of a finished match: win probabilities, luck and errors, as JSON or a picture; its
turning points in words, and the better moves on the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from flask import Blueprint, Response

from domain.analysis.analysis import Analysis, method_of
from domain.match.errors import Impossible
from domain.match.state import Match
from service.drawing.charts.match_graph import MatchGraph, draw_match_graph
from service.drawing.charts.match_strip import draw_match_strip
from service.drawing.pictures.inputs import board_drawing
from service.http.addresses import MATCH
from service.http.context import annals, caller, context, viewer_id
from service.http.json_responses import json_response
from service.http.language import language, with_content_language
from service.http.requests import parse_query
from service.http.responses.chart_responses import svg_response
from service.http.responses.picture_responses import draw_or_find
from service.http.responses.representation import Representation, not_modified
from service.http.schemas.common import EmptyObject, LanguageQuery
from service.http.schemas.pictures import AnalysisPictureQuery, BetterPictureQuery, read_look
from service.matches import queries
from service.matches.analyses import AnalysisProgress
from service.matches.queries import seat_names
from service.matches.results import seat_colours
from service.matches.turning_points import find_better_move, list_turning_points
from service.runtime.event_loop import in_steps

bp = Blueprint("analysis", __name__, url_prefix=MATCH)
NOTHING, LANGUAGE = EmptyObject(), LanguageQuery()
PICTURE, BETTER = AnalysisPictureQuery(), BetterPictureQuery()
POLL_INTERVAL_S = 2
"""After how many seconds to poll an analysis in progress."""


@bp.get("/analysis")
def analysis(match_id: str) -> Response:
    """Return the win probabilities at each decision, its error, and the luck of each draw; 202 with
    the progress while the analysis runs.
    """
    parse_query(NOTHING)
    match = _find_scored(match_id)
    headers = _headers(match)
    if same := not_modified(headers):
        return same
    found = _find_or_request(match)
    if isinstance(found, AnalysisProgress):
        return _progress_response(found)
    return json_response(found, headers=headers)


@bp.get("/analysis.svg")
def graph(match_id: str) -> Response:
    """Return the win probabilities over the match, its turning points, and the luck of
    each seat.
    """
    form = parse_query(PICTURE)["form"]
    match = _find_scored(match_id)
    seats, colours = _headings(match), seat_colours(match)
    headers = _headers(match, "|".join([form, language(), *seats, *colours]))
    if same := not_modified(headers):
        return same
    found = _find_or_request(match)
    if isinstance(found, AnalysisProgress):
        return _progress_response(found)
    data = _graph_data(match, found, seats, colours)
    drawn = draw_match_strip(data) if form == "strip" else draw_match_graph(data)
    return svg_response(drawn, headers)


@bp.get("/turning-points")
def turning_points(match_id: str) -> Response:
    """Return the turning points in words, with the better moves."""
    parse_query(LANGUAGE)
    match = _find_scored(match_id)
    headers = _headers(match, "|".join([language(), *_headings(match)]))
    if same := not_modified(headers):
        return same
    found = _find_or_request(match)
    if isinstance(found, AnalysisProgress):
        return _progress_response(found)
    points = list(in_steps(list_turning_points(annals(), match, found, language())))
    return with_content_language(json_response({"turning_points": points}, headers=headers))


@bp.get("/better.svg")
def better(match_id: str) -> Response:
    """Return the board after the better move at a version, as the seat that decided sees it."""
    parameters = parse_query(BETTER)
    match = _find_scored(match_id)
    found = _find_or_request(match)
    if isinstance(found, AnalysisProgress):
        return _progress_response(found)
    best = find_better_move(annals(), match, found, parameters["version"])
    names = seat_names(annals(), match, language()) if parameters["names"] else ()
    own = not names or queries.sees_own_seat(match, best.move.seat, viewer_id())
    look = read_look(parameters)
    drawing = board_drawing(
        match.game, best.view, "svg", language(), names, reader_is_viewer=own, **look
    )
    headers = _headers(match, drawing.digest)
    return not_modified(headers) or svg_response(draw_or_find(drawing).decode(), headers)


def _headings(match: Match) -> list[str]:
    """Return the names of the seats in the language of the request."""
    words = match.game.words(language(), seat_names(annals(), match, language()))
    return [words.heading(seat) for seat in range(len(match.chairs))]


def _graph_data(
    match: Match, found: Analysis, seats: Sequence[str], colours: Sequence[str]
) -> MatchGraph:
    """Return the data of the picture: win probabilities before the first decision and after each,
    and the result.
    """
    start = [(choice.version - 1, choice.before) for choice in found.choices[:1]]
    after = [(choice.version, choice.after) for choice in found.choices]
    result = tuple(seat.result for seat in found.seats)
    return MatchGraph(
        title=f"{match.game.title_in(language())}: {match.id}",
        seats=seats,
        chances=[*start, *after, (match.version, result)],
        turning_points=found.turning_points,
        luck=tuple(seat.luck for seat in found.seats),
        cooperative=match.game.is_cooperative(match.setup),
        language=language(),
        colours=colours,
    )


def _headers(match: Match, names: str = "") -> dict[str, str]:
    """Return the caching headers; another method, or other names in a picture, change
    the digest.
    """
    digest = sha256(f"{method_of(match.game)} {names}".encode()).hexdigest()[:16]
    return Representation(match, None, fixed=False).picture_headers(digest, with_names=True)


def _find_scored(match_id: str) -> Match:
    """Return a scored match. Raises Impossible if it is not scored, or was played by
    other rules.
    """
    match = queries.match_for(annals(), match_id, viewer_id())
    if match.status != "scored":
        raise Impossible("not_scored", "A match can be analysed once it is scored.")
    if match.rules != match.game.rules:
        raise Impossible(
            "rules_version_mismatch", f"The match was played by version {match.rules} of the rules."
        )
    return match


def _find_or_request(match: Match) -> Analysis | AnalysisProgress:
    """Return the analysis, or its progress; requests one if there is none."""
    here = context()
    found = here.analyses.find(match.game, match.id)
    if found is not None:
        return found
    waiting = here.analyses.progress(match.game, match.id)
    if waiting is None:
        here.analysis_quota.use(caller().address, annals().now())
        waiting = here.analyses.request(match.game, match.id)
    return waiting


def _progress_response(waiting: AnalysisProgress) -> Response:
    return json_response(
        waiting, 202, {"Retry-After": str(POLL_INTERVAL_S), "Cache-Control": "no-store"}
    )
