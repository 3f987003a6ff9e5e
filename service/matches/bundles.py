"""Builds bundles of matches and checks stored matches in full, without blocking other requests."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any

from domain.audit.bundle import FORMAT, Bundle, BundleEntry
from domain.audit.replay_rules import Mismatch, draws_of
from domain.audit.stored import check_entries
from domain.audit.texts import Salts, content_of, openings, text_of
from domain.engine.play import Seat
from domain.match import visibility
from domain.match.log import Entry, apply_events, new_match
from domain.match.state import Match
from service.matches import queries
from service.matches.container import Annals
from service.runtime.event_loop import pause

ENTRIES_PER_READ = 50
"""Entries per read."""
MAX_CACHED_CHECKS = 1_000
"""Number of check results that a process caches."""
LOCK_POLL_S = 0.02


class Bundles:
    """Builds bundles and checks matches, one at a time per process, because both take long."""

    def __init__(self, annals: Annals) -> None:
        self._annals = annals
        self._one = Lock()
        self._checked: OrderedDict[tuple[str, bytes], Mismatch | None] = OrderedDict()

    def build(
        self, match: Match, seat: Seat | None, proofs: Sequence[str], keys: Sequence[str]
    ) -> Bundle:
        """Return the bundle of a match for a seat or a spectator, with proofs from the log and its
        keys. Raises CorruptEntry if an entry cannot be decoded.
        """
        revealed = queries.seed_if_over(match)
        with self._exclusive():
            return Bundle(
                format=FORMAT,
                match=match.id,
                game=match.game.key,
                rules=match.game.rules,
                version=match.version,
                head=match.head.hex(),
                seed_hash=match.seed_hash,
                seed=revealed,
                salts=revealed and match.salt_key.hex(),
                viewer=seat,
                board=queries.board_view(match),
                entries=tuple(_lines(self._annals, match, seat)),
                proofs=tuple(proofs),
                keys=tuple(keys),
            )

    def find_first_wrong(self, match: Match) -> Mismatch | None:
        """Return the first wrong entry of a match and what is wrong with it, or None. Raises
        CorruptEntry if an entry cannot be decoded.
        """
        which = match.id, match.head
        if which not in self._checked:
            with self._exclusive():
                self._checked[which] = _find_first_wrong(self._annals, match)
            while len(self._checked) > MAX_CACHED_CHECKS:
                self._checked.popitem(last=False)
        return self._checked[which]

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        while not self._one.acquire(blocking=False):
            pause(LOCK_POLL_S)
        try:
            yield
        finally:
            self._one.release()


def read_entries(annals: Annals, match: Match) -> Iterator[Entry]:
    """Yield all entries of a match up to its version, oldest first."""
    after = 0
    while after < match.version:
        for record in annals.store.read(match.id, after, match.version, ENTRIES_PER_READ):
            yield record
            after = record.version
            pause(0)


def _find_first_wrong(annals: Annals, match: Match) -> Mismatch | None:
    found = check_entries(annals.games, match.id, read_entries(annals, match))
    return next((wrong for wrong in found if wrong is not None), None)


def _lines(annals: Annals, match: Match, seat: Seat | None) -> Iterator[BundleEntry]:
    salts = Salts(match.id, match.salt_key)
    revealed = queries.seed_if_over(match) is not None
    before: Any = None
    for record in read_entries(annals, match):
        before = before or new_match(annals.games, record)
        content = content_of(match.game, record)
        yield BundleEntry(
            text_of(salts, record, content).decode(),
            record.head.hex(),
            tuple(
                opening
                for owner, opening in openings(salts, record, content)
                if visibility.can_open(match, owner, seat)
            ),
            tuple(draws_of(before, record, content)) if revealed else (),
        )
        apply_events(before, record, content.events)
