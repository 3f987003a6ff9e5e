"""Static HTML pages in one frame, without scripts or further requests."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from importlib.resources import files
from string import Template

from flask import Response, request

from domain.engine.resources.rulebook import ENGLISH
from service.http.problem_codes import TEXTS

LOCAL_LINK = re.compile(r'\b(href|src)="/')
"""How links within this service begin."""
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "frame-ancestors 'none'"
)


def html_page(title: str, content: str, language: str = ENGLISH) -> Response:
    """Return a page with this title (plain text) and content (HTML)."""
    texts = TEXTS[language]
    links = {name: escape(texts[f"frame_{name}"]) for name in ("guides", "rest", "problems")}
    text = page_template().substitute(
        links, language=language, title=escape(title), content=content
    )
    return html_response(text, POLICY)


def html_response(html: str, policy: str) -> Response:
    """HTML as a response. Links within the service become relative: a proxy may put it below a
    prefix.
    """
    relative = LOCAL_LINK.sub(rf'\1="{relative_root()}', html)
    return Response(relative, headers={"Content-Security-Policy": policy}, mimetype="text/html")


def relative_root() -> str:
    """Return the relative path from the requested address to the root of the service.

    Counts slashes as sent, where the server reports that: to a browser `%2F` is no separator.
    """
    written, _, _ = request.environ.get("RAW_URI", request.path).partition("?")
    return "../" * (written.count("/") - 1) or "./"


def prefers_html(alternative: str = "application/json") -> bool:
    """Return whether the caller prefers HTML over this type, as browsers do."""
    return request.accept_mimetypes.best_match((alternative, "text/html")) == "text/html"


@cache
def page_template() -> Template:
    """Return the HTML around the content of every page."""
    return Template(files(__package__).joinpath("page.html").read_text(encoding="utf-8"))
