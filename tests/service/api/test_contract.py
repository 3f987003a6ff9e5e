"""openapi.yaml, the routes, the schemas and the problem codes agree."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import Any, get_args

import pytest
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Flask

from domain.games import GAMES
from domain.match.state import AbortReason, EarlyEndReason, EndReason, UnratedReason
from service.http.problem_codes import STATUS_OF, title_of
from service.http.schemas.accounts import ACCOUNT_BODIES
from service.http.schemas.admin import ADMIN_BODIES
from service.http.schemas.commands import BODIES
from service.http.schemas.notices import NOTICE_BODIES
from service.http.schemas.talk import TALK_BODIES
from service.http.schemas.webhooks import WEBHOOK_BODIES
from tests.engine.toy import GAME as TOY
from tests.service.api.conftest import Api
from tests.service.api.contract import ROOT, WRITTEN, contract, resolve
from tests.service.http.test_problems import refusals

SAID_OTHERWISE = {"description", "examples", "minProperties", "maxProperties"}
END = r"\Z"
LETTERS = {"pattern", "minLength", "maxLength"}
IN_WORDS = {("NewPlayer", "name"): LETTERS, ("NewName", "name"): LETTERS}
"""Patterns that generated clients cannot have in a schema: those with letters of any script."""
ADDED_BY_FLASK = {"HEAD", "OPTIONS"}
FOR_PEOPLE = "page."
"""The prefixes of routes for browsers, which need no contract."""


def test_the_routes_of_the_app_are_the_paths_of_the_contract(app: Flask) -> None:
    routes = {
        (re.sub(r"<(?:[^:>]+:)?(\w+)>", r"{\1}", rule.rule), method)
        for rule in app.url_map.iter_rules()
        if not rule.endpoint.startswith(FOR_PEOPLE)
        for method in (rule.methods or set()) - ADDED_BY_FLASK
    }
    verbs = {"get", "post", "delete", "put", "patch"}
    paths = {
        (path, verb.upper())
        for path, item in WRITTEN["paths"].items()
        for verb in item.keys() & verbs
    }
    assert routes == paths


@pytest.mark.parametrize(
    "schema",
    [*BODIES, *ACCOUNT_BODIES, *NOTICE_BODIES, *WEBHOOK_BODIES, *ADMIN_BODIES, *TALK_BODIES],
    ids=lambda schema: schema.__name__,
)
def test_request_schemas_are_those_of_the_contract(schema: Any) -> None:
    spec = APISpec("Annals", "1", "3.1.0", plugins=[MarshmallowPlugin(_name)])
    spec.components.schema(schema.__name__, schema=schema)
    ours = spec.to_dict()["components"]["schemas"][schema.__name__]
    theirs = _inline(contract()["components"]["schemas"][schema.__name__])
    assert _bare(ours, schema.__name__) == _bare(_in_one(theirs), schema.__name__)


def test_a_name_may_have_the_letters_of_any_script(nobody: Api) -> None:
    for name in ("J\u00f6rg", "\u5b34\u653f", "\u0391\u03b8\u03b7\u03bd\u03ac 2", "o'Neill-B"):
        assert nobody.post("/v1/players", {"name": name}).status_code == 201


def test_every_code_of_a_problem_has_an_explanation() -> None:
    sources = [path for part in ("domain", "service") for path in (ROOT / part).rglob("*.py")]
    kinds = {known.__name__ for known in refusals()}
    codes = {
        code or other
        for path in sources
        for name, code, other in re.findall(
            r'\b(\w+)\(\s*"(\w+)"|^    code = "(\w+)"', _read(path), re.MULTILINE
        )
        if other or name in kinds
    }
    assert len(codes) > 10
    assert codes <= STATUS_OF.keys()


def test_the_reasons_for_not_counting_are_one_closed_list() -> None:
    received = contract()["components"]["schemas"]["MatchUnratedReason"]["enum"]
    explained = re.findall(r"^\| `(\w+)` \|", _section("What does not count"), re.MULTILINE)
    assert {*received} == {*explained} - {"unrated"} == {*get_args(UnratedReason)}


def test_the_ways_to_end_are_one_closed_list() -> None:
    received = contract()["components"]["schemas"]["MatchSummary"]["properties"]["end_reason"]
    assert words(received) == {*get_args(EndReason), *get_args(AbortReason)}


def test_a_score_says_how_the_game_ended_by_a_word_of_a_closed_list() -> None:
    received = contract()["components"]["schemas"]["MatchScoring"]["properties"]["reason"]
    ends = {end for game in (*GAMES.values(), TOY) for end in game.end_reasons}
    assert words(received) == {*ends, *get_args(EarlyEndReason)}


def words(schema: Any) -> set[str]:
    """The values of an enumeration, or of all alternatives together."""
    whole = resolve(schema)
    return set(whole.get("enum", ())).union(*map(words, whole.get("anyOf", ())))


def _section(heading: str) -> str:
    """The part of docs/match.md under this heading."""
    return _read(ROOT / "docs/match.md").split(f"## {heading}")[1].split("\n## ")[0]


def test_the_kinds_of_entries_are_those_of_the_decisions() -> None:
    drafts = [
        made
        for path in (ROOT / "domain/match").rglob("*.py")
        for made in re.findall(r"Draft\(([^,]*),", _read(path))
    ]
    kinds = {kind for made in drafts for kind in re.findall(r'"(\w+)"', made)}
    assert set(contract()["components"]["schemas"]["EntryKind"]["enum"]) == kinds


def test_the_codes_of_problems_are_those_that_are_explained() -> None:
    assert set(contract()["components"]["schemas"]["Code"]["enum"]) == set(STATUS_OF)


def test_the_contract_is_there_as_json_too(nobody: Api) -> None:
    received = nobody.get("/openapi.json").json
    assert received["openapi"] == WRITTEN["openapi"]
    assert {part: received[part].keys() for part in ("paths", "components")} == {
        part: contract()[part].keys() for part in ("paths", "components")
    }


def test_every_problem_has_a_page(nobody: Api) -> None:
    contents = nobody.get("/problems", Accept="text/html").text
    for code in STATUS_OF:
        title = f"<code>{code}</code> {escape(title_of(code))}"
        assert title in nobody.get(f"/problems/{code}", Accept="text/html").text
        assert title in contents
        assert f'href="#{code}"' in contents
    assert nobody.get("/problems/nonsense").status_code == 404


def test_programs_read_the_problems_as_json(nobody: Api) -> None:
    problems = nobody.get("/problems").json["problems"]
    assert {problem["code"] for problem in problems} == set(STATUS_OF)
    for problem in problems:
        assert nobody.get(f"/problems/{problem['code']}").json == problem


def _bare(schema: Any, name: str) -> Any:
    """A schema without what marshmallow cannot express, or expresses differently."""
    members = {
        member: _without(SAID_OTHERWISE | IN_WORDS.get((name, member), set()), inner)
        for member, inner in schema["properties"].items()
    }
    return {**_without(SAID_OTHERWISE, schema), "properties": members}


def _without(words: set[str], schema: Any) -> Any:
    if isinstance(schema, list):
        return [_without(words, one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "/Any" in schema.get("$ref", ""):
        return {"type": "object", "additionalProperties": {}}
    bare = {word: _without(words, one) for word, one in schema.items() if word not in words}
    if bare.get("pattern", "").endswith(END):  # in Python `$` would accept a trailing newline
        bare["pattern"] = f"^{bare['pattern'].removesuffix(END)}$"
    match bare:  # only the game can parse it
        case {"anyOf": [{"type": "object", **more}, {"type": "null"}]}:
            return {"type": ["object", "null"], **more}
    if bare.get("enum") == [True]:  # clients would send it as a string
        del bare["enum"]
    return bare


def _inline(schema: Any) -> Any:
    """A schema without references to lists and texts, which marshmallow writes in place."""
    if isinstance(schema, list):
        return [_inline(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    meant = resolve(schema)
    if meant is not schema and meant.get("type") in ("array", "string"):
        return _inline(meant)
    return {name: _inline(one) for name, one in schema.items()}


def _in_one(schema: Any) -> Any:
    """Of a schema with alternatives: the members of all, none required."""
    if "oneOf" not in schema:
        return schema
    several = [resolve(one) for one in schema["oneOf"]]
    members = {name: inner for one in several for name, inner in one["properties"].items()}
    return {"type": "object", "additionalProperties": False, "properties": members}


def _name(schema: Any) -> str:
    kind = schema if isinstance(schema, type) else type(schema)
    return str(kind.__name__)


def _read(path: Path) -> str:
    return path.read_text()
