"""Who looks at a page, and in which language: a browser says both by cookies."""

from __future__ import annotations

from flask import g, request

from domain.engine.telling import LANGUAGES
from service.http.context import annals, context, session_by_cookie, viewer, whose_share
from service.http.cookies import token_of_session
from service.http.language import language
from service.players import Player

LANGUAGE = "annals_language"
"""What somebody chose in the settings; read by pages alone."""


def recognize() -> None:
    """Note who asks, by their cookie, and count it: a session that has ended is nobody's."""
    if token := token_of_session(request.headers.get("Cookie")):
        g.session = session_by_cookie(annals(), token)
        g.player = g.session.player if g.session else None
    g.counted = whose_share()
    context().limits.count(g.counted)


def visitor() -> Player | None:
    """The player who looks; None if it is nobody known."""
    return viewer()


def visitors_language() -> str:
    """That of the address, or that of the settings, or that of the browser."""
    chosen = request.cookies.get(LANGUAGE, "")
    return chosen if chosen in LANGUAGES and "language" not in request.args else language()
