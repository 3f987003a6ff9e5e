"""Bundles of matches, and full checks of them as they are stored, while others get their turn."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any

from domain.audit.bundle import FORMAT, Bundle, Line
from domain.audit.replay_rules import Wrong, draws_of
from domain.audit.stored import check_entries
from domain.audit.texts import Salts, content_of, openings, text_of
from domain.engine.play import Seat
from domain.match import visibility
from domain.match.log import Entry, begun, write_down
from domain.match.state import Match
from service.matches import queries
from service.matches.container import Annals
from service.runtime.event_loop import pause

AT_ONCE = 50
"""So many entries are read in one go."""
KEPT = 1_000
"""Of so many checks a process remembers how they came out."""
WAIT_S = 0.02


class Bundles:
    """Makes bundles of matches and checks them, one at a time in this process: both take long."""

    def __init__(self, annals: Annals) -> None:
        self._annals = annals
        self._one = Lock()
        self._checked: OrderedDict[tuple[str, bytes], Wrong | None] = OrderedDict()

    def bundle_of(
        self, match: Match, seat: Seat | None, proofs: Sequence[str], keys: Sequence[str]
    ) -> Bundle:
        """A match with all that a seat, or a spectator, may know of it; with proofs from the log,
        and its keys. Damaged if an entry makes no sense.
        """
        revealed = queries.revealed_seed(match)
        with self._alone():
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

    def first_wrong(self, match: Match) -> Wrong | None:
        """The first entry of a match that is not as it should be, and why; Damaged if one makes no
        sense.
        """
        which = match.id, match.head
        if which not in self._checked:
            with self._alone():
                self._checked[which] = _first_wrong(self._annals, match)
            while len(self._checked) > KEPT:
                self._checked.popitem(last=False)
        return self._checked[which]

    @contextmanager
    def _alone(self) -> Iterator[None]:
        while not self._one.acquire(blocking=False):
            pause(WAIT_S)
        try:
            yield
        finally:
            self._one.release()


def entries_of(annals: Annals, match: Match) -> Iterator[Entry]:
    """All entries of a match up to its version, oldest first."""
    after = 0
    while after < match.version:
        for record in annals.store.read(match.id, after, match.version, AT_ONCE):
            yield record
            after = record.version
            pause(0)


def _first_wrong(annals: Annals, match: Match) -> Wrong | None:
    found = check_entries(annals.games, match.id, entries_of(annals, match))
    return next((wrong for wrong in found if wrong is not None), None)


def _lines(annals: Annals, match: Match, seat: Seat | None) -> Iterator[Line]:
    salts = Salts(match.id, match.salt_key)
    revealed = queries.revealed_seed(match) is not None
    before: Any = None
    for record in entries_of(annals, match):
        before = before or begun(annals.games, record)
        content = content_of(match.game, record)
        yield Line(
            text_of(salts, record, content).decode(),
            record.head.hex(),
            tuple(
                opening
                for owner, opening in openings(salts, record, content)
                if visibility.may_open(match, owner, seat)
            ),
            tuple(draws_of(before, record, content)) if revealed else (),
        )
        write_down(before, record, content.events)
