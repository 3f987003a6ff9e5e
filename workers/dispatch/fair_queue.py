"""Fair shares: whoever was served longest ago comes next."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Container

from msgspec import Struct

from service.store.event_store import Turn

REMEMBERED = 10_000


class Payer(Struct, frozen=True):
    """Whose share a bot turn comes from: the host of its match, and where they are."""

    origin: str
    host: str


class Shares:
    """The bot turns that wait, at most one for each match.

    Origins take turns first and the hosts of an origin among themselves, so that whoever has
    many tables, or many accounts, has no more than others. The turns of a host come in the order
    in which they fell due.
    """

    def __init__(self) -> None:
        self._waiting: dict[Payer, dict[str, Turn]] = {}  # by match
        self._payers: dict[str, Payer] = {}
        self._served: OrderedDict[str | Payer, int] = OrderedDict()  # when, the oldest first
        self._count = 0

    def __len__(self) -> int:
        return len(self._payers)

    def add(self, payer: Payer, turn: Turn) -> None:
        """Let a turn wait, instead of an earlier one of its match."""
        self.discard(turn.match)
        self._payers[turn.match] = payer
        self._waiting.setdefault(payer, {})[turn.match] = turn

    def discard(self, match: str) -> None:
        """Forget the turn of a match, if there is one."""
        payer = self._payers.pop(match, None)
        if payer is not None:
            del self._waiting[payer][match]
            if not self._waiting[payer]:
                del self._waiting[payer]

    def next(self, held_up: Container[str]) -> Turn | None:
        """The turn that comes next, of hosts who are not held up."""
        ready = [payer for payer in self._waiting if payer.host not in held_up]
        if not ready:
            return None
        return next(iter(self._waiting[min(ready, key=self._last_served)].values()))

    def serve(self, match: str) -> None:
        """Take out the turn of a match, and note that its host and origin were served."""
        payer = self._payers[match]
        self.discard(match)
        self._count += 1
        for who in (payer, payer.origin):
            self._served[who] = self._count
            self._served.move_to_end(who)
        while len(self._served) > REMEMBERED:
            self._served.popitem(last=False)

    def _last_served(self, payer: Payer) -> tuple[int, int]:
        return self._served.get(payer.origin, 0), self._served.get(payer, 0)
