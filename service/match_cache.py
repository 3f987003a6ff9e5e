"""Matches that this process has folded, kept up to date by reading only what is new."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Lock as ShortLock
from typing import Any

from domain.engine.game import Game
from domain.match.log import Entry, begun, follow
from domain.match.state import Match
from service.errors import NotFound
from service.event_loop import Lock
from service.store import Store

CHECKPOINT_EVERY = 50
"""Entries from one checkpoint of a match to the next: so many are folded at most for a version."""

AT_ONCE = 200
"""Entries that are read and folded before others get their turn."""

MOST_ENTRIES = 200_000
"""Entries of all cached matches together; each takes about 1 kB, checkpoints included."""


class CachedMatch:
    """One match in this process. The matches it holds are never written to, only replaced."""

    __slots__ = ("checkpoints", "counted", "lock", "match")

    def __init__(self) -> None:
        self.lock = Lock()
        self.match: Match | None = None
        self.checkpoints: dict[int, Match] = {}
        self.counted = 1  # entries that the cache has counted for it

    def note(self, match: Match) -> None:
        """Keep the match as it is now; as a checkpoint too, if it is one."""
        if self.match is None or self.match.version < match.version:  # another may be faster
            self.match = match
        if match.version % CHECKPOINT_EVERY == 0:
            self.checkpoints[match.version] = match

    def before(self, version: int) -> Match | None:
        """The last checkpoint that is not after a version, if it is known."""
        return self.checkpoints.get(version - version % CHECKPOINT_EVERY)

    def forget(self) -> None:
        """Drop all that is known."""
        self.match, self.checkpoints = None, {}


class MatchCache:
    """The matches used lately, at most so many entries in all, with checkpoints on their way."""

    def __init__(
        self, store: Store, games: Mapping[str, Game[Any]], most: int = MOST_ENTRIES
    ) -> None:
        self.store = store
        self.games = games
        self._most = most
        self._entries = 0
        self._matches: OrderedDict[str, CachedMatch] = OrderedDict()
        self._lock = ShortLock()

    @contextmanager
    def writing(self, match_id: str) -> Iterator[CachedMatch]:
        """The cached match, which nobody else in this process writes to meanwhile."""
        cached = self._cached(match_id)
        with cached.lock:
            if cached.match is None:
                self.reload(match_id, cached)
            yield cached

    def latest(self, match_id: str) -> Match:
        """The match with all its entries so far, in one round trip; NotFound if there is none."""
        cached = self._cached(match_id)
        # Readers take no lock: what they hold is never written to, and `advance` works on a fork.
        known = cached.match
        if known is None:
            with self.writing(match_id) as cached:
                assert cached.match
                return cached.match
        return self.advance(cached, self.store.read(match_id, after=known.version), known)

    def at(self, match_id: str, version: int) -> Match:
        """The match as it was at a version; NotFound if it has not come to that yet.

        However long the match is, only what follows the checkpoint before that version is folded.
        """
        cached = self._cached(match_id)
        known = cached.before(version)
        after = known.version if known else 0
        entries = self.store.read(match_id, after, version) if version > after else []
        if after + len(entries) != version or not version:
            raise NotFound(f"There is no version {version} of this match.")
        return self._folded(cached, known, entries)

    def advance(self, cached: CachedMatch, entries: Sequence[Entry], known: Match) -> Match:
        """The match with these entries too, which follow what is known; it is cached."""
        if not entries:
            return known
        match = self._folded(cached, known, entries)
        cached.note(match)
        return match

    def reload(self, match_id: str, cached: CachedMatch) -> None:
        """Fold the match anew from all its entries; NotFound if there are none."""
        entries = self.store.read(match_id, limit=AT_ONCE)
        if not entries:
            self._drop(match_id)
            raise NotFound("There is no such match.")
        cached.forget()
        match = self._folded(cached, None, entries)
        while len(entries) == AT_ONCE:
            entries = self.store.read(match_id, match.version, limit=AT_ONCE)
            match = self._folded(cached, match, entries)
        cached.note(match)
        with self._lock:
            self._count(match_id, cached)

    def _folded(self, cached: CachedMatch, known: Match | None, entries: Sequence[Entry]) -> Match:
        """The match with these entries, which follow what is known, laying checkpoints."""
        if not entries:
            assert known
            return known
        match = known.fork() if known else begun(self.games, entries[0])
        for record in entries:
            follow(match, record)
            if record.version % CHECKPOINT_EVERY == 0:
                cached.checkpoints.setdefault(record.version, match.fork())
        return match

    def _cached(self, match_id: str) -> CachedMatch:
        with self._lock:
            cached = self._matches.get(match_id)
            if cached is None:
                cached = self._matches[match_id] = CachedMatch()
                self._entries += cached.counted
            self._matches.move_to_end(match_id)
            self._count(match_id, cached)
            while self._entries > self._most and len(self._matches) > 1:
                self._entries -= self._matches.popitem(last=False)[1].counted
            return cached

    def _drop(self, match_id: str) -> None:
        with self._lock:
            if dropped := self._matches.pop(match_id, None):
                self._entries -= dropped.counted

    def _count(self, match_id: str, cached: CachedMatch) -> None:
        """Count the entries that were folded since this match was counted last."""
        if cached.match and self._matches.get(match_id) is cached:
            self._entries += cached.match.version - cached.counted
            cached.counted = cached.match.version
