"""Pages for people: one frame around all of them, which asks nobody else and runs nothing."""

from __future__ import annotations

from functools import cache
from html import escape
from importlib.resources import files
from string import Template

from flask import Response, request

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"


def page(title: str, content: str) -> Response:
    """A page with this title, plain text, and this content, HTML."""
    text = frame().substitute(title=escape(title), content=content)
    return Response(text, headers={"Content-Security-Policy": POLICY}, mimetype="text/html")


def wants_page(otherwise: str = "application/json") -> bool:
    """Whether the caller would rather have a page than this type: a browser would."""
    return request.accept_mimetypes.best_match((otherwise, "text/html")) == "text/html"


@cache
def frame() -> Template:
    """What is around the content of every page."""
    return Template(files("service.http").joinpath("page.html").read_text(encoding="utf-8"))
