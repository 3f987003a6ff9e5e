"""Threads that work during a test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Thread


@contextmanager
def running(threads: Sequence[Thread], stop: Event) -> Iterator[None]:
    """Run the block while these started threads work; then stop and join them."""
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()
