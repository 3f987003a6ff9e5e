"""The analysis of a match that is over: chances, luck and errors, as JSON and as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from flask import Blueprint, Response

from domain.analysis.analysis import Analysis, method_of
from domain.match.errors import Impossible
from domain.match.state import Match
from service.drawing.charts.match_graph import MatchGraph, match_graph
from service.http.addresses import MATCH
from service.http.context import annals, context, viewer_id, whose_share
from service.http.json_responses import answer
from service.http.language import language
from service.http.requests import query
from service.http.responses.chart_responses import as_picture
from service.http.responses.representation import Representation, unchanged
from service.http.schemas.common import LanguageQuery, Nothing
from service.matches import queries
from service.matches.analyses import Waiting
from service.matches.queries import seat_names

bp = Blueprint("analysis", __name__, url_prefix=MATCH)
NOTHING, LANGUAGE = Nothing(), LanguageQuery()
AGAIN_S = 2
"""After how many seconds to ask again for what is being made."""


@bp.get("/analysis")
def analysis(match_id: str) -> Response:
    """The chances of all seats at each decision, its error, the luck of each draw; 202 with how far
    it is while it is being made.
    """
    query(NOTHING)
    match = _over(match_id)
    headers = _headers(match)
    if same := unchanged(headers):
        return same
    found = _found(match)
    if isinstance(found, Waiting):
        return _later(found)
    return answer(found, headers=headers)


@bp.get("/analysis.svg")
def graph(match_id: str) -> Response:
    """The chances over the match, with its turning points, and the luck of each seat."""
    query(LANGUAGE)
    match = _over(match_id)
    words = match.game.words(language(), seat_names(annals(), match, language()))
    seats = [words.heading(seat) for seat in range(len(match.chairs))]
    headers = _headers(match, "|".join([language(), *seats]))
    if same := unchanged(headers):
        return same
    found = _found(match)
    if isinstance(found, Waiting):
        return _later(found)
    return as_picture(match_graph(_graph(match, found, seats)), headers)


def _graph(match: Match, found: Analysis, seats: Sequence[str]) -> MatchGraph:
    """What the picture shows: the chances before the first decision and after each, and at last the
    result.
    """
    start = [(choice.version - 1, choice.before) for choice in found.choices[:1]]
    after = [(choice.version, choice.after) for choice in found.choices]
    result = tuple(seat.result for seat in found.seats)
    return MatchGraph(
        title=f"{match.game.called(language())}: {match.id}",
        seats=seats,
        chances=[*start, *after, (match.version, result)],
        turning=found.turning_points,
        luck=tuple(seat.luck for seat in found.seats),
        together=match.game.together(match.setup),
        language=language(),
    )


def _headers(match: Match, names: str = "") -> dict[str, str]:
    """It is another one by another method; and a picture with other names."""
    digest = sha256(f"{method_of(match.game)} {names}".encode()).hexdigest()[:16]
    return Representation(match, None, fixed=False).headers_of_picture(digest, with_names=True)


def _over(match_id: str) -> Match:
    """A match that is scored; Impossible if it is not, or was played by other rules."""
    match = queries.match_for(annals(), match_id, viewer_id())
    if match.status != "scored":
        raise Impossible("not_scored", "A match is analysed once its points are counted.")
    if match.rules != match.game.rules:
        raise Impossible("other_rules", f"It was played by version {match.rules} of the rules.")
    return match


def _found(match: Match) -> Analysis | Waiting:
    """The analysis, or how far it is; if nobody asked for it before, the caller does now."""
    here = context()
    found = here.analyses.find(match.game, match.id)
    if found is not None:
        return found
    waiting = here.analyses.wanted(match.game, match.id)
    if waiting is None:
        here.analysis_allowance.use(whose_share().address, annals().now())
        waiting = here.analyses.want(match.game, match.id)
    return waiting


def _later(waiting: Waiting) -> Response:
    return answer(waiting, 202, {"Retry-After": str(AGAIN_S), "Cache-Control": "no-store"})
