"""Middleware: request id, caller, rate limit, cross-origin headers, log and metrics."""

from __future__ import annotations

from time import perf_counter

import structlog
from flask import Flask, Request, Response, g, request
from flask.ctx import _AppCtxGlobals

from service.channels.account_deletion import erase_if_deleted
from service.http.compression import compress_response
from service.http.context import (
    caller,
    check_expected_player,
    check_same_site,
    check_scope,
    context,
    identify,
    request_id,
    requested_match,
)
from service.http.rate_limit import RateLimits
from service.http.requests import parse_query
from service.http.schemas.common import EmptyObject
from service.runtime import metrics

EXPOSED_HEADERS = (
    "ETag, Idempotency-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, "
    "X-Request-Id"
)
STATIC_HEADERS = (
    ("X-Content-Type-Options", "nosniff"),
    ("Server", ""),  # reveals nothing to attackers
    ("Access-Control-Expose-Headers", EXPOSED_HEADERS),
)
FILES_PATH = "/page/"
"""Files of the page have none of the exposed headers; a page loads 40 of them."""
PREFLIGHT_HEADERS = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
    "Access-Control-Allow-Headers": (
        "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, "
        "X-Request-Id"
    ),
    "Access-Control-Max-Age": "86400",
}
READ_METHODS = ("GET", "HEAD")
REFUSAL_KEY = "annals.refusal"
"""In the environment of a request that was counted and refused already: the exception."""
NOT_ADMITTED_KEY = "annals.not_admitted"
"""In the environment of a request whose address has used its processor time: the exception."""
SIGNATURE_ENDPOINTS = ("discord.interactions", "discord.events")
"""Routes whose callers prove by a signature who they are: the route counts them after its check."""
NEVER_REFUSED_PATHS = (b"/v1/discord/interactions", b"/v1/discord/events", b"/healthz", b"/readyz")
"""Requests whose callers share an address with many others, or watch over the service: they cost as
much as others, but wait for a moment at most.
"""
SIGN_IN_ENDPOINTS = ("sessions.sign_in", "sessions.sign_out", "account.recover")
"""Routes that sign a browser in or out; banned players may use them."""
COMMANDS_WITH_PARAMETERS = ("account.delete", "boards.preview", "moves.preview")
"""Routes for other methods than READ_METHODS that read parameters of the query themselves."""
NOTHING = EmptyObject()
log = structlog.get_logger("annals.web")


def add_middleware(app: Flask) -> None:
    """Run this before and after each request of the application."""
    app.before_request(before)
    app.after_request(after)


def before() -> Response | None:
    """Identify and count the caller; answer preflight requests."""
    current, state = _current_request(), _current_globals()
    state.started_at = perf_counter()
    # Set before anything can be refused, because `after` reads them then too.
    state.player = state.session = state.bearer = state.fault = state.counted = None
    state.banned, state.by_cookie, state.is_admitted, state.invited = None, False, False, ()
    if current.method == "OPTIONS" and "Access-Control-Request-Method" in current.headers:
        return Response(status=204, headers=PREFLIGHT_HEADERS)
    if (not_admitted := current.environ.get(NOT_ADMITTED_KEY)) is not None:
        raise not_admitted
    if current.path.startswith("/v1/") and current.endpoint not in SIGNATURE_ENDPOINTS:
        _identify_and_count(context().limits)
        if current.method not in READ_METHODS and current.endpoint not in COMMANDS_WITH_PARAMETERS:
            parse_query(NOTHING)
    state.is_admitted = True
    return None


def after(response: Response) -> Response:
    """Add the headers that every response has, and log it."""
    headers, here, state = response.headers, context(), _current_globals()
    _complete_deletions(response)
    headers.add("X-Request-Id", request_id())
    headers.extend(STATIC_HEADERS)
    if request.path.startswith(FILES_PATH):
        del headers["Access-Control-Expose-Headers"]
    origin = cors_origin(request.headers.get("Origin"), here.annals.settings.cors_origins)
    if origin:
        headers.add("Access-Control-Allow-Origin", origin)
        if origin != "*":
            response.vary.add("Origin")
    if request.path.startswith("/v1/") and request.method in READ_METHODS:
        # Names and refusals change, and shared caches do not know for whom a response is.
        headers.setdefault("Cache-Control", "private, no-cache")
    if (counted := state.get("counted")) is not None:
        headers.extend(here.limits.headers_for(counted))
    if "Allow" in headers:  # Werkzeug lists a set, in another order in each process
        headers["Allow"] = ", ".join(sorted(headers["Allow"].split(", ")))
    compress_response(_current_request(), response)
    _log_request(response)
    return response


def _complete_deletions(response: Response) -> None:
    """Erase what the request has written, if its player, one whom it invites, or the one with whom
    its operator deals has been deleted meanwhile: a token that a process knows counts until the end
    of a request.

    Others could name deleted players in their paths, and each deletion takes hundreds of commands.
    A request that was refused before its route, such as one above the rate limit, has written
    nothing and asks Redis nothing.
    """
    state, current = _current_globals(), _current_request()
    if not state.get("is_admitted") or state.player is None or current.method in READ_METHODS:
        return
    if current.endpoint == "account.delete" or response.status_code >= 500:
        return
    about = (current.view_args or {}).get("player") if current.blueprint == "admin" else None
    people = [state.player.id, *state.invited, *([about] if about else [])]
    erase_if_deleted(context().annals, dict.fromkeys(people))


def cors_origin(origin: str | None, origins: tuple[str, ...]) -> str | None:
    """Return which origin may read this response: all (`*`), this one, or none."""
    if "*" in origins:
        return "*"
    return origin if origin in origins else None


def log_request(
    request_id: str,
    method: str,
    route: str,
    match: str | None,
    status: int,
    seconds: float,
    player: str | None,
) -> None:
    """Log one line for a request, without the content of request or response, and count it."""
    metrics.count_request(method, route, status, seconds)
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
    """Identify the caller; count the request, also with an unknown token: this limits guesses."""
    current, state = _current_request(), _current_globals()
    refusal = current.environ.get(REFUSAL_KEY)
    try:
        identify()
    finally:
        state.counted = caller()
        if refusal is None:
            limits.count(state.counted)
    if refusal is not None:
        raise refusal
    if state.banned is not None and current.method not in READ_METHODS:
        check_same_site()
        if current.endpoint not in SIGN_IN_ENDPOINTS:
            raise state.banned
        return
    check_expected_player()
    if state.session is None:
        return
    if current.method in READ_METHODS:
        check_scope(state.session, "read")
    elif state.by_cookie:
        check_same_site()


def _log_request(response: Response) -> None:
    current, state = _current_request(), _current_globals()
    player, fault = state.get("player"), state.get("fault")
    if player:
        context().presence.note(player.id)
    log_request(
        request_id(),
        current.method,
        current.url_rule.rule if current.url_rule else "none",
        requested_match(),
        response.status_code,
        # Missing if a handler before `before` failed.
        perf_counter() - state.get("started_at", perf_counter()),
        player.id if player else None,
    )
    if fault is not None:
        log.error("internal_error", id=request_id(), exc_info=fault)


def _current_request() -> Request:
    """Return the request itself: each use of its proxy takes time."""
    return request._get_current_object()  # type: ignore[attr-defined,no-any-return]  # a proxy


def _current_globals() -> _AppCtxGlobals:
    """Return the globals of this request themselves, without the proxy."""
    return g._get_current_object()  # type: ignore[no-any-return]  # a proxy
