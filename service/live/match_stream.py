"""What is recorded in a match, for all who listen to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from domain.engine.play import Seat
from domain.match.log import Entry
from domain.match.state import Match
from service.live.broadcast import Eyes, event
from service.live.feed_watcher import Channel, Watcher
from service.matches import queries
from service.matches.container import Annals
from service.matches.sentences import Teller, served_entry, teller_for
from service.runtime.event_loop import Rings

ENCODER = msgspec.json.Encoder()
PAGE = 200


class Entries:
    """The entries after a version, as those who know of the match may see them."""

    def __init__(self, annals: Annals, after: int, match: Match, entries: Sequence[Entry]) -> None:
        self.last = entries[-1].version if entries else after
        self.more = self.last < match.version
        self._annals = annals
        self._match = match
        self._entries = entries
        self._frames: dict[tuple[Seat | None, str | None], bytes] = {}

    def frame(self, eyes: Eyes) -> bytes:
        """As a player sees them; NotFound if they may not know of the match any more."""
        seat = queries.eyes(self._match, eyes.of)
        known = seat, eyes.language
        if known not in self._frames:
            self._frames[known] = self._made(*known)
        return self._frames[known]

    def _made(self, seat: Seat | None, language: str | None) -> bytes:
        teller = teller_for(self._annals, self._match, seat, language) if language else None
        return b"".join(self._encoded(entry, seat, teller) for entry in self._entries)

    def _encoded(self, entry: Entry, seat: Seat | None, teller: Teller | None) -> bytes:
        served = served_entry(self._match, entry, seat, teller)
        return event(str(entry.version), "entry", ENCODER.encode(served))


class MatchNow:
    """A match as it stands."""

    def __init__(self, annals: Annals, match: Match, over: bool) -> None:
        self.over = over
        self._annals = annals
        self._match = match

    def place(self, after: int) -> int:
        """That version."""
        return after

    def read(self, after: int) -> Entries | None:
        """The entries after a version."""
        match = self._match
        if after >= match.version:
            return None
        return Entries(self._annals, after, match, self._annals.matches.entries(match, after, PAGE))


class MatchTopic:
    """One match; how far one has heard is a version."""

    __slots__ = ("_annals", "_channels", "_match_id", "_partition", "_watcher")

    def __init__(self, annals: Annals, watcher: Watcher, match_id: str) -> None:
        self._annals = annals
        self._watcher = watcher
        self._match_id = match_id
        self._partition = annals.store.partition_of(match_id)
        self._channels: Mapping[int, Channel] = {}

    def watch(self, bell: Rings) -> None:
        """Let this ring whenever something was recorded."""
        if not self._channels:
            self._channels = self._watcher.watch(self._match_id, [self._partition], bell)

    def unwatch(self, bell: Rings) -> None:
        """Let it ring no more."""
        channels, self._channels = self._channels, {}
        self._watcher.unwatch(self._match_id, channels, bell)

    def now(self) -> MatchNow:
        """The match as it stands."""
        channel = self._channels[self._partition]
        rings = channel.rings
        match = self._annals.matches.since(self._match_id, channel.version)
        self._watcher.learn(channel, rings, match.version)
        over = queries.settled(match) or self._watcher.closing
        return MatchNow(self._annals, match, over)
