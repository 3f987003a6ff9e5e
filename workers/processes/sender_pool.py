"""The threads that send webhooks, in fair shares.

A receiver may take ten seconds to answer, so no owner, network or host gets more than a share of
the threads, and receivers that were slow lately, or never had a delivery, get only the last share:
those of one network at most half of it. They wait in half of the places at most.
"""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from threading import Event, Lock, Thread

import structlog
from msgspec import Struct

from service.runtime.logs import is_redis_error
from service.runtime.shares.fair_queue import FairQueue, Payer

SHARE = 4
"""A network, a host, and all slow receivers together get 1 / SHARE of the threads each."""
MAX_WAITING = 1_000
"""Number of subscriptions that wait for a thread; the dispatcher hands out others later."""
SLICE_S = 2.0
"""How long a thread serves one subscription while others wait; then it waits for its next turn."""
STOP_S = 2.0
"""How long threads have to finish their request at shutdown."""
QUICK_S = 1.0
"""A receiver that answers within this time is quick."""
MAX_HOSTS = 3_000
"""Number of hosts whose speed is known, of some 300 bytes each."""
log = structlog.get_logger()

MayContinue = Callable[[], bool]
Work = Callable[[MayContinue], None]
"""Sends for a subscription while its argument returns True."""


class Receiver(Struct, frozen=True):
    """Whose share a subscription takes: that of its owner, and that of the host it sends to."""

    payer: Payer
    host: str


class _Delivery(Struct, frozen=True):
    subscription: str
    receiver: Receiver
    work: Work


class ReceiverSpeeds:
    """How long hosts took to answer lately."""

    def __init__(self) -> None:
        self._seconds: OrderedDict[str, float] = OrderedDict()
        self._lock = Lock()

    def record(self, host: str, seconds: float) -> None:
        """Record the time of a request; a slow one counts until several quick ones follow."""
        with self._lock:
            self._seconds[host] = max(seconds, self._seconds.pop(host, 0.0) / 2)
            if len(self._seconds) > MAX_HOSTS:
                self._seconds.popitem(last=False)

    def knows(self, host: str) -> bool:
        """Return whether the time of a request to a host was recorded."""
        return host in self._seconds

    def is_quick(self, host: str) -> bool:
        """Return whether a host is known and has answered quickly."""
        return self._seconds.get(host, QUICK_S) < QUICK_S


class SenderPool:
    """A bounded number of threads, each for one subscription."""

    def __init__(self, max_threads: int, speeds: ReceiverSpeeds) -> None:
        self._max_threads = max_threads
        self._share = max(1, max_threads // SHARE)
        self._speeds = speeds
        self._waiting: FairQueue[_Delivery] = FairQueue()
        self._running: dict[str, Thread] = {}  # by subscription
        self._used: Counter[str] = Counter()
        """Threads of each key of `_limits`."""
        self._stopping = Event()
        self._lock = Lock()

    def submit(self, subscription: str, receiver: Receiver, work: Work) -> bool:
        """Run work in a thread when it is its turn; returns False if too much waits. Does nothing
        if the subscription waits or runs already.
        """
        with self._lock:
            if subscription in self._running or subscription in self._waiting:
                return True
            if not self._has_room(receiver):
                return False
            one = _Delivery(subscription, receiver, work)
            self._waiting.add(receiver.payer, subscription, one)
            self._start_ready()
        return True

    def stop(self) -> None:
        """Let all threads finish their request, within STOP_S."""
        self._stopping.set()
        until = time.monotonic() + STOP_S
        with self._lock:
            running = list(self._running.values())
        for thread in running:
            thread.join(max(0.0, until - time.monotonic()))

    def _has_room(self, receiver: Receiver) -> bool:
        """Whether one more may wait. Half of the places are for quick receivers alone."""
        room = MAX_WAITING if self._speeds.is_quick(receiver.host) else MAX_WAITING // 2
        of_network = self._waiting.count_of(receiver.payer.network)
        return of_network * SHARE < MAX_WAITING and len(self._waiting) < room

    def _start_ready(self) -> None:
        while len(self._running) < self._max_threads and not self._stopping.is_set():
            found = self._waiting.next_item(self._may_start)
            if found is None:
                return
            subscription, one = found
            self._waiting.serve(subscription)
            is_slow = not self._speeds.is_quick(one.receiver.host)
            self._count(one.receiver, is_slow, 1)
            thread = Thread(target=self._run, args=(one, is_slow), daemon=True, name="send")
            self._running[subscription] = thread
            thread.start()

    def _may_start(self, payer: Payer, one: _Delivery) -> bool:
        limits = self._limits(one.receiver, not self._speeds.is_quick(one.receiver.host))
        return all(self._used[key] < limit for key, limit in limits.items())

    def _limits(self, receiver: Receiver, is_slow: bool) -> dict[str, int]:
        """Return how many threads may serve what shares a key with this receiver."""
        network = receiver.payer.network
        limits = dict.fromkeys((f"network:{network}", f"host:{receiver.host}"), self._share)
        if is_slow:
            limits |= {"slow": self._share, f"slow:{network}": max(1, self._share // 2)}
        return limits

    def _count(self, receiver: Receiver, is_slow: bool, change: int) -> None:
        for key in self._limits(receiver, is_slow):
            self._used[key] += change
        self._used += Counter()  # drops those without a thread

    def _run(self, one: _Delivery, is_slow: bool) -> None:
        until, is_over = time.monotonic() + SLICE_S, False

        def may_continue() -> bool:
            nonlocal is_over
            is_over = not self._may_continue(until)
            return not is_over

        try:
            one.work(may_continue)
        except Exception as error:
            (log.warning if is_redis_error(error) else log.error)(
                "webhook_sender_failed", exc_info=error
            )
        finally:
            with self._lock:
                del self._running[one.subscription]
                self._count(one.receiver, is_slow, -1)
                if is_over:
                    self._waiting.add(one.receiver.payer, one.subscription, one)
                self._start_ready()

    def _may_continue(self, until: float) -> bool:
        return not self._stopping.is_set() and (not len(self._waiting) or time.monotonic() < until)
