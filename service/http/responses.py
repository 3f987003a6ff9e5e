"""Writing JSON answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from flask import Response, request

Json = dict[str, Any]
ENCODER = msgspec.json.Encoder()


def answer(
    content: object, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """A JSON answer."""
    return Response(ENCODER.encode(content), status, headers, mimetype="application/json")


def fresh(etag: str) -> bool:
    """Whether the caller has this already (`If-None-Match`; weak comparison, RFC 9110, 13.1.2)."""
    return request.if_none_match.contains_weak(etag.strip('"'))
