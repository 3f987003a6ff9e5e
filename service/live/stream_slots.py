"""Stream slots: limits on open connections per process, caller and address."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from service.runtime.errors import TooManyOwnStreams, TooManyStreams


class StreamSlots:
    """The open streams and waiting requests of this process."""

    def __init__(self, limit: int, per_caller: int, per_address: int) -> None:
        self._limit = limit
        self._per_caller = per_caller
        self._per_address = per_address
        self._lock = Lock()
        self._taken = 0
        self._callers: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()

    def take(self, caller: str, address: str) -> None:
        """Take a slot. Raises TooManyOwnStreams if the caller or the address has no slot left,
        TooManyStreams if the process has none.
        """
        with self._lock:
            if self._callers[caller] >= self._per_caller:
                raise TooManyOwnStreams(f"You have {self._per_caller} open streams, the maximum.")
            if self._addresses[address] >= self._per_address:
                raise TooManyOwnStreams(
                    f"Your address has {self._per_address} open streams, the maximum."
                )
            if self._taken >= self._limit:
                raise TooManyStreams("This process has the maximum number of open streams.")
            self._callers[caller] += 1
            self._addresses[address] += 1
            self._taken += 1

    def release(self, caller: str, address: str) -> None:
        """Return the slot."""
        with self._lock:
            self._taken -= 1
            for held, who in ((self._callers, caller), (self._addresses, address)):
                held[who] -= 1
                if not held[who]:
                    del held[who]

    @contextmanager
    def hold(self, caller: str, address: str) -> Iterator[None]:
        """Hold a slot for the duration of the block."""
        self.take(caller, address)
        try:
            yield
        finally:
            self.release(caller, address)
