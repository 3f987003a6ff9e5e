"""A match at a version as a seat sees it, with the caching headers of the response."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from zlib import crc32

import msgspec
from flask import Response

from domain.engine.play import Seat
from domain.match import visibility
from domain.match.state import Match
from service.http.context import annals, caller, context, viewer_id
from service.http.json_responses import Json, matches_etag
from service.http.language import language
from service.live.feed_watcher import wait_for_version
from service.matches import queries
from service.matches.queries import Names
from service.runtime.errors import TooManyOwnStreams, TooManyStreams

AWAIT_VERSION_S = 2.0
DAY_S = 86_400
WEEK_S = 7 * 86_400
VARY_BY_CALLER = "Authorization, Cookie"
"""The headers that identify the caller (`Vary`)."""


@dataclass(frozen=True)
class Representation:
    """A match at a version, and the seat that sees it (None is a spectator)."""

    match: Match
    seat: Seat | None
    fixed: bool  # the query names both: a player's default seat may change with the match
    final: bool = False  # the same request always gets this response
    public: bool = False  # all callers get this response

    @property
    def etag(self) -> str:
        """The ETag: the version, and whose view it is."""
        return f'"{self.match.version}-{"s" if self.seat is None else self.seat}"'

    @property
    def is_lent(self) -> bool:
        """Whether the caller does not hold the seat that sees the match."""
        return not queries.sees_own_seat(self.match, self.seat, viewer_id())

    @property
    def headers(self) -> dict[str, str]:
        """The headers of a response without names: a past version never changes, the latest one
        can.
        """
        return self._headers(self.etag, self.fixed)

    def headers_with(self, names: Names, language: str | None = None) -> dict[str, str]:
        """Return the headers of a response with these names of players, by id, and perhaps
        sentences in a language. Caches revalidate names each time.
        """
        people = self.match.has_people
        if not people and language is None:
            return self.headers
        named = (names, language, language is not None and self.is_lent)
        digest = crc32(msgspec.json.encode(named, order="deterministic"))
        headers = self._headers(f'{self.etag[:-1]}-{digest:08x}"', self.fixed and not people)
        return {**headers, **sentence_headers(language)} if language else headers

    def picture_headers(self, digest: str, with_names: bool) -> dict[str, str]:
        """Return the headers of a picture with this digest: caches keep a final one for a week,
        unless it shows names of players.
        """
        final = self.final and not (with_names and self.match.has_people)
        keep = f"max-age={WEEK_S}, immutable" if final else "no-cache"
        return {
            "ETag": f'{self.etag[:-1]}-{digest}"',
            "Cache-Control": f"{'public' if final and self.public else 'private'}, {keep}",
            **sentence_headers(language()),
        }

    def _headers(self, etag: str, keep: bool) -> dict[str, str]:
        caching = f"private, max-age={DAY_S}" if keep else "private, no-cache"
        return {"ETag": etag, "Cache-Control": caching, "Vary": VARY_BY_CALLER}


def sentence_headers(language: str) -> dict[str, str]:
    """Return the headers of a response with texts in this language."""
    return {"Vary": f"{VARY_BY_CALLER}, Accept-Language", "Content-Language": language}


def board_headers(match: Match, digest: str) -> dict[str, str]:
    """Return the headers of the static part of a match, with this digest; it is the same from
    version 1 on.
    """
    shared = "public" if match.visibility == "public" else "private"
    return {
        "ETag": f'"1-s-{digest}"',
        "Cache-Control": f"{shared}, max-age={WEEK_S}, immutable",
        "Vary": VARY_BY_CALLER,
    }


def represent(match_id: str, query: Json) -> Representation:
    """Return the match as the query asks for it. Raises Forbidden, InvalidCommand or NotFound."""
    if "min_version" in query:
        _wait_for_version(match_id, query["min_version"])
    now = queries.match_for(annals(), match_id, viewer_id())
    if "viewer" in query:
        seat = visibility.viewer_seat(now, viewer_id(), query["viewer"])
    else:
        seat = visibility.default_viewer_seat(now, viewer_id())
    match = queries.at_version(annals(), now, query.get("version"))
    viewer_is_fixed = "viewer" in query or viewer_id() is None  # without a player it is a spectator
    return Representation(
        match,
        seat,
        fixed="version" in query and "viewer" in query,
        final=("version" in query or queries.is_final(now)) and (viewer_is_fixed or now.over),
        public=now.visibility == "public" and viewer_is_fixed and (seat is None or now.over),
    )


def not_modified(headers: Mapping[str, str]) -> Response | None:
    """Return a 304 if the caller has the response with these headers already, else None."""
    return Response(status=304, headers=headers) if matches_etag(headers["ETag"]) else None


def _wait_for_version(match_id: str, version: int) -> None:
    """Wait up to AWAIT_VERSION_S for a version that the caller has heard of."""
    if queries.is_final(queries.match_for(annals(), match_id, viewer_id())):
        return
    with suppress(TooManyStreams, TooManyOwnStreams), context().stream_slots.hold(*caller()):
        wait_for_version(context().watcher, annals().store, match_id, version, AWAIT_VERSION_S)
