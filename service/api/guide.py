"""The guides, readable in a browser; a slash at the end of an address makes no difference."""

from __future__ import annotations

from flask import Blueprint, Response

from service import guides
from service.errors import NotFound
from service.http.pages import page

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
