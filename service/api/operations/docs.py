"""The contract, also rendered, and explanations of its problems."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template
from typing import Literal

import flask_swagger_ui  # type: ignore[import-untyped]  # for the files it brings along
import msgspec
from flask import Blueprint, Response

from domain.games import GAMES
from service.http.contract import read_contract
from service.http.guides import MARKDOWN
from service.http.json_responses import Json, json_response
from service.http.language import language, with_content_language
from service.http.problem_codes import STATUS_OF, TEXTS, advice_of, title_of
from service.http.requests import check_parameters
from service.http.responses.html_pages import html_page, html_response, prefers_html
from service.http.responses.representation import not_modified
from service.http.schemas.common import LanguageQuery
from service.http.yaml_style import to_yaml
from service.page.views.lobby import lobby
from service.runtime.errors import NotFound
from service.runtime.shares.made_once import MadeOnce

bp = Blueprint("docs", __name__)
HERE, SWAGGER = files(__package__), files(flask_swagger_ui).joinpath("dist")
FILES = {
    "start.js": (HERE / "docs.js", "text/javascript"),
    "style.css": (HERE / "docs.css", "text/css"),
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
WHOLE, CORE = "", "core"
"""The names of the contract, and of its part without games; other parts have the key of a game."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"
)


@bp.get("/")
def index() -> Response:
    """Links to everything else: JSON for programs, the lobby for browsers."""
    if prefers_html():
        return lobby()
    return json_response({"name": "Annals", "links": LINKS}, headers={"Vary": "Accept"})


@bp.get("/openapi.yaml")
def openapi() -> Response:
    """Return the contract as YAML."""
    return _contract(WHOLE, "yaml")


@bp.get("/openapi.json")
def openapi_json() -> Response:
    """Return the contract as JSON."""
    return _contract(WHOLE, "json")


@bp.get("/openapi/<part>.yaml")
def openapi_part(part: str) -> Response:
    """Return a part of the contract as YAML: the core, or all that a game needs."""
    return _contract(part, "yaml")


@bp.get("/openapi/<part>.json")
def openapi_part_json(part: str) -> Response:
    """Return a part of the contract as JSON."""
    return _contract(part, "json")


@bp.get("/docs", strict_slashes=False)
def docs() -> Response:
    """Return the contract as a page; all its files come from this service."""
    return html_response(_docs_page(), POLICY)


@bp.get("/docs/<name>")
def docs_file(name: str) -> Response:
    """Return a file of that page."""
    if name not in FILES:
        raise NotFound("There is no such page.")
    path, kind = FILES[name]
    return Response(path.read_bytes(), headers={"Cache-Control": "no-cache"}, mimetype=kind)


@bp.get("/problems", strict_slashes=False)
def problems() -> Response:
    """Return every problem code with its explanation: JSON for programs, a page for browsers."""
    check_parameters(LANGUAGE, "language")
    codes, chosen = sorted(STATUS_OF), language()
    if not prefers_html():
        found = json_response({"problems": [_problem_json(code, chosen) for code in codes]})
        return with_content_language(found)
    texts = TEXTS[chosen]
    title, about = escape(texts["frame_problems"]), escape(texts["frame_about"])
    links = ", ".join(f'<a href="#{code}"><code>{code}</code></a>' for code in codes)
    explanations = "".join(_explain(code, chosen) for code in codes)
    content = f"<h1>{title}</h1><p>{about}</p><p>{links}</p>{explanations}"
    return with_content_language(html_page(texts["frame_problems"], content, chosen))


@bp.get("/problems/<code>", strict_slashes=False)
def problem(code: str) -> Response:
    """One problem code with its explanation."""
    check_parameters(LANGUAGE, "language")
    if code not in STATUS_OF:
        raise NotFound("There is no such problem.")
    if prefers_html():
        return with_content_language(html_page(code, _explain(code, language(), "h1"), language()))
    return with_content_language(json_response(_problem_json(code, language())))


def warm_up() -> None:
    """Put the contract and its parts together, which takes longer than a request should."""
    CONTRACTS.get()
    _docs_page()


@cache
def _docs_page() -> str:
    """Return the page that shows the core of the contract, or the records of a game."""
    titles = {
        CORE: "no game",
        **{game: GAMES[game].title for game in CONTRACTS.get() if game in GAMES},
    }
    options = [f'<option value="{key}">{escape(title)}</option>' for key, title in titles.items()]
    page = Template(HERE.joinpath("docs.html").read_text(encoding="utf-8"))
    return page.substitute(options="".join(options))


class ContractPart:
    """The contract or a part of it, as JSON and as YAML, with an ETag.

    It keeps only texts: the objects of all parts together take much memory.
    """

    def __init__(self, content: Json) -> None:
        self.json = msgspec.json.encode(content)
        self.etag = f'"{sha256(self.json).hexdigest()[:16]}"'
        self.yaml = MadeOnce(lambda: to_yaml(msgspec.json.decode(self.json)).encode())


def _make_contracts() -> dict[str, ContractPart]:
    """Return the contract and its parts by name; only one of them is in memory as objects."""
    files = read_contract()
    whole, core = ContractPart(files.whole()), ContractPart(files.without_games())
    games = {game: ContractPart(files.of_game(game)) for game in files.games()}
    return {WHOLE: whole, CORE: core, **games}


CONTRACTS = MadeOnce(_make_contracts)


def _contract(name: str, form: Literal["json", "yaml"]) -> Response:
    """Return a part of the contract. Raises NotFound."""
    part = CONTRACTS.get().get(name)
    if part is None:
        raise NotFound("There is no such part of the contract.")
    headers = {"ETag": part.etag, "Cache-Control": "public, no-cache"}
    if answer := not_modified(headers):
        return answer
    body = part.json if form == "json" else part.yaml.get()
    return Response(body, headers=headers, mimetype=f"application/{form}")


def _problem_json(code: str, language: str) -> Json:
    """Return a problem code as JSON."""
    return {
        "code": code,
        "status": STATUS_OF[code],
        "title": title_of(code, language),
        "advice": advice_of(code, language),
    }


def _explain(code: str, language: str, heading: str = "h2") -> str:
    """Return a problem code as HTML below a heading."""
    status = TEXTS[language]["frame_status"].format(status=STATUS_OF[code])
    return (
        f'<{heading} id="{code}"><code>{code}</code> {escape(title_of(code, language))}</{heading}>'
        f"<p>{status} {MARKDOWN.renderInline(advice_of(code, language))}</p>"
    )
