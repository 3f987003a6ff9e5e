"""The transparency log: its checkpoint, its tiles, its keys, and the proof of a match.

Another server that can read the folder of the log may serve the same files.
"""

from __future__ import annotations

from hashlib import sha256

from flask import Blueprint, Response

from domain.audit.proofs import SUFFIX
from service.http.addresses import MATCH
from service.http.context import annals, context, viewer_id
from service.http.requests import parse_query
from service.http.responses.representation import VARY_BY_CALLER, WEEK_S, not_modified
from service.http.schemas.audit import LeafQuery
from service.http.schemas.common import EmptyObject
from service.matches import queries
from service.runtime.errors import NotFound
from service.tlog.responses import LogResponses

bp = Blueprint("log", __name__)
LEAF, NOTHING = LeafQuery(), EmptyObject()
MAX_AGE_S = 2


@bp.get("/v1/log/checkpoint")
def checkpoint() -> Response:
    """Return the latest signed checkpoint."""
    parse_query(NOTHING)
    return _text_response(_find_log().checkpoint(), f"public, max-age={MAX_AGE_S}")


@bp.get("/v1/log/keys")
def keys() -> Response:
    """Return the public keys that sign it now."""
    parse_query(NOTHING)
    return _text_response(_find_log().keys(), f"public, max-age={MAX_AGE_S}")


@bp.get("/v1/log/tile/<path:tile>")
def tile(tile: str) -> Response:
    """Return a tile of hashes or entries; it never changes."""
    parse_query(NOTHING)
    content = _find_log().tile(tile)
    headers = _cache_headers(content, f"public, max-age={WEEK_S}, immutable")
    return not_modified(headers) or Response(
        content, headers=headers, mimetype="application/octet-stream"
    )


@bp.get(f"{MATCH}/proof")
def proof(match_id: str) -> Response:
    """Return the proof that the log includes a leaf of the match, with the text of the leaf."""
    which = parse_query(LEAF)["leaf"]
    queries.match_for(annals(), match_id, viewer_id())
    answer = _text_response(_find_log().proof(match_id, which), "private, no-cache")
    answer.headers["Vary"] = VARY_BY_CALLER
    answer.headers["Content-Disposition"] = f'inline; filename="{match_id}{SUFFIX}"'
    return answer


def _text_response(text: str, caching: str) -> Response:
    headers = _cache_headers(text.encode(), caching)
    return not_modified(headers) or Response(text, headers=headers, mimetype="text/plain")


def _cache_headers(content: bytes, caching: str) -> dict[str, str]:
    return {"ETag": f'"{sha256(content).hexdigest()[:32]}"', "Cache-Control": caching}


def _find_log() -> LogResponses:
    log = context().log
    if log is None:
        raise NotFound("This service has no transparency log.")
    return log
