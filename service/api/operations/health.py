"""Liveness and readiness, for the operator."""

from __future__ import annotations

from os import environ

from flask import Blueprint, Response

from service.http.context import context
from service.http.json_responses import Json, json_response
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
    backlog = context().backlog.read()
    lags = {name: one.lag for name, one in backlog.progress.items()} if backlog else {}
    waiting_s = backlog.waiting_s if backlog else 0
    behind = max(lags.values(), default=0) > MAX_LAG_ENTRIES or waiting_s > MAX_WAIT_S
    content: Json = {
        "status": "unavailable" if backlog is None else "behind" if behind else "ok",
        "redis": backlog is not None,
        "run": environ.get(RUN_VARIABLE),
        "waiting_s": waiting_s,
        "projections": {name: {"lag": lag} for name, lag in lags.items()},
    }
    return json_response(content, 200 if content["status"] == "ok" else 503)
