"""openapi.yaml is complete, and generators of clients handle all of it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

from service.http.contract import MATCH
from tests.service.api.contract import WRITTEN, contract, contract_files, resolve

Schemas = Iterator[tuple[str, Any]]
VERBS = ("get", "post", "put", "patch", "delete")
CLASSES = ("", "request", "operationrequest", "response", "body", "params")
"""Suffixes that generators append to the name of an operation to name a class."""
FOR_BROWSERS = {"text/html", "text/css", "text/javascript", "image/png"}
ONE_KIND = {"type", "$ref", "oneOf", "anyOf", "allOf"}


def everything(thing: Any, place: str = "") -> Schemas:
    """All objects of the contract, each with its JSON pointer."""
    if isinstance(thing, dict):
        yield place, thing
    inside = thing.items() if isinstance(thing, dict) else enumerate(thing)
    for name, inner in inside:
        if isinstance(inner, dict | list) and name not in ("example", "examples", "value"):
            yield from everything(inner, f"{place}/{name}")


@cache
def whole() -> list[tuple[str, Any]]:
    """All objects of the whole contract."""
    return [*everything(contract())]


def operations() -> Schemas:
    for path, item in WRITTEN["paths"].items():
        for verb in item.keys() & set(VERBS):
            yield f"{verb} {path}", item[verb]


def schemas() -> Schemas:
    """Every schema of the contract."""
    for place, thing in whole():
        if re.search(
            r"/(schemas|properties)/[^/]+$|/(schema|items)$|/(oneOf|anyOf|allOf)/\d+$", place
        ):
            yield place, thing


def request_schemas() -> Schemas:
    """The schemas of request bodies, with all nested ones."""
    for name, operation in operations():
        content = operation.get("requestBody", {}).get("content", {})
        yield from deep(content.get("application/json", {}).get("schema", {}), name, set())


def deep(schema: Any, place: str, known: set[str]) -> Schemas:
    for at, thing in everything(schema, place):
        yield at, thing
        target = thing.get("$ref")
        if target and target not in known:
            yield from deep(resolve(thing), f"{place} {target}", known | {target})


def test_patterns_are_such_as_every_language_knows() -> None:
    r"""Python's `re` lacks `\p`, and JavaScript lacks `\Z`."""
    patterns = {at: one["pattern"] for at, one in schemas() if isinstance(one.get("pattern"), str)}
    assert patterns
    assert [at for at, one in patterns.items() if re.search(r"\\[pPAZz]|\(\?[^:]", one)] == []


def test_enums_are_of_words_or_numbers() -> None:
    """`enum: [true]` becomes the string "true" in some languages."""
    enums = {at: one["enum"] for at, one in schemas() if isinstance(one.get("enum"), list)}
    assert enums
    assert [at for at, one in enums.items() if True in one or None in one] == []


def test_nothing_that_is_sent_has_a_default() -> None:
    """Some generators require a member with a default, since the answer would always have it."""
    assert list(request_schemas())
    assert [at for at, one in request_schemas() if "default" in one] == []


def test_alternatives_are_separate_schemas() -> None:
    """`oneOf: [{required: [a]}, {required: [b]}]` is a type with no members for most."""
    found = [
        f"{at} {word}"
        for at, one in schemas()
        for word in ("oneOf", "anyOf", "allOf")
        if not all(ONE_KIND & inner.keys() or "const" in inner for inner in one.get(word, ()))
    ]
    assert found == []


def test_every_schema_says_of_what_type_it_is() -> None:
    untyped = [at for at, one in schemas() if one and not (ONE_KIND | {"const"}) & one.keys()]
    assert untyped == []


def test_pictures_are_bytes() -> None:
    pictures = [
        (at, one["schema"])
        for at, one in whole()
        if re.search(r"/content/image/", at) and "schema" in one
    ]
    assert len(pictures) >= 3
    assert [at for at, schema in pictures if schema.get("format") != "binary"] == []


def test_every_answer_has_a_type() -> None:
    contents = [(at, one) for at, one in whole() if re.search(r"/content/[a-z]+/[^/]+$", at)]
    assert contents
    assert [at for at, one in contents if not one.get("schema")] == []


