"""Reads matches step by step, for subscribers that need every entry. Entries are read in batches,
and each is folded once for all subscribers.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Sequence
from threading import Lock

from domain.match.log import CorruptEntry, Entry, apply_entry, naming_match, new_match
from domain.match.state import Match
from service.matches.match_cache import STATE_SIZE, MatchCache
from service.runtime.errors import NotFound, StoreUnavailable

ENTRIES_PER_READ = 32
"""Entries per read."""
CACHED_STEPS = 4
"""Cached steps per match: subscribers that keep up are at most this many steps apart."""
MAX_ATTEMPTS = 3
"""How many times a read starts over after a server was lost."""
HISTORY_SIZE = (1 + CACHED_STEPS) * STATE_SIZE + ENTRIES_PER_READ
"""What the history of a match takes at most, in entries as the match cache counts them."""

Step = tuple[Match, Entry]
"""An entry and the match just after it, which must not be changed."""


class _HistoryLost(Exception):
    """The known entries of a match were lost with their server."""


class MatchHistoryReader:
    """Reads the steps of matches; cheap for callers that read them in order.

    It caches as many histories as take the size of the match cache; the least recently used is
    dropped first.
    """

    def __init__(self, matches: MatchCache) -> None:
        self._matches = matches
        self._max_histories = max(1, matches.max_entries // HISTORY_SIZE)
        self._histories: OrderedDict[str, _MatchHistory] = OrderedDict()
        self._lock = Lock()

    def at(self, match_id: str, version: int) -> Step:
        """Return the step to this version. Raises NotFound if the match has no such version, or
        CorruptEntry.
        """
        history = self._history_of(match_id)
        with history.lock, naming_match(match_id):
            return history.at(version)

    def _history_of(self, match_id: str) -> _MatchHistory:
        with self._lock:
            history = self._histories.pop(match_id, None) or _MatchHistory(self._matches, match_id)
            self._histories[match_id] = history
            if len(self._histories) > self._max_histories:
                self._histories.popitem(last=False)
            return history


class _MatchHistory:
    """The last steps of one match, and entries read ahead."""

    def __init__(self, matches: MatchCache, match_id: str) -> None:
        self.lock = Lock()
        self._matches, self._id = matches, match_id
        self._match: Match | None = None
        self._version = 0
        self._steps: deque[Step] = deque(maxlen=CACHED_STEPS)
        self._read_ahead: deque[Entry] = deque()

    def at(self, version: int) -> Step:
        """Return the step to this version, as the store has it now."""
        for _ in range(MAX_ATTEMPTS):
            try:
                return self._at(version)
            except _HistoryLost:
                self._reset(None)
                self._matches.latest(self._id)  # drops it from the match cache too
        raise StoreUnavailable("The entries of this match were lost repeatedly.")

    def _at(self, version: int) -> Step:
        known = self._read_ahead[-1] if self._read_ahead else self._match
        if known:
            self._read_after(known, 0)
        for step in self._steps:
            if step[1].version == version:
                return step
        if not self._version < version <= self._version + ENTRIES_PER_READ:
            self._reset(self._matches.at(self._id, version - 1) if version > 1 else None)
        while self._version < version:
            self._advance(version)
        return self._steps[-1]

    def _reset(self, match: Match | None) -> None:
        self._match, self._version = match, match.version if match else 0
        self._steps.clear()
        self._read_ahead.clear()

    def _advance(self, version: int) -> None:
        """Fold the next entry on the way to a version."""
        if not self._read_ahead:
            self._read_ahead += self._read_batch(version)
        entry = self._read_ahead[0]
        match = self._match.copy() if self._match else new_match(self._matches.games, entry)
        apply_entry(match, entry)
        self._read_ahead.popleft()
        self._match, self._version = match, entry.version
        self._steps.append((match, entry))

    def _read_batch(self, version: int) -> Sequence[Entry]:
        try:
            entries = self._read_next(ENTRIES_PER_READ)
        except CorruptEntry:  # the corrupt entry may come after the requested version
            entries = self._read_next(version - self._version)
        if not entries:
            raise NotFound(f"There is no version {version} of this match.")
        return entries

    def _read_next(self, limit: int) -> Sequence[Entry]:
        """Return at most `limit` next entries."""
        if self._match:
            return self._read_after(self._match, limit)
        return self._matches.store.read(self._id, limit=limit)

    def _read_after(self, known: Match | Entry, limit: int) -> Sequence[Entry]:
        """Return the entries after a version. Raises _HistoryLost if the store lacks that
        version.
        """
        store = self._matches.store
        found = store.read_after(self._id, known.version, known.head, limit)
        if found is None:
            raise _HistoryLost
        return found
