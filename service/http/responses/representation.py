"""A match at a version as a seat sees it, and what caches may do with the answer."""

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
from service.http.context import annals, context, viewer_id, whose_share
from service.http.json_responses import Json, fresh
from service.http.language import language
from service.live.feed_watcher import wait_for
from service.matches import queries
from service.matches.queries import Names
from service.runtime.errors import TooManyOwnStreams, TooManyStreams

PATIENCE_S = 2.0
LONG_S = 86_400
WEEK_S = 7 * 86_400
BY_CALLER = "Authorization, Cookie"
"""What says who asks (`Vary`)."""


@dataclass(frozen=True)
class Representation:
    """A match at a version, and the seat that sees it (None is a spectator)."""

    match: Match
    seat: Seat | None
    fixed: bool  # version and seat were both named: a player's own seat may change with the match
    lasting: bool = False  # whoever asks this again gets the same: nothing of it can change
    for_all: bool = False  # everybody who asks this gets the same

    @property
    def etag(self) -> str:
        """The version, and whose view it is."""
        return f'"{self.match.version}-{"s" if self.seat is None else self.seat}"'

    @property
    def headers(self) -> dict[str, str]:
        """Of what has no names: a past version never changes; the latest one can at once."""
        return self._headers(self.etag, self.fixed)

    def headers_with(self, names: Names, language: str | None = None) -> dict[str, str]:
        """Of what has these names of people, by id: nobody keeps it without asking again; and is
        told in words of a language, if one is given.
        """
        people = self.match.has_people
        if not people and language is None:
            return self.headers
        said = crc32(msgspec.json.encode((names, language), order="deterministic"))
        headers = self._headers(f'{self.etag[:-1]}-{said:08x}"', self.fixed and not people)
        return {**headers, **headers_of_words(language)} if language else headers

    def headers_of_picture(self, digest: str, with_names: bool) -> dict[str, str]:
        """Of a picture with this digest: one that can be kept is kept for a week, but names of
        people are not.
        """
        lasting = self.lasting and not (with_names and self.match.has_people)
        keep = f"max-age={WEEK_S}, immutable" if lasting else "no-cache"
        return {
            "ETag": f'{self.etag[:-1]}-{digest}"',
            "Cache-Control": f"{'public' if lasting and self.for_all else 'private'}, {keep}",
            **headers_of_words(language()),
        }

    def _headers(self, etag: str, keep: bool) -> dict[str, str]:
        caching = f"private, max-age={LONG_S}" if keep else "private, no-cache"
        return {"ETag": etag, "Cache-Control": caching, "Vary": BY_CALLER}


def headers_of_words(language: str) -> dict[str, str]:
    """Of what says more than numbers, in this language."""
    return {"Vary": f"{BY_CALLER}, Accept-Language", "Content-Language": language}


def headers_of_board(match: Match, digest: str) -> dict[str, str]:
    """Of what lasts all through a match, with this digest: as of the opening."""
    shared = "public" if match.visibility == "public" else "private"
    return {
        "ETag": f'"1-s-{digest}"',
        "Cache-Control": f"{shared}, max-age={WEEK_S}, immutable",
        "Vary": BY_CALLER,
    }


def look(match_id: str, asked: Json) -> Representation:
    """The match as the query asks for it; Forbidden, Malformed or NotFound if that may not be."""
    if "min_version" in asked:
        _await(match_id, asked["min_version"])
    now = queries.match_for(annals(), match_id, viewer_id())
    if "viewer" in asked:
        seat = visibility.seat_to_see_as(now, viewer_id(), asked["viewer"])
    else:
        seat = visibility.viewing_seat(now, viewer_id())
    match = queries.at_version(annals(), now, asked.get("version"))
    eyes_named = "viewer" in asked or viewer_id() is None  # nobody in particular is a spectator
    return Representation(
        match,
        seat,
        fixed="version" in asked and "viewer" in asked,
        lasting=("version" in asked or queries.settled(now)) and (eyes_named or now.over),
        for_all=now.visibility == "public" and eyes_named and (seat is None or now.over),
    )


def unchanged(headers: Mapping[str, str]) -> Response | None:
    """304, if the caller has the answer with these headers already."""
    return Response(status=304, headers=headers) if fresh(headers["ETag"]) else None


def _await(match_id: str, version: int) -> None:
    """Wait a little for a version that the caller has heard of, and no longer."""
    if queries.settled(queries.match_for(annals(), match_id, viewer_id())):
        return
    with suppress(TooManyStreams, TooManyOwnStreams), context().places.held(*whose_share()):
        wait_for(context().watcher, annals().store, match_id, version, PATIENCE_S)
