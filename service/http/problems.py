"""Refusals and failures as problem documents (RFC 9457)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec
import structlog
from flask import Flask, Response, g
from marshmallow import ValidationError
from werkzeug.exceptions import HTTPException

from domain.engine.contract.refusals import game_of, refusal_reason
from domain.engine.errors import (
    BadMove,
    BadOptions,
    BadPosition,
    IncompleteMove,
    NotInLesson,
    Refusal,
    RuleBroken,
    Unreadable,
)
from domain.engine.faults import Fault
from domain.engine.play import Move
from domain.engine.resources.rulebook import ENGLISH
from domain.match.log import CorruptEntry
from service.http.context import annals, new_request_id, request_id, requested_match
from service.http.json_responses import Json
from service.http.language import language, with_content_language
from service.http.problem_codes import HTTP_CODES, STATUS_OF, title_of
from service.matches.queries import label_touches, seat_names
from service.runtime import metrics
from service.runtime.errors import (
    REDIS_ERRORS,
    AnalysisFailed,
    AnalystBusy,
    BadQuery,
    ExportsBusy,
    InsufficientScope,
    InvalidToken,
    PaintersBusy,
    StaleVersion,
    StatisticsBusy,
    StoreUnavailable,
    TooManyOwnStreams,
    TooManyRequests,
    TooManyStreams,
    UnknownToken,
    WriteConflict,
)
from service.store.redis_client import explain_outage

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

MEMBER_BY_ERROR: Mapping[type[Unreadable], str] = {
    BadMove: "move",
    BadOptions: "options",
    BadPosition: "position",
}
"""The member of a body that cannot be read."""
IANA = "https://iana.org/assignments/http-problem-types"
TYPE_BY_CODE = {"too_many_requests": f"{IANA}#quota-exceeded"}
RETRY_AFTER_S = 1
BEARER = 'Bearer realm="annals"'
INTERNAL_DETAIL = (
    "Something went wrong here. The service's log has the details under the id of this request."
)
log = structlog.get_logger("annals.web")


def add_problem_handlers(app: Flask) -> None:
    """Turn every error of the application into a problem document."""
    app.register_error_handler(Refusal, handle_refusal)
    app.register_error_handler(ValidationError, handle_invalid)
    app.register_error_handler(HTTPException, handle_http_error)
    for kind in REDIS_ERRORS:
        app.register_error_handler(kind, handle_redis_error)
    app.register_error_handler(CorruptEntry, handle_corrupt_entry)
    app.register_error_handler(Exception, handle_error)


def catch_all(wsgi: WSGIApplication) -> WSGIApplication:
    """Return the application, with a problem document for errors outside Flask."""

    def call(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        try:
            return wsgi(environ, start_response)
        except Exception:
            of_request = new_request_id()
            log.exception("internal_error", id=of_request)
            return _document(500, "internal", INTERNAL_DETAIL, of_request)(environ, start_response)

    return call


def problem_response(status: int, code: str, detail: str, more: Json | None = None) -> Response:
    """Return a problem document in the language of the request."""
    response = _document(status, code, detail, request_id(), more, language())
    return with_content_language(response)


def _document(
    status: int,
    code: str,
    detail: str,
    of_request: str,
    more: Json | None = None,
    language: str = ENGLISH,
) -> Response:
    metrics.REFUSALS.labels(code).inc()
    content = {
        "type": TYPE_BY_CODE.get(code, f"/problems/{code}"),
        "title": title_of(code, language),
        "status": status,
        "detail": detail,
        "code": code,
        "instance": of_request,
        **(more or {}),
    }
    return Response(msgspec.json.encode(content), status, mimetype="application/problem+json")


def handle_refusal(refusal: Refusal) -> Response:
    """Return the problem document of a refusal, with the members and headers of its kind."""
    code = refusal.code
    names = _find_seat_names() if isinstance(refusal, RuleBroken) else ()
    detail = refusal_reason(annals().games.values(), refusal, language(), names)
    response = problem_response(STATUS_OF[code], code, detail, _extra_members(refusal))
    match refusal:
        case UnknownToken():
            response.headers["WWW-Authenticate"] = f'{BEARER}, error="invalid_token"'
        case InvalidToken():
            response.headers["WWW-Authenticate"] = BEARER
        case InsufficientScope(scope=scope):
            response.headers["WWW-Authenticate"] = (
                f'{BEARER}, error="insufficient_scope", scope="{scope}"'
            )
        case StaleVersion(version=version):
            response.headers["ETag"] = f'"{version}"'
        case TooManyRequests(seconds=seconds):
            response.headers["Retry-After"] = str(seconds)
        case (
            AnalysisFailed() | AnalystBusy() | ExportsBusy() | PaintersBusy() | StatisticsBusy()
            | WriteConflict() | StoreUnavailable() | TooManyStreams() | TooManyOwnStreams()
        ):  # fmt: skip
            response.headers["Retry-After"] = str(RETRY_AFTER_S)
        case _:
            pass
    return response


def handle_invalid(error: ValidationError) -> Response:
    """Return the problem document of a body that does not fit the schema: each fault with a
    pointer.
    """
    errors = [
        {"detail": detail, "pointer": pointer}
        for detail, pointer in _list_faults(error.messages, "#")
    ]
    return problem_response(400, "invalid", "The body does not fit the schema.", {"errors": errors})


def handle_http_error(error: HTTPException) -> HTTPException | Response:
    """Return the problem document of an error that Flask or Werkzeug raises."""
    if error.code is None or error.code < 400:
        return error
    if error.code >= 500:  # an error outside the views
        return handle_outer_error(getattr(error, "original_exception", None) or error)
    code = HTTP_CODES.get(error.code, "malformed")
    response = problem_response(error.code, code, _detail(error) or title_of(code, language()))
    headers = {name: value for name, value in error.get_headers() if name != "Content-Type"}
    response.headers.update(headers)
    return response


def _detail(error: HTTPException) -> str | None:
    """Return the detail of an error; our own where we know more than Werkzeug."""
    match error.code:
        case 404:
            return "There is nothing at this address. `/` lists the addresses to start from."
        case 413:
            return f"A body has at most {annals().settings.body_limit} bytes."
        case _:
            return error.description


def handle_redis_error(error: Exception) -> Response:
    """Redis refused or did not answer: the details go to the log only."""
    g.fault = error
    reason = explain_outage(error) or "The event store does not answer."
    return handle_refusal(StoreUnavailable(reason))


def handle_corrupt_entry(error: CorruptEntry) -> Response:
    """Return the problem document of a stored entry that cannot be read: `annals verify`
    finds it.
    """
    match = error.match or requested_match()
    log.error("entry_corrupt", id=request_id(), match=match, version=error.version)
    return problem_response(500, "corrupt", "A stored entry of this match cannot be read.")


def handle_error(error: Exception) -> Response:
    """Return the problem document of an error of ours: its details go to the log only."""
    g.fault = error
    return problem_response(500, "internal", INTERNAL_DETAIL)


def handle_outer_error(fault: Exception) -> Response:
    """Return the problem document of an error outside the views; the code that logs errors may have
    raised it.
    """
    log.error("internal_error", id=request_id(), exc_info=fault)
    answer = handle_redis_error(fault) if isinstance(fault, REDIS_ERRORS) else handle_error(fault)
    g.fault = None  # it is in the log already
    return answer


def _find_seat_names() -> Sequence[str | None]:
    """Return the names at the table of the match of this request; empty without one."""
    match = requested_match()
    if match is None:
        return ()
    return seat_names(annals(), annals().matches.latest(match), language())


def _extra_members(refusal: Refusal) -> Json:
    match refusal:
        case RuleBroken() | NotInLesson():
            return _rule_members(refusal)
        case StaleVersion(version=version):
            return {"current_version": version}
        case Unreadable(reason=reason, faults=faults):
            whole = faults or [Fault(reason)]
            return {
                "errors": [_body_fault(fault, MEMBER_BY_ERROR[type(refusal)]) for fault in whole]
            }
        case IncompleteMove(reason=reason, choices=choices):
            errors = [{"detail": reason, "pointer": "#/touches"}]
            return {"errors": errors, "choices": choices, **_unlisted_moves(refusal)}
        case BadQuery(faults=faults):
            return {"errors": [_parameter_fault(*fault) for fault in faults]}
        case _:
            return _caller_members(refusal)


def _rule_members(refusal: RuleBroken | NotInLesson) -> Json:
    """Return the members about the rule, and about touches if one was refused: which, and what can
    be touched instead.
    """
    more: Json = {"rule": refusal.rule, "rule_text": _rule_text(refusal.rule)}
    if isinstance(refusal, RuleBroken):
        more["fault"] = refusal.fault
    if refusal.refused_touch is None:
        return more
    return {**more, "refused_touch": refusal.refused_touch, "choices": refusal.choices}


def _unlisted_moves(refusal: IncompleteMove) -> Json:
    """Return the members with the moves that the touches fit, their ways and the names on these, in
    the form of the legal moves, if these leave them out.
    """
    ways: dict[Move, list[Sequence[str]]] = {}
    for way, move in refusal.unlisted.items():
        ways.setdefault(move, []).append(way)
    match = requested_match()
    if not ways or match is None:
        return {}
    touches = dict.fromkeys(name for way in refusal.unlisted for name in way)
    seat, shown = next(iter(ways)).seat, annals().matches.latest(match)
    names = label_touches(annals(), shown, seat, touches, language())
    return {"moves": [*ways], "ways": [*ways.values()], "names": names}


def _caller_members(refusal: Refusal) -> Json:
    """Return the members that concern the caller's token or limits."""
    match refusal:
        case InsufficientScope(scope=scope):
            return {"scope": scope}
        case TooManyRequests(policy=policy):
            return {"violated-policies": [policy]}
        case _:
            return {}


