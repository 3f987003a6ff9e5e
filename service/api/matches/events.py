"""The entries of a match as the caller may see them: in pages, as lines, or as a stream."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import urlencode

from flask import Blueprint, Response, request
from werkzeug.datastructures import MIMEAccept

from domain.match import visibility
from domain.match.errors import Malformed
from domain.match.log import Entry
from domain.match.state import Match
from service.http.addresses import MATCH
from service.http.context import annals, context, viewer_id, whose_share
from service.http.json_responses import ENCODER, Json, answer, as_far_as_it_goes
from service.http.language import in_its_language, language_of_words
from service.http.requests import query
from service.http.responses.representation import headers_of_words
from service.http.schemas.common import EventsQuery, StreamQuery
from service.http.streams import (
    Admission,
    admission,
    identify_listener,
    last_event_id,
    place,
    streamed,
)
from service.live.broadcast import Eyes, Listener
from service.live.feed_watcher import wait_for
from service.matches import queries
from service.matches.container import Annals
from service.matches.sentences import served_entry, teller_for
from service.runtime.event_loop import pause

bp = Blueprint("events", __name__, url_prefix=MATCH)
EVENTS, STREAM = EventsQuery(), StreamQuery()
DEFAULT_LIMIT = 200
PAGE = 200
PORTION = 50
"""Entries after which others get their turn: each takes some 0.1 ms in words."""
LINES = "application/x-ndjson"


@bp.get("/events")
def events(match_id: str) -> Response:
    """What was recorded after a version; waits for something if asked to."""
    asked = query(EVENTS)
    language = language_of_words(asked)
    reader = Reader(
        annals(), match_id, viewer_id(), admission(), proving=asked["proof"], language=language
    )
    match = reader.match()
    if asked["wait"] and match.version <= asked["after"] and not queries.settled(match):
        with context().places.held(*whose_share()):
            version = asked["after"] + 1
            wait_for(context().watcher, annals().store, match_id, version, asked["wait"])
    if _wants_lines():
        lines = reader.lines(asked["after"], asked.get("limit"))
        found = Response(as_far_as_it_goes(lines), mimetype=LINES)
    else:
        found = _page(reader, asked)
    if language:  # there are names of people in it
        found.headers.extend({"Cache-Control": "private, no-cache", **headers_of_words(language)})
    return found


@bp.get("/stream")
def stream(match_id: str) -> Response:
    """Server-sent events: one for each entry, from now on or from where the caller left off."""
    asked = query(STREAM)
    identify_listener(asked)
    match = queries.match_for(annals(), match_id, viewer_id())
    after = _last_seen(asked, match)
    if queries.settled(match) and after >= match.version:
        return Response(status=204)
    broadcast, eyes = context().broadcasts.of(match_id), Eyes(viewer_id(), language_of_words(asked))
    found = streamed(Listener(broadcast, after, eyes, admission(), place()))
    return in_its_language(found) if eyes.language else found


class Reader:
    """Reads the entries of a match for one player, or for a spectator."""

    def __init__(
        self,
        annals: Annals,
        match_id: str,
        player: str | None,
        admit: Admission,
        *,
        proving: bool,
        language: str | None = None,
    ) -> None:
        self._annals = annals
        self._match_id = match_id
        self._player = player
        self._admit = admit
        self._proving = proving  # with each entry its text and openings
        self._language = language  # in which each entry is told, too

    def match(self) -> Match:
        """The match as it stands; NotFound if the player may not know of it, Unauthorized once
        their token has ended.
        """
        self._admit()
        return queries.match_for(self._annals, self._match_id, self._player)

    def page(self, after: int, limit: int) -> tuple[Match, list[Json]]:
        """The entries after a version as the player may see them now."""
        entries = self._annals.store.read(self._match_id, after=after, limit=limit)
        match = self.match()  # not older than the entries, so that it knows who sees what
        return match, self._served(match, entries)

    def lines(self, after: int, limit: int | None) -> Iterator[bytes]:
        """The entries, one on each line; the last line says that nothing is missing."""
        left = limit
        while left is None or left > 0:
            _, found = self.page(after, PAGE if left is None else min(PAGE, left))
            yield b"".join(ENCODER.encode(entry) + b"\n" for entry in found)
            if not found:
                break
            after = found[-1]["version"]
            left = None if left is None else left - len(found)
        yield ENCODER.encode({"type": "end", "version": after}) + b"\n"

    def _served(self, match: Match, entries: Sequence[Entry]) -> list[Json]:
        seat, language = visibility.viewing_seat(match, self._player), self._language
        teller = teller_for(self._annals, match, seat, language) if language else None
        served: list[Json] = []
        for entry in entries:
            served.append(served_entry(match, entry, seat, teller))
            if self._proving:
                served[-1]["proof"] = queries.proof_of(match, entry, seat)
            if len(served) % PORTION == 0:
                pause(0)  # others get their turn
        return served


def _page(reader: Reader, asked: Json) -> Response:
    after, limit = asked["after"], asked.get("limit", DEFAULT_LIMIT)
    match, found = reader.page(after, limit)
    following = found[-1]["version"] if found else after
    headers = {}
    if following < match.version:
        more = {name: "true" for name in ("proof", "words") if asked[name]}
        if "language" in asked:
            more["language"] = asked["language"]
        parameters = urlencode({"after": following, "limit": limit, **more})
        headers["Link"] = f'<{request.path}?{parameters}>; rel="next"'
    return answer({"events": found, "next": following}, headers=headers)


def _wants_lines() -> bool:
    accept: MIMEAccept = request.accept_mimetypes
    return bool(accept) and accept.best_match(("application/json", LINES)) == LINES


def _last_seen(asked: Json, match: Match) -> int:
    """Where the stream goes on: what the browser remembers comes before the address."""
    header = last_event_id()
    if not header:
        after: int = asked.get("after", match.version)
        return after
    if header.isascii() and header.isdigit() and len(header) < 11:
        return int(header)
    raise Malformed("malformed", "`Last-Event-ID` is the id of the last entry seen, such as `7`.")
