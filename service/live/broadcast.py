"""Telling all who listen to the same: what is new is read once, and encoded once for all eyes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from queue import SimpleQueue
from threading import Lock
from time import monotonic
from typing import Generic, NamedTuple, Protocol, TypeVar
from weakref import WeakValueDictionary

import structlog
from redis.exceptions import RedisClusterException, RedisError

from domain.engine.errors import Refused
from service.runtime.event_loop import PORTION, Rings, begin, each, pause

HEARTBEAT_S = 15.0
LOOKS = 15
"""So many times in that time somebody looks who has heard nothing for long."""
OPENING = b"retry: 2000\n\n"
HEARTBEAT = b": still here\n\n"
log = structlog.get_logger("annals.web")
P = TypeVar("P", bound=Hashable)
"""How far somebody has heard."""


class Eyes(NamedTuple):
    """Who listens: all whose eyes are equal hear the same."""

    of: str | None
    """A player, or what else a topic knows eyes by."""
    language: str | None = None
    """In which they are told everything in words, too; None if not in words."""


class Batch(Protocol[P]):
    """What came after one place, up to another; there may be more."""

    last: P
    more: bool

    def frame(self, eyes: Eyes) -> bytes:
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

    def watch(self, bell: Rings) -> None:
        """Let this ring whenever there is something new; nothing more, if it does already."""
        ...

    def unwatch(self, bell: Rings) -> None:
        """Let it ring no more."""
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
        eyes: Eyes,
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

    def catch_up(self) -> None:
        """Hear what one has missed while there was no room."""
        self.broadcast.look([self])

    def wait(self) -> None:
        """Hear that the stream is alive; Refused if one may listen no more."""
        self._admit()
        self.hear(HEARTBEAT)

    def end(self) -> None:
        """Hear that nothing more comes."""
        self.hear(None)

    def close(self) -> None:
        """Listen no more; whoever has left already leaves no second time."""
        self.broadcast.part(self)
        leave, self._leave = self._leave, None
        if leave:
            leave()


class Broadcast(Generic[P]):
    """Tells all who listen to a topic in this process, while there are any.

    Nothing of it goes on by itself: whoever brings something new tells it to all.
    """

    __slots__ = ("__weakref__", "_behind", "_listeners", "_lock", "_speaking", "_spoke", "_topic")

    def __init__(self, topic: Topic[P]) -> None:
        self._topic = topic
        self._lock = Lock()  # never held while waiting
        self._listeners: set[Listener[P]] = set()
        self._behind: set[Listener[P]] = set()
        """Those of them for whom there may be something new."""
        self._speaking = False
        self._spoke = monotonic()

    def join(self, listener: Listener[P]) -> None:
        """Tell this listener too."""
        listener.open()
        with self._lock:
            self._listeners.add(listener)
        self.look([listener])

    def part(self, listener: Listener[P]) -> bool:
        """Tell this one no more; whether they were told until now."""
        with self._lock:
            told = listener in self._listeners
            self._listeners.discard(listener)
        if not self._listeners:
            self.look([])
        return told

    def ring(self) -> None:
        """Tell everybody what is new."""
        self.look(self._present())

    def look(self, listeners: Iterable[Listener[P]]) -> None:
        """Tell these what they have not heard; if others are being told just now, after them."""
        with self._lock:
            self._behind.update(listeners)
            begins, self._speaking = not self._speaking, True
        if begins:
            self._speak()

    def keep_alive(self) -> None:
        """Show life to everybody if nobody has been told anything for nearly that long."""
        if monotonic() - self._spoke > HEARTBEAT_S * (1 - 1 / LOOKS):
            self._trying(self._show_life)

    def _speak(self) -> None:
        while behind := self._next():
            try:
                self._trying(self._tell, behind)
            except BaseException:  # whoever speaks may be told to end: then another goes on
                with self._lock:
                    self._behind |= behind
                begin(self._speak)
                raise

    def _next(self) -> set[Listener[P]]:
        """Whom to tell next, or nobody."""
        with self._lock:
            behind, self._behind = self._behind & self._listeners, set()
            self._speaking = bool(behind)
            if not self._listeners:
                self._topic.unwatch(self)
            return behind

    def _present(self) -> list[Listener[P]]:
        with self._lock:
            return list(self._listeners)

    def _trying(self, tell: Callable[..., None], *whom: Iterable[Listener[P]]) -> None:
        """Tell; if nobody can, it ends for all."""
        try:
            tell(*whom)
        except Exception:
            log.exception("answer_cut")  # the clients connect again and are told why
            self._end(self._present())

    def _tell(self, listeners: Iterable[Listener[P]]) -> None:
        """Tell these what they have not heard, or a part of it: then they are still behind."""
        self._topic.watch(self)  # before reading: what comes while we read rings
        moment = self._topic.now()
        groups: dict[P, list[Listener[P]]] = defaultdict(list)
        for listener in listeners:
            if listener.ready:
                listener.after = moment.place(listener.after)
                groups[listener.after].append(listener)
        for after, group in groups.items():
            self._tell_alike(moment, after, group)

    def _tell_alike(self, moment: Moment[P], after: P, group: Sequence[Listener[P]]) -> None:
        """Tell these, who have heard the same."""
        batch = moment.read(after)
        if batch is not None:
            self._spoke = monotonic()
            self._let_all(group, Listener.take, batch)
        if batch is not None and batch.more:
            self._behind.update(group)
        elif moment.over:
            self._end(group)

    def _show_life(self) -> None:
        self._spoke = monotonic()
        self._let_all(self._present(), Listener.wait)

    def _let_all(
        self, group: Sequence[Listener[P]], hear: Callable[..., None], *what: Batch[P]
    ) -> None:
        """Let those hear this who are there and have room."""
        for start in range(0, len(group), PORTION):
            if start:
                pause(0)  # others get their turn
            for listener in group[start : start + PORTION]:
                if listener.ready and listener in self._listeners:
                    self._let(listener, hear, *what)

    def _let(self, listener: Listener[P], hear: Callable[..., None], *what: Batch[P]) -> None:
        """Let somebody hear this; if it fails, it ends for them alone."""
        try:
            hear(listener, *what)
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
                self._let(listener, Listener.end)


class Broadcasts(Generic[P]):
    """One for each topic that anybody listens to."""

    def __init__(self, topic: Callable[[str], Topic[P]]) -> None:
        """The topics have names."""
        self._topic = topic
        self._open: WeakValueDictionary[str, Broadcast[P]] = WeakValueDictionary()
        self._lock = Lock()
        self._beating = False

    def of(self, name: str) -> Broadcast[P]:
        """The broadcast of a topic; it ends when nobody holds it any more."""
        with self._lock:
            found = self._open.get(name)
            if found is None:
                found = self._open[name] = Broadcast(self._topic(name))
            begins, self._beating = not self._beating, True
        if begins:
            begin(self._beat)
        return found

    def _beat(self) -> None:
        """Show life where all is quiet, as long as anything is open."""
        while self._goes_on():
            pause(HEARTBEAT_S / LOOKS)
            each(Broadcast.keep_alive, list(self._open.values()))

    def _goes_on(self) -> bool:
        with self._lock:
            self._beating = bool(self._open)
            return self._beating


def event(event_id: str, kind: str, data: bytes) -> bytes:
    """A server-sent event."""
    return b"id: %b\nevent: %b\ndata: %b\n\n" % (event_id.encode(), kind.encode(), data)
