"""Matches that this process has folded, kept up to date by reading only what is new."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from threading import Lock as ShortLock
from typing import Any

from msgspec import MsgspecError

from domain.engine.game import Game
from domain.match.log import Entry, begun, follow
from domain.match.state import Match
from projections.lists.matches import get
from service.runtime.errors import NotFound
from service.runtime.event_loop import Lock
from service.store.entry_codec import missing
from service.store.event_store import Store
from service.store.idempotency import Commands
from service.store.redis_client import answering

CHECKPOINT_EVERY = 16
"""Entries from one checkpoint of a match to the next: so many are folded at most for a version.

They are laid when somebody first asks for a version after them, since most matches are only played:
each state is a score of objects, and who collects garbage looks at every one of them.
"""

RECENT = 8
"""Entries that are at hand of each match, for those who listen to it."""

MOST_ENTRIES = 160_000
"""Entries of all cached matches together, each of which takes a quarter of a kB: as many as leave a
full collection of garbage short."""

CHECKPOINT_COUNTS = 40
"""A checkpoint takes as much memory as so many entries."""

OVER = ("scored", "aborted")
ENDED_SHARE = 0.1
"""Of these entries, how many matches that are over may have while room is needed for others."""

AT_ONCE = 200
"""Entries that are read and folded before others get their turn."""


class CachedMatch:
    """One match in this process. The matches it holds are never written to, only replaced."""

    __slots__ = ("checkpoints", "commands", "counted", "lock", "match", "recent")

    def __init__(self) -> None:
        self.lock = Lock()
        self.match: Match | None = None
        self.commands = Commands()
        self.checkpoints: dict[int, Match] = {}
        self.recent: Sequence[Entry] = ()
        """The last entries, which those who listen are told of."""
        self.counted = 1  # entries that the cache has counted for it

    @property
    def size(self) -> int:
        """What it takes, in entries."""
        played = self.match.version if self.match else 1
        return played + CHECKPOINT_COUNTS * len(self.checkpoints)

    def note(self, match: Match, entries: Sequence[Entry]) -> None:
        """Keep the match as it is after these entries."""
        self.commands.note(entries)  # before the match, which must know of none that these do not
        if self.match is None or self.match.version < match.version:  # another may be faster
            follows = self.recent and entries[0].version == self.recent[-1].version + 1
            self.recent = [*(self.recent if follows else ()), *entries][-RECENT:]
            self.match = match

    def before(self, version: int) -> Match | None:
        """The match as it is known at a version, or at the last checkpoint before it."""
        if self.match and self.match.version == version:
            return self.match
        last = version - version % CHECKPOINT_EVERY
        places = range(last, 0, -CHECKPOINT_EVERY)
        return next(filter(None, map(self.checkpoints.get, places)), None)

    def forget(self) -> None:
        """Drop all that is known."""
        self.match, self.commands, self.checkpoints, self.recent = None, Commands(), {}, ()


class Shelf:
    """Cached matches in the order in which they were used, and all their entries."""

    def __init__(self) -> None:
        self.entries = 0
        self._matches: OrderedDict[str, CachedMatch] = OrderedDict()

    def put(self, match_id: str, cached: CachedMatch) -> None:
        """Put a match there as the one used last."""
        cached.counted = cached.size
        self._matches[match_id] = cached
        self.entries += cached.counted

    def take(self, match_id: str) -> CachedMatch | None:
        """Take a match away, if it is there."""
        if cached := self._matches.pop(match_id, None):
            self.entries -= cached.counted
        return cached

    def drop_oldest(self, but: str) -> bool:
        """Drop the match used longest ago; False if there is none, or only this one."""
        oldest = next(iter(self._matches), but)
        return oldest != but and self.take(oldest) is not None


class MatchCache:
    """The matches used lately, at most so many entries in all, with checkpoints on their way."""

    def __init__(
        self, store: Store, games: Mapping[str, Game[Any]], most: int = MOST_ENTRIES
    ) -> None:
        self.store = store
        self.games = games
        self._most = most
        self._going, self._ended = Shelf(), Shelf()
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
        entries = self.store.later(match_id, known.version, known.head)
        if entries is None:
            with self.writing(match_id) as cached:
                return self.renew(match_id, cached)
        return self.advance(cached, entries, known)

    def renew(self, match_id: str, cached: CachedMatch) -> Match:
        """The match as the store has it now, for one who writes to it: folded anew if a server that
        was lost has taken with it what was known of it.
        """
        known = cached.match
        assert known
        entries = self.store.later(match_id, known.version, known.head)
        if entries is None:
            self.reload(match_id, cached)
            assert cached.match
            return cached.match
        return self.advance(cached, entries, known)

    def since(self, match_id: str, version: int) -> Match:
        """The match as it was after this version or later, without asking if it is known; as it is
        now if that is 0; NotFound.
        """
        known = self._cached(match_id).match
        return known if known and 0 < version <= known.version else self.latest(match_id)

    def entries(self, match: Match, after: int, limit: int) -> Sequence[Entry]:
        """The entries after a version up to that of a match, at most so many."""
        recent = self._cached(match.id).recent
        at_hand = [entry for entry in recent if after < entry.version <= match.version]
        if len(at_hand) == match.version - after:
            return at_hand
        return self.store.read(match.id, after, match.version, limit)

    def at(self, match_id: str, version: int) -> Match:
        """The match as it was at a version, without asking if that is known; NotFound if it has not
        come to that yet.

        However long the match is, only what follows the checkpoint before that version is folded.
        """
        cached = self._cached(match_id)
        checkpoints = cached.checkpoints  # before what is known: it may be forgotten meanwhile
        match, is_reached = cached.before(version), False
        if match and match is cached.match:
            return match
        while not is_reached:  # also a checkpoint may be of what was lost
            entries = self._after(match_id, match, version)
            if entries is None:
                with self.writing(match_id) as cached:
                    self.reload(match_id, cached)
                return self.at(match_id, version)
            if entries:
                match = self._folded(match, entries, checkpoints)
            is_reached = match is not None and match.version == version
            if not (entries or is_reached):
                raise NotFound(f"There is no version {version} of this match.")
        self._make_room(match_id)
        assert match
        return match

    def _after(self, match_id: str, known: Match | None, version: int) -> list[Entry] | None:
        """The next entries on the way to a version; None if what is known was lost."""
        if known is None:
            return self.store.read(match_id, to=max(0, min(version, AT_ONCE)))
        left = min(version - known.version, AT_ONCE)
        return self.store.later(match_id, known.version, known.head, left)

    def advance(self, cached: CachedMatch, entries: Sequence[Entry], known: Match) -> Match:
        """The match with these entries too, which follow what is known; it is cached."""
        if not entries:
            return known
        match = self._folded(known, entries)
        cached.note(match, entries)
        return match

    def reload(self, match_id: str, cached: CachedMatch) -> None:
        """Fold the match anew from all its entries; NotFound if there are none, Damaged if the last
        ones are missing, as the lists know of later ones.
        """
        listed = self._listed(match_id)
        entries = self.store.read(match_id, limit=AT_ONCE)
        if not entries:
            self._drop(match_id)
            if listed:
                raise missing(1)
            raise NotFound("There is no such match.")
        cached.forget()
        match, whole = self._folded(None, entries), entries
        while len(entries) == AT_ONCE:
            entries = self.store.read(match_id, match.version, limit=AT_ONCE)
            match, whole = self._folded(match, entries), whole + entries
        if match.version < listed:
            raise missing(match.version + 1)
        cached.note(match, whole)
        self._make_room(match_id)

    def _listed(self, match_id: str) -> int:
        """The version at which the lists have a match, which are a little behind; 0 if they have it
        not, or nobody can read what they have.
        """
        partition = self.store.partition_of(match_id)
        with answering(), suppress(MsgspecError, UnicodeDecodeError):
            if found := get(self.store.redis, partition, match_id):
                return found.version
        return 0

    def _make_room(self, match_id: str) -> None:
        """Count anew what has grown since it was put there."""
        with self._lock:
            if found := self._take(match_id):
                self._put(match_id, found)

    def _folded(
        self,
        known: Match | None,
        entries: Sequence[Entry],
        checkpoints: dict[int, Match] | None = None,
    ) -> Match:
        """The match with these entries, which follow what is known, laying checkpoints."""
        match = known.fork() if known else begun(self.games, entries[0])
        for record in entries:
            follow(match, record)
            if checkpoints is not None and record.version % CHECKPOINT_EVERY == 0:
                checkpoints.setdefault(record.version, match.fork())
        return match

    def _cached(self, match_id: str) -> CachedMatch:
        with self._lock:
            cached = self._take(match_id) or CachedMatch()
            self._put(match_id, cached)
            return cached

    def _drop(self, match_id: str) -> None:
        with self._lock:
            self._take(match_id)

    def _take(self, match_id: str) -> CachedMatch | None:
        return self._going.take(match_id) or self._ended.take(match_id)

    def _put(self, match_id: str, cached: CachedMatch) -> None:
        """Keep a match as the one used last, and make room for it: what is over goes first."""
        is_over = cached.match is not None and cached.match.status in OVER
        (self._ended if is_over else self._going).put(match_id, cached)
        while self._going.entries + self._ended.entries > self._most:
            first, then = self._going, self._ended
            if self._ended.entries > ENDED_SHARE * self._most:
                first, then = then, first
            if not first.drop_oldest(but=match_id) and not then.drop_oldest(but=match_id):
                return
