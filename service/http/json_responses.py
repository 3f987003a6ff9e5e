"""Writing JSON answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import structlog
from flask import Response, request

from domain.match.log import Damaged
from service.http.compression import SUFFIX

Json = dict[str, Any]
ENCODER = msgspec.json.Encoder()
log = structlog.get_logger("annals.web")


def answer(
    content: object, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """A JSON answer."""
    return Response(ENCODER.encode(content), status, headers, mimetype="application/json")


def as_far_as_it_goes(parts: Iterator[bytes]) -> Iterator[bytes]:
    """The parts of a long answer up to where it cannot go on; the log says why."""
    try:
        yield from parts
    except Damaged as damage:
        log.error("damaged", reason=str(damage))
    except Exception:
        log.exception("answer_cut")


def fresh(etag: str) -> bool:
    """Whether the caller has this already (`If-None-Match`; weak comparison, RFC 9110, 13.1.2)."""
    tag = etag.strip('"')
    return any(map(request.if_none_match.contains_weak, (tag, tag + SUFFIX)))
