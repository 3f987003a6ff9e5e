"""The backlog: entries that projections have not folded yet."""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic

import msgspec

from domain.match.log import Entry
from projections.progress import Progress, read_progress
from service.matches.container import Annals
from service.runtime.errors import REDIS_ERRORS, StoreUnavailable

MAX_LAG_ENTRIES = 10_000
"""Maximum lag of a projection, in entries."""
MAX_WAIT_S = 30
"""How long an entry may wait for a projection; with a projector that works it takes a moment."""
BACKLOG_CACHE_S = 1
"""How long a process goes by what it has read: anyone can ask, as often as they like."""


class Backlog(msgspec.Struct, frozen=True):
    """How far each projection has folded, by name, and how long the oldest entry has waited that
    one of them has not folded.
    """

    progress: Mapping[str, Progress]
    waiting_s: float

    @property
    def is_behind(self) -> bool:
        """Whether the lists no longer show what happens in matches."""
        lag = max((one.lag for one in self.progress.values()), default=0)
        return lag > MAX_LAG_ENTRIES or self.waiting_s > MAX_WAIT_S


class BacklogReader:
    """Reads the backlog, at most once in BACKLOG_CACHE_S."""

    def __init__(self, annals: Annals) -> None:
        self._annals = annals
        self._known: Backlog | None = None
        self._until = 0.0

    def read(self) -> Backlog | None:
        """Return the backlog, or None while Redis does not answer."""
        now = monotonic()
        if now >= self._until:
            self._until = now + BACKLOG_CACHE_S
            self._known = _read(self._annals)
        return self._known


def _read(annals: Annals) -> Backlog | None:
    store = annals.store
    try:
        progress = read_progress(store.redis, store.partitions)
        waiting = {
            partition: position
            for one in progress.values()
            for partition, position in enumerate(one.positions)
            if one.lags[partition]
        }
        batches = store.read_batch(waiting, 1) if waiting else {}
    except (*REDIS_ERRORS, StoreUnavailable):
        return None
    times = (entry.at for rows in batches.values() for _, entry in rows if isinstance(entry, Entry))
    now = annals.now()
    return Backlog(progress, max(0, now - min(times, default=now)) / 1000)
