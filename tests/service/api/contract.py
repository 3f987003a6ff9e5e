"""openapi.yaml as a check of answers: stricter than clients need it, for it knows all members."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema_rs import Draft202012Validator, Registry
from werkzeug.test import TestResponse

from domain.games import GAMES
from service.http.contract import ContractFiles, read_contract, read_core, read_files
from tests.engine.toy import GAME as TOY
from tests.service.api.games_in_contract import generate_files

ROOT = Path(__file__).parents[3]
CONTRACT = "urn:annals:contract"
WRITTEN = read_core()
"""The core of the contract, without the schemas that are generated from the records."""
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
"""What each response has as `X-Request-Id`: the contract says so once, in its introduction."""


@cache
def contract_files() -> ContractFiles:
    """The files of the contract, read once for all tests."""
    return read_contract()


@cache
def written_part(name: str) -> dict[str, Any]:
    """The written contract as the service serves it: the whole, `core`, or that of a game."""
    files = contract_files()
    if name == "core":
        return files.without_games()
    return files.of_game(name) if name else files.whole()


@cache
def contract() -> dict[str, Any]:
    """The contract with the schemas as they are now; takes seconds, so not at an import."""
    schemas = generate_files({**GAMES, "toy": TOY})
    return ContractFiles(WRITTEN, schemas, read_files("openapi/examples")).whole()


def check(method: str, path: str, answer: TestResponse) -> None:
    """Check that the contract describes this answer to this request."""
    operation = operation_of(method, path)
    if operation is None:
        assert answer.status_code in (404, 405), (method, path, answer.status)
        return judge("Problem", answer.json)
    documented = operation["responses"].get(str(answer.status_code))
    assert documented, (method, path, answer.status, answer.get_data(as_text=True))
    documented = resolve(documented)
    check_headers(documented.get("headers", {}), answer)
    content = documented.get("content", {})
    if content:
        assert answer.mimetype in content, (method, path, answer.mimetype)
        if answer.is_json and "Content-Encoding" not in answer.headers:
            judge_schema(content[answer.mimetype]["schema"], answer.json)
    elif answer.status_code not in (200, 304):
        assert not answer.data
    return None


@cache
def operation_of(method: str, path: str) -> Any:
    """The operation for a request: of two matching templates, the more literal one."""
    for pattern, item in _paths():
        if method.lower() in item and pattern.fullmatch(path):
            return item[method.lower()]
    return None


@cache
def _paths() -> list[tuple[re.Pattern[str], Any]]:
    """A pattern for each template, with its operations; the most literal template comes first."""
    found = []
    for template, item in sorted(contract()["paths"].items(), key=_freedom):
        path_in_path = re.escape(template).replace(r"\{tile\}", ".+")
        pattern = re.sub(r"\\\{\w+\\\}", "[^/]+", path_in_path)
        found.append((re.compile(pattern + ("/?" if is_page(item) else "")), item))
    return found


def _freedom(described: tuple[str, Any]) -> int:
    """Sort key: the fewer literal letters a template has, the later it is tried."""
    return -len(re.sub(r"\{\w+\}", "", described[0]))


def is_page(item: dict[str, Any]) -> bool:
    """Whether this address is a page for people; a slash at its end makes no difference."""
    answers = item.get("get", {}).get("responses", {})
    return "text/html" in resolve(answers.get("200", {})).get("content", {})


def check_headers(documented: dict[str, Any], answer: TestResponse) -> None:
    assert REQUEST_ID.fullmatch(answer.headers["X-Request-Id"])
    assert ("RateLimit" in answer.headers) == ("RateLimit-Policy" in answer.headers)
    for name, header in documented.items():
        pattern = resolve(header)["schema"].get("pattern")
        if pattern and name in answer.headers:
            assert re.search(pattern, answer.headers[name]), (name, answer.headers[name])


def judge(schema: str, data: object) -> None:
    judge_schema({"$ref": f"#/components/schemas/{schema}"}, data)


def judge_schema(schema: dict[str, Any], data: object) -> None:
    _report(_validator(json.dumps(schema)), data)


def judge_in(document: dict[str, Any], schema: dict[str, Any], data: object) -> None:
    """The same for a schema of another document."""
    _report(_compile(json.dumps(schema), _register(document)), data)


def _report(validator: Draft202012Validator, data: object) -> None:
    fault = next(validator.iter_errors(data), None)
    assert fault is None, f"{'/'.join(map(str, fault.instance_path))}: {fault.message}"


@cache
def _validator(schema: str) -> Draft202012Validator:
    return _compile(schema, _registry())


def _compile(schema: str, registry: Registry) -> Draft202012Validator:
    return Draft202012Validator(
        json.loads(schema.replace('"#/', f'"{CONTRACT}#/')), registry=registry
    )


@cache
def _registry() -> Registry:
    """The closed schemas, compiled once for all validators."""
    return _register(contract())


def _register(document: dict[str, Any]) -> Registry:
    return Registry([(CONTRACT, {"components": close_schemas(document["components"])})])


def resolve(thing: dict[str, Any]) -> dict[str, Any]:
    return resolve_in(contract(), thing) if "$ref" in thing else thing


def resolve_in(document: dict[str, Any], thing: dict[str, Any]) -> dict[str, Any]:
    """The same for another document; for WRITTEN also at an import."""
    if "$ref" not in thing:
        return thing
    found: Any = document
    for part in thing["$ref"].removeprefix("#/").split("/"):
        found = found[part]
    return resolve_in(document, found)


def close_schemas(thing: Any) -> Any:
    """The same schemas, but closed: they allow no member that they do not name.

    Where a discriminator selects one of several schemas, only that one is checked, so that an error
    names the place and is found sooner.
    """
    if isinstance(thing, list):
        return [close_schemas(one) for one in thing]
    if not isinstance(thing, dict):
        return thing
    tight = {name: close_schemas(one) for name, one in thing.items()}
    if isinstance(thing.get("properties"), dict) and thing.get("type") is not None:
        tight.setdefault("additionalProperties", False)
    if isinstance(thing.get("discriminator"), dict):
        tight["allOf"] = [
            *tight.get("allOf", ()),
            *_split_by_discriminator(thing["discriminator"], tight.pop("oneOf")),
        ]
    return tight


def _split_by_discriminator(
    discriminator: dict[str, Any], schemas: Any
) -> Iterator[dict[str, Any]]:
    """The alternatives of `oneOf`, each with the discriminator's member fixed."""
    member, mapping = discriminator["propertyName"], discriminator["mapping"]
    places = {name: place for name, place in mapping.items() if {"$ref": place} in schemas}
    yield {"type": "object", "required": [member], "properties": {member: {"enum": [*places]}}}
    for name, place in places.items():
        yield {"if": {"properties": {member: {"const": name}}}, "then": {"$ref": place}}
