"""How far the projections are behind the events."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from projections.progress import progress
from service.store import Store, connect

SAMPLE_S = 0.05


@contextmanager
def watched(url: str) -> Iterator[list[int]]:
    """Samples of how many entries the projections are behind, as long as the block goes on."""
    lags: list[int] = []
    done = Event()
    store = Store(connect(url))

    def watch() -> None:
        while not done.wait(SAMPLE_S):
            lags.append(_lag(store))

    thread = Thread(target=watch)
    thread.start()
    try:
        yield lags
    finally:
        done.set()
        thread.join()


def settled(url: str) -> float:
    """Seconds until the projections have read everything."""
    store, begin = Store(connect(url)), time.perf_counter()
    while _lag(store):
        time.sleep(0.005)
    return time.perf_counter() - begin


def _lag(store: Store) -> int:
    return max(one.lag for one in progress(store.redis, store.partitions).values())
