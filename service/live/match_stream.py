"""The stream of a match's entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import msgspec

from domain.engine.play import Seat
from domain.match.log import Entry
from domain.match.state import Match
from service.accounts.people.meeting import find_strangers, people_at
from service.live.broadcast import Viewer, sse_event
from service.live.feed_watcher import FeedWatcher, Watch
from service.matches import queries
from service.matches.container import Annals
from service.matches.sentences import Narrator, entry_with_sentences, narrator_for
from service.runtime.errors import NotFound
from service.runtime.event_loop import Wakeable

ENCODER = msgspec.json.Encoder()
MAX_ENTRIES_PER_BATCH = 200


class EntryBatch:
    """The entries after a version, as viewers may see them."""

    def __init__(self, annals: Annals, after: int, match: Match, entries: Sequence[Entry]) -> None:
        self.cursor = entries[-1].version if entries else after
        self.more = self.cursor < match.version
        self._annals = annals
        self._match = match
        self._entries = entries
        self._frames: dict[tuple[Seat | None, str | None], bytes] = {}

    def frame(self, viewer: Viewer) -> bytes:
        """Return the events for a viewer. Raises NotFound if they may no longer know of the
        match.
        """
        seat = queries.viewing_seat(self._match, viewer.selector)
        if viewer.selector in self._strangers:
            raise NotFound(queries.NO_SUCH_MATCH)
        known = None if viewer.as_spectator else seat, viewer.language
        if known not in self._frames:
            self._frames[known] = self._encode_all(*known)
        return self._frames[known]

    @cached_property
    def _strangers(self) -> frozenset[str]:
        match = self._match
        found = find_strangers(self._annals.store.redis, {match.id: people_at(match)})
        return found.get(match.id, frozenset())

    def _encode_all(self, seat: Seat | None, language: str | None) -> bytes:
        teller = narrator_for(self._annals, self._match, seat, language) if language else None
        return b"".join(self._encode(entry, seat, teller) for entry in self._entries)

    def _encode(self, entry: Entry, seat: Seat | None, teller: Narrator | None) -> bytes:
        served = entry_with_sentences(self._match, entry, seat, teller)
        return sse_event(str(entry.version), "entry", ENCODER.encode(served))


class MatchTopicState:
    """The current state of a match."""

    def __init__(self, annals: Annals, match: Match, is_over: bool) -> None:
        self.is_over = is_over
        self._annals = annals
        self._match = match

    def cursor(self, after: int) -> int:
        """Return the version itself."""
        return after

    def read(self, after: int) -> EntryBatch | None:
        """Return the entries after a version."""
        match = self._match
        if after >= match.version:
            return None
        return EntryBatch(
            self._annals,
            after,
            match,
            self._annals.matches.entries(match, after, MAX_ENTRIES_PER_BATCH),
        )


class MatchTopic:
    """The entries of one match; the cursor is a version."""

    __slots__ = ("_annals", "_match_id", "_partition", "_watcher", "_watches")

    def __init__(self, annals: Annals, watcher: FeedWatcher, match_id: str) -> None:
        self._annals = annals
        self._watcher = watcher
        self._match_id = match_id
        self._partition = annals.store.partition_of(match_id)
        self._watches: Mapping[int, Watch] = {}

    def watch(self, wakeup: Wakeable) -> None:
        """Call `wakeup` when an entry is recorded."""
        if not self._watches:
            self._watches = self._watcher.watch(self._match_id, [self._partition], wakeup)

    def unwatch(self, wakeup: Wakeable) -> None:
        """Stop calling `wakeup`."""
        watches, self._watches = self._watches, {}
        self._watcher.unwatch(self._match_id, watches, wakeup)

    def current(self) -> MatchTopicState:
        """Return the current state."""
        watch = self._watches[self._partition]
        change_count = watch.change_count
        match = self._annals.matches.at_least(self._match_id, watch.version)
        self._watcher.set_version(watch, change_count, match.version)
        is_over = queries.is_final(match) or self._watcher.closing
        return MatchTopicState(self._annals, match, is_over)
