"""Answers moves, which most requests are, without Flask and with the same bytes as Flask.

Flask answers all requests that are not plain, and words every refusal. The fast path decides that
before it changes anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, MutableMapping
from time import perf_counter
from typing import Any, TypeGuard

from msgspec import Struct

from service.accounts.players import Identity, Player
from service.api.matches.moves import MOVES_PATH
from service.http import requests
from service.http.addresses import MATCH, MatchId
from service.http.context import (
    EXPECTED_PLAYER_HEADER,
    Context,
    parse_bearer,
    safe_request_id,
    session_by_cookie_token,
    session_by_token,
)
from service.http.cookies import SAME_ORIGIN, session_token
from service.http.json_responses import ENCODER
from service.http.middleware import STATIC_HEADERS, cors_origin, log_request
from service.http.rate_limit import Caller
from service.http.responses import command_responses
from service.http.schemas.common import MAX_SEAT
from service.matches import commands, player_moves

Scope = MutableMapping[str, Any]
RawResponse = tuple[int, list[tuple[bytes, bytes]], bytes]
ROUTE = MATCH + MOVES_PATH
PATH = re.compile(ROUTE.replace("<match_id:match_id>", f"({MatchId.regex})").encode())
RELEVANT_HEADERS = {
    b"annals-player": EXPECTED_PLAYER_HEADER,
    b"authorization": "Authorization",
    b"content-type": "Content-Type",
    b"cookie": "Cookie",
    b"idempotency-key": "Idempotency-Key",
    b"if-match": "If-Match",
    b"origin": "Origin",
    b"sec-fetch-site": "Sec-Fetch-Site",
    b"x-request-id": "X-Request-Id",
}
"""The headers that matter for a move."""
CREATED = 201


class MoveRequest(Struct):
    """A plain request to make a move."""

    id: str
    match: str
    player: Player
    caller: Caller
    metadata: commands.Metadata
    move: dict[str, Any]
    seat: int | None
    origin: str | None


class MoveFastPath:
    """Makes moves for a web process."""

    def __init__(self, context: Context) -> None:
        self._context, self._annals = context, context.annals

    def __call__(self, scope: Scope, body: bytes, address: str) -> RawResponse | Exception | None:
        """Return the response to a request that counts for this address; or the exception that
        refused the request, after it was counted; or None if Flask must answer.
        """
        if scope["method"] != "POST" or not (path := PATH.fullmatch(scope["raw_path"])):
            return None
        started_at = perf_counter()
        try:
            request = self._parse(scope, path[1].decode(), body, address)
        except Exception:
            return None  # Flask meets the same error, and reports it
        if request is None:
            return None
        self._context.limits.count(request.caller)
        try:
            return self._make_move(request, started_at)
        except Exception as error:
            return error

    def _parse(self, scope: Scope, match: str, body: bytes, address: str) -> MoveRequest | None:
        """Return the request parsed, or None if it is not plain, or exceeds a rate limit. Then its
        body stays unread.
        """
        headers = _relevant_headers(scope)
        if headers is None or scope["query_string"] or len(body) > self._annals.settings.body_limit:
            return None
        if headers.get("Content-Type") != "application/json":
            return None
        session, expected = self._session(headers), headers.get(EXPECTED_PLAYER_HEADER)
        if session is None or expected not in (None, session.player.id):
            return None
        player = session.player
        caller = Caller(player.id, address)
        if "play" not in session.token.scopes or not self._context.limits.has_room(caller):
            return None
        data = requests.decode_json(body)
        if not _is_a_move(data):
            return None
        return MoveRequest(
            safe_request_id(headers.get("X-Request-Id")),
            match,
            player,
            caller,
            requests.build_metadata(
                player,
                headers.get("If-Match"),
                headers.get("Idempotency-Key"),
                ("POST", scope["raw_path"].decode(), data),
            ),
            data["move"],
            data.get("seat"),
            headers.get("Origin"),
        )

    def _session(self, headers: dict[str, str]) -> Identity | None:
        """Return the session of the caller, or None if it is unclear, or if another site may have
        sent the request.
        """
        if (bearer := headers.get("Authorization")) is not None:
            return session_by_token(self._annals, parse_bearer(bearer))
        token = session_token(headers.get("Cookie"))
        if token is None or headers.get("Sec-Fetch-Site") != SAME_ORIGIN:
            return None
        return session_by_cookie_token(self._annals, token)

    def _make_move(self, request: MoveRequest, started_at: float) -> RawResponse:
        """Make the move and return the response; raises the errors of `execute`."""
        decision = player_moves.move_decision(request.player.id, request.move, request.seat)
        self._context.presence.note(request.player.id)
        receipt = commands.execute(self._annals, request.match, request.metadata, decision)
        content = ENCODER.encode(command_responses.command_content(receipt, request.player))
        headers = [*self._headers(request, receipt, len(content))]
        seconds = perf_counter() - started_at
        log_request(request.id, "POST", ROUTE, request.match, CREATED, seconds, request.player.id)
        return CREATED, headers, content

    def _headers(
        self, request: MoveRequest, receipt: commands.Receipt, length: int
    ) -> Iterator[tuple[bytes, bytes]]:
        """Yield the headers of the response, in Flask's order."""
        yield from map(_encode_header, command_responses.command_headers(receipt, CREATED))
        yield b"content-type", b"application/json"
        yield b"content-length", b"%d" % length
        yield b"x-request-id", request.id.encode()
        yield from ENCODED_STATIC_HEADERS
        if origin := cors_origin(request.origin, self._annals.settings.cors_origins):
            yield b"access-control-allow-origin", origin.encode("latin-1")
            if origin != "*":
                yield b"vary", b"Origin"
        yield from map(_encode_header, self._context.limits.headers_for(request.caller))


def _encode_header(header: tuple[str, str]) -> tuple[bytes, bytes]:
    name, value = header
    return name.lower().encode(), value.encode("latin-1")


ENCODED_STATIC_HEADERS = [*map(_encode_header, STATIC_HEADERS)]


def _relevant_headers(scope: Scope) -> dict[str, str] | None:
    """Return the headers that matter, or None if one comes twice."""
    found: dict[str, str] = {}
    for raw, value in scope["headers"]:
        if name := RELEVANT_HEADERS.get(raw):
            if name in found:
                return None
            found[name] = value.decode("latin-1")
    return found


def _is_a_move(data: object) -> TypeGuard[dict[str, Any]]:
    """Return whether the schema of a move accepts this unchanged."""
    if not isinstance(data, dict) or not data.keys() <= {"move", "seat"}:
        return False
    seat = data.get("seat")
    if seat is not None and not (type(seat) is int and 0 <= seat <= MAX_SEAT):
        return False
    return isinstance(data.get("move"), dict)
