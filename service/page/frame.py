"""What is around every page: its template, its headers, and what modules need to know."""

from __future__ import annotations

from functools import cache
from http import HTTPStatus
from typing import Any

from flask import Blueprint, Response, g, request
from jinja2 import Environment, PackageLoader, StrictUndefined
from werkzeug.exceptions import HTTPException

from domain.engine.errors import Refused
from domain.engine.sentences import LANGUAGES
from projections.lists.turns import waiting_for
from service.http import problems
from service.http.context import annals
from service.http.problem_codes import title_of
from service.http.responses.html_pages import root, wants_page
from service.page.assets import address, imports
from service.page.texts import for_modules, words_in
from service.page.visitor import kept_out, recognize, visitor, visitors_language
from service.runtime.errors import TooManyRequests

bp = Blueprint("page", __name__)
POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "same-origin",
    "Cache-Control": "private, no-cache",
    "Vary": "Accept, Accept-Language, Cookie",
}
FOR_ALL = ("page.file", "page.manifest")
"""Routes of what is the same for all: nobody is asked who they are, and nothing is counted."""
MOST_WAITING = 99
"""Nobody needs to know of more matches that wait, but that there are so many."""


@bp.before_request
def note() -> None:
    """Note who asks, and count it."""
    if request.endpoint not in FOR_ALL:
        recognize()


@cache
def templates() -> Environment:
    """All templates, each of them read already."""
    env = Environment(
        loader=PackageLoader("service.page"),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.globals.update(address=address, imports=imports, LANGUAGES=LANGUAGES)
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
    """A page for whoever asks, in their language."""
    language = visitors_language()
    text = (
        templates()
        .get_template(f"{template}.html")
        .render(
            here=template,
            root=root(),
            language=language,
            words=words_in(language),
            texts=for_modules(language),
            me=visitor(),
            kept_out=kept_out(),
            waiting=waiting() if status < HTTPStatus.BAD_REQUEST else 0,
            modules=modules,
            status=status,
            **parts,
        )
    )
    return Response(text, status, headers=HEADERS, mimetype="text/html")


def waiting() -> int:
    """How many matches wait for the visitor, up to MOST_WAITING."""
    me, store = visitor(), annals().store
    if me is None:
        return 0
    return len(waiting_for(store.redis, store.partitions, me.id, limit=MOST_WAITING).items)


@bp.app_errorhandler(Refused)
def refused(refusal: Refused) -> Response:
    """A refusal, as a page for browsers."""
    return as_page(problems.refused(refusal))


def unavailable(error: Exception) -> Response:
    """The same while the store is away."""
    return as_page(problems.unavailable(error))


for kind in problems.OF_REDIS:
    bp.app_errorhandler(kind)(unavailable)


@bp.app_errorhandler(HTTPException)
def failed(error: HTTPException) -> HTTPException | Response:
    """The same of what Flask refuses, such as an address at which there is nothing."""
    told = problems.failed(error)
    return as_page(told) if isinstance(told, Response) else told


def as_page(told: Response) -> Response:
    """A problem as a page for browsers, with the status and the headers that programs get, except
    at addresses that are for programs.
    """
    if request.path.startswith("/v1/") or not wants_page(str(told.mimetype)):
        return told
    if g.counted is None:
        told = _counted(told)
    problem: Any = told.json
    title = title_of(problem["code"], visitors_language())
    page = render("refused", status=told.status_code, title=title, detail=problem["detail"])
    of_pages = {"Content-Type", "Content-Length", "Content-Language", *HEADERS}
    page.headers.update({name: value for name, value in told.headers if name not in of_pages})
    return page


def _counted(told: Response) -> Response:
    """A problem at an address that no page has, once it is noted who asks, and counted; or that
    there were too many. While the store is away whoever asks is nobody.
    """
    try:
        recognize()
    except TooManyRequests as refusal:
        return problems.refused(refusal)
    except problems.OF_REDIS:
        pass
    return told
