"""Players: registration, profiles, and the matches that wait for the caller."""

from __future__ import annotations

from flask import Blueprint, Response, g

from domain.engine.resources.rulebook import ENGLISH
from projections.lists.results import record_of
from projections.lists.turns import waiting_for
from service import ratings
from service.accounts.players import Player
from service.http.context import annals, caller, context, whose_share
from service.http.json_responses import answer
from service.http.language import language
from service.http.requests import body, query
from service.http.responses import list_responses
from service.http.responses.chart_responses import picture
from service.http.schemas.accounts import NewPlayer
from service.http.schemas.common import NameQuery, TurnsQuery
from service.http.schemas.ratings import RatingsPictureQuery, RatingsQuery
from service.matches import lists, profiles
from service.ratings import History
from service.runtime.errors import NotFound

bp = Blueprint("players", __name__, url_prefix="/v1")
NEW_PLAYER, NAME, TURNS = NewPlayer(), NameQuery(), TurnsQuery()
RATINGS, PICTURE = RatingsQuery(), RatingsPictureQuery()


@bp.post("/players")
def register() -> Response:
    """Become a player; the token and the recovery codes are shown this once."""
    name = body(NEW_PLAYER)["name"]
    now = annals().now()
    context().registrations.use(whose_share().address, now)
    player, token = annals().players.register(name, now)
    codes = annals().players.recovery.give(player.id)
    headers = {"Location": f"/v1/players/{player.id}", "Cache-Control": "no-store"}
    g.player = player
    return answer({"player": player, "token": token, "recovery_codes": codes}, 201, headers)


@bp.get("/players")
def find_players() -> Response:
    """Who has a name: one player, or none."""
    known = annals().players.by_name(query(NAME)["name"])
    return answer({"players": [known] if known else []})


@bp.get("/players/<player>")
def player(player: str) -> Response:
    """A player's, or a bot's, name, record, ratings and profile by game."""
    known, store = _known(player), annals().store
    record = record_of(store.redis, store.partitions, known.id)
    rated = {game: ratings.rating_of(store.redis, game, known.id) for game in annals().games}
    found = {game: rating for game, rating in rated.items() if rating is not None}
    content = {
        "id": known.id,
        "name": known.name,
        "record": record,
        "ratings": found,
        "profile": profiles.profile(annals(), known.id, found),
    }
    return answer(content)


@bp.get("/players/<player>/ratings")
def history(player: str) -> Response:
    """How their rating in a game came about, the last match first."""
    known, game, steps, following = _history(player, RATINGS)
    content = {
        "player": known.id,
        "game": game,
        "history": [profiles.step(one) for one in steps],
        "next": following,
    }
    return answer(content, headers=list_responses.next_link(following))


@bp.get("/players/<player>/ratings.svg")
def chart(player: str) -> Response:
    """The same as a picture."""
    known, game, steps, following = _history(player, PICTURE)
    shown = profiles.chart_of_history(known.name, annals().games[game], steps, language())
    return picture(shown, "lines", list_responses.next_link(following))


def _known(player: str, language: str = ENGLISH) -> Player:
    known = profiles.find(annals(), player, language)
    if known is None:
        raise NotFound("There is no such player.")
    return known


def _history(player: str, schema: RatingsQuery) -> tuple[Player, str, list[History], int | None]:
    """Whose rating in which game is asked for, the page of its history, and after which number the
    next one begins.
    """
    known, asked = _known(player, language()), query(schema)
    list_responses.check_game(asked)
    game, limit = asked["game"], asked["limit"]
    found = ratings.history(annals().store.redis, game, known.id, asked.get("after"), limit + 1)
    page = found[:limit]
    return known, game, page, page[-1].number if len(found) > limit else None


@bp.get("/me/turns")
def turns() -> Response:
    """The matches that wait for the caller, the most urgent first."""
    who, asked = caller("read"), query(TURNS)
    list_responses.catch_up(asked)
    store = annals().store
    found = waiting_for(store.redis, store.partitions, who.id, asked.get("after"), asked["limit"])
    content = {
        "turns": [lists.turn(one) for one in found.items],
        "next": found.next,
        "behind": found.behind,
    }
    return answer(content, headers=list_responses.next_link(found.next))
