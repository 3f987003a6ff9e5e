"""Serves the static files of the page."""

from __future__ import annotations

from flask import Response, request

from service.page.assets import ASSETS, VERSION, Asset
from service.page.frame import POLICY, bp
from service.runtime.errors import NotFound

YEAR_S = 365 * 86_400


@bp.get("/page/<version>/<path:name>")
def file(version: str, name: str) -> Response:
    """A file; a request for an old version gets the current one, without caching."""
    if name not in ASSETS:
        raise NotFound("There is no such file.")
    return _send(
        ASSETS[name],
        f"public, max-age={YEAR_S}, immutable" if version == VERSION else "no-cache",
    )


@bp.get("/sw.js")
def service_worker() -> Response:
    """The script that shows push messages, at the root: its folder is what it may act for."""
    return _send(ASSETS["push/sw.js"], "no-cache")


def _send(asset: Asset, keep: str) -> Response:
    headers = {"Cache-Control": keep, "Content-Security-Policy": POLICY}
    content = asset.content
    if asset.gzipped:
        headers["Vary"] = "Accept-Encoding"
        if request.accept_encodings["gzip"]:
            content, headers["Content-Encoding"] = asset.gzipped, "gzip"
    return Response(content, headers=headers, mimetype=asset.media_type)
