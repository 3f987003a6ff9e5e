"""Answers that go on: who may listen, from where, and for how long."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any

from flask import Response, g, request

from service.http.context import annals, caller, context, identify, session_of, whose_share
from service.http.json_responses import Json
from service.live.broadcast import Listener
from service.matches.container import Annals
from service.runtime import metrics

ADMIT_S = 15.0


class Admission:
    """Whether a caller may still be told: as long as their token has not ended."""

    def __init__(self, annals: Annals, token: str | None) -> None:
        self._annals = annals
        self._token = token
        self._changes, self._until = -1, 0.0

    def __call__(self) -> None:
        """Raise Unauthorized once the caller's token has ended.

        One that another process ended is noticed as late as elsewhere.
        """
        players, now = self._annals.players, monotonic()
        if self._token is not None and (self._changes != players.changes or now > self._until):
            self._changes, self._until = players.changes, now + ADMIT_S
            session_of(self._annals, self._token)


def admission() -> Admission:
    """That of this caller."""
    return Admission(annals(), g.bearer)


def identify_listener(asked: Json) -> None:
    """Note whose token came in the query, if one did: browsers can send no other with a stream."""
    if "access_token" in asked:
        identify(asked["access_token"])
        caller("read")


def last_event_id() -> str:
    """The id of the last event that the caller has seen; empty if there is none."""
    return request.headers.get("Last-Event-ID", "").strip()


def place() -> Callable[[], None]:
    """Take a place among those who listen; what gives it back."""
    places, share = context().places, whose_share()
    places.enter(*share)
    metrics.STREAMS.inc()

    def leave() -> None:
        places.leave(*share)
        metrics.STREAMS.dec()

    return leave


def streamed(listener: Listener[Any]) -> Response:
    """What somebody hears, as server-sent events."""
    headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
    kind = "text/event-stream"
    return Response(listener, headers=headers, mimetype=kind, direct_passthrough=True)
