"""The cookie that a browser's session is in, and whether a page of ours sends it."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from flask import Response

from service.accounts.tokens import SESSION_S

COOKIE = "annals_session"
OWN = "same-origin"
_SESSION = re.compile(rf"(?:^|;)[ \t]*{COOKIE}=([^;]*)")
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
"""What browsers call themselves; those come first that call themselves like others, too."""
_SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "Mac OS": "macOS",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}


def token_of_session(cookies: str | None) -> str | None:
    """The token in a `Cookie` header; None if there is none, or if several are there, of which
    somebody else may have put one.
    """
    found = _SESSION.findall(cookies) if cookies else []
    return found[0].strip() if len(found) == 1 else None


def from_own_page(site: str | None, origin: str | None, own: tuple[str, ...]) -> bool:
    """Whether a page of one of our `own` origins sent a request, by its `Sec-Fetch-Site` and
    `Origin`, which no page can choose. Browsers leave out the first where there is no TLS.
    """
    return site == OWN if site is not None else origin in own


def origin_of(url: str) -> str:
    """Scheme, host and port of a URL, as browsers write an origin."""
    parts = urlsplit(url.lower())
    return f"{parts.scheme}://{parts.netloc}"


def keep_session(response: Response, token: str, secure: bool) -> None:
    """Let the browser send this token from now on; over TLS alone, if it came so."""
    _set(response, token, SESSION_S, secure)


def drop_session(response: Response, secure: bool) -> None:
    """Let the browser forget its session."""
    _set(response, "", 0, secure)


def _set(response: Response, token: str, seconds: int, secure: bool) -> None:
    response.set_cookie(
        COOKIE, token, max_age=seconds, path="/", secure=secure, httponly=True, samesite="Lax"
    )


def browser_of(agent: str | None) -> str:
    """What people call a browser that calls itself so, such as *Firefox, Linux*: in no language."""
    browser = _first(_BROWSERS, agent or "") or "Browser"
    system = _first(_SYSTEMS, agent or "")
    return f"{browser}, {system}" if system else browser


def _first(names: dict[str, str], agent: str) -> str | None:
    return next((name for sign, name in names.items() if sign in agent), None)
