"""Matches that this process has folded, kept up to date by reading only what is new."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any

from domain.engine.game import Game
from domain.match.log import Entry, fold_match, read_events, write_down
from domain.match.state import Match
from service.errors import NotFound
from service.store import Store


class CachedMatch:
    """One match in this process. The match it holds is never written to, only replaced."""

    __slots__ = ("lock", "match")

    def __init__(self) -> None:
        self.lock = Lock()
        self.match: Match | None = None


class MatchCache:
    """The matches used lately; at most `size` of them."""

    def __init__(self, store: Store, games: Mapping[str, Game[Any]], size: int = 5_000) -> None:
        self.store = store
        self.games = games
        self._size = size
        self._matches: OrderedDict[str, CachedMatch] = OrderedDict()
        self._lock = Lock()

    @contextmanager
    def writing(self, match_id: str) -> Iterator[CachedMatch]:
        """The cached match, which no other thread of this process writes to meanwhile."""
        cached = self._cached(match_id)
        with cached.lock:
            if cached.match is None:
                self.reload(match_id, cached)
            yield cached

    def latest(self, match_id: str) -> Match:
        """The match with all its entries so far, in one round trip; NotFound if there is none."""
        cached = self._cached(match_id)
        known = cached.match
        if known is None:
            with self.writing(match_id) as cached:
                assert cached.match
                return cached.match
        return self.advance(cached, self.store.read(match_id, after=known.version), known)

    def at(self, match_id: str, version: int) -> Match:
        """The match as it was at a version; NotFound if it has not come to that yet."""
        entries = self.store.read(match_id, to=version) if version > 0 else []
        if len(entries) != version or not entries:
            raise NotFound(f"There is no version {version} of this match.")
        return fold_match(self.games, entries)

    def advance(self, cached: CachedMatch, entries: Sequence[Entry], known: Match) -> Match:
        """The match with these entries too, which follow what is known; it is cached."""
        if not entries:
            return known
        match = known.fork()
        for record in entries:
            write_down(match, record, read_events(match.game, record.events))
        if cached.match is None or cached.match.version < match.version:
            cached.match = match
        return match

    def reload(self, match_id: str, cached: CachedMatch) -> None:
        """Fold the match anew from all its entries; NotFound if there are none."""
        entries = self.store.read(match_id)
        if not entries:
            with self._lock:
                self._matches.pop(match_id, None)
            raise NotFound("There is no such match.")
        cached.match = fold_match(self.games, entries)

    def _cached(self, match_id: str) -> CachedMatch:
        with self._lock:
            cached = self._matches.setdefault(match_id, CachedMatch())
            self._matches.move_to_end(match_id)
            while len(self._matches) > self._size:
                self._matches.popitem(last=False)
            return cached
