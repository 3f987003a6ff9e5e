"""Matches step by step, for those who are told all that happens: what comes next is read in
portions, and folded once for all who hear of it.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Sequence
from threading import Lock

from domain.match.log import Damaged, Entry, begun, follow
from domain.match.state import Match
from service.matches.match_cache import MatchCache
from service.runtime.errors import NotFound, StoreUnavailable

AT_ONCE = 32
"""Entries that are read at a time."""
KEPT = 4
"""Steps of each match that are kept: whoever keeps up is no further behind another than that."""
TRIES = 3
"""How often what was lost with a server is looked for anew."""
MOST = 400
"""Matches that are followed: those asked for last."""

Step = tuple[Match, Entry]
"""A match as it was just after an entry, which nobody writes to; and that entry."""


class _Lost(Exception):
    """What was known of a match was lost with its server."""


class MatchSteps:
    """The steps of matches, which are cheap for whoever asks for one after the other."""

    def __init__(self, matches: MatchCache) -> None:
        self._matches = matches
        self._followed: OrderedDict[str, _Followed] = OrderedDict()
        self._lock = Lock()

    def at(self, match_id: str, version: int) -> Step:
        """The step to this version; NotFound if the match has not come to that, Damaged."""
        followed = self._of(match_id)
        with followed.lock:
            return followed.at(version)

    def _of(self, match_id: str) -> _Followed:
        with self._lock:
            followed = self._followed.pop(match_id, None) or _Followed(self._matches, match_id)
            self._followed[match_id] = followed
            if len(self._followed) > MOST:
                self._followed.popitem(last=False)
            return followed


class _Followed:
    """The last steps of one match, and what was read of what comes next."""

    def __init__(self, matches: MatchCache, match_id: str) -> None:
        self.lock = Lock()
        self._matches, self._id = matches, match_id
        self._match: Match | None = None
        self._version = 0
        self._steps: deque[Step] = deque(maxlen=KEPT)
        self._next: deque[Entry] = deque()

    def at(self, version: int) -> Step:
        """The step to this version, as the store has it now."""
        for _ in range(TRIES):
            try:
                return self._at(version)
            except _Lost:
                self._begin_with(None)
                self._matches.latest(self._id)  # which forgets it as well
        raise StoreUnavailable("What is known of this match was lost again and again.")

    def _at(self, version: int) -> Step:
        known = self._next[-1] if self._next else self._match
        if known:
            self._later(known, 0)
        for step in self._steps:
            if step[1].version == version:
                return step
        if not self._version < version <= self._version + AT_ONCE:
            self._begin_with(self._matches.at(self._id, version - 1) if version > 1 else None)
        while self._version < version:
            self._go_on(version)
        return self._steps[-1]

    def _begin_with(self, match: Match | None) -> None:
        self._match, self._version = match, match.version if match else 0
        self._steps.clear()
        self._next.clear()

    def _go_on(self, version: int) -> None:
        """Take the next step on the way to a version."""
        if not self._next:
            self._next += self._read(version)
        entry = self._next[0]
        match = self._match.fork() if self._match else begun(self._matches.games, entry)
        follow(match, entry)
        self._next.popleft()
        self._match, self._version = match, entry.version
        self._steps.append((match, entry))

    def _read(self, version: int) -> Sequence[Entry]:
        try:
            entries = self._following(AT_ONCE)
        except Damaged:  # perhaps only what nobody asked for yet
            entries = self._following(version - self._version)
        if not entries:
            raise NotFound(f"There is no version {version} of this match.")
        return entries

    def _following(self, limit: int) -> Sequence[Entry]:
        """The next entries, at most so many."""
        if self._match:
            return self._later(self._match, limit)
        return self._matches.store.read(self._id, limit=limit)

    def _later(self, known: Match | Entry, limit: int) -> Sequence[Entry]:
        """What came after that; _Lost if the store does not have it any more."""
        store = self._matches.store
        found = store.later(self._id, known.version, known.head, limit)
        if found is None:
            raise _Lost
        return found
