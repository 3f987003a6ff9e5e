"""What is around every page: its template, its headers, and what modules need to know."""

from __future__ import annotations

from functools import cache
from typing import Any

from flask import Blueprint, Response, request
from jinja2 import Environment, PackageLoader, StrictUndefined

from domain.engine.telling import LANGUAGES
from service.page.assets import address, imports
from service.page.texts import for_modules, words_in
from service.page.visitor import recognize, visitor, visitors_language

bp = Blueprint("page", __name__)
bp.before_request(recognize)
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


def render(template: str, **parts: Any) -> Response:  # noqa: ANN401 - each template has its own
    """A page for whoever asks, in their language."""
    who, language = visitor(), visitors_language()
    text = (
        templates()
        .get_template(f"{template}.html")
        .render(
            here=template,
            root=root(),
            language=language,
            words=words_in(language),
            texts=for_modules(language),
            me=who,
            **parts,
        )
    )
    return Response(text, headers=HEADERS, mimetype="text/html")


def root() -> str:
    """The way from the address that was asked for to the entrance of the service; it is the same
    below any prefix that a proxy may put before it.
    """
    return "../" * (request.path.count("/") - 1) or "./"
