"""The visitor of a page and their language, from cookies."""

from __future__ import annotations

from flask import Response, g, request

from domain.engine.sentences import LANGUAGES
from service.accounts.players import Player
from service.http.context import annals, caller, context, identify_browser, viewer
from service.http.language import language
from service.runtime.errors import BannedPlayer

LANGUAGE_COOKIE = "annals_language"
"""The cookie with the language from the settings; only pages read it."""
LANGUAGE_LIFETIME_S = 31_536_000
"""How long a browser keeps it: a year, as the scripts of the page say too."""


def identify_visitor() -> None:
    """Identify the visitor by their cookie and count the request, also if that fails."""
    try:
        identify_browser()
    finally:
        g.counted = caller()
        context().limits.count(g.counted)


def visitor() -> Player | None:
    """The player who visits; None if no player is signed in."""
    return viewer()


def current_visitor() -> Player | None:
    """The player who visits, with their present name: this process may have cached an older one."""
    me = visitor()
    return me and (annals().players.by_id(me.id) or me)


def ban_reason() -> str | None:
    """Why the player who is signed in in this browser is banned; None if they are not."""
    banned: BannedPlayer | None = g.banned
    return banned.why if banned else None


def visitor_language() -> str:
    """The language of the query, of the settings, or of the browser, in this order."""
    chosen = request.cookies.get(LANGUAGE_COOKIE, "")
    return chosen if chosen in LANGUAGES and "language" not in request.args else language()


def keep_language(response: Response, language: str) -> None:
    """Show the pages that the visitor opens from now on in this language."""
    response.set_cookie(LANGUAGE_COOKIE, language, max_age=LANGUAGE_LIFETIME_S, samesite="Lax")
