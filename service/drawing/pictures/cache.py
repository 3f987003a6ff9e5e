"""The pictures that this process had drawn lately, and the queue for those that it has not."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from queue import Empty, LifoQueue
from threading import Lock

from service.drawing.pictures.inputs import Drawing
from service.drawing.pictures.painter import DRAWING_S, Painter
from service.runtime.errors import PaintersBusy

PATIENCE_S = 10.0
"""How long a picture may wait for a painter."""
SHARE = 2
"""One address takes at most this part of the queue: a half."""


class Gallery:
    """Pictures by what they show. Each is drawn once, however many ask for it at the same time."""

    def __init__(self, painters: int, places: int, most_bytes: int) -> None:
        self._places = places
        self._most = most_bytes
        self._lock = Lock()
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0
        self._waiting: Counter[str] = Counter()
        self._begun: dict[str, Future[bytes]] = {}
        self._idle: LifoQueue[Painter] = LifoQueue()  # so that those not needed are never started
        for _ in range(painters):
            self._idle.put(Painter())

    def get_ready(self) -> None:
        """Start one of the painters before somebody waits for its first picture."""
        painter = self._idle.get()
        painter.get_ready()
        self._idle.put(painter)

    def kept(self, drawing: Drawing) -> bytes | None:
        """The picture, if it was drawn lately."""
        with self._lock:
            picture = self._kept.get(drawing.digest)
            if picture is not None:
                self._kept.move_to_end(drawing.digest)
            return picture

    def draw(self, drawing: Drawing, address: str) -> bytes:
        """The picture, drawn now for somebody at this address.

        Raises PaintersBusy if too many pictures wait already, or DrawingFailed.
        """
        with self._place(address):
            future, first = self._join(drawing)
            if first:
                self._begin(drawing, future)
            try:
                return future.result(PATIENCE_S + DRAWING_S)
            except TimeoutError:
                raise PaintersBusy("This picture took too long.") from None

    @contextmanager
    def _place(self, address: str) -> Iterator[None]:
        """A place in the queue, in which a thread beside the loop waits."""
        with self._lock:
            if self._waiting[address] * SHARE >= self._places:
                raise PaintersBusy("You wait for as many pictures as one address may.")
            if self._waiting.total() >= self._places:
                raise PaintersBusy("As many pictures wait to be drawn as can.")
            self._waiting[address] += 1
        try:
            yield
        finally:
            with self._lock:
                self._waiting[address] -= 1
                self._waiting += Counter()  # drops those who wait for none

    def _join(self, drawing: Drawing) -> tuple[Future[bytes], bool]:
        """What will be the picture, and whether the caller is the first and has to see to it."""
        with self._lock:
            begun = self._begun.get(drawing.digest)
            if begun is not None:
                return begun, False
            future = self._begun[drawing.digest] = Future()
            if drawing.digest in self._kept:  # done since the caller looked
                future.set_result(self._kept[drawing.digest])
                del self._begun[drawing.digest]
            return future, not future.done()

    def _begin(self, drawing: Drawing, future: Future[bytes]) -> None:
        """Have it drawn, for all who wait for it."""
        try:
            picture = self._painted(drawing)
        except Exception as error:
            with self._lock:
                del self._begun[drawing.digest]
            future.set_exception(error)
        else:
            with self._lock:
                del self._begun[drawing.digest]
                self._keep(drawing.digest, picture)
            future.set_result(picture)

    def _painted(self, drawing: Drawing) -> bytes:
        try:
            painter = self._idle.get(timeout=PATIENCE_S)
        except Empty:
            raise PaintersBusy("No painter had time for this picture.") from None
        try:
            return painter.draw(drawing)
        finally:
            self._idle.put(painter)

    def _keep(self, digest: str, picture: bytes) -> None:
        self._kept[digest] = picture
        self._bytes += len(picture)
        while self._bytes > self._most:
            self._bytes -= len(self._kept.popitem(last=False)[1])
