"""Bodies that are being read: each holds a thread until it has come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from service.errors import TooManyBodies

PART = 4
"""One address holds at most this part of the threads of a process with bodies: a quarter."""


class Bodies:
    """How many bodies are being read, by address."""

    def __init__(self, threads: int) -> None:
        self._most = max(1, threads // PART)
        self._lock = Lock()
        self._reading: Counter[str] = Counter()

    @contextmanager
    def reading(self, address: str) -> Iterator[None]:
        """While a body from this address is read; TooManyBodies if there are too many already."""
        with self._lock:
            if self._reading[address] >= self._most:
                raise TooManyBodies(f"{self._most} bodies from your address are on their way.")
            self._reading[address] += 1
        try:
            yield
        finally:
            with self._lock:
                self._reading[address] -= 1
                self._reading += Counter()  # drops those who send none
