"""Middleware: request id, caller, rate limit, cross-origin headers, log and metrics."""

from __future__ import annotations

from time import perf_counter

import structlog
from flask import Flask, Request, Response, g, request
from flask.ctx import _AppCtxGlobals

from service.http.context import admitted, context, identify, request_id, whose_share
from service.http.packing import pack
from service.http.rate_limit import RateLimits
from service.metrics import instruments

EXPOSED = (
    "ETag, Idempotency-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, "
    "X-Request-Id"
)
PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST, DELETE, OPTIONS",
    "Access-Control-Allow-Headers": (
        "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, "
        "X-Request-Id"
    ),
    "Access-Control-Max-Age": "86400",
}
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
    if asked.method == "OPTIONS" and "Access-Control-Request-Method" in asked.headers:
        return Response(status=204, headers=PREFLIGHT)
    if asked.path.startswith("/v1/"):
        _identify_and_count(context().limits)
    return None


def after(response: Response) -> Response:
    """Add the headers of every answer, and log it."""
    headers, here, noted = response.headers, context(), _noted()
    headers.add("X-Request-Id", request_id())
    headers.add("X-Content-Type-Options", "nosniff")
    headers.add("Server", "")  # who attacks is not told what with
    headers.add("Access-Control-Expose-Headers", EXPOSED)
    _allow_origin(response, here.annals.settings.cors_origins)
    if (counted := noted.get("counted")) is not None:
        here.limits.tell(counted, response)
    pack(_asked(), response)
    _write_down(response)
    return response


def _identify_and_count(limits: RateLimits) -> None:
    """Count first who asks, also if the token is unknown: guessing tokens is limited too."""
    noted = _noted()
    try:
        identify()
    finally:
        noted.counted = whose_share()
        limits.count(noted.counted)
    if noted.session is not None and _asked().method in ("GET", "HEAD"):
        admitted(noted.session, "read")


def _allow_origin(response: Response, origins: tuple[str, ...]) -> None:
    if "*" in origins:
        response.headers.add("Access-Control-Allow-Origin", "*")
    elif (origin := request.headers.get("Origin")) in origins:
        response.headers.add("Access-Control-Allow-Origin", str(origin))
        response.vary.add("Origin")


def _write_down(response: Response) -> None:
    """One line for each request; never what was sent, nor what was answered."""
    asked, noted, status = _asked(), _noted(), response.status_code
    player, fault = noted.get("player"), noted.get("fault")
    seconds = perf_counter() - noted.get(
        "began", perf_counter()
    )  # what stood before may have failed
    route = asked.url_rule.rule if asked.url_rule else "none"
    instruments.served(asked.method, route, status, seconds)
    log.info(
        "request",
        id=request_id(),
        method=asked.method,
        route=route,
        match=asked.view_args.get("match_id") if asked.view_args else None,
        status=status,
        ms=round(seconds * 1000, 2),
        player=player.id if player else None,
    )
    if fault is not None:
        log.error("fault", id=request_id(), exc_info=fault)


def _asked() -> Request:
    """The request itself: asking its proxy again and again takes time."""
    return request._get_current_object()  # type: ignore[attr-defined,no-any-return]  # a proxy


def _noted() -> _AppCtxGlobals:
    """What is noted of this request, itself."""
    return g._get_current_object()  # type: ignore[no-any-return]  # a proxy
