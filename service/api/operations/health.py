"""Liveness and readiness, for the operator."""

from __future__ import annotations

from flask import Blueprint, Response
from redis.exceptions import RedisError

from projections.progress import read_progress
from service.http.context import annals
from service.http.json_responses import Json, json_response

bp = Blueprint("operations", __name__)
MAX_LAG_ENTRIES = 10_000
"""Maximum lag of a projection, in entries."""


@bp.get("/healthz")
def healthz() -> Response:
    """This process answers."""
    return json_response({"status": "ok"})


@bp.get("/readyz")
def readyz() -> Response:
    """Redis answers, and the projections keep up."""
    if not _redis_answers():
        return json_response({"status": "unavailable", "redis": False, "projections": {}}, 503)
    lags = _projection_lags()
    ready = max(lags.values(), default=0) <= MAX_LAG_ENTRIES
    content: Json = {
        "status": "ok" if ready else "behind",
        "redis": True,
        "projections": {name: {"lag": lag} for name, lag in lags.items()},
    }
    return json_response(content, 200 if ready else 503)


def _redis_answers() -> bool:
    try:
        return bool(annals().store.redis.ping())
    except RedisError:
        return False


def _projection_lags() -> dict[str, int]:
    store = annals().store
    return {name: now.lag for name, now in read_progress(store.redis, store.partitions).items()}
