"""Pages for people: one frame around all of them, which asks nobody else and runs nothing."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from importlib.resources import files
from string import Template

from flask import Response, request

from domain.engine.resources.rulebook import ENGLISH
from service.http.problem_codes import TEXTS

OF_SERVICE = re.compile(r'\b(href|src)="/')
"""How links begin that lead to something of this service."""
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "frame-ancestors 'none'"
)


def page(title: str, content: str, language: str = ENGLISH) -> Response:
    """A page with this title, plain text, and this content, HTML, in a language."""
    texts = TEXTS[language]
    links = {name: escape(texts[f"frame_{name}"]) for name in ("guides", "rest", "problems")}
    text = frame().substitute(links, language=language, title=escape(title), content=content)
    return served(text, POLICY)


def served(html: str, policy: str) -> Response:
    """HTML as an answer. Its links to what there is of this service become relative: it may be
    below a prefix, which a proxy takes away.
    """
    relative = OF_SERVICE.sub(rf'\1="{root()}', html)
    return Response(relative, headers={"Content-Security-Policy": policy}, mimetype="text/html")


def root() -> str:
    """The way from the address that was asked for to the entrance of the service.

    It counts as it was written, where the server says so: to a browser `%2F` begins nothing new.
    """
    written, _, _ = request.environ.get("RAW_URI", request.path).partition("?")
    return "../" * (written.count("/") - 1) or "./"


def wants_page(otherwise: str = "application/json") -> bool:
    """Whether the caller would rather have a page than this type: a browser would."""
    return request.accept_mimetypes.best_match((otherwise, "text/html")) == "text/html"


@cache
def frame() -> Template:
    """What is around the content of every page."""
    return Template(files(__package__).joinpath("page.html").read_text(encoding="utf-8"))
