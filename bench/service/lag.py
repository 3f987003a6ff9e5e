"""How long it takes until the projections know of an entry."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Event, Thread

from projections.lists.change_feed import NewsReader
from projections.progress import progress
from service.matches.container import wall_clock
from service.store.event_store import Store
from service.store.redis_client import connect

BLOCK_MS = 100
PAGE = 1_000
Heard = list[tuple[int, int]]
"""Up to which position the lists had read, and when somebody who listens heard of it (ms since the
epoch)."""


@contextmanager
def watched(url: str) -> Iterator[list[float]]:
    """Seconds from each entry that is recorded within the block until those who listen hear of it;
    filled in at its end, when the projections have to have settled.
    """
    store, done, lags = Store(connect(url)), Event(), list[float]()
    begun = {n: store.feed_length(n) for n in range(store.partitions)}
    heard: Mapping[int, Heard] = {n: [] for n in begun}
    thread = Thread(target=_listen, args=(store, begun, heard, done))
    thread.start()
    try:
        yield lags
    finally:
        done.set()
        thread.join()
    lags += [lag for n, begin in begun.items() for lag in _lags(store, n, begin, heard[n])]


def settled(url: str) -> float:
    """Seconds until the projections have read everything."""
    store, begin = Store(connect(url)), time.perf_counter()
    while max(one.lag for one in progress(store.redis, store.partitions).values()):
        time.sleep(0.005)
    return time.perf_counter() - begin


def _listen(
    store: Store, begun: Mapping[int, int], heard: Mapping[int, Heard], done: Event
) -> None:
    """Note what is told of every partition, till the end and what was told before it."""
    reader, places = NewsReader(store.redis, store.partitions), dict(begun)
    while True:
        was_done = done.is_set()
        told = reader.told(places, PAGE, BLOCK_MS)
        now = wall_clock()
        for partition, rows in told.items():
            places[partition] = rows[-1][0]
            heard[partition].append((places[partition], now))
        if was_done and not told:
            return


def _lags(store: Store, partition: int, begin: int, heard: Heard) -> Iterator[float]:
    """How long each entry after a position took."""
    while rows := store.portion({partition: begin}, PAGE).get(partition):
        for pointer, entry in rows:
            if isinstance(entry, Exception):
                raise entry
            _, when = heard[bisect_left(heard, (pointer.position, 0))]
            yield (when - entry.at) / 1000
        begin = rows[-1][0].position
