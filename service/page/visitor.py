"""Who looks at a page, and in which language: a browser says both by cookies."""

from __future__ import annotations

from contextlib import suppress

from flask import g, request

from domain.engine.telling import LANGUAGES
from service.errors import Unauthorized
from service.http.context import annals, context, session_of, viewer, whose_share
from service.http.language import language
from service.players import Player

SESSION = "annals_session"
LANGUAGE = "annals_language"
"""What somebody chose in the settings; read by pages alone."""


def recognize() -> None:
    """Note who asks, by their cookie, and count it: a session that has ended is nobody's."""
    if token := request.cookies.get(SESSION):
        with suppress(Unauthorized):
            g.session = session_of(annals(), token)
            g.player = g.session.player
    g.counted = whose_share()
    context().limits.count(g.counted)


def visitor() -> Player | None:
    """The player who looks; None if it is nobody known."""
    return viewer()


def visitors_language() -> str:
    """That of the address, or that of the settings, or that of the browser."""
    chosen = request.cookies.get(LANGUAGE, "")
    return chosen if chosen in LANGUAGES and "language" not in request.args else language()
