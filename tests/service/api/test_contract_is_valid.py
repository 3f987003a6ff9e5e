"""The contract is valid YAML 1.2 and valid OpenAPI 3.1, each by two independent libraries, and
every part of it is described.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
import yaml12

from domain.games import GAMES
from service.http.contract import FOLDER, prefix_of
from service.http.yaml_style import to_yaml
from tests.service.api.contract import written_part

FILES = [FOLDER / "openapi.yaml", *sorted((FOLDER / "openapi").rglob("*.yaml"))]
PARTS = ("", "core")
"""The contract, and its part without games. That of a game has the same schemas as the whole, see
test_contract_parts.py.
"""
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
    """Whether a schema, or one that it refers to, has a description."""
    if "$ref" in schema and "description" not in schema:
        return is_described(components[schema["$ref"].rpartition("/")[2]], components)
    return "description" in schema or any(
        is_described(one, components) for one in schema.get("anyOf", ())
    )


@pytest.mark.parametrize("kind", ["View", "Board"])
def test_a_name_has_one_type_in_the_views_of_all_games(kind: str) -> None:
    components = written_part("")["components"]["schemas"]
    types = defaultdict(set)
    for game in GAMES:
        for name, schema in components[prefix_of(game) + kind]["properties"].items():
            types[name].add(type_of(schema, components))
    assert {name: several for name, several in types.items() if len(several) > 1} == {}


@pytest.mark.parametrize("game", GAMES)
def test_a_position_has_no_steps_of_its_own(game: str) -> None:
    """Its agenda has the steps that events and views have, and a start lists none of them again."""
    prefix = prefix_of(game)
    members = written_part("")["components"]["schemas"][f"{prefix}Position"]["properties"]
    if "agenda" in members:
        assert members["agenda"]["items"] == {"$ref": f"#/components/schemas/{prefix}Step"}


def type_of(schema: dict[str, Any], components: dict[str, Any]) -> str:
    """The type of a schema in a word: `integer`, `[string]`, `object`; null does not count."""
    if "$ref" in schema:
        return type_of(components[schema["$ref"].rpartition("/")[2]], components)
    if "anyOf" in schema:
        return "|".join(sorted({type_of(one, components) for one in schema["anyOf"]} - {"null"}))
    kind = schema.get("type", "object")
    kinds = [kind] if isinstance(kind, str) else kind
    if "array" in kinds:
        return f"[{type_of(schema.get('items', {}), components)}]"
    return "|".join(sorted({*kinds} - {"null"}))
