"""The state of the log in Redis: the last signed state, and the leaves of each match.

The folder contains the signed state, too. If only one of the two was restored from a backup, the
other one reveals that.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import cast

from msgspec import Struct, json
from redis import Redis

from domain.audit.log_entries import Leaf, OpenLeaf
from projections.core.scripts import Script
from service.store.event_store import EventStore
from service.store.redis_client import store_errors

_RECORD = Script(files(__package__).joinpath("record_signed.lua").read_text())
SIGNED_KEY = "tlog:signed"
INDEX_SIZE_KEY = "tlog:indexed"


class SignedState(Struct, frozen=True):
    """The last signed checkpoint: origin, size and root."""

    origin: str
    size: int
    root: str


class LeafIndices(Struct, frozen=True):
    """The indices of a match's leaves: its opening (below zero: none) and its newest head."""

    opening: int
    newest: int


class SignedStateStore:
    """The signed state and the index, stored in Redis."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._redis: Redis = store.redis

    def latest(self) -> SignedState | None:
        """Return the last signed state, or None if there is none."""
        with store_errors():
            found = cast("bytes | None", self._redis.get(SIGNED_KEY))
        return json.decode(found, type=SignedState) if found else None

    def record(self, before: SignedState | None, state: SignedState) -> bool:
        """Record what is signed next; returns False if the stored state is not `before`."""
        with store_errors():
            expected = json.encode(before) if before else b""
            return bool(_RECORD.run(self._redis, [SIGNED_KEY], expected, json.encode(state)))

    def clear(self) -> None:
        """Delete the signed state and the index size, because a new log starts."""
        with store_errors():
            self._redis.delete(SIGNED_KEY)
            self._redis.delete(INDEX_SIZE_KEY)

    def index_size(self, origin: str) -> int:
        """Return the number of leaves of a log that are indexed by match."""
        with store_errors():
            found = cast("bytes | None", self._redis.get(INDEX_SIZE_KEY))
        indexed_origin, _, size = (found or b"").decode().rpartition(" ")
        return int(size) if indexed_origin == origin else 0

    def index(self, origin: str, first: int, leaves: Sequence[Leaf]) -> None:
        """Index leaves by match; `first` is the index of the first one."""
        matches = list({leaf.match: None for leaf in leaves})
        stored = dict(zip(matches, self._run_per_match("hget", matches), strict=True))
        openings = {match: _opening_index(text) for match, text in stored.items()}
        newest = {}
        for at, leaf in enumerate(leaves, first):
            newest[leaf.match] = at
            if isinstance(leaf, OpenLeaf):
                openings[leaf.match] = at
        self._run_per_match(
            "hset", matches, [f"{openings[match]},{newest[match]}" for match in matches]
        )
        with store_errors():
            self._redis.set(INDEX_SIZE_KEY, f"{origin} {first + len(leaves)}")

    def leaf_indices(self, match: str) -> LeafIndices | None:
        """Return the indexed leaves of a match, or None if there are none."""
        with store_errors():
            found = cast("bytes | None", self._redis.hget(self._key(match), match))
        return LeafIndices(*map(int, found.split(b","))) if found else None

    def _run_per_match(
        self, command: str, matches: Sequence[str], values: Sequence[str] | None = None
    ) -> list[bytes | None]:
        """Run a command on the index of each match, in one round trip."""
        with store_errors(), self._redis.pipeline(transaction=False) as pipe:
            for n, match in enumerate(matches):
                more = (values[n],) if values else ()
                getattr(pipe, command)(self._key(match), match, *more)
            return cast("list[bytes | None]", pipe.execute())

    def _key(self, match: str) -> str:
        return f"{{p{self._store.partition_of(match)}}}:leaves"


def _opening_index(known: bytes | None) -> int:
    """Return the index of the opening, from the stored value of a match; below zero for none."""
    return int(known.partition(b",")[0]) if known else -1