def _body_fault(fault: Fault, member: str) -> Json:
    """Return a fault with a pointer to its place in the body, below one of its members."""
    steps = (_escape_pointer(str(step)) for step in (member, *fault.path))
    return {"detail": fault.detail, "pointer": f"#/{'/'.join(steps)}"}


def _parameter_fault(name: str, detail: str) -> Json:
    """Return a fault of a query parameter."""
    return {"detail": detail, "in": "query", "parameter": name}


def _rule_text(rule: str) -> str | None:
    """Return the text of a rule in the language of this request."""
    game = game_of(annals().games.values(), rule)
    return game.resources.rulebooks[language()].rules[rule] if game else None


def _list_faults(messages: object, pointer: str) -> Iterator[tuple[str, str]]:
    """Yield each message of a tree of messages, with the JSON pointer to its place."""
    if isinstance(messages, dict):
        for name, inner in messages.items():
            step = "" if name == "_schema" else "/" + _escape_pointer(str(name))
            yield from _list_faults(inner, pointer + step)
    elif isinstance(messages, list):
        for inner in messages:
            yield from _list_faults(inner, pointer)
    else:
        yield str(messages), pointer


def _escape_pointer(name: str) -> str:
    """Return the name of a member in a JSON pointer that is a URI fragment."""
    return quote(name.replace("~", "~0").replace("/", "~1"), safe="~")
