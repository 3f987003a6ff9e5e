"""Leaderboards, and series of matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flask import Blueprint, Response

from domain.match.state import Match
from service import ratings
from service.http.context import annals, viewer_id
from service.http.json_responses import Json, json_response
from service.http.language import language
from service.http.requests import parse_query
from service.http.responses import list_responses
from service.http.responses.chart_responses import chart_response
from service.http.schemas.common import EmptyObject
from service.http.schemas.ratings import LeaderboardPictureQuery, LeaderboardQuery
from service.matches import profiles, queries
from service.ratings import Standing
from service.runtime.errors import NotFound

bp = Blueprint("standings", __name__, url_prefix="/v1")
LEADERBOARD, PICTURE, NOTHING = LeaderboardQuery(), LeaderboardPictureQuery(), EmptyObject()


@bp.get("/leaderboards/<game>")
def leaderboard(game: str) -> Response:
    """Return the ratings of a game, the best first."""
    page, following, provisional = _page(game, LEADERBOARD)
    names = profiles.names_in(annals(), game, {one.competitor for one in page})
    hidden = 0 if provisional else ratings.count_provisional(annals().store.redis, game)
    content = {
        "standings": [_standing_json(one, names) for one in page],
        "next": following,
        "hidden": hidden,
    }
    return json_response(content, headers=list_responses.next_link(following))


@bp.get("/leaderboards/<game>.svg")
def chart(game: str) -> Response:
    """Return the ratings of a game as an SVG chart."""
    page, following, _ = _page(game, PICTURE)
    about, competitors = annals().games[game], {one.competitor for one in page}
    names = profiles.names_in(annals(), game, competitors, language())
    shown = profiles.chart_of_standings(about, page, names, language())
    return chart_response(shown, "points", list_responses.next_link(following))


@bp.get("/series/<match_id:series>")
def series(series: str) -> Response:
    """Return the matches of a series, which has the id of its first match, and its totals: null
    while a match that has ended waits for its score.
    """
    parse_query(NOTHING)
    first = queries.match_for(annals(), series, viewer_id())
    if first.series is None or first.series.id != series:
        raise NotFound("There is no such series.")
    matches = _matches_of_series(first)
    last = matches[-1]
    content = {
        "id": series,
        "game": first.game.key,
        "matches": [_match_json(match) for match in matches],
        "totals": _totals(last),
        "over": bool(last.series_score and last.series_score.over),
        "winners": last.series_score.winners if last.series_score else [],
    }
    return json_response(content)


def _totals(last: Match) -> Sequence[int] | None:
    assert last.series
    if last.series_score:
        return last.series_score.totals
    return None if last.over else last.series.penalties


def _matches_of_series(first: Match) -> list[Match]:
    """Return the matches of a series so far, in order."""
    matches = [first]
    while (following := matches[-1].next_in_series) is not None:
        matches.append(annals().matches.latest(following))
    return matches


def _match_json(match: Match) -> Json:
    assert match.series
    return {
        "id": match.id,
        "number": match.series.number,
        "status": match.status,
        "penalties": match.series_score.penalties if match.series_score else None,
    }


def _page(game: str, schema: LeaderboardQuery) -> tuple[list[Standing], int | None, bool]:
    """Return the page of standings, the rank after which the next page begins, and whether
    provisional ratings are included.
    """
    annals().game(game)
    parameters = parse_query(schema)
    after, limit, provisional = parameters["after"], parameters["limit"], parameters["provisional"]
    redis = annals().store.redis
    found = ratings.standings(redis, game, after, limit + 1, provisional=provisional)
    return found[:limit], after + limit if len(found) > limit else None, provisional


def _standing_json(one: Standing, names: Mapping[str, str]) -> Json:
    return {
        "rank": one.place,
        "competitor": one.competitor,
        "name": names.get(one.competitor, one.competitor),
        "rating": round(one.rating.lower_bound, 3),
        "mu": one.rating.mu,
        "sigma": one.rating.sigma,
        **profiles.strength(one.rating),
        "played": one.rating.played,
        "won": one.rating.won,
    }
