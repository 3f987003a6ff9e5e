"""Values that are made when they are first needed, although that takes seconds."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from service.runtime.event_loop import run_in_thread

T = TypeVar("T")


class MadeOnce(Generic[T]):
    """A value that one thread makes, while the loop goes on and other callers wait for it."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make, self._lock = make, Lock()
        self._made: list[T] = []

    def get(self) -> T:
        """Return the value."""
        if not self._made:
            run_in_thread(self._make_once)
        return self._made[0]

    def _make_once(self) -> None:
        with self._lock:
            if not self._made:
                self._made.append(self._make())
