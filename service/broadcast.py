"""What is recorded in a match, for all who listen: read once, and encoded once for each view."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from queue import SimpleQueue
from threading import Lock
from weakref import WeakValueDictionary

import msgspec
import structlog

from domain.engine.errors import Refused
from domain.engine.play import Seat
from domain.match.log import Entry
from domain.match.state import Match
from service import queries
from service.annals import Annals
from service.event_loop import Bell, begin
from service.watch import Watcher

ENCODER = msgspec.json.Encoder()
PAGE = 200
HEARTBEAT_S = 15.0
OPENING = b"retry: 2000\n\n"
HEARTBEAT = b": still here\n\n"
log = structlog.get_logger("annals.web")


class Batch:
    """The entries after a version, as those who know of the match may see them."""

    def __init__(self, after: int, match: Match, entries: Sequence[Entry]) -> None:
        self.match = match
        self.last = entries[-1].version if entries else after
        self._entries = entries
        self._frames: dict[Seat | None, bytes] = {}

    def frame(self, player: str | None) -> bytes:
        """As server-sent events; NotFound if the player may not know of the match any more."""
        seat = queries.eyes(self.match, player)
        if seat not in self._frames:
            self._frames[seat] = b"".join(self._encoded(entry, seat) for entry in self._entries)
        return self._frames[seat]

    def _encoded(self, entry: Entry, seat: Seat | None) -> bytes:
        content = ENCODER.encode(queries.served_entry(self.match, entry, seat))
        return b"id: %d\nevent: entry\ndata: %b\n\n" % (entry.version, content)


class Listener:
    """Somebody who listens to a match, and hears what is recorded after a version.

    Whoever carries the stream either iterates over it or sets `hear`, which is given each part and
    then, at the end, None; and `ready`, while there is no room for more.
    """

    __slots__ = ("_admit", "_leave", "after", "broadcast", "hear", "player", "ready")

    def __init__(
        self,
        broadcast: Broadcast,
        after: int,
        player: str | None,
        admit: Callable[[], None],
        leave: Callable[[], None],
    ) -> None:
        """`admit` raises Refused once the caller may not go on; `leave` is called at the end."""
        self.broadcast = broadcast
        self.after = after
        self.player = player
        self.ready = True
        self.hear: Callable[[bytes | None], None]
        self._admit, self._leave = admit, leave

    def __iter__(self) -> Iterator[bytes]:
        """All parts, for whoever has a thread for them."""
        parts: SimpleQueue[bytes | None] = SimpleQueue()
        self.hear = parts.put
        self.broadcast.join(self)
        while (part := parts.get()) is not None:
            yield part

    def take(self, batch: Batch) -> None:
        """Hear these entries; Refused if one may not."""
        self._admit()
        frame = batch.frame(self.player)
        self.after = batch.last
        self.hear(frame)

    def close(self) -> None:
        """Listen no more."""
        self.broadcast.part(self)
        self._leave()


class Broadcast:
    """Tells all who listen to a match in this process, while there are any."""

    def __init__(self, annals: Annals, watcher: Watcher, match_id: str) -> None:
        self._annals = annals
        self._watcher = watcher
        self._match_id = match_id
        self._lock = Lock()  # never held while waiting
        self._listeners: set[Listener] = set()
        self._speaking = False
        self._bell: Bell | None = None

    def join(self, listener: Listener) -> None:
        """Tell this listener too."""
        listener.hear(OPENING)
        with self._lock:
            self._listeners.add(listener)
            begins, self._speaking = not self._speaking, True
        if begins:
            begin(self._speak)
        else:
            self.wake()

    def part(self, listener: Listener) -> None:
        """Tell this one no more."""
        with self._lock:
            self._listeners.discard(listener)

    def wake(self) -> None:
        """Somebody may be behind."""
        if self._bell:
            self._bell.ring()

    def _speak(self) -> None:
        with self._watcher.watching(self._match_id) as (bell, _):
            self._bell = bell
            while listeners := self._present():
                bell.clear()  # before reading: what comes while we read rings again
                try:
                    behind = self._tell(listeners)
                except Exception:
                    log.exception("answer_cut")  # the clients connect again and are told why
                    self._end(listeners)
                    continue
                if not behind and not bell.wait(HEARTBEAT_S):
                    self._say(HEARTBEAT)
            if self._bell is bell:  # the next one may have begun
                self._bell = None

    def _present(self) -> list[Listener]:
        with self._lock:
            self._speaking = bool(self._listeners)
            return list(self._listeners)

    def _tell(self, listeners: Sequence[Listener]) -> bool:
        """Tell everybody what they have not heard; whether there is still more."""
        match = self._annals.matches.latest(self._match_id)
        over = queries.settled(match) or self._watcher.closing
        groups: dict[int, list[Listener]] = defaultdict(list)
        for listener in listeners:
            if listener.ready:
                groups[listener.after].append(listener)
        behind = False
        for after, group in groups.items():
            last = self._read(match, after, group) if after < match.version else after
            behind |= last < match.version
            if over and last >= match.version:
                self._end(group)
        return behind

    def _read(self, match: Match, after: int, group: Sequence[Listener]) -> int:
        """Tell these what comes after this version; how far they have come."""
        entries = self._annals.store.read(self._match_id, after, match.version, PAGE)
        batch = Batch(after, match, entries)
        for listener in group:
            try:
                listener.take(batch)
            except Refused:
                self._end([listener])
        return batch.last

    def _say(self, part: bytes) -> None:
        for listener in self._present():
            if listener.ready:
                listener.hear(part)

    def _end(self, listeners: Sequence[Listener]) -> None:
        for listener in listeners:
            self.part(listener)
            listener.hear(None)


class Broadcasts:
    """One for each match that anybody listens to."""

    def __init__(self, annals: Annals, watcher: Watcher) -> None:
        self._annals = annals
        self._watcher = watcher
        self._open: WeakValueDictionary[str, Broadcast] = WeakValueDictionary()

    def of(self, match_id: str) -> Broadcast:
        """The broadcast of a match; it ends when nobody holds it any more."""
        with suppress(KeyError):
            return self._open[match_id]
        return self._open.setdefault(match_id, Broadcast(self._annals, self._watcher, match_id))
