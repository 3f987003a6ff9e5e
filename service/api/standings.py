"""Leaderboards, and series of matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flask import Blueprint, Response

from domain.match.state import Match
from service import queries, ratings
from service.errors import NotFound
from service.http import list_responses
from service.http.context import annals, viewer_id
from service.http.requests import query
from service.http.responses import Json, answer
from service.http.schemas import PlacesQuery
from service.ratings import Standing

bp = Blueprint("standings", __name__, url_prefix="/v1")
PLACES = PlacesQuery()


@bp.get("/leaderboards/<game>")
def leaderboard(game: str) -> Response:
    """The ratings of a game, the best first."""
    if game not in annals().games:
        raise NotFound("There is no such game.")
    asked = query(PLACES)
    after, limit = asked["after"], asked["limit"]
    found = ratings.standings(annals().store.redis, game, after, limit + 1)
    page, following = found[:limit], after + limit if len(found) > limit else None
    names = _names(game, page)
    content = {
        "standings": [_standing(place, one, names) for place, one in enumerate(page, after + 1)],
        "next": following,
    }
    return answer(content, headers=list_responses.next_link(following))


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


def _names(game: str, standings: Sequence[Standing]) -> Mapping[str, str]:
    """The names of competitors now: of players, and of the levels of bots."""
    bots = {f"bot:{level.key}": level.name for level in annals().games[game].levels}
    players = {one.competitor for one in standings} - bots.keys()
    return {**bots, **annals().players.names(players)}


def _standing(place: int, one: Standing, names: Mapping[str, str]) -> Json:
    return {
        "place": place,
        "competitor": one.competitor,
        "name": names.get(one.competitor, one.competitor),
        "rating": round(one.rating.sure, 3),
        "mu": one.rating.mu,
        "sigma": one.rating.sigma,
        "played": one.rating.played,
        "won": one.rating.won,
    }
