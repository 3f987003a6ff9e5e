"""The guides as pages; a trailing slash makes no difference."""

from __future__ import annotations

from flask import Blueprint, Response

from service.http import guides
from service.http.responses.html_pages import html_page
from service.runtime.errors import NotFound

bp = Blueprint("guide", __name__, url_prefix="/guide")


@bp.get("", strict_slashes=False)
def contents() -> Response:
    """Return all guides."""
    return html_page("Guides", guides.contents())


@bp.get("/<name>", strict_slashes=False)
def guide(name: str) -> Response:
    """One guide."""
    if name not in guides.GUIDES:
        raise NotFound("There is no such guide.")
    return html_page(guides.GUIDES[name].title, guides.render(name))
