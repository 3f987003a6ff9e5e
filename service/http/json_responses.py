"""JSON responses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import structlog
from flask import Response, request
from structlog.typing import FilteringBoundLogger

from domain.match.log import CorruptEntry
from service.http.compression import ETAG_SUFFIX
from service.http.context import request_id, requested_match

Json = dict[str, Any]
ENCODER = msgspec.json.Encoder()
NO_STORE = {"Cache-Control": "no-store"}
"""The headers of answers that are for the caller alone, or hold a secret."""
log = structlog.get_logger("annals.web")


def json_response(
    content: object, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a JSON response."""
    return Response(ENCODER.encode(content), status, headers, mimetype="application/json")


def until_error(parts: Iterator[bytes]) -> Iterator[bytes]:
    """Return the parts of a long response up to an error, which is logged."""
    return _until_error(parts, log.bind(id=request_id(), match=requested_match()))


def _until_error(parts: Iterator[bytes], log: FilteringBoundLogger) -> Iterator[bytes]:
    try:
        yield from parts
    except CorruptEntry as error:
        named = log.bind(match=error.match) if error.match else log
        named.error("entry_corrupt", version=error.version)
    except Exception:
        log.exception("response_aborted")


def matches_etag(etag: str) -> bool:
    """Return whether the caller has this already (`If-None-Match`; weak comparison, RFC 9110,
    13.1.2).
    """
    tag = etag.strip('"')
    return any(map(request.if_none_match.contains_weak, (tag, tag + ETAG_SUFFIX)))
