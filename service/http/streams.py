"""Event streams: authorization, the position to continue from, and stream slots."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any

from flask import Response, g, request

from domain.match.errors import InvalidCommand
from service.accounts.people.presence import PresenceRecorder
from service.http.context import annals, authenticate, caller, context, identify, session_by_token
from service.http.json_responses import Json
from service.live.broadcast import Subscriber
from service.matches.container import Annals
from service.runtime import metrics

REAUTHORIZE_S = 15.0


class StreamAuthorization:
    """Checks that the token of a stream's caller is still valid, and notes that they are here."""

    def __init__(
        self, annals: Annals, token: str | None, presence: PresenceRecorder | None = None
    ) -> None:
        self._annals = annals
        self._presence = presence
        self._token = token
        self._changes, self._until = -1, 0.0

    def __call__(self) -> None:
        """Raise InvalidToken once the caller's token has ended.

        A revocation by another process is noticed after at most REAUTHORIZE_S seconds.
        """
        players, now = self._annals.players, monotonic()
        if self._token is not None and (self._changes != players.revocations or now > self._until):
            self._changes, self._until = players.revocations, now + REAUTHORIZE_S
            session = session_by_token(self._annals, self._token)
            if self._presence:
                self._presence.note(session.player.id)


def stream_authorization() -> StreamAuthorization:
    """Return the check for the caller of this request."""
    return StreamAuthorization(annals(), g.bearer, context().presence)


def identify_subscriber(query: Json) -> None:
    """Identify the caller by the token in the query, if there is one: browsers can send no header
    with a stream.
    """
    if "access_token" in query:
        identify(query["access_token"])
        authenticate("read")


def last_event_id() -> str:
    """Return the id of the last event that the caller has received, or empty if there is none."""
    return request.headers.get("Last-Event-ID", "").strip()


def last_event_number() -> int | None:
    """Return the id of the last event that the caller has received, which is a number; None if
    there is none. Raises InvalidCommand for another id.
    """
    header = last_event_id()
    if not header:
        return None
    if header.isascii() and header.isdigit() and len(header) < 11:
        return int(header)
    raise InvalidCommand(
        "malformed", "`Last-Event-ID` is the id of the last event received, such as `7`."
    )


def take_stream_slot() -> Callable[[], None]:
    """Take a stream slot; returns the function that frees it."""
    slots, holder = context().stream_slots, caller()
    slots.take(*holder)
    metrics.STREAMS.inc()

    def free() -> None:
        slots.release(*holder)
        metrics.STREAMS.dec()

    return free


def event_stream(subscriber: Subscriber[Any]) -> Response:
    """Return the events of a subscriber as server-sent events."""
    headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
    kind = "text/event-stream"
    return Response(subscriber, headers=headers, mimetype=kind, direct_passthrough=True)
