"""What the feeds say to the log: which leaves there are to be, each once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import structlog

from domain.audit.log_entries import HeadLeaf, Leaf, OpenLeaf, State, nonces_hash
from domain.match import events as said
from domain.match.log import Damaged, Entry, understanding
from projections.core.events import KnownEvent, known_events
from projections.core.spaces import together
from service.store.entry_codec import Pointer
from service.store.event_store import Store
from service.tlog.errors import Contradiction
from service.tlog.state import Moved, Place, Standing

BATCH = 2_000
WINDOW_MS = 600_000
"""How long moves are gathered: in this time a match has one head of its course in the log."""
_OVER = (said.Ended, said.Scored, said.Rated, said.Continued)
_FINAL = (said.Scored, said.Aborted)
log = structlog.get_logger()


class Known:
    """What the log says already; for when the feeds are read once more."""

    def __init__(self, leaves: Iterator[Leaf]) -> None:
        self._opened: set[str] = set()
        self._heads: dict[str, int] = {}
        for leaf in leaves:
            if isinstance(leaf, OpenLeaf):
                self._opened.add(leaf.match)
            else:
                self._heads[leaf.match] = max(leaf.version, self._heads.get(leaf.match, 0))

    def has(self, match: str, version: int) -> bool:
        """Whether there is a head of a match at a version, or later."""
        return version <= self._heads.get(match, 0)

    def has_opening(self, match: str) -> bool:
        """Whether it says that a match was opened."""
        return match in self._opened


class Reader:
    """Reads the feeds on from where the log stands."""

    def __init__(self, store: Store, standing: Standing, known: Known) -> None:
        self._store, self._known = store, known
        self.places = dict(standing.places)
        self.moved = dict(standing.moved)
        self.window = standing.window

    def read(self) -> tuple[list[Leaf], bool]:
        """The leaves to be, out of what came next in the feeds, and whether there is more."""
        leaves: list[Leaf] = []
        more = False
        for some in together(self._store.redis, range(self._store.partitions)):
            after = {n: self._position(n) - 1 for n in some}  # the last one once more
            most = max(2, BATCH // len(some))
            found = self._store.portion({n: max(0, at) for n, at in after.items()}, most)
            for partition in some:
                rows = self._new(partition, found.get(partition, ()))
                for pointer, entry in rows:
                    leaves += self._leaves(pointer, entry)
                    self.places[partition] = _place(pointer, entry)
                more = more or len(rows) >= most - 1
        return leaves, more

    def close_window(self, now: int) -> list[Leaf]:
        """The heads of matches that have moved on, if it is time for them."""
        self.window = self.window or now
        if 0 <= now - self.window < WINDOW_MS:
            return []
        heads = [
            HeadLeaf(match, one.version, one.head, one.state) for match, one in self.moved.items()
        ]
        self.moved, self.window = {}, now
        return list(heads)

    def _position(self, partition: int) -> int:
        place = self.places.get(partition)
        return place.position if place else 0

    def _new(
        self, partition: int, rows: Sequence[tuple[Pointer, Entry | Damaged]]
    ) -> Sequence[tuple[Pointer, Entry | Damaged]]:
        """What is new of some rows; Contradiction unless they go on from what was read last."""
        place = self.places.get(partition)
        if place is None:
            return rows
        if not rows or not _is_at(place, *rows[0]):
            raise Contradiction(
                f"The event store is not the one that the log has read: feed {partition} has"
                f" something else, or nothing, at {place.position}. Was it put back from an older"
                " backup? Put back a newer one, or go on from what is there with `annals tlog"
                " resume`: what the log has stays in it."
            )
        return rows[1:]

    def _leaves(self, pointer: Pointer, entry: Entry | Damaged) -> Iterator[Leaf]:
        """The leaves that an entry makes at once; what else it says is noted for later."""
        if self._known.has(pointer.match, pointer.version):
            return  # it may have gone to the archive meanwhile
        try:
            if isinstance(entry, Damaged):
                raise entry
            with understanding(entry):
                events = known_events(entry.events)
        except Damaged:
            log.error("damaged", match=pointer.match)  # `annals verify` tells what it is
            return
        match = pointer.match
        for event in events:
            if isinstance(event, said.Created) and not self._known.has_opening(match):
                commitments = (chair.commitment for chair in event.chairs)
                yield OpenLeaf(match, event.seed_hash, nonces_hash(commitments))
        state = _state(entry.kind, events)
        head = entry.head.hex()
        if any(isinstance(event, _FINAL) for event in events):
            self.moved.pop(match, None)
            yield HeadLeaf(match, entry.version, head, state)
        elif entry.version > 1:  # all that the first one says is in the opening
            self.moved[match] = Moved(entry.version, head, state)


def _is_at(place: Place, pointer: Pointer, entry: Entry | Damaged) -> bool:
    if (pointer.position, pointer.match, pointer.version) != (
        place.position, place.match, place.version,
    ):  # fmt: skip
        return False
    return isinstance(entry, Damaged) or place.head in ("", entry.head.hex())


def _place(pointer: Pointer, entry: Entry | Damaged) -> Place:
    head = "" if isinstance(entry, Damaged) else entry.head.hex()
    return Place(pointer.position, pointer.match, pointer.version, head)


def _state(kind: str, events: Sequence[KnownEvent]) -> State:
    """How a match stood after an entry. What leaves a score unrated says no more than that."""
    if any(isinstance(event, said.Aborted) for event in events):
        return "aborted"
    over = kind == "Unrated" or any(isinstance(event, _OVER) for event in events)
    return "ended" if over else "turn"