def test_an_answer_has_one_type() -> None:
    """Typed clients get a union otherwise, and must cast."""
    found = {
        name: set(answer["content"]) - FOR_BROWSERS
        for name, operation in operations()
        for answer in map(resolve, operation["responses"].values())
        if len(answer.get("content", ())) > 1
    }
    assert {name for name, kinds in found.items() if len(kinds) > 1} == set()


def test_what_three_operations_have_alike_is_one_component() -> None:
    """Clients get one type for it, and the contract stays small."""
    written_out = Counter(
        json.dumps(one)
        for _, operation in operations()
        for one in (*operation.get("parameters", ()), *operation["responses"].values())
        if "$ref" not in one
    )
    assert [one for one, count in written_out.items() if count > 2] == []


def test_no_record_has_two_schemas() -> None:
    """What the code has a record for is generated, and the core refers to it."""
    records = contract_files().schemas[MATCH].values()
    generated = {members_of(record) for record in records if "properties" in record}
    written = WRITTEN["components"]["schemas"]
    assert [name for name, schema in written.items() if members_of(schema) in generated] == []


def members_of(schema: Any) -> tuple[frozenset[str], frozenset[str]]:
    """All members of an object, and the required ones."""
    return frozenset(schema.get("properties", ())), frozenset(schema.get("required", ()))


def test_every_list_ends_with_null() -> None:
    lists = {at: one["properties"] for at, one in schemas() if "next" in one.get("properties", ())}
    assert len(lists) >= 7
    endless = [at for at, members in lists.items() if "null" not in members["next"]["type"]]
    assert endless == []


def test_no_operation_is_called_like_a_schema() -> None:
    """Generators make classes for both: `UndoRequest` would be the body of the operation `undo`."""
    classes = [name.lower() for name in contract()["components"]["schemas"]]
    assert len(set(classes)) == len(classes)
    names = [operation["operationId"] for _, operation in operations()]
    assert len({name.lower() for name in names}) == len(names)
    made = {f"{name.lower()}{what}" for name in names for what in CLASSES}
    assert made & set(classes) == set()


def test_parameters_stand_at_their_operations() -> None:
    """Pages that try operations out, and some generators, ignore those of a whole path."""
    assert [path for path, item in WRITTEN["paths"].items() if set(item) - set(VERBS)] == []
    for name, operation in operations():
        named = [resolve(one) for one in operation.get("parameters", ())]
        in_path = {one["name"] for one in named if one["in"] == "path"}
        assert in_path == set(re.findall(r"\{(\w+)\}", name)), name


def test_every_operation_says_what_it_does_and_how_it_refuses() -> None:
    tags = {tag["name"] for tag in WRITTEN["tags"]}
    for name, operation in operations():
        missing = {"operationId", "tags", "summary", "description", "responses"} - operation.keys()
        assert not missing, (name, missing)
        assert operation["description"].strip() != operation["summary"].strip(), name
        assert any(status.startswith("4") for status in operation["responses"]), name
        assert set(operation["tags"]) <= tags, name


def test_no_tag_has_operations_and_messages() -> None:
    """openapi-generator writes a file per tag, and that of messages last."""
    sent = {tag for item in WRITTEN["webhooks"].values() for tag in item["post"]["tags"]}
    assert sent.isdisjoint(tag for _, operation in operations() for tag in operation["tags"])


def test_every_component_is_used() -> None:
    """Also those of the files: a document that was put together has only the used ones."""
    used = {one["$ref"] for _, one in whole() if isinstance(one.get("$ref"), str)}
    there = {
        f"#/components/{kind}/{name}"
        for document in (WRITTEN, contract())
        for kind, things in document["components"].items()
        for name in things
        if kind != "securitySchemes"
    }
    assert there - used == set()
    assert used - there == set()


def test_nothing_is_filled_in_that_only_the_caller_can_know() -> None:
    """A page that tries operations out fills in the example or default of a header."""
    headers = [one for one in WRITTEN["components"]["parameters"].values() if one["in"] == "header"]
    assert headers
    for header in headers:
        assert not {"example", "examples"} & header.keys(), header["name"]
        assert not {"default", "example", "examples"} & header["schema"].keys(), header["name"]


def test_nothing_is_said_twice() -> None:
    for place, thing in whole():
        text = thing.get("description") if isinstance(thing, dict) else None
        if isinstance(text, str):  # a schema, and not a member of that name
            said = re.split(r"(?<=[.]) ", " ".join(text.split()))
            assert len(said) == len(set(said)), (place, text)
