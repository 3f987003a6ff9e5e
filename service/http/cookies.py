"""The session cookie of a browser, and whether a page of ours sent it."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from flask import Response

from service.accounts.tokens import SESSION_LIFETIME_S

SESSION_COOKIE = "annals_session"
SAME_ORIGIN = "same-origin"
_SESSION = re.compile(rf"(?:^|;)[ \t]*{SESSION_COOKIE}=([^;]*)")
_BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "Chrom": "Chrome",
    "CriOS": "Chrome",
    "Safari": "Safari",
}
"""Marks in `User-Agent`, the most specific first: many browsers name others as well."""
_SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "Mac OS": "macOS",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}


def session_token(cookies: str | None) -> str | None:
    """Return the token in a `Cookie` header, or None if there is none, or several, of which another
    site may have set one.
    """
    tokens = _SESSION.findall(cookies) if cookies else []
    return tokens[0].strip() if len(tokens) == 1 else None


def is_same_site(site: str | None, origin: str | None, own: tuple[str, ...]) -> bool:
    """Return whether a page of one of our `own` origins sent a request, by its `Sec-Fetch-Site` and
    `Origin`, which pages cannot set. Browsers omit the first without TLS.
    """
    return site == SAME_ORIGIN if site is not None else origin in own


def origin_of(url: str) -> str:
    """Scheme, host and port of a URL, as browsers write an origin."""
    parts = urlsplit(url.lower())
    return f"{parts.scheme}://{parts.netloc}"


def set_session_cookie(response: Response, token: str, secure: bool) -> None:
    """Set the session cookie to this token; `Secure` if the request came over TLS."""
    _set_cookie(response, token, SESSION_LIFETIME_S, secure)


def delete_session_cookie(response: Response, secure: bool) -> None:
    """Delete the session cookie."""
    _set_cookie(response, "", 0, secure)


def _set_cookie(response: Response, token: str, seconds: int, secure: bool) -> None:
    response.set_cookie(
        SESSION_COOKIE,
        token,
        max_age=seconds,
        path="/",
        secure=secure,
        httponly=True,
        samesite="Lax",
    )


def browser_name(agent: str | None) -> str:
    """Return a name for a browser from its `User-Agent`, the same in all languages, such as
    *Firefox, Linux*.
    """
    browser = _first(_BROWSERS, agent or "") or "Browser"
    system = _first(_SYSTEMS, agent or "")
    return f"{browser}, {system}" if system else browser


def _first(names: dict[str, str], agent: str) -> str | None:
    return next((name for sign, name in names.items() if sign in agent), None)
