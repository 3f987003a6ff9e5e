"""Who pays for the work of a match: its host, in the share of their network."""

from __future__ import annotations

from domain.match.log import CorruptEntry
from projections.core.summary import Summary, fold_entry
from projections.lists.matches import get
from service.accounts.client_networks import network_of
from service.runtime.shares.fair_queue import Payer
from service.runtime.shares.recent_cache import RecentCache
from service.store.event_store import EventStore
from service.store.redis_client import store_errors


class Payers:
    """The payers of matches; those of active ones are cached, unless they have a patience: a new
    player may replace their host.
    """

    def __init__(self, store: EventStore, max_entries: int) -> None:
        self._store = store
        self._known = RecentCache[str, Payer](max_entries)

    def of_match(self, match: str) -> Payer:
        """Return the payer of a match. If its host cannot be read, the match pays for itself: no
        bot can think in it anyway.
        """
        return self._known.get(match) or self._read_payer(match)

    def _read_payer(self, match: str) -> Payer:
        with store_errors():
            summary = self._summary(match)
            if summary is None:
                return Payer(match, match)
            payer = Payer(network_of(self._store.redis, summary.host) or summary.host, summary.host)
        if summary.status == "active" and summary.patience_ms is None:
            self._known.put(match, payer)
        return payer

    def _summary(self, match: str) -> Summary | None:
        """Return the summary of a match from the lists, or from its entries if the lists are
        behind.
        """
        summary = get(self._store.redis, self._store.partition_of(match), match)
        if summary is not None and summary.status == "active":
            return summary
        try:
            for entry in self._store.read(match, summary.version if summary else 0):
                summary = fold_entry(summary, match, entry)
        except CorruptEntry:
            return summary
        return summary
