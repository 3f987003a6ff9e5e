"""The description of the service: its contract, rendered too, and its problems explained."""

from __future__ import annotations

from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path

import flask_swagger_ui  # type: ignore[import-untyped]  # for the files it brings along
from flask import Blueprint, Response

from service.errors import NotFound
from service.http.problem_codes import PROBLEM_CODES
from service.http.responses import answer

bp = Blueprint("docs", __name__)
CONTRACT = Path(__file__).parents[1] / "shipped/openapi.yaml"
OURS, SWAGGER = files("service.api"), files(flask_swagger_ui).joinpath("dist")
PARTS = {
    "start.js": (OURS / "docs.js", "text/javascript"),
    "swagger-ui.css": (SWAGGER / "swagger-ui.css", "text/css"),
    "swagger-ui-bundle.js": (SWAGGER / "swagger-ui-bundle.js", "text/javascript"),
    "favicon-32x32.png": (SWAGGER / "favicon-32x32.png", "image/png"),
}
LINKS = {
    "docs": "/docs",
    "guide": "/guide",
    "openapi": "/openapi.yaml",
    "games": "/v1/games",
    "matches": "/v1/matches",
    "problems": "/problems",
    "health": "/healthz",
    "readiness": "/readyz",
    "metrics": "/metrics",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"
)


@bp.get("/")
def index() -> Response:
    """Where to go from here."""
    return answer({"name": "Annals", "links": LINKS})


@bp.get("/openapi.yaml")
def openapi() -> Response:
    """The contract."""
    return Response(_contract(), mimetype="application/yaml")


@bp.get("/docs", strict_slashes=False)
def docs() -> Response:
    """The contract as a page; all its parts come from this service."""
    page = OURS.joinpath("docs.html").read_text(encoding="utf-8")
    return Response(page, headers={"Content-Security-Policy": POLICY}, mimetype="text/html")


@bp.get("/docs/<name>")
def docs_part(name: str) -> Response:
    """A part of that page."""
    if name not in PARTS:
        raise NotFound("There is no such page.")
    path, kind = PARTS[name]
    return Response(path.read_bytes(), headers={"Cache-Control": "max-age=86400"}, mimetype=kind)


@bp.get("/problems", strict_slashes=False)
def problems() -> Response:
    """Every problem code with its explanation."""
    return _page("Problems", "".join(_explained(code) for code in PROBLEM_CODES))


@bp.get("/problems/<code>", strict_slashes=False)
def problem(code: str) -> Response:
    """One problem code explained."""
    if code not in PROBLEM_CODES:
        raise NotFound("There is no such problem.")
    return _page(code, _explained(code))


@cache
def _contract() -> bytes:
    return CONTRACT.read_bytes()


def _explained(code: str) -> str:
    title, advice = PROBLEM_CODES[code]
    return f"<h2><code>{code}</code>: {escape(title)}</h2><p>{escape(advice)}</p>"


def _page(title: str, content: str) -> Response:
    page = (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        f"<title>{title} - Annals</title><body>{content}</body></html>"
    )
    headers = {"Content-Security-Policy": "default-src 'none'"}
    return Response(page, headers=headers, mimetype="text/html")
