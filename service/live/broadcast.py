"""Broadcasts topics to subscribers: events are read once, and encoded once per kind of viewer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from queue import SimpleQueue
from threading import Lock
from time import monotonic
from typing import Generic, NamedTuple, Protocol, TypeVar
from weakref import WeakValueDictionary

import structlog

from domain.engine.errors import Refusal
from domain.match.log import CorruptEntry
from service.matches.container import wall_clock
from service.matches.queries import iso
from service.runtime.errors import REDIS_ERRORS
from service.runtime.event_loop import STEPS_PER_TURN, Wakeable, call_each, pause, start_background

HEARTBEAT_S = 12.0
"""The longest time in which a stream sends nothing; after three of them clients open a new one."""
CHECKS_PER_HEARTBEAT = 15
"""Checks per heartbeat interval for idle broadcasts."""
RETRY = b"retry: 2000\n"
log = structlog.get_logger("annals.web")
CursorT = TypeVar("CursorT", bound=Hashable)
"""A cursor of a topic."""


class Viewer(NamedTuple):
    """What decides which events a subscriber sees: equal viewers receive equal bytes."""

    selector: str | None
    """The player, or another filter of the topic."""
    language: str | None = None
    """The language of sentences in events; None for no sentences."""
    as_spectator: bool = False
    """Whether the player sees only what spectators see."""
    player: str | None = None
    """The player, if `selector` is another filter of the topic."""


class Batch(Protocol[CursorT]):
    """The events after one cursor, up to another; `more` if others follow."""

    cursor: CursorT
    more: bool

    def frame(self, viewer: Viewer) -> bytes:
        """Return the server-sent events for this viewer. Raises Refusal if they have lost
        access.
        """
        ...


class TopicState(Protocol[CursorT]):
    """The state of a topic at one state."""

    is_over: bool
    """Whether no more events can follow."""

    def cursor(self, after: CursorT) -> CursorT:
        """Return a cursor that is equal for all subscribers who have received the same events."""
        ...

    def read(self, after: CursorT) -> Batch[CursorT] | None:
        """Return the events after a cursor; None if there are none."""
        ...


class Topic(Protocol[CursorT]):
    """A source of events."""

    def watch(self, wakeup: Wakeable) -> None:
        """Call `wakeup` when something changes. Idempotent."""
        ...

    def unwatch(self, wakeup: Wakeable) -> None:
        """Stop calling `wakeup`."""
        ...

    def current(self) -> TopicState[CursorT]:
        """Return the current state."""
        ...


class Subscriber(Generic[CursorT]):
    """A subscriber of a topic, with the cursor after which it continues.

    The server that sends the stream either iterates over it, or sets `send`, which receives each
    chunk and finally None, and clears `ready` while its buffer is full.
    """

    __slots__ = (
        "_authorize", "_on_close", "_opening", "_sent_at",
        "after", "broadcast", "ready", "send", "viewer",
    )  # fmt: skip

    def __init__(
        self,
        broadcast: Broadcast[CursorT],
        after: CursorT,
        viewer: Viewer,
        authorize: Callable[[], None],
        on_close: Callable[[], None],
        opening: bytes = b"",
    ) -> None:
        """`authorize` raises Refusal if the caller has lost access; `on_close` runs at the end;
        the first heartbeat follows `opening`, and so has its id.
        """
        self.broadcast = broadcast
        self.after = after
        self.viewer = viewer
        self.ready = True
        self.send: Callable[[bytes | None], None]
        self._authorize = authorize
        self._on_close: Callable[[], None] | None = on_close
        self._opening = opening
        self._sent_at = monotonic()

    def __iter__(self) -> Iterator[bytes]:
        """Yield all chunks, for a server with a thread per request."""
        parts: SimpleQueue[bytes | None] = SimpleQueue()
        self.send = parts.put
        self.broadcast.subscribe(self)
        while (part := parts.get()) is not None:
            yield part

    def send_opening(self) -> None:
        """Send the first bytes."""
        self._sent_at = monotonic()
        self.send(RETRY + self._opening + heartbeat())

    @property
    def is_silent(self) -> bool:
        """Whether nothing was sent for nearly a heartbeat interval."""
        return monotonic() - self._sent_at > HEARTBEAT_S * (1 - 1 / CHECKS_PER_HEARTBEAT)

    def deliver(self, batch: Batch[CursorT]) -> None:
        """Send a batch. Raises Refusal if the caller has lost access."""
        self._authorize()
        frame = batch.frame(self.viewer)
        self.after = batch.cursor
        self._sent_at = monotonic()
        self.send(frame)

    def catch_up(self) -> None:
        """Send what the subscriber missed while its buffer was full."""
        self.broadcast.deliver_to([self])

    def send_heartbeat(self) -> None:
        """Send a heartbeat. Raises Refusal if the caller has lost access."""
        self._authorize()
        self._sent_at = monotonic()
        self.send(heartbeat())

    def end(self) -> None:
        """Signal the end of the stream."""
        self.send(None)

    def close(self) -> None:
        """Unsubscribe and run `on_close`. Idempotent."""
        self.broadcast.unsubscribe(self)
        on_close, self._on_close = self._on_close, None
        if on_close:
            on_close()


class Broadcast(Generic[CursorT]):
    """Delivers the events of a topic to its subscribers in this process.

    It has no task of its own: the caller that brings a change delivers it to all subscribers.
    """

    __slots__ = (
        "__weakref__", "_behind", "_delivering", "_lock", "_subscribers", "_topic",
    )  # fmt: skip

    def __init__(self, topic: Topic[CursorT]) -> None:
        self._topic = topic
        self._lock = Lock()  # never held while waiting
        self._subscribers: set[Subscriber[CursorT]] = set()
        self._behind: set[Subscriber[CursorT]] = set()
        """Subscribers that may have missed events."""
        self._delivering = False

    def subscribe(self, subscriber: Subscriber[CursorT]) -> None:
        """Add a subscriber."""
        subscriber.send_opening()
        with self._lock:
            self._subscribers.add(subscriber)
        self.deliver_to([subscriber])

    def unsubscribe(self, subscriber: Subscriber[CursorT]) -> bool:
        """Remove a subscriber; return whether it was subscribed."""
        with self._lock:
            was_subscribed = subscriber in self._subscribers
            self._subscribers.discard(subscriber)
        if not self._subscribers:
            self.deliver_to([])
        return was_subscribed

    def wake(self) -> None:
        """Deliver new events to all subscribers."""
        self.deliver_to(self._current_subscribers())

    def deliver_to(self, subscribers: Iterable[Subscriber[CursorT]]) -> None:
        """Deliver what these subscribers have missed; if a delivery is running, right after it."""
        with self._lock:
            self._behind.update(subscribers)
            starts, self._delivering = not self._delivering, True
        if starts:
            self._deliver_pending()

    def keep_alive(self) -> None:
        """Send a heartbeat to each subscriber that was sent nothing for nearly an interval."""
        if any(subscriber.is_silent for subscriber in self._current_subscribers()):
            self._guard(self._send_heartbeats)

    def _deliver_pending(self) -> None:
        while behind := self._take_behind():
            try:
                self._guard(self._deliver, behind)
            except BaseException:  # this caller may be cancelled: another one then continues
                with self._lock:
                    self._behind |= behind
                start_background(self._deliver_pending)
                raise

    def _take_behind(self) -> set[Subscriber[CursorT]]:
        """Return the subscribers to serve next."""
        with self._lock:
            behind, self._behind = self._behind & self._subscribers, set()
            self._delivering = bool(behind)
            if not self._subscribers:
                self._topic.unwatch(self)
            return behind

    def _current_subscribers(self) -> list[Subscriber[CursorT]]:
        with self._lock:
            return list(self._subscribers)

    def _guard(
        self, deliver: Callable[..., None], *subscribers: Iterable[Subscriber[CursorT]]
    ) -> None:
        """Run a delivery; if it fails, end all streams."""
        try:
            deliver(*subscribers)
        except Exception as error:
            _log_failure(error)  # clients reconnect and get the reason
            self._end(self._current_subscribers())

    def _deliver(self, subscribers: Iterable[Subscriber[CursorT]]) -> None:
        """Deliver a batch to each of these subscribers; those with more to come stay behind."""
        self._topic.watch(self)  # before the read, so that changes during it wake us
        state = self._topic.current()
        groups: dict[CursorT, list[Subscriber[CursorT]]] = defaultdict(list)
        for subscriber in subscribers:
            if subscriber.ready:
                subscriber.after = state.cursor(subscriber.after)
                groups[subscriber.after].append(subscriber)
        for after, group in groups.items():
            self._deliver_group(state, after, group)

    def _deliver_group(
        self, state: TopicState[CursorT], after: CursorT, group: Sequence[Subscriber[CursorT]]
    ) -> None:
        """Deliver a batch to subscribers that share a cursor."""
        batch = state.read(after)
        if batch is not None:
            self._call_all(group, Subscriber.deliver, batch)
        if batch is not None and batch.more:
            self._behind.update(group)
        elif state.is_over:
            self._end(group)

    def _send_heartbeats(self) -> None:
        silent = [one for one in self._current_subscribers() if one.is_silent]
        self._call_all(silent, Subscriber.send_heartbeat)

    def _call_all(
        self,
        group: Sequence[Subscriber[CursorT]],
        method: Callable[..., None],
        *args: Batch[CursorT],
    ) -> None:
        """Call this for each subscriber that is still subscribed and ready."""
        for start in range(0, len(group), STEPS_PER_TURN):
            if start:
                pause(0)  # other requests get their turn
            for subscriber in group[start : start + STEPS_PER_TURN]:
                if subscriber.ready and subscriber in self._subscribers:
                    self._call(subscriber, method, *args)

    def _call(
        self, subscriber: Subscriber[CursorT], method: Callable[..., None], *args: Batch[CursorT]
    ) -> None:
        """Call this for one subscriber; if it fails, end that stream only."""
        try:
            method(subscriber, *args)
        except REDIS_ERRORS:
            raise  # all others would fail too, perhaps after a long time
        except Exception as error:
            if not isinstance(error, Refusal):
                _log_failure(error)
            self._end([subscriber])

    def _end(self, subscribers: Sequence[Subscriber[CursorT]]) -> None:
        """End the streams of these subscribers, each once."""
        for subscriber in subscribers:
            if self.unsubscribe(subscriber):
                self._call(subscriber, Subscriber.end)


class Broadcasts(Generic[CursorT]):
    """The broadcasts of all topics that have subscribers."""

    def __init__(self, topic: Callable[[str], Topic[CursorT]]) -> None:
        """`topic` returns the topic of a name."""
        self._topic = topic
        self._open: WeakValueDictionary[str, Broadcast[CursorT]] = WeakValueDictionary()
        self._lock = Lock()
        self._is_beating = False

    def of(self, name: str) -> Broadcast[CursorT]:
        """Return the broadcast of a topic; it ends when its last holder drops it."""
        with self._lock:
            found = self._open.get(name)
            if found is None:
                found = self._open[name] = Broadcast(self._topic(name))
            starts, self._is_beating = not self._is_beating, True
        if starts:
            start_background(self._keep_all_alive)
        return found

    def _keep_all_alive(self) -> None:
        """Send heartbeats to idle streams while any is open."""
        while self._has_open():
            pause(HEARTBEAT_S / CHECKS_PER_HEARTBEAT)
            call_each(Broadcast.keep_alive, list(self._open.values()))

    def _has_open(self) -> bool:
        with self._lock:
            self._is_beating = bool(self._open)
            return self._is_beating


def _log_failure(error: Exception) -> None:
    """Log, while an error is handled, why a stream ends; of a corrupt entry, where it is."""
    if isinstance(error, CorruptEntry):
        log.error("entry_corrupt", match=error.match, version=error.version)
    else:
        log.exception("response_aborted")


def heartbeat() -> bytes:
    """Return an event that shows that the stream lives, with the time of the service."""
    return b'event: beat\ndata: {"now":"%b"}\n\n' % iso(wall_clock()).encode()


def sse_event(event_id: str, kind: str, data: bytes) -> bytes:
    """Return a server-sent event."""
    return b"id: %b\nevent: %b\ndata: %b\n\n" % (event_id.encode(), kind.encode(), data)
