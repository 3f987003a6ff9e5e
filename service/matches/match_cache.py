"""A cache of folded matches; an update reads only the new entries."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from threading import Lock as ShortLock
from typing import Any

from msgspec import MsgspecError

from domain.engine.game import Game
from domain.match.log import Entry, apply_entry, naming_match, new_match
from domain.match.state import Match
from projections.lists.matches import get
from service.runtime.errors import NotFound
from service.runtime.event_loop import Lock, in_steps
from service.store.entry_codec import missing_entry
from service.store.event_store import EventStore
from service.store.idempotency import CommandIndex
from service.store.redis_client import store_errors

CHECKPOINT_INTERVAL = 16
"""Entries between checkpoints of a match: the maximum number to fold for an old version.

Checkpoints are made when a caller first reads an old version, because most matches are only played:
each state is dozens of objects, and every garbage collection visits all of them.
"""

RECENT_ENTRIES = 8
"""Entries of each match that are cached for its subscribers."""

ENTRY_BYTES = 500
"""What an entry of a cached match takes in memory, on the average of the games."""

MAX_ENTRIES = 128_000
"""Maximum size of all cached matches in entries, unless the settings say otherwise."""

STATE_SIZE = 50
"""The size of a state, in entries: 25 kB is the average of the games, which need 6 to 56 kB."""

ENDED_STATUSES = ("scored", "aborted")
ENDED_SHARE = 0.1
"""The share of the cache that ended matches keep while others need room."""

ENTRIES_PER_READ = 50
"""Entries read and folded before other requests get their turn."""


class CachedMatch:
    """One cached match. The Match objects that it holds are replaced, never changed."""

    __slots__ = (
        "checkpoints", "commands", "counted_size", "lock", "match", "recent", "unfinished",
    )  # fmt: skip

    def __init__(self) -> None:
        self.lock = Lock()
        self.match: Match | None = None
        self.commands = CommandIndex()
        self.checkpoints: dict[int, Match] = {}
        self.recent: Sequence[Entry] = ()
        """The last entries, for subscribers."""
        self.unfinished: tuple[Match, list[Entry]] | None = None
        """The match as far as a reader folded it who left then, and all entries so far."""
        self.counted_size = STATE_SIZE + 1  # its size as the cache counts it

    @property
    def size(self) -> int:
        """The size in entries."""
        latest = self.match or (self.unfinished and self.unfinished[0])
        played = latest.version if latest else 1
        is_lesson = self.match is not None and self.match.lesson is not None
        return played + STATE_SIZE * (1 + is_lesson + len(self.checkpoints))

    def update(self, match: Match, entries: Sequence[Entry]) -> None:
        """Store the match after these entries."""
        self.commands.add(entries)  # first, so that `commands` always covers `match`
        if self.match is None or self.match.version < match.version:  # another thread may be ahead
            follows = self.recent and entries[0].version == self.recent[-1].version + 1
            self.recent = [*(self.recent if follows else ()), *entries][-RECENT_ENTRIES:]
            self.match = match

    def at_or_before(self, version: int) -> Match | None:
        """Return the match at a version, or at the last checkpoint before it."""
        if self.match and self.match.version == version:
            return self.match
        last = version - version % CHECKPOINT_INTERVAL
        versions = range(last, 0, -CHECKPOINT_INTERVAL)
        return next(filter(None, map(self.checkpoints.get, versions)), None)

    def clear(self) -> None:
        """Drop everything."""
        self.match, self.commands, self.checkpoints, self.recent = None, CommandIndex(), {}, ()
        self.unfinished = None


class LruShard:
    """Cached matches, least recently used first, with the sum of their sizes."""

    def __init__(self) -> None:
        self.entries = 0
        self._matches: OrderedDict[str, CachedMatch] = OrderedDict()

    def put(self, match_id: str, cached: CachedMatch) -> None:
        """Add a match as the most recently used."""
        cached.counted_size = cached.size
        self._matches[match_id] = cached
        self.entries += cached.counted_size

    def take(self, match_id: str) -> CachedMatch | None:
        """Remove and return a match; None if it is absent."""
        if cached := self._matches.pop(match_id, None):
            self.entries -= cached.counted_size
        return cached

    def drop_oldest(self, keep: str) -> bool:
        """Drop the least recently used match. Returns False if there is none, or only the one named
        `keep`.
        """
        oldest = next(iter(self._matches), keep)
        return oldest != keep and self.take(oldest) is not None


class WriteLock:
    """A context with a cached match that no other writer of this process changes.

    Each move has one, so this is no generator, which would take thrice as long.
    """

    __slots__ = ("_cached", "_id", "_matches")

    def __init__(self, matches: MatchCache, match_id: str, cached: CachedMatch) -> None:
        self._matches, self._id, self._cached = matches, match_id, cached

    def __enter__(self) -> CachedMatch:
        cached = self._cached
        cached.lock.__enter__()
        if cached.match is None:
            try:
                self._matches.reload(self._id, cached)
            except BaseException:
                cached.lock.__exit__()
                raise
        return cached

    def __exit__(self, *_: object) -> None:
        self._cached.lock.__exit__()


class MatchCache:
    """Recently used matches, up to a size in entries, with checkpoints of old versions."""

    def __init__(
        self, store: EventStore, games: Mapping[str, Game[Any]], max_entries: int = MAX_ENTRIES
    ) -> None:
        self.store = store
        self.games = games
        self.max_entries = max_entries
        self._active, self._ended = LruShard(), LruShard()
        self._lock = ShortLock()

    def lock_for_write(self, match_id: str) -> WriteLock:
        """Return a context with the cached match, locked against other writers of this process."""
        return WriteLock(self, match_id, self._get_or_add(match_id))

    def latest(self, match_id: str) -> Match:
        """Return the match with all its entries, in one round trip. Raises NotFound."""
        cached = self._get_or_add(match_id)
        # Readers take no lock: a Match is never changed, and `advance` works on a fork.
        known = cached.match
        if known is None:
            with self.lock_for_write(match_id) as cached:
                assert cached.match
                return cached.match
        entries = self.store.read_after(match_id, known.version, known.head)
        if entries is None:
            with self.lock_for_write(match_id) as cached:
                return self.refresh(match_id, cached)
        return self.advance(cached, entries, known)

    def refresh(self, match_id: str, cached: CachedMatch) -> Match:
        """Update a locked match from the store; fold it again if a lost server had entries that are
        gone.
        """
        known = cached.match
        assert known
        entries = self.store.read_after(match_id, known.version, known.head)
        if entries is None:
            self.reload(match_id, cached)
            assert cached.match
            return cached.match
        return self.advance(cached, entries, known)

    def at_least(self, match_id: str, version: int) -> Match:
        """Return the match at this version or later, without a read if it is cached; the latest for
        version 0. Raises NotFound.
        """
        known = self._get_or_add(match_id).match
        return known if known and 0 < version <= known.version else self.latest(match_id)

    def entries(self, match: Match, after: int, limit: int) -> Sequence[Entry]:
        """Return at most `limit` entries after a version, up to that of the match."""
        recent = self._get_or_add(match.id).recent
        at_hand = [entry for entry in recent if after < entry.version <= match.version]
        if len(at_hand) == match.version - after:
            return at_hand
        return self.store.read(match.id, after, match.version, limit)

    def at(self, match_id: str, version: int) -> Match:
        """Return the match at a version. Raises NotFound if it has no such version.

        Folds only the entries after the last checkpoint, or none if the version is cached.
        """
        cached = self._get_or_add(match_id)
        checkpoints = cached.checkpoints  # before `match`: another thread may drop both
        match, is_reached = cached.at_or_before(version), False
        if match and match is cached.match:
            return match
        while not is_reached:  # a checkpoint may be of lost entries too
            entries = self._read_after(match_id, match, version)
            if entries is None:
                with self.lock_for_write(match_id) as cached:
                    self.reload(match_id, cached)
                return self.at(match_id, version)
            if entries:
                with naming_match(match_id):
                    match = self._fold(match, entries, checkpoints)
            is_reached = match is not None and match.version == version
            if not (entries or is_reached):
                raise NotFound(f"There is no version {version} of this match.")
        self._recount(match_id)
        assert match
        return match

    def _read_after(
        self, match_id: str, known: Match | None, version: int | None
    ) -> list[Entry] | None:
        """Return the next entries on the way to a version, or to the last one; None if the known
        ones were lost.
        """
        left = ENTRIES_PER_READ
        if version is not None:
            left = min(version - (known.version if known else 0), ENTRIES_PER_READ)
        if known is None:
            return self.store.read(match_id, to=max(0, left))
        return self.store.read_after(match_id, known.version, known.head, left)

    def advance(self, cached: CachedMatch, entries: Sequence[Entry], known: Match) -> Match:
        """Return the match with these entries, which follow the known ones; cache it."""
        if not entries:
            return known
        with naming_match(known.id):
            match = self._fold(known, entries)
        cached.update(match, entries)
        return match

    def reload(self, match_id: str, cached: CachedMatch) -> None:
        """Fold the match from all its entries. Raises NotFound if it has none, CorruptEntry if the
        last ones that the lists know are missing.

        If the caller leaves, the next one goes on from there: a long match takes longer than some
        callers stay.
        """
        with naming_match(match_id):
            self._read_all(match_id, cached)

    def _read_all(self, match_id: str, cached: CachedMatch) -> None:
        listed = self._version_in_lists(match_id)
        begun = cached.unfinished
        cached.clear()
        cached.unfinished = begun
        match, whole = begun or (None, [])
        is_whole = False
        while not is_whole:
            entries = self._read_after(match_id, match, None)
            if entries is None:  # a lost server had the first ones
                match, whole = None, []
                continue
            if entries:
                match, whole = self._fold(match, entries), whole + entries
                cached.unfinished = match, whole
                self._recount(match_id)
            is_whole = len(entries) < ENTRIES_PER_READ
        cached.unfinished = None
        if match is None:
            self._drop(match_id)
            if listed:
                raise missing_entry(1)
            raise NotFound("There is no such match.")
        if match.version < listed:
            raise missing_entry(match.version + 1)
        cached.update(match, whole)
        self._recount(match_id)

    def _version_in_lists(self, match_id: str) -> int:
        """Return the version of a match in the lists, which are a little behind; 0 if they lack it
        or their record of it is corrupt.
        """
        partition = self.store.partition_of(match_id)
        with store_errors(), suppress(MsgspecError, UnicodeDecodeError):
            if found := get(self.store.redis, partition, match_id):
                return found.version
        return 0

    def _recount(self, match_id: str) -> None:
        """Count the size of a match again after it has grown."""
        with self._lock:
            if found := self._pop(match_id):
                self._put(match_id, found)

    def _fold(
        self,
        known: Match | None,
        entries: Sequence[Entry],
        checkpoints: dict[int, Match] | None = None,
    ) -> Match:
        """Return the match with these entries, which follow the known ones; add checkpoints."""
        match = known.copy() if known else new_match(self.games, entries[0])
        for record in in_steps(entries):
            apply_entry(match, record)
            if checkpoints is not None and record.version % CHECKPOINT_INTERVAL == 0:
                checkpoints.setdefault(record.version, match.copy())
        return match

    def _get_or_add(self, match_id: str) -> CachedMatch:
        with self._lock:
            cached = self._pop(match_id) or CachedMatch()
            self._put(match_id, cached)
            return cached

    def _drop(self, match_id: str) -> None:
        with self._lock:
            self._pop(match_id)

    def _pop(self, match_id: str) -> CachedMatch | None:
        return self._active.take(match_id) or self._ended.take(match_id)

    def _put(self, match_id: str, cached: CachedMatch) -> None:
        """Add a match as the most recently used, and drop others to make room, ended ones first."""
        is_over = cached.match is not None and cached.match.status in ENDED_STATUSES
        (self._ended if is_over else self._active).put(match_id, cached)
        while self._active.entries + self._ended.entries > self.max_entries:
            first, then = self._active, self._ended
            if self._ended.entries > ENDED_SHARE * self.max_entries:
                first, then = then, first
            if not first.drop_oldest(keep=match_id) and not then.drop_oldest(keep=match_id):
                return
