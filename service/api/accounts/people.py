"""What is between the caller and other people: whom they follow and block, and what they show."""

from __future__ import annotations

from flask import Blueprint, Response

from service.accounts.people import meeting, presence
from service.accounts.people.player_lists import PlayerList
from service.accounts.people.presence import Presence
from service.accounts.players import Player, is_player_id
from service.http.context import annals, authenticate
from service.http.json_responses import NO_STORE, Json, json_response
from service.http.requests import parse_body, parse_query
from service.http.responses import list_responses
from service.http.schemas.common import EmptyObject, PageQuery
from service.http.schemas.people import NewPresence
from service.matches.queries import iso
from service.runtime.errors import NotFound

bp = Blueprint("people", __name__, url_prefix="/v1/me")
PAGE, NOTHING, PRESENCE = PageQuery(), EmptyObject(), NewPresence()


@bp.get("/follows")
def follows() -> Response:
    """Return the players whom the caller follows, the latest first."""
    return _list_response(
        authenticate("read"), meeting.follows_in(annals().store.redis), with_presence=True
    )


@bp.put("/follows/<player>")
def follow(player: str) -> Response:
    """Follow a player. Idempotent; the player does not learn of it."""
    caller = _authenticate_change(player)
    if annals().players.by_id(player) is None:
        raise NotFound("There is no such player.")
    meeting.follow(annals().store.redis, caller.id, player, annals().now())
    _remove_if_deleted(meeting.follows_in(annals().store.redis), caller, player)
    return Response(status=204)


@bp.delete("/follows/<player>")
def unfollow(player: str) -> Response:
    """Follow a player no longer. Idempotent."""
    caller = _authenticate_change(player)
    meeting.follows_in(annals().store.redis).remove(caller.id, player)
    return Response(status=204)


@bp.get("/presence")
def own_presence() -> Response:
    """Return whether followers see when the caller is here."""
    caller = authenticate("read")
    parse_query(NOTHING)
    shown = presence.shows_presence(annals().store.redis, caller.id)
    return json_response({"shown": shown}, headers=NO_STORE)


@bp.put("/presence")
def set_presence() -> Response:
    """Let followers see when the caller is here, or hide it. Idempotent."""
    caller, shown = authenticate("account"), parse_body(PRESENCE)["shown"]
    parse_query(NOTHING)
    if shown:
        presence.show_presence(annals().store.redis, caller.id, annals().now())
    else:
        presence.hide_presence(annals().store.redis, caller.id)
    return json_response({"shown": shown}, headers=NO_STORE)


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
    _remove_if_deleted(meeting.blocks_in(annals().store.redis), caller, player)
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


def _remove_if_deleted(people: PlayerList, caller: Player, player: str) -> None:
    """Remove a player from a list of the caller if they are deleted, maybe since the request came:
    the deletion may have erased the lists before the player was in this one.
    """
    if annals().players.is_deleted(player):
        people.remove(caller.id, player)


def _list_response(caller: Player, people: PlayerList, *, with_presence: bool = False) -> Response:
    query, store = parse_query(PAGE), annals().store
    redis = store.redis
    page = people.page(caller.id, query.get("after"), query["limit"])
    ids = [one.id for one in page.items]
    hidden = meeting.find_blocking(redis, caller.id, ids)
    names = annals().players.names([one for one in ids if one not in hidden])
    asked = ids if with_presence else []
    seen = presence.find_presence(redis, store.partitions, asked, annals().now())
    content = {
        "players": [
            {
                "id": one.id,
                "name": names.get(one.id),
                "since": iso(one.since),
                "presence": _presence_json(seen.get(one.id)),
            }
            for one in page.items
        ],
        "count": people.count(caller.id),
        "max": people.max_players,
        "next": page.next,
    }
    return json_response(content, headers={**NO_STORE, **list_responses.next_link(page.next)})


def _presence_json(seen: Presence | None) -> Json | None:
    return seen and {"state": seen.state, "seen_at": iso(seen.seen_at)}
