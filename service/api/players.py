"""Players: registration, profiles, and the matches that wait for the caller."""

from __future__ import annotations

from flask import Blueprint, Response, g

from projections.results import record_of
from projections.turns import waiting_for
from service import lists, ratings
from service.errors import NotFound
from service.http import list_responses
from service.http.context import annals, caller, context, whose_share
from service.http.requests import body, query
from service.http.responses import answer
from service.http.schemas import NameQuery, NewPlayer, TurnsQuery

bp = Blueprint("players", __name__, url_prefix="/v1")
NEW_PLAYER, NAME, TURNS = NewPlayer(), NameQuery(), TurnsQuery()


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
    """A player's name, record and ratings by game."""
    known = annals().players.by_id(player)
    if known is None:
        raise NotFound("There is no such player.")
    store = annals().store
    record = record_of(store.redis, store.partitions, known.id)
    rated = {game: ratings.rating_of(store.redis, game, known.id) for game in annals().games}
    found = {game: rating for game, rating in rated.items() if rating is not None}
    return answer({"id": known.id, "name": known.name, "record": record, "ratings": found})


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
