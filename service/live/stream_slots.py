"""Places for those who listen or wait: so many in a process, for one caller, for one address."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from service.runtime.errors import TooManyOwnStreams, TooManyStreams


class Places:
    """Who listens or waits in this process."""

    def __init__(self, most: int, most_each: int, most_address: int) -> None:
        self._most = most
        self._most_each = most_each
        self._most_address = most_address
        self._lock = Lock()
        self._taken = 0
        self._callers: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()

    def enter(self, caller: str, address: str) -> None:
        """Take a place, if there is one left for this caller and for all callers at this address
        together.
        """
        with self._lock:
            if self._callers[caller] >= self._most_each:
                raise TooManyOwnStreams(f"You have {self._most_each} streams open already.")
            if self._addresses[address] >= self._most_address:
                raise TooManyOwnStreams(f"Your address has {self._most_address} streams open.")
            if self._taken >= self._most:
                raise TooManyStreams("This process holds as many streams as it can.")
            self._callers[caller] += 1
            self._addresses[address] += 1
            self._taken += 1

    def leave(self, caller: str, address: str) -> None:
        """Give the place back."""
        with self._lock:
            self._taken -= 1
            for held, who in ((self._callers, caller), (self._addresses, address)):
                held[who] -= 1
                if not held[who]:
                    del held[who]

    @contextmanager
    def held(self, caller: str, address: str) -> Iterator[None]:
        """A place, for as long as it is needed."""
        self.enter(caller, address)
        try:
            yield
        finally:
            self.leave(caller, address)
