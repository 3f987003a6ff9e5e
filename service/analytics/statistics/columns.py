"""The columns that a process keeps of each game that was asked about, and those of one question."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from time import monotonic
from typing import Any

from domain.engine.game import Game
from projections.analyses import how_many, sums_of
from projections.statistics.queries import Question
from projections.statistics.reader import Overview, Place, changed, rows_at
from projections.statistics.storage import Row, read
from projections.statistics.table import Table
from service.analytics.statistics.time_slices import Turns
from service.matches.container import Annals

PAGE = 500
"""So many rows are read in one go."""
AT_ONCE = 50
"""So many are made columns of before others get their turn: about a millisecond."""
ANALYSES_S = 60.0
"""How long what is known of analyses is taken to be all."""


class Kept:
    """The columns of a game, and up to where each month is read in each partition."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin anew."""
        self.table = Table()
        self.read: dict[tuple[str, int], int] = {}
        self.analyses_at = -ANALYSES_S
        self.analysed = (0, 0)
        """How many analyses and how many matches there were when it was last looked for them."""

    def lacks(self, month: str, positions: Mapping[int, int]) -> Mapping[int, int]:
        """Of the partitions in which a month has changed since it was read, up to where it was."""
        known = {partition: self.read.get((month, partition), 0) for partition in positions}
        return {partition: at for partition, at in known.items() if at < positions[partition]}

    def has_others(self, months: Collection[str]) -> bool:
        """Whether there is anything here but these months."""
        return any(month not in months for month, _ in self.read)


class Tables:
    """Columns of games, of at most so many matches in all; read on whenever they are asked for."""

    def __init__(self, annals: Annals, most: int) -> None:
        self._annals = annals
        self._most = most
        self._kept: OrderedDict[str, Kept] = OrderedDict()

    def of_game(
        self, game: Game[Any], question: Question, found: Overview, turns: Turns
    ) -> tuple[Table, bool]:
        """The columns of a game as far as a question needs them, the latest months first; and
        whether there was room for all.
        """
        kept = self._kept.setdefault(game.key, Kept())
        self._kept.move_to_end(game.key)
        first, last = question.since or "", question.until or "~"
        months = sorted((one for one in found.months if first <= one <= last), reverse=True)
        complete = self._catch_up(kept, game.key, months, found, turns)
        if not complete and kept.has_others(months):
            kept.forget()
            complete = self._catch_up(kept, game.key, months, found, turns)
        if question.analysed and monotonic() - kept.analyses_at >= ANALYSES_S:
            self._note_new(kept, game, turns)
        return kept.table, complete

    def of_places(
        self, places: Sequence[Place], seated: frozenset[str], question: Question, turns: Turns
    ) -> Table:
        """Columns of the matches at these places in which all of these are seated."""
        table = Table()
        for start in range(0, len(places), PAGE):
            some = rows_at(self._annals.store.redis, places[start : start + PAGE])
            _put(table, some, turns, lambda row: seated <= row.seated)
        for key in {one.game for one in places} & self._annals.games.keys():
            if question.analysed:
                self._note(table, self._annals.games[key], turns)
        return table

    def _catch_up(
        self, kept: Kept, game: str, months: Sequence[str], found: Overview, turns: Turns
    ) -> bool:
        """Read what these months have now; whether there was room for it."""
        for month in months:
            while lacking := kept.lacks(month, found.months[month]):
                if self._is_full(kept):
                    return False
                page = changed(self._annals.store.redis, game, month, lacking, PAGE)
                _put(kept.table, rows_at(self._annals.store.redis, page.places), turns)
                for partition, position in page.up_to.items():
                    known = found.months[month][partition] if partition in page.whole else 0
                    kept.read[month, partition] = max(position, known)
        return True

    def _is_full(self, kept: Kept) -> bool:
        """Whether there is no room, also without the games that nobody has asked about lately."""
        while sum(len(one.table.places) for one in self._kept.values()) >= self._most:
            if next(iter(self._kept.values())) is kept:
                return True
            self._kept.popitem(last=False)
        return False

    def _note_new(self, kept: Kept, game: Game[Any], turns: Turns) -> None:
        """Note the analyses that there are by now, unless nothing can have come."""
        store = self._annals.store
        now = how_many(store.redis, store.partitions, game), len(kept.table.places)
        if now != kept.analysed:
            self._note(kept.table, game, turns)
        kept.analysed, kept.analyses_at = now, monotonic()

    def _note(self, table: Table, game: Game[Any], turns: Turns) -> None:
        """Note the analyses that there are of matches of a game."""
        store = self._annals.store
        open_ = list(table.not_analysed)
        for start in range(0, len(open_), PAGE):
            some = {match: store.partition_of(match) for match in open_[start : start + PAGE]}
            for match, seats in sums_of(store.redis, game, some).items():
                table.note(match, seats)
            turns()


def _put(
    table: Table,
    texts: Sequence[bytes],
    turns: Turns,
    wanted: Callable[[Row], bool] = lambda row: True,
) -> None:
    """Make columns of rows, a few at a time."""
    for start in range(0, len(texts), AT_ONCE):
        table.put([row for row in map(read, texts[start : start + AT_ONCE]) if wanted(row)])
        turns()
