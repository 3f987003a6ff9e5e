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

from service.http.guides import MARKDOWN
from service.http.json_responses import Json, answer
from service.http.language import in_its_language, language
from service.http.problem_codes import STATUS_OF, TEXTS, advice_of, title_of
from service.http.requests import check
from service.http.responses.html_pages import page, served, wants_page
from service.http.schemas.common import LanguageQuery
from service.page.views.lobby import lobby
from service.runtime.errors import NotFound

bp = Blueprint("docs", __name__)
CONTRACT = Path(__file__).parents[2] / "shipped/openapi.yaml"
OURS, SWAGGER = files(__package__), files(flask_swagger_ui).joinpath("dist")
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
LANGUAGE = LanguageQuery()
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"
)


@bp.get("/")
def index() -> Response:
    """Where to go from here: for programs, and for people the lobby."""
    if wants_page():
        return lobby()
    return answer({"name": "Annals", "links": LINKS}, headers={"Vary": "Accept"})


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
    check(LANGUAGE, "language")
    codes, told_in = sorted(STATUS_OF), language()
    if not wants_page():
        found = answer({"problems": [_problem(code, told_in) for code in codes]})
        return in_its_language(found)
    texts = TEXTS[told_in]
    title, about = escape(texts["frame_problems"]), escape(texts["frame_about"])
    links = ", ".join(f'<a href="#{code}"><code>{code}</code></a>' for code in codes)
    explained = "".join(_explained(code, told_in) for code in codes)
    content = f"<h1>{title}</h1><p>{about}</p><p>{links}</p>{explained}"
    return in_its_language(page(texts["frame_problems"], content, told_in))


@bp.get("/problems/<code>", strict_slashes=False)
def problem(code: str) -> Response:
    """One problem code explained."""
    check(LANGUAGE, "language")
    if code not in STATUS_OF:
        raise NotFound("There is no such problem.")
    if wants_page():
        return in_its_language(page(code, _explained(code, language()), language()))
    return in_its_language(answer(_problem(code, language())))


@cache
def _contract() -> bytes:
    return CONTRACT.read_bytes()


@cache
def contract_as_json() -> bytes:
    """The contract as JSON, worked out once."""
    return msgspec.json.encode(yaml.load(_contract(), yaml.CSafeLoader))


def _problem(code: str, language: str) -> Json:
    """A problem code as JSON."""
    return {
        "code": code,
        "status": STATUS_OF[code],
        "title": title_of(code, language),
        "advice": advice_of(code, language),
    }


def _explained(code: str, language: str) -> str:
    """A problem code as HTML."""
    status = TEXTS[language]["frame_status"].format(status=STATUS_OF[code])
    return (
        f'<h2 id="{code}"><code>{code}</code> {escape(title_of(code, language))}</h2>'
        f"<p>{status} {MARKDOWN.renderInline(advice_of(code, language))}</p>"
    )
