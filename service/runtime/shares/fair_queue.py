"""Fair shares: the payer that was served longest ago comes next."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Set
from typing import Generic, TypeVar

from msgspec import Struct

T = TypeVar("T")
MAX_SERVED = 1_000
"""Number of owners and networks whose last service is known, of some 300 bytes each."""


class Payer(Struct, frozen=True):
    """The share that an item comes from: a network, and one of its players or callers."""

    network: str
    owner: str


def _is_ready(_payer: Payer, _item: object) -> bool:
    return True


class FairQueue(Generic[T]):
    """The waiting items, at most one for each key.

    Networks take turns first, then the owners of a network, so an owner with many items or many
    accounts gets no more than others. The items of one owner come in the order in which they were
    added.
    """

    def __init__(self) -> None:
        self._waiting: dict[Payer, dict[str, T]] = {}  # by key
        self._payers: dict[str, Payer] = {}
        self._served: OrderedDict[str | Payer, int] = OrderedDict()  # serial number, oldest first
        self._count = 0

    def __len__(self) -> int:
        return len(self._payers)

    def __contains__(self, key: str) -> bool:
        return key in self._payers

    def keys(self) -> Set[str]:
        """Return the keys of the waiting items."""
        return self._payers.keys()

    def add(self, payer: Payer, key: str, item: T) -> None:
        """Add an item; it replaces an earlier one with its key."""
        self.discard(key)
        self._payers[key] = payer
        self._waiting.setdefault(payer, {})[key] = item

    def discard(self, key: str) -> None:
        """Remove the item with this key, if there is one."""
        payer = self._payers.pop(key, None)
        if payer is not None:
            del self._waiting[payer][key]
            if not self._waiting[payer]:
                del self._waiting[payer]

    def count_of(self, network: str) -> int:
        """Return the number of waiting items of a network."""
        return sum(len(some) for payer, some in self._waiting.items() if payer.network == network)

    def next_item(self, is_ready: Callable[[Payer, T], bool] = _is_ready) -> tuple[str, T] | None:
        """Return the next item that is ready with its key, or None if there is none."""
        first: dict[Payer, tuple[str, T]] = {}
        for payer, items in self._waiting.items():
            if found := next((one for one in items.items() if is_ready(payer, one[1])), None):
                first[payer] = found
        return first[min(first, key=self._last_served)] if first else None

    def serve(self, key: str) -> None:
        """Remove the item with this key, and record that its owner and network were served."""
        payer = self._payers[key]
        self.discard(key)
        self._count += 1
        for who in (payer, payer.network):
            self._served[who] = self._count
            self._served.move_to_end(who)
        while len(self._served) > MAX_SERVED:
            self._served.popitem(last=False)

    def _last_served(self, payer: Payer) -> tuple[int, int]:
        return self._served.get(payer.network, 0), self._served.get(payer, 0)
