"""Browser sessions: signing in and out, and codes to sign in on another device."""

from __future__ import annotations

from flask import Blueprint, Response, g, request

from service.accounts.players import Player
from service.accounts.tokens import token_key
from service.channels.push.browsers import PushSubscriptions
from service.http.context import (
    annals,
    authenticate,
    caller,
    check_same_site,
    check_scope,
    context,
    session,
    session_by_token,
)
from service.http.cookies import (
    browser_name,
    delete_session_cookie,
    session_token,
    set_session_cookie,
)
from service.http.json_responses import NO_STORE, Json, json_response
from service.http.requests import parse_body
from service.http.schemas.accounts import NewSession
from service.http.schemas.common import EmptyObject
from service.matches.queries import iso
from service.runtime.errors import UnknownToken
from service.store.redis_failures import log_redis_failures

bp = Blueprint("sessions", __name__, url_prefix="/v1/session")
NEW_SESSION, NOTHING = NewSession(), EmptyObject()


@bp.post("")
def sign_in() -> Response:
    """Sign this browser in; ends its previous session."""
    check_same_site()
    credentials = parse_body(NEW_SESSION)
    player, by = _authorize(credentials)
    browser = browser_name(request.user_agent.string)
    token = context().sessions.begin(player, browser, annals().now(), by)
    with log_redis_failures("session_not_ended", player=player.id):
        _end_session()
    g.player = player
    response = json_response({"player": player}, 201, NO_STORE)
    set_session_cookie(response, token, request.is_secure)
    return response


@bp.delete("")
def sign_out() -> Response:
    """Sign this browser out."""
    _end_session()
    response = Response(status=204)
    delete_session_cookie(response, request.is_secure)
    return response


@bp.post("/codes")
def create_code() -> Response:
    """Create a code that signs another browser in."""
    authenticate("account")
    parse_body(NOTHING, optional=True)
    code, ends = context().sessions.issue_code(session().token, annals().now())
    return json_response({"code": code, "expires_at": iso(ends)}, 201, NO_STORE)


def _authorize(credentials: Json) -> tuple[Player, str]:
    """Return the player of this token or code, and the id of the token, or of the one that created
    the code; it needs all scopes, as the session has them.
    """
    if "code" in credentials:
        context().recovery_quota.use(caller().address, annals().now())
        return context().sessions.redeem_code(credentials["code"])
    text = credentials["token"].strip()
    found = check_scope(session_by_token(annals(), text), "account")
    if annals().players.tokens.find(token_key(text)) is None:
        raise UnknownToken("This token has ended.")
    return found.player, found.token.id


def _end_session() -> None:
    text = session_token(request.headers.get("Cookie"))
    if g.by_cookie and text:
        ended = context().sessions.end_by_token(text)
        if ended is not None:
            PushSubscriptions(annals().store).remove_all(ended.player, ended.id)
