"""The change feed of a player or of the lobby."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from redis import Redis

from projections.core.changes import LOBBY
from projections.core.summary import Summary
from projections.lists.change_feed import (
    ChangedMatch,
    ChangeFeedReader,
    ChangePage,
    FeedCursor,
    write_feed_cursor,
)
from service.accounts.people.meeting import find_strangers, people_at_listed, people_to_meet
from service.accounts.players import Players
from service.live.broadcast import Viewer, sse_event
from service.live.feed_watcher import FeedWatcher, Watch
from service.matches import lists
from service.matches.lists import Json
from service.matches.queries import Names
from service.runtime.event_loop import Wakeable

ENCODER = msgspec.json.Encoder()


class ChangeBatch:
    """A batch of changes, as a player or a visitor of the lobby may see them."""

    def __init__(
        self,
        page: ChangePage,
        who: str,
        names: Names,
        strangers: Mapping[str, frozenset[str]],
        more: bool,
    ) -> None:
        self.cursor = page.cursor
        self.more = more
        self._strangers = strangers  # by table, the players who may not know of it
        self._page = page
        self._who = who
        self._names = names
        self._frames: dict[tuple[str | None, frozenset[str]], bytes] = {}

    def frame(self, viewer: Viewer) -> bytes:
        """Return the changed matches; only those of one game if the viewer selects it, and without
        the tables of people whom the viewer may not meet.
        """
        hidden = frozenset(
            table for table, strangers in self._strangers.items() if viewer.player in strangers
        )
        known = viewer.selector, hidden
        if known not in self._frames:
            changes = [
                new
                for new in self._page.changes
                if viewer.selector in (None, new.match.game) and new.match.id not in hidden
            ]
            last = changes[-1].cursor if changes else None
            frames = [self._encode(new) for new in changes]
            self._frames[known] = b"".join(frames) + (
                cursor_event(self.cursor) if last != self.cursor else b""
            )
        return self._frames[known]

    def _encode(self, new: ChangedMatch) -> bytes:
        kind, data = self._view(new.match)
        return sse_event(write_feed_cursor(new.cursor), kind, ENCODER.encode(data))

    def _view(self, match: Summary) -> tuple[str, Json]:
        if self._who == LOBBY:
            return "match", lists.summary(match, self._names)
        is_stranger = self._who in self._strangers.get(match.id, ())
        if self._who in match.involved and not is_stranger:
            return "match", lists.own_match(match, self._names, self._who)
        return "gone", {"id": match.id}


class ChangeFeedState:
    """The current state of a player's feed, or the lobby's."""

    def __init__(self, topic: ChangeFeedTopic, watches: Mapping[int, Watch], is_over: bool) -> None:
        self.is_over = is_over
        self._topic = topic
        self._watches = watches

    def cursor(self, after: FeedCursor) -> FeedCursor:
        """Return this cursor, but in each partition at most the last delivered position. Nothing
        changed in between, so subscribers who joined a little later share the cursor from now on.
        """
        return tuple(
            min(position, self._watches[partition].version or position)
            for partition, position in enumerate(after)
        )

    def read(self, after: FeedCursor) -> ChangeBatch | None:
        """Return what changed after this cursor."""
        change_counts = {
            partition: watch.change_count
            for partition, watch in self._watches.items()
            if not 0 < watch.version <= after[partition]
        }
        return self._topic.read(after, change_counts) if change_counts else None


class ChangeFeedTopic:
    """The changes for a player or the lobby; the cursor has a position for each partition."""

    def __init__(
        self,
        redis: Redis,
        reader: ChangeFeedReader,
        players: Players,
        watcher: FeedWatcher,
        who: str,
    ) -> None:
        self._redis = redis
        self._reader = reader
        self._players = players
        self._watcher = watcher
        self._who = who
        self._watches: Mapping[int, Watch] = {}

    def watch(self, wakeup: Wakeable) -> None:
        """Call `wakeup` when something changes."""
        if not self._watches:
            everywhere = range(self._reader.partitions)
            self._watches = self._watcher.watch(self._who, everywhere, wakeup)

    def unwatch(self, wakeup: Wakeable) -> None:
        """Stop calling `wakeup`."""
        watches, self._watches = self._watches, {}
        self._watcher.unwatch(self._who, watches, wakeup)

    def current(self) -> ChangeFeedState:
        """Return the current state; if the process is ending, only that."""
        return ChangeFeedState(self, self._watches, self._watcher.closing)

    def read(self, after: FeedCursor, change_counts: Mapping[int, int]) -> ChangeBatch:
        """Return what changed in partitions; `change_counts` are those of the watches
        before the read.
        """
        page = self._reader.read_changes(self._who, after, [*change_counts])
        for partition, end in page.ends.items():
            self._watcher.set_version(self._watches[partition], change_counts[partition], end)
        matches = [new.match for new in page.changes]
        names = lists.names_in(self._players, matches)
        people_of = people_to_meet if self._who == LOBBY else people_at_listed
        strangers = find_strangers(self._redis, {match.id: people_of(match) for match in matches})
        more = len(page.ends) < len(change_counts)
        return ChangeBatch(page, self._who, names, strangers, more)


def cursor_event(cursor: FeedCursor) -> bytes:
    """Return an event that only moves the client's cursor."""
    return b"id: %b\n\n" % write_feed_cursor(cursor).encode()
