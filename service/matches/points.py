"""Points over a match, computed from its entries once and cached."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from domain.match.points import PointsAt, points_over_time
from domain.match.state import Match
from service.runtime.errors import ExportsBusy
from service.runtime.event_loop import in_steps
from service.runtime.shares.byte_cache import ByteCache
from service.runtime.shares.fair_queue import Payer
from service.runtime.shares.fair_slots import FairSlots

MAX_WAITING = 32
"""Number of requests that wait in a process."""
MAX_WAIT_S = 10.0
_ENCODER, _DECODER = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(tuple[PointsAt, ...])


class PointHistories:
    """Computes the points over matches, one match at a time per process: a long one takes a second.
    Other requests run meanwhile.
    """

    def __init__(self, cache: ByteCache) -> None:
        self._cache = cache
        self._slots = FairSlots(1, MAX_WAITING, ExportsBusy)

    def read(self, match: Match, payer: Payer) -> Sequence[PointsAt]:
        """Return the points at the first version, at each that changed them, and at the last.
        Raises ExportsBusy if too many requests wait.
        """
        key = "points", match.id, match.head
        if found := self._cache.get(key):
            return _DECODER.decode(found)

        def work() -> Sequence[PointsAt]:
            if found := self._cache.get(key):  # another caller wanted the same
                return _DECODER.decode(found)
            changes = tuple(_changes(in_steps(points_over_time(match))))
            self._cache.put(key, _ENCODER.encode(changes))
            return changes

        return self._slots.run(payer, MAX_WAIT_S, work)


def _changes(history: Iterable[PointsAt]) -> Iterator[PointsAt]:
    """Leave out points that are as before, except those of the last version."""
    before: PointsAt | None = None
    skipped: PointsAt | None = None
    for one in history:
        is_new = before is None or one.points != before.points
        if is_new:
            yield one
            before = one
        skipped = None if is_new else one
    if skipped:
        yield skipped
