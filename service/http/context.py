"""What the routes stand on: the service of this app, and the caller of this request."""

from __future__ import annotations

from typing import cast

from flask import current_app, g, request

from service.annals import Annals
from service.errors import Unauthorized
from service.http.rate_limit import RateLimit
from service.players import Player
from service.watch import Watcher


class Context:
    """What the routes of an app work with."""

    def __init__(self, annals: Annals) -> None:
        self.annals = annals
        self.watcher = Watcher(
            annals.store, annals.settings.max_streams, annals.settings.streams_each
        )
        self.limits = RateLimit(annals.settings.rate)


def context() -> Context:
    """What this app works with."""
    return cast(Context, current_app.extensions["annals"])


def annals() -> Annals:
    """The service of this app."""
    return context().annals


def viewer() -> Player | None:
    """Who asks, if he says so."""
    return cast("Player | None", g.player)


def viewer_id() -> str | None:
    """The id of who asks, if he says so."""
    player = viewer()
    return player.id if player else None


def whose_share() -> str:
    """Whose limits count: whoever does not say who he is shares those of his address."""
    return viewer_id() or f"address:{request.remote_addr}"


def caller() -> Player:
    """Who asks; Unauthorized if he does not say so."""
    player = viewer()
    if player is None:
        raise Unauthorized("Send a token: `Authorization: Bearer <token>`.")
    return player


def identify(token: str | None = None) -> Player | None:
    """The player whose token came with this request; Unauthorized if it is nobody's."""
    token = bearer() if token is None else token
    if token is None:
        return None
    player = annals().players.by_token(token.strip())
    if player is None:
        raise Unauthorized("Nobody has this token.")
    return player


def bearer() -> str | None:
    """The token that came with this request, if any; Unauthorized if it is none."""
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer":
        raise Unauthorized("Send a token: `Authorization: Bearer <token>`.")
    return token.strip()
