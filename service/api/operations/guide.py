"""The guides, readable in a browser; a slash at the end of an address makes no difference."""

from __future__ import annotations

from flask import Blueprint, Response

from service.http import guides
from service.http.responses.html_pages import page
from service.runtime.errors import NotFound

bp = Blueprint("guide", __name__, url_prefix="/guide")


@bp.get("", strict_slashes=False)
def contents() -> Response:
    """All guides."""
    return page("Guides", guides.contents())


@bp.get("/<name>", strict_slashes=False)
def guide(name: str) -> Response:
    """One guide."""
    if name not in guides.GUIDES:
        raise NotFound("There is no such guide.")
    return page(guides.GUIDES[name].title, guides.render(name))
