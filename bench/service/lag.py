"""How long it takes until the projections have folded an entry."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Event, Thread

from projections.lists.change_feed import ChangeFeedReader
from projections.progress import read_progress
from service.matches.container import wall_clock
from service.store.event_store import EventStore
from service.store.redis_client import connect

BLOCK_MS = 100
BATCH = 1_000
Receipts = list[tuple[int, int]]
"""The positions that subscribers of the change feed received, each with its time (ms since the
epoch).
"""


@contextmanager
def measure_lags(url: str) -> Iterator[list[float]]:
    """Seconds from each entry appended within the block until subscribers receive it; complete at
    its end, once the projections have caught up.
    """
    store, done, lags = EventStore(connect(url)), Event(), list[float]()
    begun = {n: store.feed_length(n) for n in range(store.partitions)}
    heard: Mapping[int, Receipts] = {n: [] for n in begun}
    thread = Thread(target=_listen, args=(store, begun, heard, done))
    thread.start()
    try:
        yield lags
    finally:
        done.set()
        thread.join()
    lags += [lag for n, begin in begun.items() for lag in _lags(store, n, begin, heard[n])]


def wait_until_folded(url: str) -> float:
    """Seconds until the projections have folded everything."""
    store, begin = EventStore(connect(url)), time.perf_counter()
    while max(one.lag for one in read_progress(store.redis, store.partitions).values()):
        time.sleep(0.005)
    return time.perf_counter() - begin


def _listen(
    store: EventStore, starts: Mapping[int, int], received: Mapping[int, Receipts], done: Event
) -> None:
    """Record the updates of every partition until the end."""
    reader, places = ChangeFeedReader(store.redis, store.partitions), dict(starts)
    while True:
        was_done = done.is_set()
        told = reader.wait_for_changes(places, BATCH, BLOCK_MS)
        now = wall_clock()
        for partition, rows in told.items():
            places[partition] = rows[-1][0]
            received[partition].append((places[partition], now))
        if was_done and not told:
            return


def _lags(store: EventStore, partition: int, begin: int, received: Receipts) -> Iterator[float]:
    """The seconds of each entry after a position."""
    while rows := store.read_batch({partition: begin}, BATCH).get(partition):
        for pointer, entry in rows:
            if isinstance(entry, Exception):
                raise entry
            _, when = received[bisect_left(received, (pointer.position, 0))]
            yield (when - entry.at) / 1000
        begin = rows[-1][0].position
