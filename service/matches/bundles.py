"""Builds bundles of matches and checks stored matches in full, without blocking other requests."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any, cast

import msgspec

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
from service.runtime.errors import ExportsBusy
from service.runtime.event_loop import in_steps
from service.runtime.shares.byte_cache import ByteCache
from service.runtime.shares.fair_queue import Payer
from service.runtime.shares.fair_slots import FairSlots

ENTRIES_PER_READ = 50
MAX_CACHED_CHECKS = 1_000
"""Number of check results that a process caches."""
MAX_WAITING = 32
"""Number of exports and checks that wait in a process."""
MAX_WAIT_S = 10.0
"""How long an export or a check waits for others."""


class Bundles:
    """Builds bundles and checks matches, one at a time per process, because both take long."""

    def __init__(self, annals: Annals, cache: ByteCache) -> None:
        self._annals = annals
        self._slots = FairSlots(1, MAX_WAITING, ExportsBusy)
        self._cache = cache
        self._checked: OrderedDict[tuple[str, bytes], Mismatch | None] = OrderedDict()

    def build(
        self,
        match: Match,
        seat: Seat | None,
        proofs: Sequence[str],
        keys: Sequence[str],
        payer: Payer,
    ) -> Bundle:
        """Return the bundle of a match for a seat or a spectator, with proofs from the log and its
        keys. Raises CorruptEntry if an entry cannot be decoded, ExportsBusy if too many wait.
        """
        revealed = queries.seed_if_over(match)
        seat = None if match.revealed else seat  # what is open to all is for no seat
        entries = msgspec.Raw(self._encoded_entries(match, seat, payer))
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
            entries=cast("tuple[BundleEntry, ...]", entries),  # an encoder writes it as it is
            proofs=tuple(proofs),
            keys=tuple(keys),
        )

    def find_first_wrong(self, match: Match, payer: Payer) -> Mismatch | None:
        """Return the first wrong entry of a match and what is wrong with it, or None. Raises
        CorruptEntry if an entry cannot be decoded, ExportsBusy if too many wait.
        """
        which = match.id, match.head
        if which in self._checked:
            return self._checked[which]
        return self._slots.run(payer, MAX_WAIT_S, lambda: self._check(match))

    def _check(self, match: Match) -> Mismatch | None:
        which = match.id, match.head
        if which in self._checked:  # another caller wanted the same
            return self._checked[which]
        found = self._checked[which] = _find_first_wrong(self._annals, match)
        while len(self._checked) > MAX_CACHED_CHECKS:
            self._checked.popitem(last=False)
        return found

    def _encoded_entries(self, match: Match, seat: Seat | None, payer: Payer) -> bytes:
        """Return the entries of a bundle as a JSON array; they depend only on the head and the
        seat.
        """
        key = "entries", match.id, match.head, seat
        if found := self._cache.get(key):
            return found

        def work() -> bytes:
            if found := self._cache.get(key):  # another caller wanted the same
                return found
            encode = msgspec.json.Encoder().encode
            encoded = b"[%b]" % b",".join(map(encode, _bundle_entries(self._annals, match, seat)))
            self._cache.put(key, encoded)
            return encoded

        return self._slots.run(payer, MAX_WAIT_S, work)


def read_entries(annals: Annals, match: Match) -> Iterator[Entry]:
    """Yield all entries of a match up to its version, oldest first; lets other requests run."""
    after = 0
    while after < match.version:
        found = annals.store.read(match.id, after, match.version, ENTRIES_PER_READ)
        yield from in_steps(found)
        after = found[-1].version


def _find_first_wrong(annals: Annals, match: Match) -> Mismatch | None:
    found = check_entries(annals.games, match.id, read_entries(annals, match))
    return next((wrong for wrong in found if wrong is not None), None)


def _bundle_entries(annals: Annals, match: Match, seat: Seat | None) -> Iterator[BundleEntry]:
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
