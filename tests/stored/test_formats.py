"""What is stored lives for ever: formats only grow, by members with defaults."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET, UnsetType

from domain.engine.codecs.binary_codec import decoder, pack
from domain.engine.codecs.json_codec import encode
from domain.engine.play import Record
from service.analytics.table_folders import TABLES_VERSION
from service.store.store_format import STORE_LEVEL
from tests.stored import formats
from tests.stored.formats import (
    READ_IN_FUNCTIONS,
    TABLE,
    digest_of_entries,
    incompatible,
    stored_formats,
)
from workers.tools.tables.parts.schema import TABLES

ROOT = Path(__file__).parents[2]
FILE = Path(__file__).with_name("formats.json")
LEVELS_FILE = Path(__file__).with_name("levels.json")
"""By level of a store, the digest of the formats of its entries; written once."""
READ_FROM_OTHERS = {
    "Application": "an answer of Discord",
    "_Error": "an answer of Discord",
    "Readiness": "an answer of the running service",
    "_Problem": "an answer of the running service",
    "kind": "a request",
    "RestartRecord": "of the current run; it begins again if it cannot be read",
}
"""Types that modules decode without a decoder of their own, and that are stored for one run at
most.
"""
RECORDED: dict[str, Any] = json.loads(FILE.read_text())
POINT: dict[str, Any] = {"as": "array", "members": {"x": ["int"], "y": ["int | none", "None"]}}


@pytest.fixture(scope="module")
def now() -> Mapping[str, Any]:
    """The formats of this commit."""
    return stored_formats()


@pytest.mark.slow
def test_what_was_stored_can_be_read(now: Mapping[str, Any], update_tables: bool) -> None:
    assert incompatible(RECORDED, now) == []
    if update_tables:
        lines = (f"{json.dumps(name)}: {json.dumps(now[name])}" for name in sorted(now))
        FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    assert json.loads(FILE.read_text()) == now, "Run `make tables` to record what is new."


@pytest.mark.slow
def test_a_level_of_a_store_says_what_older_versions_cannot_read(
    now: Mapping[str, Any], update_tables: bool
) -> None:
    """Or an older version would serve new entries as damaged, instead of refusing the store."""
    levels: dict[str, str] = json.loads(LEVELS_FILE.read_text())
    digest = digest_of_entries(now)
    if update_tables:
        levels.setdefault(str(STORE_LEVEL), digest)
        LEVELS_FILE.write_text(json.dumps(levels, indent=1) + "\n")
    assert levels.get(str(STORE_LEVEL)) == digest, (
        "Entries have something new: increase STORE_LEVEL, then run `make tables`."
    )
    assert max(map(int, levels)) == STORE_LEVEL


def test_columns_change_only_with_the_version_of_the_tables() -> None:
    """A folder has one version, and engines read the columns of its first file in all of them."""
    columns = {"as": f"{TABLE} 3", "members": {"x": ["BIGINT"]}}
    grown = {**columns, "members": {"x": ["BIGINT"], "y": ["BIGINT", "NULL"]}}
    assert incompatible({"draws": columns}, {"draws": columns}) == []
    [fault] = incompatible({"draws": columns}, {"draws": grown})
    assert fault == "draws has other columns in the same version: increase TABLES_VERSION."
    later = {**grown, "as": f"{TABLE} 4"}
    assert incompatible({"draws": columns}, {"draws": later}) == []


def test_another_version_of_the_tables_changes_no_other_format(
    now: Mapping[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formats, "TABLES_VERSION", TABLES_VERSION + 1)
    later = stored_formats()
    changed = {name for name in now if now[name] != later[name]}
    assert changed == {f"tables: {table}" for table in TABLES}
    assert incompatible(RECORDED, later) == []


def test_all_that_is_new_in_entries_changes_their_digest() -> None:
    grown = {**POINT, "members": {**POINT["members"], "z": ["int", "UNSET"]}}
    for name, counts in (("match: Point", True), ("qin: Point", True), ("house: Point", False)):
        before, after = (digest_of_entries({name: one}) for one in (POINT, grown))
        assert (before != after) == counts, name


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda form: form["members"].pop("y"), "Point.y is gone."),
        (
            lambda form: form["members"].update(x=["str"]),
            "Point.x was int, now it is str.",
        ),
        (lambda form: form["members"].update(y=["int"]), "Point.y was int | none, now it is int."),
        (
            lambda form: form["members"].update(y=["int | none", "1"]),
            "Point.y had the default None, now it has 1.",
        ),
        (lambda form: form["members"].update(z=["int"]), "Point.z is new and has no default."),
        (
            lambda form: form.update(members={"z": ["int", "0"], **form["members"]}),
            "Point has other members at the places of those stored.",
        ),
        (lambda form: form.update({"as": "object"}), "Point was stored as array, now as object."),
    ],
)
def test_a_change_that_spoils_stored_records_is_named(change: Any, fault: str) -> None:
    changed = {**POINT, "members": dict(POINT["members"])}
    change(changed)
    assert fault in incompatible({"Point": POINT}, {"Point": changed})


def test_a_new_member_of_an_event_is_in_no_text_of_earlier_entries() -> None:
    event: dict[str, Any] = {"as": "packed array Placed", "members": {"x": ["int"]}}
    for default, faults in (
        ("UNSET", []),
        ("0", ["Placed.y is new and changes the texts of earlier entries: let it be UNSET."]),
    ):
        grown = {**event, "members": {"x": ["int"], "y": ["int | unset", default]}}
        assert incompatible({"Placed": event}, {"Placed": grown}) == faults


def test_an_array_has_at_most_one_member_that_may_be_missing() -> None:
    optional = ["int | unset", "UNSET"]
    event: dict[str, Any] = {"as": "packed array Placed", "members": {"x": optional}}
    grown = {**event, "members": {"x": optional, "y": optional}}
    [fault] = incompatible({"Placed": event}, {"Placed": grown})
    assert "two members that may be UNSET" in fault


def test_an_event_that_gets_a_member_keeps_bytes_and_text() -> None:
    class Placement(Record, frozen=True):
        x: int

    before = Placement

    class Placement(Record, frozen=True):  # type: ignore[no-redef]
        x: int
        y: str | UnsetType = UNSET

    assert pack(Placement(1)) == pack(before(1))
    assert encode(Placement(1)) == encode(before(1))
    assert decoder(Placement)(pack(before(1))) == Placement(1)
    assert decoder(Placement)(pack(Placement(1, "far"))) == Placement(1, "far")


@pytest.mark.parametrize(
    ("old", "new", "may"),
    [
        ("list['a' | 'b']", "list['a' | 'b' | 'c']", True),
        ("list[int]", "list[int | none]", True),
        ("list[int | none]", "list[int]", False),
        ("dict[str, list[int]]", "dict[str, list[int | str]]", True),
        ("tuple[int, int]", "tuple[int, int, int]", False),
        ("list[int]", "list[int] | none", True),
    ],
)
def test_a_type_may_become_wider(old: str, new: str, may: bool) -> None:
    before, now = ({"as": "object", "members": {"x": [kind]}} for kind in (old, new))
    assert (incompatible({"Point": before}, {"Point": now}) == []) == may


def test_a_member_with_a_default_may_be_added() -> None:
    grown = {**POINT, "members": {**POINT["members"], "z": ["str", "''"]}}
    assert incompatible({"Point": POINT}, {"Point": grown}) == []
    assert incompatible({"Point": POINT}, {}) == ["Point is gone."]


@pytest.mark.slow
def test_no_stored_record_is_forgotten() -> None:
    """Modules decode with a decoder of their own, which is found, or are listed."""
    found = {
        (".".join(path.relative_to(ROOT).with_suffix("").parts), name)
        for folder in ("projections", "service", "workers")
        for path in (ROOT / folder).rglob("*.py")
        for name in _decoded(ast.parse(path.read_text()))
    }
    listed = {(module, name) for module, names in READ_IN_FUNCTIONS.items() for name in names}
    assert {one for one in found if one[1] not in READ_FROM_OTHERS} == listed


def _decoded(module: ast.Module) -> list[str]:
    """The types in calls of `decode(..., type=...)`."""
    return [
        given.value.id
        for call in ast.walk(module)
        if isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "decode"
        for given in call.keywords
        if given.arg == "type" and isinstance(given.value, ast.Name)
    ]
