"""Threads that work while a test does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Thread


@contextmanager
def running(threads: Sequence[Thread], stop: Event) -> Iterator[None]:
    """While these threads, which have begun, work; what they are at is done by the end."""
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()
