"""Fair shares: the payer that was served longest ago comes next."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Container

from msgspec import Struct

from service.store.event_store import BotTurn

MAX_SERVED = 10_000


class Payer(Struct, frozen=True):
    """The share that a bot turn comes from: the host of its match, and the network of that host."""

    network: str
    host: str


class FairQueue:
    """The waiting bot turns, at most one for each match.

    Networks take turns first, then the hosts of a network, so a host with many tables or many
    accounts gets no more than others. The turns of one host come in the order in which they fell
    due.
    """

    def __init__(self) -> None:
        self._waiting: dict[Payer, dict[str, BotTurn]] = {}  # by match
        self._payers: dict[str, Payer] = {}
        self._served: OrderedDict[str | Payer, int] = OrderedDict()  # serial number, oldest first
        self._count = 0

    def __len__(self) -> int:
        return len(self._payers)

    def add(self, payer: Payer, turn: BotTurn) -> None:
        """Add a turn; it replaces an earlier one of its match."""
        self.discard(turn.match)
        self._payers[turn.match] = payer
        self._waiting.setdefault(payer, {})[turn.match] = turn

    def discard(self, match: str) -> None:
        """Remove the turn of a match, if there is one."""
        payer = self._payers.pop(match, None)
        if payer is not None:
            del self._waiting[payer][match]
            if not self._waiting[payer]:
                del self._waiting[payer]

    def next_turn(self, over_quota: Container[str]) -> BotTurn | None:
        """Return the next turn, without those of the hosts in `over_quota`, or None if there is
        none.
        """
        ready = [payer for payer in self._waiting if payer.host not in over_quota]
        if not ready:
            return None
        return next(iter(self._waiting[min(ready, key=self._last_served)].values()))

    def serve(self, match: str) -> None:
        """Remove the turn of a match, and record that its host and network were served."""
        payer = self._payers[match]
        self.discard(match)
        self._count += 1
        for who in (payer, payer.network):
            self._served[who] = self._count
            self._served.move_to_end(who)
        while len(self._served) > MAX_SERVED:
            self._served.popitem(last=False)

    def _last_served(self, payer: Payer) -> tuple[int, int]:
        return self._served.get(payer.network, 0), self._served.get(payer, 0)
