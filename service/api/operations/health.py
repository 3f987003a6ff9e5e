"""Liveness and readiness, for the operator."""

from __future__ import annotations

from collections.abc import Mapping
from os import environ

from flask import Blueprint, Response
from redis.exceptions import RedisError

from domain.match.log import Entry
from projections.progress import Progress, read_progress
from service.http.context import annals
from service.http.json_responses import Json, json_response
from service.runtime.errors import StoreUnavailable
from service.runtime.settings import RUN_VARIABLE

bp = Blueprint("operations", __name__)
MAX_LAG_ENTRIES = 10_000
"""Maximum lag of a projection, in entries."""
MAX_WAIT_S = 30
"""How long an entry may wait for a projection; with a projector that works it takes a moment."""


@bp.get("/healthz")
def healthz() -> Response:
    """This process answers."""
    return json_response({"status": "ok"})


@bp.get("/readyz")
def readyz() -> Response:
    """Redis answers, and the projections keep up."""
    found, waiting_s = _progress()
    lags = {name: one.lag for name, one in (found or {}).items()}
    ready = found is not None and (
        max(lags.values(), default=0) <= MAX_LAG_ENTRIES and waiting_s <= MAX_WAIT_S
    )
    content: Json = {
        "status": "unavailable" if found is None else "ok" if ready else "behind",
        "redis": found is not None,
        "run": environ.get(RUN_VARIABLE),
        "waiting_s": waiting_s,
        "projections": {name: {"lag": lag} for name, lag in lags.items()},
    }
    return json_response(content, 200 if ready else 503)


def _progress() -> tuple[Mapping[str, Progress] | None, float]:
    """Return how far the projections have folded, and for how many seconds the oldest entry has
    waited that one of them has not folded; None and 0 while Redis does not answer.
    """
    store = annals().store
    try:
        found = read_progress(store.redis, store.partitions)
        waiting = {
            partition: position
            for one in found.values()
            for partition, position in enumerate(one.positions)
            if one.lags[partition]
        }
        batches = store.read_batch(waiting, 1) if waiting else {}
    except (RedisError, StoreUnavailable):
        return None, 0
    times = (entry.at for rows in batches.values() for _, entry in rows if isinstance(entry, Entry))
    now = annals().now()
    return found, max(0, now - min(times, default=now)) / 1000
