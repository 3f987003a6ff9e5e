"""One's own account: who one is, tokens, recovery, another name, the end."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, g

from projections.lists.results import record_of
from service.accounts.players import Player
from service.accounts.tokens import Token
from service.channels import account_deletion
from service.channels.webhooks.owner_notices import notices
from service.http.context import annals, caller, context, session, whose_share
from service.http.json_responses import Json, answer
from service.http.requests import body, query
from service.http.schemas.accounts import NewName, NewToken, Recovery
from service.http.schemas.common import NameQuery, Nothing
from service.matches.queries import iso
from service.runtime.errors import BadQuery

bp = Blueprint("account", __name__, url_prefix="/v1")
NAME, NEW_NAME, NEW_TOKEN, NOTHING = NameQuery(), NewName(), NewToken(), Nothing()
RECOVERY = Recovery()
SECRET = {"Cache-Control": "no-store"}


@bp.get("/me")
def me() -> Response:
    """Who the caller is, with a record of private matches that nobody else gets to see, and what
    they should know.
    """
    player, store = caller("read"), annals().store
    seed = annals().seeds.next(player.id)
    content = {
        "id": player.id,
        "name": player.name,
        "scopes": session().token.scopes,
        "record": record_of(store.redis, store.partitions, player.id),
        "private_record": record_of(store.redis, store.partitions, player.id, "private"),
        "next_seed": {"index": seed.index, "seed_hash": seed.hash},
        "notices": notices(context().webhooks, player.id),
    }
    return answer(content)


@bp.delete("/me")
def delete() -> Response:
    """Leave for good; the name is sent along, so that nobody does it by accident."""
    player = caller("account")
    if annals().players.by_name(query(NAME)["name"]) != player:
        raise BadQuery([("name", "This is not your name.")])
    account_deletion.delete(annals(), player)
    return Response(status=204)


@bp.post("/me/name")
def rename() -> Response:
    """Take another name."""
    player = caller("account")
    return answer(annals().players.rename(player, body(NEW_NAME)["name"]))


@bp.post("/me/token")
def renew_token() -> Response:
    """Replace the token of the account; the new one is shown this once. A session stays."""
    player = caller("account")
    body(NOTHING, optional=True)
    players, now = annals().players, annals().now()
    if session().token.session:
        return _with_token(player, players.renew_for(player.id, now))
    return _with_token(player, players.renew(session(), g.bearer, now))


@bp.get("/me/tokens")
def tokens() -> Response:
    """All tokens of the caller, none of them in full."""
    player = caller("account")
    return answer({"tokens": [_token(one) for one in annals().players.tokens.of(player.id)]})


@bp.post("/me/tokens")
def give_token() -> Response:
    """Make a token for some scopes; it is shown this once."""
    player, data = caller("account"), body(NEW_TOKEN)
    scopes = tuple(dict.fromkeys(data["scopes"]))
    seconds, now = data.get("expires_in_s"), annals().now()
    given, text = annals().players.tokens.give_named(player.id, data["name"], scopes, seconds, now)
    return answer({**_token(given), "token": text}, 201, SECRET)


@bp.delete("/me/tokens/<token>")
def revoke_token(token: str) -> Response:
    """End a token."""
    annals().players.revoke(caller("account").id, token)
    return Response(status=204)


@bp.post("/me/recovery-codes")
def give_recovery_codes() -> Response:
    """New recovery codes instead of the old ones; they are shown this once."""
    player = caller("account")
    body(NOTHING, optional=True)
    return answer({"recovery_codes": annals().players.recovery.give(player.id)}, 201, SECRET)


@bp.post("/recovery")
def recover() -> Response:
    """A new token for whoever has a recovery code; it is shown this once, and all others end."""
    data, now = body(RECOVERY), annals().now()
    context().recoveries.use(whose_share().address, now)
    player, token = annals().players.recover(data["name"], data["code"], now)
    g.player = player
    return _with_token(player, token)


def _with_token(player: Player, token: str) -> Response:
    return answer({"player": player, "token": token}, 201, SECRET)


def _token(one: Token) -> Json:
    shown: dict[str, Any] = {
        "id": one.id,
        "name": one.name,
        "scopes": one.scopes,
        "created_at": iso(one.created_at),
        "expires_at": None if one.expires_at is None else iso(one.expires_at),
        "session": one.session,
        "current": one.id == session().token.id,
    }
    return shown
