"""The tables of matches that are over: what there is of them, and where."""

from __future__ import annotations

from hashlib import sha256

import msgspec
from flask import Blueprint, Response

from service.analytics.table_folders import REMEMBERED_S
from service.http.context import annals, context
from service.http.json_responses import answer
from service.http.requests import query
from service.http.responses.representation import unchanged
from service.http.schemas.common import Nothing
from service.matches.queries import iso

bp = Blueprint("tables", __name__)
NOTHING = Nothing()


@bp.get("/v1/analytics/tables")
def tables() -> Response:
    """The tables that this service publishes, file by file."""
    query(NOTHING)
    known = context().tables.manifest()
    content = {
        "schema": known.schema,
        "format": known.made.format,
        "updated_at": iso(known.updated),
        "url": annals().settings.export_web.rstrip("/") or None,
        "tables": known.tables,
        "files": known.files,
        "checkpoint": known.checkpoint,
    }
    tag = sha256(msgspec.json.encode(content)).hexdigest()[:32]
    headers = {"ETag": f'"{tag}"', "Cache-Control": f"public, max-age={REMEMBERED_S}"}
    return unchanged(headers) or answer(content, headers=headers)
