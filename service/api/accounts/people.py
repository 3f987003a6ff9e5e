"""The caller's private lists: whom they follow, and whom they block."""

from __future__ import annotations

from flask import Blueprint, Response

from service.accounts.people import meeting
from service.accounts.people.player_lists import PlayerList
from service.accounts.players import Player, is_player_id
from service.http.context import annals, authenticate
from service.http.json_responses import json_response
from service.http.requests import parse_query
from service.http.responses import list_responses
from service.http.schemas.common import EmptyObject, PageQuery
from service.matches.queries import iso
from service.runtime.errors import NotFound

bp = Blueprint("people", __name__, url_prefix="/v1/me")
PAGE, NOTHING = PageQuery(), EmptyObject()
PRIVATE = {"Cache-Control": "no-store"}


@bp.get("/follows")
def follows() -> Response:
    """Return the players whom the caller follows, the latest first."""
    return _list_response(authenticate("read"), meeting.follows_in(annals().store.redis))


@bp.put("/follows/<player>")
def follow(player: str) -> Response:
    """Follow a player. Idempotent; the player does not learn of it."""
    caller = _authenticate_change(player)
    if annals().players.by_id(player) is None:
        raise NotFound("There is no such player.")
    meeting.follow(annals().store.redis, caller.id, player, annals().now())
    return Response(status=204)


@bp.delete("/follows/<player>")
def unfollow(player: str) -> Response:
    """Follow a player no longer. Idempotent."""
    caller = _authenticate_change(player)
    meeting.follows_in(annals().store.redis).remove(caller.id, player)
    return Response(status=204)


@bp.get("/blocks")
def blocks() -> Response:
    """Return the players whom the caller blocks, the latest first."""
    return _list_response(authenticate("read"), meeting.blocks_in(annals().store.redis))


@bp.put("/blocks/<player>")
def block(player: str) -> Response:
    """Block a player. Idempotent. It accepts any id, so that the caller does not learn which
    players are hidden from them.
    """
    caller = _authenticate_change(player)
    meeting.block(annals().store.redis, caller.id, player, annals().now())
    return Response(status=204)


@bp.delete("/blocks/<player>")
def unblock(player: str) -> Response:
    """Block a player no longer. Idempotent."""
    caller = _authenticate_change(player)
    meeting.blocks_in(annals().store.redis).remove(caller.id, player)
    return Response(status=204)


def _authenticate_change(player: str) -> Player:
    """Return the caller. Raises NotFound if the other player's id cannot be one, or is theirs."""
    caller = authenticate("account")
    parse_query(NOTHING)
    if not is_player_id(player):
        raise NotFound("There is no such player.")
    if player == caller.id:
        raise NotFound("This is your own id.")
    return caller


def _list_response(caller: Player, people: PlayerList) -> Response:
    query, redis = parse_query(PAGE), annals().store.redis
    page = people.page(caller.id, query.get("after"), query["limit"])
    ids = [one.id for one in page.items]
    hidden = meeting.find_blocking(redis, caller.id, ids)
    names = annals().players.names([one for one in ids if one not in hidden])
    content = {
        "players": [
            {"id": one.id, "name": names.get(one.id), "since": iso(one.since)} for one in page.items
        ],
        "count": people.count(caller.id),
        "max": people.max_players,
        "next": page.next,
    }
    return json_response(content, headers={**PRIVATE, **list_responses.next_link(page.next)})
