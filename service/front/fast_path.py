"""Moves, which most requests are, answered without Flask; byte by byte as it would answer them.

Whatever is unusual about a request goes the long way, before anything has happened; so does the
telling of a refusal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, MutableMapping
from time import perf_counter
from typing import Any, TypeGuard

from msgspec import Struct
from werkzeug.http import parse_list_header

from service.accounts.players import Player, Session
from service.api.matches.moves import MOVES
from service.http import requests
from service.http.addresses import MATCH, MatchId
from service.http.context import MEANT, Context, sane_id, session_by_cookie, session_of, token_in
from service.http.cookies import OWN, token_of_session
from service.http.json_responses import ENCODER
from service.http.middleware import ALWAYS, allowed_origin, write_down
from service.http.rate_limit import Share, block_of
from service.http.responses import command_responses
from service.http.schemas.common import MAX_SEAT
from service.matches import commands, player_moves

Head = MutableMapping[str, Any]
Answer = tuple[int, list[tuple[bytes, bytes]], bytes]
ROUTE = MATCH + MOVES
PATH = re.compile(ROUTE.replace("<match_id:match_id>", f"({MatchId.regex})").encode())
HEADERS = {
    b"annals-player": MEANT,
    b"authorization": "Authorization",
    b"content-type": "Content-Type",
    b"cookie": "Cookie",
    b"idempotency-key": "Idempotency-Key",
    b"if-match": "If-Match",
    b"origin": "Origin",
    b"sec-fetch-site": "Sec-Fetch-Site",
    b"x-forwarded-for": "X-Forwarded-For",
    b"x-request-id": "X-Request-Id",
}
"""Those that matter for a move."""
MADE = 201


class Asked(Struct):
    """A request to make a move that has nothing unusual."""

    id: str
    match: str
    player: Player
    share: Share
    metadata: commands.Metadata
    move: dict[str, Any]
    seat: int | None
    origin: str | None


class QuickMoves:
    """Makes moves for a web process."""

    def __init__(self, context: Context) -> None:
        self._context, self._annals = context, context.annals

    def __call__(self, head: Head, body: bytes) -> Answer | Exception | None:
        """The answer to a request; why it was refused, after it was counted; or None, if it has to
        go the long way.
        """
        if head["method"] != "POST" or not (path := PATH.fullmatch(head["raw_path"])):
            return None
        began = perf_counter()
        try:
            asked = self._asked(head, path[1].decode(), body)
        except Exception:
            return None  # whatever it is, Flask finds it too, and knows how to tell it
        if asked is None:
            return None
        self._context.limits.count(asked.share)
        try:
            return self._made(asked, began)
        except Exception as error:
            return error

    def _asked(self, head: Head, match: str, body: bytes) -> Asked | None:
        """What is asked for, or None if that is not quite clear, or one request too many: then its
        body is not worth reading.
        """
        headers = _headers(head)
        if headers is None or head["query_string"] or len(body) > self._annals.settings.body_limit:
            return None
        if headers.get("Content-Type") != "application/json":
            return None
        session = self._session(headers)
        if session is None or headers.get(MEANT, session.player.id) != session.player.id:
            return None
        player = session.player
        share = Share(player.id, block_of(self._address(head, headers.get("X-Forwarded-For"))))
        if "play" not in session.token.scopes or not self._context.limits.has_room(share):
            return None
        data = requests.decode(body)
        if not _is_a_move(data):
            return None
        return Asked(
            sane_id(headers.get("X-Request-Id")),
            match,
            player,
            share,
            requests.metadata(
                player,
                headers.get("If-Match"),
                headers.get("Idempotency-Key"),
                ("POST", head["raw_path"].decode(), data),
            ),
            data["move"],
            data.get("seat"),
            headers.get("Origin"),
        )

    def _session(self, headers: dict[str, str]) -> Session | None:
        """Who asks; None if that is not quite clear, or if another page than ours may ask."""
        if (bearer := headers.get("Authorization")) is not None:
            return session_of(self._annals, token_in(bearer))
        token = token_of_session(headers.get("Cookie"))
        if token is None or headers.get("Sec-Fetch-Site") != OWN:
            return None
        return session_by_cookie(self._annals, token)

    def _address(self, head: Head, forwarded: str | None) -> str | None:
        """Whose request it is, by the proxies in front of us."""
        proxies = self._annals.settings.proxies
        named = parse_list_header(forwarded or "") if proxies else []
        if len(named) >= proxies > 0 and named[-proxies]:
            return named[-proxies]
        return head["client"][0] if head["client"] else None

    def _made(self, asked: Asked, began: float) -> Answer:
        """The answer once the move is made; the errors of `carry_out`."""
        decision = player_moves.made_by(asked.player.id, asked.move, asked.seat)
        receipt = commands.carry_out(self._annals, asked.match, asked.metadata, decision)
        content = ENCODER.encode(command_responses.content(receipt, asked.player))
        headers = [*self._headers(asked, receipt, len(content))]
        seconds = perf_counter() - began
        write_down(asked.id, "POST", ROUTE, asked.match, MADE, seconds, asked.player.id)
        return MADE, headers, content

    def _headers(
        self, asked: Asked, receipt: commands.Receipt, length: int
    ) -> Iterator[tuple[bytes, bytes]]:
        """The headers of an answer, in the order in which Flask has them."""
        yield from map(_written, command_responses.headers(receipt, MADE))
        yield b"content-type", b"application/json"
        yield b"content-length", b"%d" % length
        yield b"x-request-id", asked.id.encode()
        yield from ALWAYS_WRITTEN
        if origin := allowed_origin(asked.origin, self._annals.settings.cors_origins):
            yield b"access-control-allow-origin", origin.encode("latin-1")
            if origin != "*":
                yield b"vary", b"Origin"
        yield from map(_written, self._context.limits.told(asked.share))


def _written(header: tuple[str, str]) -> tuple[bytes, bytes]:
    name, value = header
    return name.lower().encode(), value.encode("latin-1")


ALWAYS_WRITTEN = [*map(_written, ALWAYS)]


def _headers(head: Head) -> dict[str, str] | None:
    """The headers that matter; None if one comes twice."""
    found: dict[str, str] = {}
    for raw, value in head["headers"]:
        if name := HEADERS.get(raw):
            if name in found:
                return None
            found[name] = value.decode("latin-1")
    return found


def _is_a_move(data: object) -> TypeGuard[dict[str, Any]]:
    """Whether this is what the schema of a move takes as it is."""
    if not isinstance(data, dict) or not data.keys() <= {"move", "seat"}:
        return False
    seat = data.get("seat")
    if seat is not None and not (type(seat) is int and 0 <= seat <= MAX_SEAT):
        return False
    return isinstance(data.get("move"), dict)
