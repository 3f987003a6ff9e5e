"""The guides, readable in a browser; a slash at the end of an address makes no difference."""

from __future__ import annotations

from functools import cache
from html import escape
from importlib.resources import files
from string import Template

from flask import Blueprint, Response

from service import guides
from service.errors import NotFound

bp = Blueprint("guide", __name__, url_prefix="/guide")
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"


@bp.get("", strict_slashes=False)
def contents() -> Response:
    """All guides."""
    return _page("Guides", guides.contents())


@bp.get("/<name>", strict_slashes=False)
def guide(name: str) -> Response:
    """One guide."""
    if name not in guides.GUIDES:
        raise NotFound("There is no such guide.")
    return _page(guides.GUIDES[name].title, guides.render(name))


def _page(title: str, content: str) -> Response:
    page = _frame().substitute(title=escape(title), content=content)
    return Response(page, headers={"Content-Security-Policy": POLICY}, mimetype="text/html")


@cache
def _frame() -> Template:
    """What is around every guide."""
    return Template(files("service.api").joinpath("guide.html").read_text(encoding="utf-8"))
