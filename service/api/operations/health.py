"""Liveness and readiness, for the operator."""

from __future__ import annotations

from os import environ

from flask import Blueprint, Response, request
from werkzeug.http import parse_list_header

from service.http.context import context
from service.http.json_responses import Json, json_response
from service.runtime.settings import RUN_VARIABLE

bp = Blueprint("operations", __name__)


@bp.get("/healthz")
def healthz() -> Response:
    """This process answers."""
    return json_response({"status": "ok"})


@bp.get("/readyz")
def readyz() -> Response:
    """Redis answers, and the projections keep up."""
    backlog = context().backlog.read()
    lags = {name: one.lag for name, one in backlog.progress.items()} if backlog else {}
    behind = backlog is not None and backlog.is_behind
    content: Json = {
        "status": "unavailable" if backlog is None else "behind" if behind else "ok",
        "redis": backlog is not None,
        "run": environ.get(RUN_VARIABLE),
        "waiting_s": backlog.waiting_s if backlog else 0,
        "forwarded": len(parse_list_header(request.headers.get("X-Forwarded-For", ""))),
        "projections": {name: {"lag": lag} for name, lag in lags.items()},
    }
    return json_response(content, 200 if content["status"] == "ok" else 503)
