"""The description of the service: its contract, rendered too, and its problems explained."""

from __future__ import annotations

from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path

import flask_swagger_ui  # type: ignore[import-untyped]  # for the files it brings along
import msgspec
import yaml  # type: ignore[import-untyped]  # it has no types
from flask import Blueprint, Response

from service.errors import NotFound
from service.guides import MARKDOWN
from service.http.pages import page, served, wants_page
from service.http.problem_codes import PROBLEM_CODES, STATUS_OF
from service.http.responses import Json, answer
from service.page.lobby import lobby

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
}
ABOUT = (
    "Every error is a problem document (RFC 9457) with one of these codes. Codes are stable; "
    "sentences may change."
)
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"
)


@bp.get("/")
def index() -> Response:
    """Where to go from here: for programs, and for people the lobby."""
    if wants_page():
        return lobby()
    return answer({"name": "Annals", "links": LINKS})


@bp.get("/openapi.yaml")
def openapi() -> Response:
    """The contract."""
    return Response(_contract(), mimetype="application/yaml")


@bp.get("/openapi.json")
def openapi_json() -> Response:
    """The contract, for those who would rather read JSON."""
    return Response(contract_as_json(), mimetype="application/json")


@bp.get("/docs", strict_slashes=False)
def docs() -> Response:
    """The contract as a page; all its parts come from this service."""
    return served(OURS.joinpath("docs.html").read_text(encoding="utf-8"), POLICY)


@bp.get("/docs/<name>")
def docs_part(name: str) -> Response:
    """A part of that page."""
    if name not in PARTS:
        raise NotFound("There is no such page.")
    path, kind = PARTS[name]
    return Response(path.read_bytes(), headers={"Cache-Control": "max-age=86400"}, mimetype=kind)


@bp.get("/problems", strict_slashes=False)
def problems() -> Response:
    """Every problem code with its explanation: for programs, and as a page for people."""
    if not wants_page():
        return answer({"problems": [_problem(code) for code in PROBLEM_CODES]})
    links = ", ".join(f'<a href="#{code}"><code>{code}</code></a>' for code in PROBLEM_CODES)
    explained = "".join(_explained(code) for code in PROBLEM_CODES)
    return page("Problems", f"<h1>Problems</h1><p>{ABOUT}</p><p>{links}</p>{explained}")


@bp.get("/problems/<code>", strict_slashes=False)
def problem(code: str) -> Response:
    """One problem code explained."""
    if code not in PROBLEM_CODES:
        raise NotFound("There is no such problem.")
    return page(code, _explained(code)) if wants_page() else answer(_problem(code))


@cache
def _contract() -> bytes:
    return CONTRACT.read_bytes()


@cache
def contract_as_json() -> bytes:
    """The contract as JSON, worked out once."""
    return msgspec.json.encode(yaml.load(_contract(), yaml.CSafeLoader))


def _problem(code: str) -> Json:
    """A problem code as JSON."""
    title, advice = PROBLEM_CODES[code]
    return {"code": code, "status": STATUS_OF[code], "title": title, "advice": advice}


def _explained(code: str) -> str:
    """A problem code as HTML."""
    title, advice = PROBLEM_CODES[code]
    return (
        f'<h2 id="{code}"><code>{code}</code> {escape(title)}</h2>'
        f"<p>Status {STATUS_OF[code]}. {MARKDOWN.renderInline(advice)}</p>"
    )
