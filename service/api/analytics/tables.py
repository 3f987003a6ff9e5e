"""The exported tables of finished matches."""

from __future__ import annotations

from hashlib import sha256

import msgspec
from flask import Blueprint, Response

from service.analytics.table_folders import MANIFEST_CACHE_S
from service.http.context import annals, context
from service.http.json_responses import json_response
from service.http.requests import parse_query
from service.http.responses.representation import not_modified
from service.http.schemas.common import EmptyObject
from service.matches.queries import iso

bp = Blueprint("tables", __name__)
NOTHING = EmptyObject()


@bp.get("/v1/analytics/tables")
def tables() -> Response:
    """Return the tables that this service publishes, file by file."""
    parse_query(NOTHING)
    known = context().tables.manifest()
    content = {
        "schema": known.schema,
        "format": known.made.format,
        "updated_at": iso(known.updated),
        "url": annals().settings.export_url.rstrip("/") or None,
        "tables": known.tables,
        "files": known.files,
        "checkpoint": known.checkpoint,
    }
    tag = sha256(msgspec.json.encode(content)).hexdigest()[:32]
    headers = {"ETag": f'"{tag}"', "Cache-Control": f"public, max-age={MANIFEST_CACHE_S}"}
    return not_modified(headers) or json_response(content, headers=headers)
