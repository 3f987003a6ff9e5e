"""The entries of a match as the caller may see them: in pages, as lines, or as a stream."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from flask import Blueprint, Response

from domain.match import visibility
from domain.match.log import Entry
from domain.match.state import Match
from service.http.addresses import MATCH
from service.http.context import annals, caller, context, viewer_id
from service.http.json_responses import ENCODER, Json, json_response, until_error
from service.http.language import sentence_language, with_content_language
from service.http.requests import parse_query
from service.http.responses.list_responses import next_link
from service.http.responses.representation import sentence_headers
from service.http.schemas.common import EventLinesQuery, EventsQuery, StreamQuery
from service.http.streams import (
    StreamAuthorization,
    event_stream,
    identify_subscriber,
    last_event_number,
    stream_authorization,
    take_stream_slot,
)
from service.live.broadcast import Subscriber, Viewer
from service.live.feed_watcher import wait_for_version
from service.matches import queries
from service.matches.container import Annals
from service.matches.sentences import entry_with_sentences, narrator_for
from service.runtime.event_loop import in_steps

bp = Blueprint("events", __name__, url_prefix=MATCH)
EVENTS, EVENT_LINES, STREAM = EventsQuery(), EventLinesQuery(), StreamQuery()
ENTRIES_PER_READ = 50
"""How many entries are read and decoded at once: more would block the event loop for long."""
NDJSON = "application/x-ndjson"


@bp.get("/events")
def events(match_id: str) -> Response:
    """Return a page of the entries after a version; with `wait`, long polling."""
    query_values = parse_query(EVENTS)
    after, limit, wait_s = query_values["after"], query_values["limit"], query_values["wait"]
    reader = _reader(match_id, query_values)
    match = reader.match()
    if wait_s and match.version <= after and not queries.is_final(match):
        with context().stream_slots.hold(*caller()):
            wait_for_version(context().watcher, annals().store, match_id, after + 1, wait_s)
    match, found = reader.page(after, limit)
    last = after + len(found)
    following = last if last < match.version else None
    content = {"events": found, "next": following}
    return _in_language(reader, json_response(content, headers=next_link(following)))


@bp.get("/events.ndjson")
def event_lines(match_id: str) -> Response:
    """Return the entries after a version as lines of JSON, up to the end."""
    query_values = parse_query(EVENT_LINES)
    reader = _reader(match_id, query_values)
    reader.match()  # so that a refusal is a problem and not a line
    lines = reader.lines(query_values["after"], query_values.get("limit"))
    return _in_language(reader, Response(until_error(lines), mimetype=NDJSON))


@bp.get("/stream")
def stream(match_id: str) -> Response:
    """Server-sent events: one for each entry, from now on or after the last one received."""
    query_values = parse_query(STREAM)
    identify_subscriber(query_values)
    match = queries.match_for(annals(), match_id, viewer_id())
    after = _start_version(query_values, match)
    if queries.is_final(match) and after >= match.version:
        return Response(status=204)
    broadcast, eyes = (
        context().broadcasts.of(match_id),
        Viewer(viewer_id(), sentence_language(query_values), "viewer" in query_values),
    )
    found = event_stream(
        Subscriber(broadcast, after, eyes, stream_authorization(), take_stream_slot())
    )
    return with_content_language(found) if eyes.language else found


class EntryReader:
    """Reads the entries of a match for a player or a spectator."""

    def __init__(
        self,
        annals: Annals,
        match_id: str,
        player: str | None,
        authorize: StreamAuthorization,
        *,
        with_proof: bool,
        language: str | None = None,
        as_spectator: bool = False,
    ) -> None:
        self._annals = annals
        self._match_id = match_id
        self._player = player
        self._authorize = authorize
        self._with_proof = with_proof  # include the text and openings of each entry
        self.language = language  # of the sentences; None without sentences
        self._as_spectator = as_spectator

    def match(self) -> Match:
        """Return the latest version of the match. Raises NotFound if the player may not see it,
        InvalidToken once their token has ended.
        """
        self._authorize()
        return queries.match_for(self._annals, self._match_id, self._player)

    def page(self, after: int, limit: int) -> tuple[Match, list[msgspec.Raw]]:
        """Return the match, and the entries after a version as the player may see them now, each
        as JSON.
        """
        entries: list[Entry] = []
        while left := limit - len(entries):
            count = min(left, ENTRIES_PER_READ)
            found = self._annals.store.read(self._match_id, after + len(entries), limit=count)
            entries += found
            if len(found) < count:
                break
        match = self.match()  # not older than the entries, so that it knows who sees what
        return match, self._encode(match, entries)

    def lines(self, after: int, limit: int | None) -> Iterator[bytes]:
        """Yield the entries, one on each line; a last line marks the end."""
        to = None if limit is None else after + limit
        while to is None or after < to:
            count = ENTRIES_PER_READ if to is None else min(ENTRIES_PER_READ, to - after)
            _, found = self.page(after, count)
            yield b"".join(bytes(entry) + b"\n" for entry in found)
            after += len(found)
            if len(found) < count:
                break
        yield ENCODER.encode({"type": "end", "version": after}) + b"\n"

    def _encode(self, match: Match, entries: Sequence[Entry]) -> list[msgspec.Raw]:
        player, language = None if self._as_spectator else self._player, self.language
        seat = visibility.default_viewer_seat(match, player)
        teller = narrator_for(self._annals, match, seat, language) if language else None
        encoded: list[msgspec.Raw] = []
        for entry in in_steps(entries):
            content = entry_with_sentences(match, entry, seat, teller)
            if self._with_proof:
                content["proof"] = queries.proof_of(match, entry, seat)
            encoded.append(msgspec.Raw(ENCODER.encode(content)))
        return encoded


def _reader(match_id: str, query_values: Json) -> EntryReader:
    return EntryReader(
        annals(),
        match_id,
        viewer_id(),
        stream_authorization(),
        with_proof=query_values["proof"],
        language=sentence_language(query_values),
        as_spectator="viewer" in query_values,
    )


def _in_language(reader: EntryReader, found: Response) -> Response:
    if reader.language:  # sentences contain names of players
        headers = {"Cache-Control": "private, no-cache", **sentence_headers(reader.language)}
        found.headers.extend(headers)
    return found


def _start_version(parameters: Json, match: Match) -> int:
    """Return the version after which the stream continues; `Last-Event-ID` overrides the query."""
    received = last_event_number()
    if received is not None:
        return received
    after: int = parameters.get("after", match.version)
    return after
