"""The settings: the account and its devices, and the preferences of this browser."""

from __future__ import annotations

from typing import Any

from flask import Response, g

from service.accounts.tokens import SCOPES, Token
from service.http.context import annals, context
from service.matches.queries import iso
from service.page.frame import bp, render
from service.page.visitor import visitor


@bp.get("/settings")
def settings() -> Response:
    """The settings of the visitor and of this browser."""
    me = visitor()
    tokens = annals().players.tokens.of_player(me.id) if me else []
    return render(
        "settings",
        modules=("settings.js",),
        tokens=[_token(one) for one in tokens],
        is_operator=me is not None and context().operators.has(me.id),
    )


def _kind(one: Token) -> str:
    """What the token of a program allows most, or `session`; "" for the token of the account."""
    if one.session or one.name is None:
        return "session" if one.session else ""
    return max(one.scopes, key=SCOPES.index)


def _token(one: Token) -> dict[str, Any]:
    return {
        "id": one.id,
        "name": one.name,
        "kind": _kind(one),
        "at": iso(one.created_at),
        "until": None if one.expires_at is None else iso(one.expires_at),
        "current": one.id == g.session.token.id,
    }
