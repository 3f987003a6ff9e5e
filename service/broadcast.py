"""Telling all who listen to the same: what is new is read once, and encoded once for all eyes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import AbstractContextManager
from queue import SimpleQueue
from threading import Lock
from typing import Generic, Protocol, TypeVar
from weakref import WeakValueDictionary

import structlog
from redis.exceptions import RedisClusterException, RedisError

from domain.engine.errors import Refused
from service.event_loop import Bell, begin

HEARTBEAT_S = 15.0
OPENING = b"retry: 2000\n\n"
HEARTBEAT = b": still here\n\n"
log = structlog.get_logger("annals.web")
P = TypeVar("P", bound=Hashable)
"""How far somebody has heard."""


class Batch(Protocol[P]):
    """What came after one place, up to another; there may be more."""

    last: P
    more: bool

    def frame(self, eyes: str | None) -> bytes:
        """As server-sent events, as these eyes may see it; Refused if they may no more."""
        ...


class Moment(Protocol[P]):
    """What there is to tell at a moment."""

    over: bool
    """Whether nothing more will come."""

    def place(self, after: P) -> P:
        """The same place as of all others who have heard the same."""
        ...

    def read(self, after: P) -> Batch[P] | None:
        """What came after a place; None if nothing did."""
        ...


class Topic(Protocol[P]):
    """Something that one can listen to."""

    def watching(self) -> AbstractContextManager[Bell]:
        """A bell that rings whenever there is something new."""
        ...

    def now(self) -> Moment[P]:
        """What there is to tell."""
        ...


class Listener(Generic[P]):
    """Somebody who listens to a topic, and hears what comes after a place.

    Whoever carries the stream either iterates over it or sets `hear`, which is given each part and
    then, at the end, None; and `ready`, while there is no room for more.
    """

    __slots__ = ("_admit", "_leave", "_opening", "after", "broadcast", "eyes", "hear", "ready")

    def __init__(
        self,
        broadcast: Broadcast[P],
        after: P,
        eyes: str | None,
        admit: Callable[[], None],
        leave: Callable[[], None],
        opening: bytes = b"",
    ) -> None:
        """`admit` raises Refused once the caller may not go on; `leave` is called at the end; the
        opening is heard first.
        """
        self.broadcast = broadcast
        self.after = after
        self.eyes = eyes
        self.ready = True
        self.hear: Callable[[bytes | None], None]
        self._admit = admit
        self._leave: Callable[[], None] | None = leave
        self._opening = OPENING + opening

    def __iter__(self) -> Iterator[bytes]:
        """All parts, for whoever has a thread for them, as a plain WSGI server does."""
        parts: SimpleQueue[bytes | None] = SimpleQueue()
        self.hear = parts.put
        self.broadcast.join(self)
        while (part := parts.get()) is not None:
            yield part

    def open(self) -> None:
        """Hear how it begins."""
        self.hear(self._opening)

    def take(self, batch: Batch[P]) -> None:
        """Hear this; Refused if one may not."""
        self._admit()
        frame = batch.frame(self.eyes)
        self.after = batch.last
        self.hear(frame)

    def wait(self) -> None:
        """Hear that the stream is alive; Refused if one may listen no more."""
        self._admit()
        self.hear(HEARTBEAT)

    def close(self) -> None:
        """Listen no more; whoever has left already leaves no second time."""
        self.broadcast.part(self)
        leave, self._leave = self._leave, None
        if leave:
            leave()


class Broadcast(Generic[P]):
    """Tells all who listen to a topic in this process, while there are any."""

    def __init__(self, topic: Topic[P]) -> None:
        self._topic = topic
        self._lock = Lock()  # never held while waiting
        self._listeners: set[Listener[P]] = set()
        self._speaking = False
        self._bell: Bell | None = None

    def join(self, listener: Listener[P]) -> None:
        """Tell this listener too."""
        listener.open()
        with self._lock:
            self._listeners.add(listener)
            begins, self._speaking = not self._speaking, True
        if begins:
            begin(self._speak)
        else:
            self.wake()

    def part(self, listener: Listener[P]) -> bool:
        """Tell this one no more; whether they were told until now."""
        with self._lock:
            told = listener in self._listeners
            self._listeners.discard(listener)
        return told

    def wake(self) -> None:
        """Somebody may be behind."""
        if self._bell:
            self._bell.ring()

    def _speak(self) -> None:
        try:
            with self._topic.watching() as bell:
                self._bell = bell
                while listeners := self._present():
                    bell.clear()  # before reading: what comes while we read rings again
                    if not self._tell(listeners) and not bell.wait(HEARTBEAT_S):
                        self._show_life()
        except Exception:
            log.exception("answer_cut")  # the clients connect again and are told why
            while listeners := self._present():
                self._end(listeners)

    def _present(self) -> list[Listener[P]]:
        with self._lock:
            self._speaking = bool(self._listeners)
            return list(self._listeners)

    def _tell(self, listeners: Sequence[Listener[P]]) -> bool:
        """Tell everybody what they have not heard; whether there is still more."""
        moment = self._topic.now()
        groups: dict[P, list[Listener[P]]] = defaultdict(list)
        for listener in listeners:
            if listener.ready:
                listener.after = moment.place(listener.after)
                groups[listener.after].append(listener)
        behind = [self._tell_alike(moment, after, group) for after, group in groups.items()]
        return any(behind)

    def _tell_alike(self, moment: Moment[P], after: P, group: Sequence[Listener[P]]) -> bool:
        """Tell these, who have heard the same; whether there is still more."""
        batch = moment.read(after)
        if batch is not None:
            for listener in group:
                self._let(listener, listener.take, batch)
            if batch.more:
                return True
        if moment.over:
            self._end(group)
        return False

    def _show_life(self) -> None:
        for listener in self._present():
            if listener.ready:
                self._let(listener, listener.wait)

    def _let(
        self, listener: Listener[P], hear: Callable[..., None], *what: Batch[P] | None
    ) -> None:
        """Let somebody hear this; if it fails, it ends for them alone."""
        try:
            hear(*what)
        except (RedisError, RedisClusterException):
            raise  # the same awaits all others, perhaps after a long time
        except Exception as error:
            if not isinstance(error, Refused):
                log.exception("answer_cut")
            self._end([listener])

    def _end(self, listeners: Sequence[Listener[P]]) -> None:
        """Let these hear the end, once: not those who have gone, or have heard it."""
        for listener in listeners:
            if self.part(listener):
                self._let(listener, listener.hear, None)


class Broadcasts(Generic[P]):
    """One for each topic that anybody listens to."""

    def __init__(self, topic: Callable[[str], Topic[P]]) -> None:
        """The topics have names."""
        self._topic = topic
        self._open: WeakValueDictionary[str, Broadcast[P]] = WeakValueDictionary()

    def of(self, name: str) -> Broadcast[P]:
        """The broadcast of a topic; it ends when nobody holds it any more."""
        found = self._open.get(name)
        return found or self._open.setdefault(name, Broadcast(self._topic(name)))


def event(event_id: str, kind: str, data: bytes) -> bytes:
    """A server-sent event."""
    return b"id: %b\nevent: %b\ndata: %b\n\n" % (event_id.encode(), kind.encode(), data)
