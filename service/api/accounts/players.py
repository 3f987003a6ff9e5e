"""Players: registration, profiles, and the matches that wait for the caller."""

from __future__ import annotations

from flask import Blueprint, Response, g

from domain.engine.resources.rulebook import ENGLISH
from projections.lists.results import read_record
from projections.lists.turns import find_turns
from service import ratings
from service.accounts.people.lookup import find_by_name
from service.accounts.players import Player
from service.http.context import annals, authenticate, caller, context, viewer_id
from service.http.json_responses import json_response
from service.http.language import language
from service.http.requests import parse_body, parse_query
from service.http.responses import list_responses
from service.http.responses.chart_responses import chart_response
from service.http.schemas.accounts import NewPlayer
from service.http.schemas.common import EmptyObject, NameQuery, TurnsQuery
from service.http.schemas.ratings import RatingHistoryPictureQuery, RatingHistoryQuery
from service.matches import lists, profiles
from service.ratings import HistoryStep
from service.runtime.errors import NotFound
from service.store.redis_failures import log_redis_failures

bp = Blueprint("players", __name__, url_prefix="/v1")
NEW_PLAYER, NAME, TURNS, NOTHING = NewPlayer(), NameQuery(), TurnsQuery(), EmptyObject()
RATING_HISTORY, PICTURE = RatingHistoryQuery(), RatingHistoryPictureQuery()


@bp.post("/players")
def register() -> Response:
    """Register a player and respond with the token and the recovery codes, once."""
    data = parse_body(NEW_PLAYER)
    now = annals().now()
    context().registration_quota.use(caller().address, now)
    player, token = annals().players.register(data["name"], now, guest=data.get("guest", False))
    codes = list[str]()  # they can make them later; the name would be taken for ever
    with log_redis_failures("no_recovery_codes", player=player.id):
        codes = annals().players.recovery.issue(player.id)
    headers = {"Location": f"/v1/players/{player.id}", "Cache-Control": "no-store"}
    g.player = player
    return json_response({"player": player, "token": token, "recovery_codes": codes}, 201, headers)


@bp.get("/players")
def find_players() -> Response:
    """Return the player with this name: a list of one or none."""
    name, redis = parse_query(NAME)["name"], annals().store.redis
    known = find_by_name(redis, annals().players, name, viewer_id())
    return json_response({"players": [known] if known else []})


@bp.get("/players/<player>")
def player(player: str) -> Response:
    """Return the name, record, ratings and profile by game of a player or a bot."""
    parse_query(NOTHING)
    known, store = _find_player(player), annals().store
    record = read_record(store.redis, store.partitions, known.id)
    rated = {game: ratings.rating_of(store.redis, game, known.id) for game in annals().games}
    found = {game: rating for game, rating in rated.items() if rating is not None}
    content = {
        "id": known.id,
        "name": known.name,
        "record": record,
        "reliability": profiles.reliability(annals(), known.id),
        "ratings": found,
        "profile": profiles.profile(annals(), known.id, found),
    }
    return json_response(content)


@bp.get("/players/<player>/ratings")
def history(player: str) -> Response:
    """Return the rating of a player after each match of a game, the latest first."""
    known, game, steps, following = _history(player, RATING_HISTORY)
    content = {
        "player": known.id,
        "game": game,
        "history": [profiles.history_step(one) for one in steps],
        "next": following,
    }
    return json_response(content, headers=list_responses.next_link(following))


@bp.get("/players/<player>/ratings.svg")
def chart(player: str) -> Response:
    """Return the rating history as an SVG chart."""
    known, game, steps, following = _history(player, PICTURE)
    shown = profiles.chart_of_history(known.name, annals().games[game], steps, language())
    return chart_response(shown, "lines", list_responses.next_link(following))


def _find_player(player: str, language: str = ENGLISH) -> Player:
    known = profiles.find_competitor(annals(), player, language, viewer_id())
    if known is None:
        raise NotFound("There is no such player.")
    return known


def _history(
    player: str, schema: RatingHistoryQuery
) -> tuple[Player, str, list[HistoryStep], int | None]:
    """Return the player, the game, the page of their rating history, and the number after which the
    next page begins.
    """
    known, parameters = _find_player(player, language()), parse_query(schema)
    list_responses.check_game(parameters)
    game, limit = parameters["game"], parameters["limit"]
    found = ratings.history(
        annals().store.redis, game, known.id, parameters.get("after"), limit + 1
    )
    page = found[:limit]
    return known, game, page, page[-1].number if len(found) > limit else None


@bp.get("/me/turns")
def turns() -> Response:
    """Return the matches that wait for the caller, the most urgent first."""
    player, parameters = authenticate("read"), parse_query(TURNS)
    list_responses.catch_up(parameters)
    store = annals().store
    found = find_turns(
        store.redis, store.partitions, player.id, parameters.get("after"), parameters["limit"]
    )
    content = {
        "turns": [lists.turn(one) for one in found.items],
        "next": found.next,
        "lag": found.lag,
    }
    return json_response(content, headers=list_responses.next_link(found.next))
