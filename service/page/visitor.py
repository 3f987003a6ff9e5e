"""Who looks at a page, and in which language: a browser says both by cookies."""

from __future__ import annotations

from flask import g, request

from domain.engine.sentences import LANGUAGES
from service.accounts.players import Player
from service.http.context import context, identify_browser, viewer, whose_share
from service.http.language import language
from service.runtime.errors import Banned

LANGUAGE = "annals_language"
"""What somebody chose in the settings; read by pages alone."""


def recognize() -> None:
    """Note who asks, by their cookie, and count it, also if that cannot be found out."""
    try:
        identify_browser()
    finally:
        g.counted = whose_share()
        context().limits.count(g.counted)


def visitor() -> Player | None:
    """The player who looks; None if it is nobody known."""
    return viewer()


def kept_out() -> str | None:
    """Why the player who is signed in in this browser may not play here, if they may not."""
    banned: Banned | None = g.banned
    return banned.why if banned else None


def visitors_language() -> str:
    """That of the address, or that of the settings, or that of the browser."""
    chosen = request.cookies.get(LANGUAGE, "")
    return chosen if chosen in LANGUAGES and "language" not in request.args else language()
