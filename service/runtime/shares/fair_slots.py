"""Slots for expensive work, with a bounded queue that is fair by address."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from threading import Lock
from typing import TypeVar

from domain.engine.errors import Refusal
from service.runtime.event_loop import Wakeup, run_to_end
from service.runtime.shares.fair_queue import FairQueue, Payer

T = TypeVar("T")
ADDRESS_SHARE = 4
"""One address takes at most 1 / ADDRESS_SHARE of the queue."""


class FairSlots:
    """Lets a few callers work at a time. Of those who wait, the address that was served longest ago
    comes next; a caller who leaves loses their place.

    Work that has begun goes on to its end, also if its caller leaves: the next one finds its result
    in a cache. Otherwise callers who leave early would begin it again and again, and nobody would
    get it while they do.
    """

    def __init__(self, slots: int, max_waiting: int, busy: Callable[[str], Refusal]) -> None:
        """`busy` makes the refusal for those who find the queue full or wait too long."""
        self._free = slots
        self._max_waiting = max_waiting
        self._busy = busy
        self._queue: FairQueue[Wakeup] = FairQueue()
        self._keys = count()
        self._lock = Lock()  # never held while waiting

    def run(self, payer: Payer, wait_s: float, work: Callable[[], T]) -> T:
        """Do work in a slot, and return its result. Raises the refusal if too many wait, or if no
        slot is free in time.
        """
        key, wakeup = str(next(self._keys)), Wakeup()
        with self._lock:
            self._check_room(payer)
            self._queue.add(payer, key, wakeup)
            self._grant()
        self._wait(key, wakeup, wait_s)
        return run_to_end(lambda: self._work(work))

    def _work(self, work: Callable[[], T]) -> T:
        try:
            return work()
        finally:
            self._release()

    def _check_room(self, payer: Payer) -> None:
        if self._free:
            return
        if self._queue.count_of(payer.network) * ADDRESS_SHARE >= self._max_waiting:
            raise self._busy("Too many requests like this one wait for your address.")
        if len(self._queue) >= self._max_waiting:
            raise self._busy("Too many requests like this one wait.")

    def _wait(self, key: str, wakeup: Wakeup, wait_s: float) -> None:
        granted = False
        try:
            granted = wakeup.wait(wait_s)
        finally:  # also if the caller has left
            if not granted:
                self._withdraw(key)
        if not granted:
            raise self._busy("Other requests took too long.")

    def _withdraw(self, key: str) -> None:
        with self._lock:
            is_waiting = key in self._queue
            self._queue.discard(key)
        if not is_waiting:  # it was granted at the same moment
            self._release()

    def _release(self) -> None:
        with self._lock:
            self._free += 1
            self._grant()

    def _grant(self) -> None:
        while self._free and (found := self._queue.next_item()):
            key, wakeup = found
            self._queue.serve(key)
            self._free -= 1
            wakeup.wake()
