"""Refusals and failures as problem documents (RFC 9457)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec
import structlog
from flask import Flask, Response, g
from marshmallow import ValidationError
from redis.exceptions import RedisClusterException, RedisError
from werkzeug.exceptions import HTTPException

from domain.engine.errors import (
    BadMove,
    BadOptions,
    BadPosition,
    Refused,
    RuleBroken,
    Unfinished,
    Unreadable,
)
from domain.engine.faults import Fault
from domain.engine.game import game_of, why
from domain.engine.resources.rulebook import ENGLISH
from domain.match.log import Damaged
from service.http.context import annals, new_request_id, request_id
from service.http.json_responses import Json
from service.http.language import in_its_language, language
from service.http.problem_codes import HTTP_CODES, STATUS_OF, title_of
from service.runtime import metrics
from service.runtime.errors import (
    AnalysisFailed,
    AnalystBusy,
    BadQuery,
    Contended,
    InsufficientScope,
    PaintersBusy,
    StaleVersion,
    StatisticsBusy,
    StoreUnavailable,
    TooManyOwnStreams,
    TooManyRequests,
    TooManyStreams,
    Unauthorized,
)

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

MEMBERS: Mapping[type[Unreadable], str] = {
    BadMove: "move",
    BadOptions: "options",
    BadPosition: "position",
}
"""The member of a body in which something cannot be read."""
IANA = "https://iana.org/assignments/http-problem-types"
TYPES = {"too_many_requests": f"{IANA}#quota-exceeded"}
OF_REDIS = (RedisError, RedisClusterException)
RETRY_AFTER_S = 1
BEARER = 'Bearer realm="annals"'
BROKEN = "Something went wrong here; the log knows this request's id."
log = structlog.get_logger("annals.web")


def add_problem_handlers(app: Flask) -> None:
    """Let every error of the app become a problem document."""
    app.register_error_handler(Refused, refused)
    app.register_error_handler(ValidationError, invalid)
    app.register_error_handler(HTTPException, failed)
    for kind in OF_REDIS:
        app.register_error_handler(kind, unavailable)
    app.register_error_handler(Damaged, damaged)
    app.register_error_handler(Exception, broken)


def nothing_escapes(wsgi: WSGIApplication) -> WSGIApplication:
    """The same application, which answers as well if what stands around Flask fails."""

    def guarded(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        try:
            return wsgi(environ, start_response)
        except Exception:
            of_request = new_request_id()
            log.exception("fault", id=of_request)
            return _document(500, "internal", BROKEN, of_request)(environ, start_response)

    return guarded


def problem(status: int, code: str, detail: str, more: Json | None = None) -> Response:
    """A problem document."""
    told = _document(status, code, detail, request_id(), more, language())
    return in_its_language(told)


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
        "type": TYPES.get(code, f"/problems/{code}"),
        "title": title_of(code, language),
        "status": status,
        "detail": detail,
        "code": code,
        "instance": of_request,
        **(more or {}),
    }
    return Response(msgspec.json.encode(content), status, mimetype="application/problem+json")


def refused(refusal: Refused) -> Response:
    """A refusal, with what its kind has to say besides."""
    code = refusal.code
    detail = why(annals().games.values(), refusal, language())
    response = problem(STATUS_OF[code], code, detail, _more(refusal))
    match refusal:
        case Unauthorized():
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
            AnalysisFailed() | AnalystBusy() | Contended() | PaintersBusy() | StatisticsBusy()
            | StoreUnavailable() | TooManyStreams() | TooManyOwnStreams()
        ):  # fmt: skip
            response.headers["Retry-After"] = str(RETRY_AFTER_S)
        case _:
            pass
    return response


def invalid(error: ValidationError) -> Response:
    """What was sent does not fit the schema: each fault with a pointer to where it is."""
    errors = [
        {"detail": detail, "pointer": pointer} for detail, pointer in _faults(error.messages, "#")
    ]
    return problem(400, "invalid", "What was sent does not fit the schema.", {"errors": errors})


def failed(error: HTTPException) -> HTTPException | Response:
    """What Flask and Werkzeug refuse by themselves."""
    if error.code is None or error.code < 400:
        return error
    if error.code >= 500:  # a fault outside the views comes in this way
        return outside(getattr(error, "original_exception", None) or error)
    code = HTTP_CODES.get(error.code, "malformed")
    response = problem(error.code, code, _described(error) or title_of(code, language()))
    headers = {name: value for name, value in error.get_headers() if name != "Content-Type"}
    response.headers.update(headers)
    return response


def _described(error: HTTPException) -> str | None:
    """What to say of it: what is ours to know better, we say ourselves."""
    match error.code:
        case 404:
            return "There is nothing at this address; `/` says where to go."
        case 413:
            return f"A body has at most {annals().settings.body_limit} bytes here."
        case _:
            return error.description


def unavailable(error: Exception) -> Response:
    """Redis refused or did not answer: the details go to the log only."""
    g.fault = error
    return refused(StoreUnavailable("The event store does not answer."))


def damaged(_damage: Damaged) -> Response:
    """What is stored cannot be read: `annals verify` tells which entry it is."""
    log.error("damaged", id=request_id())
    return problem(500, "damaged", "What is stored of this match cannot be read.")


def broken(error: Exception) -> Response:
    """A fault of ours: its details go to the log only."""
    g.fault = error
    return problem(500, "internal", BROKEN)


def outside(fault: Exception) -> Response:
    """A fault in what stands around the views, which may be what writes down faults."""
    log.error("fault", id=request_id(), exc_info=fault)
    answer = unavailable(fault) if isinstance(fault, OF_REDIS) else broken(fault)
    g.fault = None  # it is in the log already
    return answer


def _more(refusal: Refused) -> Json:
    match refusal:
        case RuleBroken(rule=rule, fault=fault):
            return {"rule": rule, "rule_text": _text_of(rule), "fault": fault}
        case StaleVersion(version=version):
            return {"current_version": version}
        case Unreadable(reason=reason, faults=faults):
            whole = faults or [Fault(reason)]
            return {"errors": [_located(fault, MEMBERS[type(refusal)]) for fault in whole]}
        case Unfinished(reason=reason, choices=choices):
            return {"errors": [{"detail": reason, "pointer": "#/touches"}], "choices": choices}
        case BadQuery(faults=faults):
            return {"errors": [_of_parameter(*fault) for fault in faults]}
        case _:
            return _of_caller(refusal)


def _of_caller(refusal: Refused) -> Json:
    """What to say of what the caller may do now."""
    match refusal:
        case InsufficientScope(scope=scope):
            return {"scope": scope}
        case TooManyRequests(policy=policy):
            return {"violated-policies": [policy]}
        case _:
            return {}


def _located(fault: Fault, member: str) -> Json:
    """A fault with a pointer to its place in the body, below one of its members."""
    steps = (_escaped(str(step)) for step in (member, *fault.path))
    return {"detail": fault.detail, "pointer": f"#/{'/'.join(steps)}"}


def _of_parameter(name: str, detail: str) -> Json:
    """A fault of a parameter of the query."""
    return {"detail": detail, "in": "query", "parameter": name}


def _text_of(rule: str) -> str | None:
    """The text of a rule in the language of this request."""
    game = game_of(annals().games.values(), rule)
    return game.rulebooks[language()].rules[rule] if game else None


def _faults(messages: object, pointer: str) -> Iterator[tuple[str, str]]:
    """Each message of a tree of messages, with the JSON pointer to its place."""
    if isinstance(messages, dict):
        for name, inner in messages.items():
            step = "" if name == "_schema" else "/" + _escaped(str(name))
            yield from _faults(inner, pointer + step)
    elif isinstance(messages, list):
        for inner in messages:
            yield from _faults(inner, pointer)
    else:
        yield str(messages), pointer


def _escaped(name: str) -> str:
    """A member's name in a JSON pointer that is a URI fragment."""
    return quote(name.replace("~", "~0").replace("/", "~1"), safe="~")
