"""What all pages share: template, headers, and data for modules."""

from __future__ import annotations

from functools import cache, partial
from http import HTTPStatus
from typing import Any

from flask import Blueprint, Response, g, request
from jinja2 import Environment, PackageLoader, StrictUndefined
from werkzeug.exceptions import HTTPException

from domain.engine.errors import Refusal
from domain.engine.resources.texts import figures
from domain.engine.sentences import LANGUAGES
from projections.core.summary import Summary
from projections.lists.turns import find_turns
from service.accounts.names.given_names import name_in
from service.accounts.people.visible_lists import find_visible_invitations
from service.http import problems
from service.http.context import annals, requested_match
from service.http.language import find_language
from service.http.problem_codes import title_of
from service.http.responses.html_pages import prefers_html, relative_root
from service.page.assets import asset_path, list_imports
from service.page.texts import mark_code, texts_for_modules, words_in
from service.page.visitor import (
    ban_reason,
    current_visitor,
    identify_visitor,
    keep_language,
    visitor,
    visitor_language,
)
from service.runtime.errors import REDIS_ERRORS, StoreUnavailable, TooManyRequests
from service.runtime.event_loop import in_steps

bp = Blueprint("page", __name__)
POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'; worker-src 'self'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "same-origin",
    "Cache-Control": "private, no-cache",
    "Vary": "Accept, Accept-Language, Cookie",
}
SHARED_ENDPOINTS = ("page.file", "page.manifest", "page.service_worker")
"""Routes that are the same for all visitors: they neither identify nor count the caller."""
MAX_BADGE = 99
"""The largest number on the badge of waiting matches."""


@bp.before_request
def identify_and_count() -> None:
    """Identify and count the visitor."""
    if request.endpoint not in SHARED_ENDPOINTS:
        identify_visitor()


def _write_figures(value: object) -> object:
    """Return a value as templates write it: a number below 0 with a minus as wide as a digit."""
    return figures(value) if isinstance(value, int | float) else value


@cache
def templates() -> Environment:
    """All templates, compiled."""
    env = Environment(
        loader=PackageLoader("service.page"),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        finalize=_write_figures,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.globals.update(
        figures=figures, address=asset_path, imports=list_imports, LANGUAGES=LANGUAGES
    )
    env.filters["code"] = mark_code
    for name in env.list_templates():
        env.get_template(name)
    return env


def render(
    template: str,
    *,
    modules: tuple[str, ...] = ("frame.js",),
    status: int = 200,
    **parts: Any,  # noqa: ANN401 - each template has its own
) -> Response:
    """A page in the visitor's language; one that the query names is kept, as in the settings."""
    language, failed = visitor_language(), status >= HTTPStatus.BAD_REQUEST
    me = visitor() if failed else current_visitor()
    text = (
        templates()
        .get_template(f"{template}.html")
        .generate(
            here=template,
            root=relative_root(),
            language=language,
            words=words_in(language),
            texts=texts_for_modules(language),
            me=me and me.named_in(language),
            name_in=partial(name_in, language=language),
            house=house_name(),
            base_url=annals().base_url,
            rule_books={game.key: game.title_in(language) for game in annals().games.values()},
            ban_reason=ban_reason(),
            waiting=0 if failed else count_waiting(),
            invitations=[] if failed else find_visitor_invitations(),
            modules=modules,
            status=status,
            **parts,
        )
    )
    response = Response("".join(in_steps(text)), status, headers=HEADERS, mimetype="text/html")
    if find_language(request.args.get("language", "")):
        keep_language(response, language)
    return response


def house_name() -> str:
    """The name of this service, as its operators have chosen it."""
    return annals().house.read().name or "Annals"


def count_waiting() -> int:
    """How many matches wait for the visitor, up to MAX_BADGE."""
    me, store = visitor(), annals().store
    if me is None:
        return 0
    return len(find_turns(store.redis, store.partitions, me.id, limit=MAX_BADGE).items)


def find_visitor_invitations() -> list[Summary]:
    """The open tables that hold a seat for the visitor."""
    me, store = visitor(), annals().store
    if me is None:
        return []
    return find_visible_invitations(store.redis, store.partitions, me.id, MAX_BADGE)


@bp.app_errorhandler(Refusal)
def refusal_page(refusal: Refusal) -> Response:
    """A refusal, as a page for browsers."""
    return as_html(problems.handle_refusal(refusal))


def unavailable_page(error: Exception) -> Response:
    """The same while Redis does not answer."""
    return as_html(problems.handle_redis_error(error))


for kind in REDIS_ERRORS:
    bp.app_errorhandler(kind)(unavailable_page)


@bp.app_errorhandler(HTTPException)
def error_page(error: HTTPException) -> HTTPException | Response:
    """The same for errors of Flask, such as an unknown path."""
    response = problems.handle_http_error(error)
    return as_html(response) if isinstance(response, Response) else response


def as_html(response: Response) -> Response:
    """A problem as a page for browsers, with the status and headers that programs get; paths of the
    REST interface keep the problem document.
    """
    if request.path.startswith("/v1/") or not prefers_html(str(response.mimetype)):
        return response
    if g.counted is None:
        response = _count_visitor(response)
    problem: Any = response.json
    title = title_of(problem["code"], visitor_language())
    page = render(
        "refused",
        status=response.status_code,
        title=title,
        detail=problem["detail"],
        is_match=requested_match() is not None,
        is_away=problem["code"] == StoreUnavailable.code,
        for_operators=request.path.startswith("/admin"),
    )
    page_headers = {"Content-Type", "Content-Length", "Content-Language", *HEADERS}
    page.headers.update(
        {name: value for name, value in response.headers if name not in page_headers}
    )
    return page


def _count_visitor(response: Response) -> Response:
    """The problem, after the visitor of an unknown path was identified and counted; or the problem
    that they exceed a rate limit. While Redis is away visitors are anonymous.
    """
    try:
        identify_visitor()
    except TooManyRequests as refusal:
        return problems.handle_refusal(refusal)
    except REDIS_ERRORS:
        pass
    return response
