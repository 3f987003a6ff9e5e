"""Whom the caller has muted for themselves."""

from __future__ import annotations

from flask import Blueprint, Response

from service.accounts.people.lookup import find_by_id
from service.http.context import annals, authenticate
from service.http.json_responses import NO_STORE, json_response
from service.http.requests import parse_body, parse_query
from service.http.schemas.common import EmptyObject
from service.runtime.errors import NotFound
from service.talk.mutes import Mutes

bp = Blueprint("mutes", __name__, url_prefix="/v1/me/mutes")
NOTHING = EmptyObject()


@bp.get("")
def mutes() -> Response:
    """Return the players whom the caller has muted."""
    player = authenticate("read")
    parse_query(NOTHING)
    muted = _mutes().of(player.id)
    names = annals().players.names(muted)
    content = {"players": [{"id": one, "name": names.get(one, one)} for one in muted]}
    return json_response(content, headers=NO_STORE)


@bp.put("/<player>")
def mute(player: str) -> Response:
    """Mute a player for the caller; they do not learn of it."""
    reader = authenticate("play")
    parse_body(NOTHING, optional=True)
    found = find_by_id(annals().store.redis, annals().players, player, reader.id)
    if found is None or found.id == reader.id:
        raise NotFound("There is no such player to mute.")
    _mutes().add(reader.id, found.id)
    return Response(status=204)


@bp.delete("/<player>")
def unmute(player: str) -> Response:
    """Let the caller read a player again."""
    reader = authenticate("play")
    _mutes().remove(reader.id, player)
    return Response(status=204)


def _mutes() -> Mutes:
    return Mutes(annals().store.redis)
