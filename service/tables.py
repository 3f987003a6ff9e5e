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


class Table:
    """One match in this process. The match it holds is never written to, only replaced."""

    __slots__ = ("lock", "match")

    def __init__(self) -> None:
        self.lock = Lock()
        self.match: Match | None = None


class Tables:
    """The tables used lately; at most `size` of them."""

    def __init__(self, store: Store, games: Mapping[str, Game[Any]], size: int = 5_000) -> None:
        self.store = store
        self.games = games
        self._size = size
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._lock = Lock()

    @contextmanager
    def writing(self, match_id: str) -> Iterator[Table]:
        """The table of a match, which no other thread of this process writes to meanwhile."""
        table = self._table(match_id)
        with table.lock:
            if table.match is None:
                self.reload(match_id, table)
            yield table

    def latest(self, match_id: str) -> Match:
        """The match with all its entries so far, in one round trip; NotFound if there is none."""
        table = self._table(match_id)
        known = table.match
        if known is None:
            with self.writing(match_id) as table:
                assert table.match
                return table.match
        return self.advance(table, self.store.read(match_id, after=known.version), known)

    def at(self, match_id: str, version: int) -> Match:
        """The match as it was at a version; NotFound if it has not come to that yet."""
        entries = self.store.read(match_id, to=version) if version > 0 else []
        if len(entries) != version or not entries:
            raise NotFound(f"There is no version {version} of this match.")
        return fold_match(self.games, entries)

    def advance(self, table: Table, entries: Sequence[Entry], known: Match) -> Match:
        """The match with these entries too, which follow what is known; the table keeps it."""
        if not entries:
            return known
        match = known.fork()
        for record in entries:
            write_down(match, record, read_events(match.game, record.events))
        if table.match is None or table.match.version < match.version:
            table.match = match
        return match

    def reload(self, match_id: str, table: Table) -> None:
        """Fold the match anew from all its entries; NotFound if there are none."""
        entries = self.store.read(match_id)
        if not entries:
            with self._lock:
                self._tables.pop(match_id, None)
            raise NotFound("There is no such match.")
        table.match = fold_match(self.games, entries)

    def _table(self, match_id: str) -> Table:
        with self._lock:
            table = self._tables.setdefault(match_id, Table())
            self._tables.move_to_end(match_id)
            while len(self._tables) > self._size:
                self._tables.popitem(last=False)
            return table
