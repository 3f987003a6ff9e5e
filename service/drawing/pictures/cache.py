"""The cache of recent pictures, and the queue of pictures to draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from queue import Empty, LifoQueue
from threading import Lock

from service.drawing.pictures.inputs import Drawing
from service.drawing.pictures.painter import MAX_DRAWING_S, Painter
from service.runtime.errors import PaintersBusy
from service.runtime.shares.byte_cache import ByteCache

MAX_WAIT_S = 10.0
"""How long a picture waits for a painter."""
ADDRESS_SHARE = 2
"""One address takes at most 1 / ADDRESS_SHARE of the queue."""


class PictureCache:
    """Caches pictures by what they show. Simultaneous requests for a picture draw it only once."""

    def __init__(self, painters: int, queue_size: int, max_bytes: int) -> None:
        self._queue_size = queue_size
        self._lock = Lock()
        self._cache = ByteCache(max_bytes)
        self._waiting: Counter[str] = Counter()
        self._in_progress: dict[str, Future[bytes]] = {}
        self._idle: LifoQueue[Painter] = LifoQueue()  # so that those not needed are never started
        for _ in range(painters):
            self._idle.put(Painter())

    def use(self, painter: Painter) -> None:
        """Let a painter that runs already draw, in place of one that would have to start."""
        self._idle.get()
        self._idle.put(painter)

    def find(self, drawing: Drawing) -> bytes | None:
        """Return the picture, if it is in the cache."""
        return self._cache.get(drawing.digest)

    def draw(self, drawing: Drawing, address: str) -> bytes:
        """Draw the picture for a caller at this address.

        Raises PaintersBusy if too many pictures wait, DrawingFailed if the code that draws fails.
        """
        with self._queue_slot(address):
            future, first = self._join(drawing)
            if first:
                self._draw_for_all(drawing, future)
            try:
                return future.result(MAX_WAIT_S + MAX_DRAWING_S)
            except TimeoutError:
                raise PaintersBusy("This picture took too long.") from None
            finally:
                del future  # it may have the error that refers to this frame: a cycle

    @contextmanager
    def _queue_slot(self, address: str) -> Iterator[None]:
        """Take a place in the queue, in which a thread beside the event loop waits."""
        with self._lock:
            if self._waiting[address] * ADDRESS_SHARE >= self._queue_size:
                raise PaintersBusy("Too many pictures wait for your address.")
            if self._waiting.total() >= self._queue_size:
                raise PaintersBusy("Too many pictures wait to be drawn.")
            self._waiting[address] += 1
        try:
            yield
        finally:
            with self._lock:
                self._waiting[address] -= 1
                self._waiting += Counter()  # drops addresses with a count of 0

    def _join(self, drawing: Drawing) -> tuple[Future[bytes], bool]:
        """Return the future picture, and whether the caller is the first and has to draw it."""
        with self._lock:
            begun = self._in_progress.get(drawing.digest)
            if begun is not None:
                return begun, False
            future = self._in_progress[drawing.digest] = Future()
            if picture := self._cache.get(drawing.digest):  # drawn since the caller looked
                future.set_result(picture)
                del self._in_progress[drawing.digest]
            return future, not future.done()

    def _draw_for_all(self, drawing: Drawing, future: Future[bytes]) -> None:
        """Draw the picture for all who wait for it."""
        try:
            picture = self._paint(drawing)
        except Exception as error:
            with self._lock:
                del self._in_progress[drawing.digest]
            future.set_exception(error)
            del future  # likewise
        else:
            with self._lock:
                del self._in_progress[drawing.digest]
                self._cache.put(drawing.digest, picture)
            future.set_result(picture)

    def _paint(self, drawing: Drawing) -> bytes:
        try:
            painter = self._idle.get(timeout=MAX_WAIT_S)
        except Empty:
            raise PaintersBusy("No painter was free in time.") from None
        try:
            return painter.draw(drawing)
        finally:
            self._idle.put(painter)
