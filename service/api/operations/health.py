"""For those who run the service: whether it lives, and whether it can work."""

from __future__ import annotations

from flask import Blueprint, Response
from redis.exceptions import RedisError

from projections.progress import progress
from service.http.context import annals
from service.http.json_responses import Json, answer

bp = Blueprint("operations", __name__)
FALLEN_BEHIND = 10_000
"""Entries that a projection may have still to read."""


@bp.get("/healthz")
def healthz() -> Response:
    """This process answers."""
    return answer({"status": "ok"})


@bp.get("/readyz")
def readyz() -> Response:
    """Redis answers, and the projections keep up."""
    if not _answers():
        return answer({"status": "unavailable", "redis": False, "projections": {}}, 503)
    lags = _lags()
    ready = max(lags.values(), default=0) <= FALLEN_BEHIND
    content: Json = {
        "status": "ok" if ready else "behind",
        "redis": True,
        "projections": {name: {"lag": lag} for name, lag in lags.items()},
    }
    return answer(content, 200 if ready else 503)


def _answers() -> bool:
    try:
        return bool(annals().store.redis.ping())
    except RedisError:
        return False


def _lags() -> dict[str, int]:
    store = annals().store
    return {name: now.lag for name, now in progress(store.redis, store.partitions).items()}
