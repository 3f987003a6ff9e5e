"""The contract is valid YAML 1.2 and valid OpenAPI 3.1, each by two independent libraries, and
every part of it is described.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
import yaml12
from jsonschema_rs import meta

from domain.engine.contract.schemas import game_schemas, record_schemas
from domain.engine.resources.field_notes import read
from domain.games import GAMES
from domain.match.events import MATCH_EVENTS
from service.http.contract import FOLDER, prefix_of
from service.http.yaml_style import to_yaml
from tests.architecture.layout import ROOT
from tests.service.api.contract import written_part
from tests.service.api.games_in_contract import EVENTS
from workers.tools.new_game import MARK

DECISION = ROOT / "docs/decisions/48-contract-in-files.md"
FILES = [FOLDER / "openapi.yaml", *sorted((FOLDER / "openapi").rglob("*.yaml"))]
PARTS = (pytest.param("", marks=pytest.mark.long), "core")
"""The contract, and its part without games. That of a game has the same schemas as the whole, see
test_contract_parts.py. The whole has no other paths than its core, and more schemas.
"""
DRAFT = "https://json-schema.org/draft/2020-12/schema"
KEYWORDS = {
    *("$ref", "type", "enum", "const", "format", "pattern", "description", "examples"),
    *("minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"),
    *(
        "default",
        "properties",
        "required",
        "additionalProperties",
        "minProperties",
        "maxProperties",
    ),
    *("items", "prefixItems", "anyOf", "oneOf", "allOf", "discriminator"),
    "x-rules",
}
"""The words that our schemas may have, of JSON Schema 2020-12, OpenAPI 3.1 and ours (`x-`)."""


def schemas(thing: Any, place: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """All schemas of a document, also the nested ones, each with its JSON pointer."""
    if isinstance(thing, list):
        thing = dict(enumerate(thing))
    if not isinstance(thing, dict):
        return
    if is_schema(place):
        yield place, thing
    for name, inner in thing.items():
        if name not in ("examples", "x-rules") or place.endswith("/properties"):
            yield from schemas(inner, f"{place}/{name}")


def is_schema(place: str) -> bool:
    return bool(
        re.search(
            r"/components/schemas/\w+$|/schema$|/properties/[^/]+$|/(items|additionalProperties)$"
            r"|/(anyOf|oneOf|allOf|prefixItems)/\d+$",
            place,
        )
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_a_file_is_yaml_1_2_and_1_1_alike(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert yaml12.parse_yaml(text) == yaml.load(text, yaml.CSafeLoader)


@pytest.mark.slow
@pytest.mark.parametrize("name", PARTS)
def test_what_the_service_serves_is_yaml_1_2_and_1_1_alike(name: str) -> None:
    text = to_yaml(written_part(name))
    assert yaml12.parse_yaml(text) == yaml.load(text, yaml.CSafeLoader) == written_part(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", PARTS)
def test_a_part_is_openapi_3_1(name: str) -> None:
    # Imported here, because a collection in each process need not wait for them.
    from openapi_pydantic.v3.v3_1 import OpenAPI
    from openapi_spec_validator import OpenAPIV31SpecValidator

    assert list(OpenAPIV31SpecValidator(written_part(name)).iter_errors()) == []
    parsed = OpenAPI.model_validate(written_part(name))
    assert parsed.paths
    assert parsed.paths.keys() == written_part(name)["paths"].keys()


def test_every_schema_is_json_schema_2020_12() -> None:
    found = written_part("")["components"]["schemas"]
    assert len(found) > 500
    assert [
        name for name, one in found.items() if not meta.is_valid({"$schema": DRAFT, **one})
    ] == []


def test_no_schema_has_an_unknown_keyword() -> None:
    found = dict(schemas(written_part("")))
    assert len(found) > 1_000
    assert [(at, one.keys() - KEYWORDS) for at, one in found.items() if one.keys() - KEYWORDS] == []


def test_every_member_has_a_description() -> None:
    components = written_part("")["components"]["schemas"]
    members = {
        at: one for at, one in schemas(written_part("")) if re.search(r"/properties/[^/]+$", at)
    }
    assert len(members) > 1_000
    assert [at for at, one in members.items() if not is_described(one, components)] == []


def is_described(schema: dict[str, Any], components: dict[str, Any]) -> bool:
    """Whether a schema, or one that it refers to, has a description, or names its only value."""
    if "$ref" in schema and "description" not in schema:
        return is_described(components[schema["$ref"].rpartition("/")[2]], components)
    return (
        "description" in schema
        or len(schema.get("enum", ())) == 1
        or any(is_described(one, components) for one in schema.get("anyOf", ()))
    )


@pytest.mark.parametrize("kind", ["View", "Board", "Move", "Event", "Step"])
def test_a_name_has_one_type_in_the_records_of_all_games(kind: str) -> None:
    """Except those in the decision: their records are stored, so their names must stay."""
    types = defaultdict(set)
    for components in schemas_of_games():
        for record in records_of(kind, components):
            for name, schema in record.get("properties", {}).items():
                types[name].add(type_of(schema, components))
    rows = re.findall(
        rf"^\| {kind} \| `(\w+)` \| (.*) \|$", DECISION.read_text("utf-8"), re.MULTILINE
    )
    allowed = {name: set(re.findall(r"`(.*?)`", listed)) for name, listed in rows}
    found = {name: several for name, several in types.items() if len(several) > 1}
    assert types
    assert found == allowed, "Give a new member another name, or the type that its name has."


@cache
def schemas_of_games() -> list[dict[str, Any]]:
    """The schemas of each game whose moves are no longer the toy's, and those of every match."""
    of_games = [
        game_schemas(game)
        for key, game in GAMES.items()
        if MARK not in (ROOT / f"domain/games/{key}/moves.py").read_text("utf-8")
    ]
    return [*of_games, record_schemas(MATCH_EVENTS, (), EVENTS, read("domain.match"))]


def records_of(kind: str, components: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The schemas of one kind: that of this name, or those that it unites."""
    one = components.get(kind, {})
    for reference in one.get("discriminator", {}).get("mapping", {}).values():
        yield components[reference.rpartition("/")[2]]
    yield one


@pytest.mark.parametrize("game", GAMES)
def test_a_position_has_no_steps_of_its_own(game: str) -> None:
    """Its agenda has the steps that events and views have, and a start lists none of them again."""
    prefix = prefix_of(game)
    members = written_part("")["components"]["schemas"][f"{prefix}Position"]["properties"]
    if "agenda" in members:
        assert members["agenda"]["items"] == {"$ref": f"#/components/schemas/{prefix}Step"}


def type_of(schema: dict[str, Any], components: dict[str, Any]) -> str:
    """The type of a schema in a word: `integer`, `[string]`, `object`; null is an empty text."""
    if "$ref" in schema:
        return type_of(components[schema["$ref"].rpartition("/")[2]], components)
    if "anyOf" in schema:
        return "|".join(sorted({type_of(one, components) for one in schema["anyOf"]} - {""}))
    kind = schema.get("type", "object")
    kinds = [kind] if isinstance(kind, str) else kind
    if "array" in kinds:
        return f"[{type_of(schema.get('items', {}), components)}]"
    return "|".join(sorted({*kinds} - {"null"}))
