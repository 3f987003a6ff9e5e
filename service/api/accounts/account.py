"""The caller's account: profile, tokens, recovery, name, deletion."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, g

from projections.lists.results import read_record
from service.accounts.players import Player
from service.accounts.tokens import Token
from service.channels import account_deletion
from service.channels.outside_access import end_outside_access
from service.channels.push.browsers import PushSubscriptions
from service.channels.webhooks.health_messages import health_messages
from service.http.context import (
    annals,
    authenticate,
    caller,
    context,
    session,
    undo_if_ended,
)
from service.http.json_responses import NO_STORE, Json, json_response
from service.http.requests import parse_body, parse_query
from service.http.schemas.accounts import NewName, NewToken, RecoveryRequest
from service.http.schemas.common import EmptyObject, NameQuery
from service.matches.queries import iso
from service.runtime.errors import BadQuery

bp = Blueprint("account", __name__, url_prefix="/v1")
NAME, NEW_NAME, NEW_TOKEN, NOTHING = NameQuery(), NewName(), NewToken(), EmptyObject()
RECOVERY = RecoveryRequest()


@bp.get("/me")
def me() -> Response:
    """Return the caller, with their record of private matches and warnings about their webhooks."""
    parse_query(NOTHING)
    player, store = authenticate("read"), annals().store
    seed = annals().seeds.next(player.id)
    content = {
        "id": player.id,
        "name": player.name,
        "scopes": session().token.scopes,
        "record": read_record(store.redis, store.partitions, player.id),
        "private_record": read_record(store.redis, store.partitions, player.id, "private"),
        "next_seed": {"index": seed.index, "seed_hash": seed.hash},
        "webhook_warnings": health_messages(context().webhooks, player.id),
    }
    return json_response(content)


@bp.delete("/me")
def delete() -> Response:
    """Delete the account; the query repeats the name to prevent accidents."""
    player = authenticate("account")
    if annals().players.by_name(parse_query(NAME)["name"]) != player:
        raise BadQuery([("name", "This is not your name.")])
    account_deletion.delete_account(annals(), player)
    return Response(status=204)


@bp.post("/me/name")
def rename() -> Response:
    """Change the caller's name."""
    player = authenticate("account")
    return json_response(annals().players.rename(player, parse_body(NEW_NAME)["name"]))


@bp.post("/me/token")
def renew_token() -> Response:
    """Replace the account token and respond with the new one, once. A session stays."""
    player = authenticate("account")
    parse_body(NOTHING, optional=True)
    players, now = annals().players, annals().now()
    players.keep_account(player.id)
    if session().token.session:
        by = session().token.id
        return _token_response(player, players.replace_account_token(player.id, now, by))
    return _token_response(player, players.replace_token(session(), g.bearer, now))


@bp.get("/me/tokens")
def tokens() -> Response:
    """Return all tokens of the caller, without their secrets."""
    parse_query(NOTHING)
    player = authenticate("account")
    return json_response(
        {"tokens": [_token_json(one) for one in annals().players.tokens.of_player(player.id)]}
    )


@bp.post("/me/tokens")
def create_token() -> Response:
    """Create a token with some scopes and respond with it, once."""
    player, data = authenticate("account"), parse_body(NEW_TOKEN)
    scopes = tuple(dict.fromkeys(data["scopes"]))
    seconds, now = data.get("expires_in_s"), annals().now()
    created, text = annals().players.tokens.issue_named(
        player.id, data["name"], scopes, seconds, now
    )
    annals().players.tokens.confirm(text, player.id, session().token.id)
    return json_response({**_token_json(created), "token": text}, 201, NO_STORE)


@bp.delete("/me/tokens/<token>")
def revoke_token(token: str) -> Response:
    """Revoke a token."""
    player = authenticate("account").id
    annals().players.revoke(player, token)
    PushSubscriptions(annals().store).remove_all(player, token)
    return Response(status=204)


@bp.post("/me/recovery-codes")
def create_recovery_codes() -> Response:
    """Replace the recovery codes and respond with the new ones, once."""
    player = authenticate("account")
    parse_body(NOTHING, optional=True)
    annals().players.keep_account(player.id)
    recovery = annals().players.recovery
    codes = recovery.issue(player.id)
    undo_if_ended(lambda: recovery.delete_all(player.id))
    return json_response({"recovery_codes": codes}, 201, NO_STORE)


@bp.post("/recovery")
def recover() -> Response:
    """Exchange a recovery code for a new token, shown once; all other access to it ends."""
    data, now = parse_body(RECOVERY), annals().now()
    context().recovery_quota.use(caller().address, now)
    player, token = annals().players.recover(data["name"], data["code"], now)
    end_outside_access(annals(), player.id)
    g.player = player
    return _token_response(player, token)


def _token_response(player: Player, token: str) -> Response:
    return json_response({"player": player, "token": token}, 201, NO_STORE)


def _token_json(one: Token) -> Json:
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
