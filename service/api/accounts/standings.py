"""Leaderboards, and series of matches."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, Response

from domain.match.state import Match
from service import ratings
from service.http.context import annals, viewer_id
from service.http.json_responses import Json, answer
from service.http.language import language
from service.http.requests import query
from service.http.responses import list_responses
from service.http.responses.chart_responses import picture
from service.http.schemas.ratings import PlacesPictureQuery, PlacesQuery
from service.matches import profiles, queries
from service.ratings import Standing
from service.runtime.errors import NotFound

bp = Blueprint("standings", __name__, url_prefix="/v1")
PLACES, PICTURE = PlacesQuery(), PlacesPictureQuery()


@bp.get("/leaderboards/<game>")
def leaderboard(game: str) -> Response:
    """The ratings of a game, the best first."""
    page, following, all_of_them = _page(game, PLACES)
    names = profiles.names_in(annals(), game, {one.competitor for one in page})
    hidden = 0 if all_of_them else ratings.hidden(annals().store.redis, game)
    content = {
        "standings": [_standing(one, names) for one in page],
        "next": following,
        "hidden": hidden,
    }
    return answer(content, headers=list_responses.next_link(following))


@bp.get("/leaderboards/<game>.svg")
def chart(game: str) -> Response:
    """The same as a picture."""
    page, following, _ = _page(game, PICTURE)
    about, competitors = annals().games[game], {one.competitor for one in page}
    names = profiles.names_in(annals(), game, competitors, language())
    shown = profiles.chart_of_standings(about, page, names, language())
    return picture(shown, "points", list_responses.next_link(following))


@bp.get("/series/<match_id:series>")
def series(series: str) -> Response:
    """The matches of a series, which bears the id of its first match, and its totals."""
    first = queries.match_for(annals(), series, viewer_id())
    if first.series is None or first.series.id != series:
        raise NotFound("There is no such series.")
    matches = _matches(first)
    last = matches[-1]
    totals = last.series_score or last.series
    assert totals
    content = {
        "id": series,
        "game": first.game.key,
        "matches": [_match(match) for match in matches],
        "totals": last.series_score.totals if last.series_score else totals.penalties,
        "over": bool(last.series_score and last.series_score.over),
        "winners": last.series_score.winners if last.series_score else [],
    }
    return answer(content)


def _matches(first: Match) -> list[Match]:
    """The matches of a series so far, as each leads to the next."""
    matches = [first]
    while (following := matches[-1].next_match) is not None:
        matches.append(annals().matches.latest(following))
    return matches


def _match(match: Match) -> Json:
    assert match.series
    return {
        "id": match.id,
        "number": match.series.number,
        "status": match.status,
        "penalties": match.series_score.penalties if match.series_score else None,
    }


def _page(game: str, schema: PlacesQuery) -> tuple[list[Standing], int | None, bool]:
    """The page that is asked for, after which place the next one begins, and whether all ratings
    are shown.
    """
    annals().game(game)
    asked = query(schema)
    after, limit, provisional = asked["after"], asked["limit"], asked["provisional"]
    redis = annals().store.redis
    found = ratings.standings(redis, game, after, limit + 1, provisional=provisional)
    return found[:limit], after + limit if len(found) > limit else None, provisional


def _standing(one: Standing, names: Mapping[str, str]) -> Json:
    return {
        "place": one.place,
        "competitor": one.competitor,
        "name": names.get(one.competitor, one.competitor),
        "rating": round(one.rating.sure, 3),
        "mu": one.rating.mu,
        "sigma": one.rating.sigma,
        **profiles.strength(one.rating),
        "played": one.rating.played,
        "won": one.rating.won,
    }
