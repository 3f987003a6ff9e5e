"""Middleware: request id, caller, rate limit, cross-origin headers, log and metrics."""

from __future__ import annotations

from time import perf_counter

import structlog
from flask import Flask, Request, Response, g, request
from flask.ctx import _AppCtxGlobals

from service.http.compression import pack
from service.http.context import (
    admitted,
    check_meant,
    check_own_page,
    context,
    identify,
    request_id,
    whose_share,
)
from service.http.rate_limit import RateLimits
from service.runtime import metrics

EXPOSED = (
    "ETag, Idempotency-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, "
    "X-Request-Id"
)
ALWAYS = (
    ("X-Content-Type-Options", "nosniff"),
    ("Server", ""),  # who attacks is not told what with
    ("Access-Control-Expose-Headers", EXPOSED),
)
PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST, PATCH, DELETE, OPTIONS",
    "Access-Control-Allow-Headers": (
        "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, "
        "X-Request-Id"
    ),
    "Access-Control-Max-Age": "86400",
}
READING = ("GET", "HEAD")
REFUSED = "annals.refused"
"""In the environment of a request that was counted and refused already: why it was refused."""
SIGNED = ("discord.interactions", "discord.events")
"""Routes whose callers show by a signature who they are: they are counted once it is checked."""
SIGNING = ("sessions.begin", "sessions.end", "account.recover")
"""Routes by which a browser becomes somebody else's, also that of a player who is kept out."""
log = structlog.get_logger("annals.web")


def add_middleware(app: Flask) -> None:
    """Do this before and after each request of the app."""
    app.before_request(before)
    app.after_request(after)


def before() -> Response | None:
    """Note when the request came and who asks, and count it; answers preflights itself."""
    asked, noted = _asked(), _noted()
    noted.began = perf_counter()
    # Set before anything can be refused, because `after` reads them then too.
    noted.player = noted.session = noted.bearer = noted.fault = noted.counted = None
    noted.banned, noted.by_cookie = None, False
    if asked.method == "OPTIONS" and "Access-Control-Request-Method" in asked.headers:
        return Response(status=204, headers=PREFLIGHT)
    if asked.path.startswith("/v1/") and asked.endpoint not in SIGNED:
        _identify_and_count(context().limits)
    return None


def after(response: Response) -> Response:
    """Add the headers of every answer, and log it."""
    headers, here, noted = response.headers, context(), _noted()
    headers.add("X-Request-Id", request_id())
    headers.extend(ALWAYS)
    origin = allowed_origin(request.headers.get("Origin"), here.annals.settings.cors_origins)
    if origin:
        headers.add("Access-Control-Allow-Origin", origin)
        if origin != "*":
            response.vary.add("Origin")
    if request.path.startswith("/v1/") and request.method in READING:
        # Names and refusals change; and caches between do not know for whom an answer is.
        headers.setdefault("Cache-Control", "private, no-cache")
    if (counted := noted.get("counted")) is not None:
        headers.extend(here.limits.told(counted))
    pack(_asked(), response)
    _write_down(response)
    return response


def allowed_origin(origin: str | None, origins: tuple[str, ...]) -> str | None:
    """Which pages may read an answer to a page of this origin: all, that one, or none."""
    if "*" in origins:
        return "*"
    return origin if origin in origins else None


def write_down(
    request_id: str,
    method: str,
    route: str,
    match: str | None,
    status: int,
    seconds: float,
    player: str | None,
) -> None:
    """One line for each request; never what was sent, nor what was answered."""
    metrics.served(method, route, status, seconds)
    log.info(
        "request",
        id=request_id,
        method=method,
        route=route,
        match=match,
        status=status,
        ms=round(seconds * 1000, 2),
        player=player,
    )


def _identify_and_count(limits: RateLimits) -> None:
    """Count first who asks, also if the token is unknown: guessing tokens is limited too."""
    asked, noted = _asked(), _noted()
    refused = asked.environ.get(REFUSED)
    try:
        identify()
    finally:
        noted.counted = whose_share()
        if refused is None:
            limits.count(noted.counted)
    if refused is not None:
        raise refused
    if noted.banned is not None and asked.method not in READING:
        check_own_page()
        if asked.endpoint not in SIGNING:
            raise noted.banned
        return
    check_meant()
    if noted.session is None:
        return
    if asked.method in READING:
        admitted(noted.session, "read")
    elif noted.by_cookie:
        check_own_page()


def _write_down(response: Response) -> None:
    asked, noted = _asked(), _noted()
    player, fault = noted.get("player"), noted.get("fault")
    write_down(
        request_id(),
        asked.method,
        asked.url_rule.rule if asked.url_rule else "none",
        asked.view_args.get("match_id") if asked.view_args else None,
        response.status_code,
        perf_counter() - noted.get("began", perf_counter()),  # what stood before may have failed
        player.id if player else None,
    )
    if fault is not None:
        log.error("fault", id=request_id(), exc_info=fault)


def _asked() -> Request:
    """The request itself: asking its proxy again and again takes time."""
    return request._get_current_object()  # type: ignore[attr-defined,no-any-return]  # a proxy


def _noted() -> _AppCtxGlobals:
    """What is noted of this request, itself."""
    return g._get_current_object()  # type: ignore[no-any-return]  # a proxy
