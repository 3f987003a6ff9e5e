"""Sessions of browsers: signing in, signing out, and codes to sign in on another device."""

from __future__ import annotations

from flask import Blueprint, Response, g, request

from service.accounts.players import Player
from service.accounts.tokens import key_of
from service.http.context import (
    admitted,
    annals,
    caller,
    check_own_page,
    context,
    session,
    session_of,
    whose_share,
)
from service.http.cookies import browser_of, drop_session, keep_session, token_of_session
from service.http.json_responses import Json, answer
from service.http.requests import body
from service.http.schemas.accounts import NewSession
from service.http.schemas.common import Nothing
from service.matches.queries import iso
from service.runtime.errors import Unauthorized

bp = Blueprint("sessions", __name__, url_prefix="/v1/session")
NEW_SESSION, NOTHING = NewSession(), Nothing()
SECRET = {"Cache-Control": "no-store"}


@bp.post("")
def begin() -> Response:
    """Sign this browser in; its session, if it has one, ends."""
    check_own_page()
    asked = body(NEW_SESSION)
    player = _whose(asked)
    token = context().sessions.begin(player, browser_of(request.user_agent.string), annals().now())
    _end()
    g.player = player
    response = answer({"player": player}, 201, SECRET)
    keep_session(response, token, request.is_secure)
    return response


@bp.delete("")
def end() -> Response:
    """Sign this browser out."""
    _end()
    response = Response(status=204)
    drop_session(response, request.is_secure)
    return response


@bp.post("/codes")
def offer() -> Response:
    """A code by which the caller can sign in another browser."""
    caller("account")
    body(NOTHING, optional=True)
    code, ends = context().sessions.offer(session().token, annals().now())
    return answer({"code": code, "expires_at": iso(ends)}, 201, SECRET)


def _whose(asked: Json) -> Player:
    """Whose token or code this is: a session is for everything, so the token has to be, too."""
    if "code" in asked:
        context().recoveries.use(whose_share().address, annals().now())
        return context().sessions.by_code(asked["code"])
    text = asked["token"].strip()
    found = admitted(session_of(annals(), text), "account")
    if annals().players.tokens.find(key_of(text)) is None:
        raise Unauthorized("This token has ended.")
    return found.player


def _end() -> None:
    text = token_of_session(request.headers.get("Cookie"))
    if g.by_cookie and text:
        context().sessions.end_by(text)
