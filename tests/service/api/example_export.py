"""The example of exported tables in the contract."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import msgspec

from service.analytics.table_folders import (
    MANIFEST_FILE,
    TABLES_VERSION,
    Manifest,
    TableFile,
    TableOptions,
    TableTotal,
)
from tests.service.api.conftest import Api
from tests.service.api.stage import Stage

PEOPLE = "3f6c1d5a0e9b2748"


def show_export(stage: Stage, caller: Api) -> None:
    """The tables of finished matches, as an export leaves them."""
    path = "matches/game=qin/month=2026-03/part-000001.parquet"
    part = TableFile(path, "matches", "qin", "2026-03", 120, 15_360, sha256(b"example").hexdigest())
    manifest = Manifest(
        schema=TABLES_VERSION,
        made=TableOptions("parquet", private=False, analyse=True, fast=False, people=PEOPLE),
        updated=stage.clock(),
        batches=1,
        tables={"matches": TableTotal(part.rows, 1, part.bytes)},
        files=[part],
    )
    folder = Path(stage.annals.settings.export)
    (folder / MANIFEST_FILE).write_bytes(msgspec.json.encode(manifest))
    stage.show(caller, "GET", "/v1/analytics/tables")
