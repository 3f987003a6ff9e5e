"""What is public of the tables that a service publishes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from service.analytics.table_folders import (
    MANIFEST_FILE,
    REAL_IDS,
    TABLES_VERSION,
    FeedMark,
    Manifest,
    TableFile,
    TableOptions,
    TableTotal,
)
from service.matches.container import Annals
from service.runtime.settings import BadSetting, read_settings
from tests.service.api.conftest import Api

PUBLIC = TableOptions(
    "parquet", private=False, analyse=False, fast=False, people="0123456789abcdef"
)
PART = TableFile(
    "matches/game=qin/month=2026-03/part-000001.parquet", "matches", "qin", "2026-03", 3, 9, "a"
)


@pytest.fixture
def annals(annals: Annals, tmp_path: Path) -> Annals:
    return replace(
        annals,
        settings=replace(annals.settings, export=str(tmp_path), export_url="https://a.example/t/"),
    )


def put(folder: Path, made: TableOptions) -> None:
    manifest = Manifest(
        schema=TABLES_VERSION,
        made=made,
        updated=1_772_366_400_000,
        tables={"matches": TableTotal(3, 1, 9)},
        reached={3: FeedMark(17, "of a match")},
        files=[PART],
    )
    (folder / MANIFEST_FILE).write_bytes(msgspec.json.encode(manifest))


def test_they_are_listed_with_where_they_are(nobody: Api, tmp_path: Path) -> None:
    put(tmp_path, PUBLIC)
    answer = nobody.get("/v1/analytics/tables")
    assert answer.json == {
        "schema": TABLES_VERSION,
        "format": "parquet",
        "updated_at": "2026-03-01T12:00:00.000Z",
        "url": "https://a.example/t",
        "tables": {"matches": {"rows": 3, "files": 1, "bytes": 9}},
        "files": [msgspec.to_builtins(PART)],
        "checkpoint": None,
    }
    again = nobody.get("/v1/analytics/tables", If_None_Match=answer.headers["ETag"])
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize(
    "made",
    [
        msgspec.structs.replace(PUBLIC, private=True),
        msgspec.structs.replace(PUBLIC, people=REAL_IDS),
    ],
)
def test_private_tables_are_not_listed(nobody: Api, tmp_path: Path, made: TableOptions) -> None:
    put(tmp_path, made)
    assert nobody.get("/v1/analytics/tables").status_code == 404


@pytest.mark.parametrize("text", [None, "{", '{"schema": 99}'])
def test_where_none_are_or_none_can_be_read_there_are_none(
    nobody: Api, tmp_path: Path, text: str | None
) -> None:
    if text:
        (tmp_path / MANIFEST_FILE).write_text(text)
    assert nobody.get("/v1/analytics/tables").json["code"] == "not_found"


def test_the_public_location_is_an_address() -> None:
    with pytest.raises(BadSetting, match="ANNALS_EXPORT_URL must be http"):
        read_settings({"ANNALS_EXPORT_URL": "here"})
