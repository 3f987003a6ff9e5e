"""The stream of what is said in a room about a match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from projections.core.spaces import group_by_slot
from service.live.broadcast import Viewer, sse_event
from service.live.feed_watcher import FeedWatcher, Update, Watch
from service.matches import queries
from service.matches.container import Annals
from service.runtime.event_loop import Wakeable
from service.store.event_store import EventStore
from service.store.redis_client import store_errors
from service.talk.messages import Message, Room
from service.talk.mutes import authors_left_out
from service.talk.reading import show_messages, without
from service.talk.rooms import check_member
from service.talk.storage import Change, Talk, feed_key, number_of

ENCODER = msgspec.json.Encoder()
MAX_CHANGES_PER_BATCH = 200
_MAX_POINTERS = 1_000
_BLOCK_MS = 1_000


class RoomName(NamedTuple):
    """A room of a match."""

    match: str
    room: Room


class TalkSource:
    """The feeds of talk as a source: the number of the last change of each room."""

    def __init__(self, store: EventStore) -> None:
        self._redis = store.redis
        self.groups = group_by_slot(store.redis, range(store.partitions))

    def ends(self, partitions: Sequence[int]) -> dict[int, int]:
        """Return the positions of the last changes in these partitions."""
        with store_errors(), self._redis.pipeline(transaction=False) as pipe:
            for partition in partitions:
                pipe.xrevrange(feed_key(partition), count=1)
            found = pipe.execute()
        return {
            partition: number_of(rows[0][0]) if rows else 0
            for partition, rows in zip(partitions, found, strict=True)
        }

    def read(self, after: Mapping[int, int]) -> dict[int, Update]:
        """Return which rooms have changed."""
        keys = {feed_key(partition).encode(): partition for partition in after}
        positions: dict[Any, Any] = {key: f"{after[one]}-0" for key, one in keys.items()}
        with store_errors():
            answer: Any = self._redis.xread(positions, count=_MAX_POINTERS, block=_BLOCK_MS)
        return {keys[key]: _update_from(after[keys[key]], rows) for key, rows in answer or ()}


def _update_from(after: int, rows: Sequence[tuple[bytes, Mapping[bytes, bytes]]]) -> Update:
    last = number_of(rows[-1][0])
    if number_of(rows[0][0]) > after + 1:  # changes in between were trimmed
        return last, None
    return last, {topic_name(_room_of(fields)): int(fields[b"n"]) for _, fields in rows}


def _room_of(fields: Mapping[bytes, bytes]) -> RoomName:
    return RoomName(
        fields[b"m"].decode(), "players" if fields[b"r"] == b"players" else "spectators"
    )


def topic_name(name: RoomName) -> str:
    """Return the name of the topic of a room."""
    return f"{name.match}:{name.room}"


class TalkBatch:
    """The changes of a room after one, as its readers get them."""

    def __init__(
        self,
        annals: Annals,
        name: RoomName,
        changes: Sequence[Change],
        messages: Mapping[int, Message],
        more: bool,
    ) -> None:
        self.cursor = changes[-1].number
        self.more = more
        self._annals = annals
        self._name = name
        self._changes = changes
        self._messages = messages
        self._frames: dict[tuple[str, frozenset[str]], bytes] = {}

    def frame(self, viewer: Viewer) -> bytes:
        """Return the events for a reader. Raises NotFound or Forbidden if they may no longer read
        the room.
        """
        reader = _check_reader(self._annals, self._name, viewer)
        authors = {one.author for one in self._messages.values()}
        left_out = authors_left_out(self._annals.store.redis, reader, authors)
        known = viewer.language or "", left_out
        if known not in self._frames:
            self._frames[known] = self._encode_all(*known)
        return self._frames[known]

    def _encode_all(self, language: str, left_out: frozenset[str]) -> bytes:
        read = without(self._messages, left_out)
        shown = {one["number"]: one for one in show_messages(self._annals.players, read, language)}
        return b"".join(self._encode(change, shown) for change in self._changes)

    def _encode(self, change: Change, shown: Mapping[int, Any]) -> bytes:
        number = str(change.number)
        if change.is_removal:
            return sse_event(number, "removed", ENCODER.encode({"number": change.message}))
        if change.message in shown:
            return sse_event(number, "said", ENCODER.encode(shown[change.message]))
        return cursor_event(change.number)


class LostBatch:
    """Says that the changes after a cursor are no longer known: read the room again."""

    more = False

    def __init__(self, annals: Annals, name: RoomName, position: int) -> None:
        self.cursor = position
        self._annals = annals
        self._name = name

    def frame(self, viewer: Viewer) -> bytes:
        """Return the event. Raises NotFound or Forbidden as TalkBatch does."""
        _check_reader(self._annals, self._name, viewer)
        return sse_event(str(self.cursor), "reset", b"{}")


def _check_reader(annals: Annals, name: RoomName, viewer: Viewer) -> str:
    """Return the reader, if they may read this room."""
    reader = viewer.selector or ""
    check_member(queries.match_for(annals, name.match, reader), name.room, reader)
    return reader


class TalkState:
    """The current state of a room."""

    def __init__(self, topic: TalkTopic, watch: Watch, is_over: bool) -> None:
        self.is_over = is_over
        self._topic = topic
        self._watch = watch

    def cursor(self, after: int) -> int:
        """Return the number itself."""
        return after

    def read(self, after: int) -> TalkBatch | LostBatch | None:
        """Return the changes after a number."""
        if after == self._watch.version > 0:
            return None
        return self._topic.read(after)


class TalkTopic:
    """What is said in a room; the cursor is the number of a change."""

    def __init__(self, annals: Annals, watcher: FeedWatcher, key: str) -> None:
        match, _, room = key.partition(":")
        self._annals = annals
        self._watcher = watcher
        self._name = RoomName(match, "players" if room == "players" else "spectators")
        self._key = key
        self._partition = annals.store.partition_of(match)
        self._watches: Mapping[int, Watch] = {}

    def watch(self, wakeup: Wakeable) -> None:
        """Call `wakeup` when something is said or removed."""
        if not self._watches:
            self._watches = self._watcher.watch(self._key, [self._partition], wakeup)

    def unwatch(self, wakeup: Wakeable) -> None:
        """Stop calling `wakeup`."""
        watches, self._watches = self._watches, {}
        self._watcher.unwatch(self._key, watches, wakeup)

    def current(self) -> TalkState:
        """Return the current state; if the process is ending, only that."""
        return TalkState(self, self._watches[self._partition], self._watcher.closing)

    def read(self, after: int) -> TalkBatch | LostBatch | None:
        """Return the changes after a number; None if there are none."""
        watch = self._watches[self._partition]
        change_count, talk = watch.change_count, Talk(self._annals.store)
        changes = talk.changes(*self._name, after, MAX_CHANGES_PER_BATCH)
        if changes is None:
            return LostBatch(self._annals, self._name, talk.position(*self._name))
        if not changes:
            self._watcher.set_version(watch, change_count, after)
            return None
        said = [one.message for one in changes if not one.is_removal]
        messages = talk.read(*self._name, said)
        more = len(changes) == MAX_CHANGES_PER_BATCH
        return TalkBatch(self._annals, self._name, changes, messages, more)


def cursor_event(number: int) -> bytes:
    """Return an event that only moves the client's cursor."""
    return b"id: %d\n\n" % number
