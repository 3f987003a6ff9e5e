"""The transparency log: its checkpoint, its tiles, its keys, and the proof of a match.

Whoever can read the folder of the log may serve the same files from elsewhere.
"""

from __future__ import annotations

from hashlib import sha256

from flask import Blueprint, Response

from domain.audit.proofs import SUFFIX
from service.http.addresses import MATCH
from service.http.context import annals, context, viewer_id
from service.http.requests import query
from service.http.responses.representation import BY_CALLER, WEEK_S, unchanged
from service.http.schemas.audit import LeafQuery
from service.http.schemas.common import Nothing
from service.matches import queries
from service.runtime.errors import NotFound
from service.tlog.responses import Served

bp = Blueprint("log", __name__)
LEAF, NOTHING = LeafQuery(), Nothing()
FRESH_S = 2


@bp.get("/v1/log/checkpoint")
def checkpoint() -> Response:
    """How the log stands, signed."""
    query(NOTHING)
    return _text(_log().checkpoint(), f"public, max-age={FRESH_S}")


@bp.get("/v1/log/keys")
def keys() -> Response:
    """The public keys that sign it now."""
    query(NOTHING)
    return _text(_log().keys(), f"public, max-age={FRESH_S}")


@bp.get("/v1/log/tile/<path:tile>")
def tile(tile: str) -> Response:
    """Some hashes, or some entries; these never change."""
    query(NOTHING)
    content = _log().tile(tile)
    headers = _headers(content, f"public, max-age={WEEK_S}, immutable")
    return unchanged(headers) or Response(
        content, headers=headers, mimetype="application/octet-stream"
    )


@bp.get(f"{MATCH}/proof")
def proof(match_id: str) -> Response:
    """The proof that a leaf of the match is in the log, with the text of the leaf."""
    which = query(LEAF)["leaf"]
    queries.match_for(annals(), match_id, viewer_id())
    answer = _text(_log().proof(match_id, which), "private, no-cache")
    answer.headers["Vary"] = BY_CALLER
    answer.headers["Content-Disposition"] = f'inline; filename="{match_id}{SUFFIX}"'
    return answer


def _text(text: str, caching: str) -> Response:
    headers = _headers(text.encode(), caching)
    return unchanged(headers) or Response(text, headers=headers, mimetype="text/plain")


def _headers(content: bytes, caching: str) -> dict[str, str]:
    return {"ETag": f'"{sha256(content).hexdigest()[:32]}"', "Cache-Control": caching}


def _log() -> Served:
    log = context().log
    if log is None:
        raise NotFound("This service has no log.")
    return log
