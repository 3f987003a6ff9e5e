"""What Redis knows of the log: what was signed last, and which leaves a match has.

What was signed stands in the folder too. Where only one of the two was put back from a copy, the
other one tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import cast

from msgspec import Struct, json
from redis import Redis

from domain.audit.log_entries import Leaf, OpenLeaf
from projections.core.scripts import Script
from service.store.event_store import Store
from service.store.redis_client import answering

_NOTE = Script(files(__package__).joinpath("signed.lua").read_text())
SIGNED = "tlog:signed"
INDEXED = "tlog:indexed"


class Signed(Struct, frozen=True):
    """What was signed last: of which log, how large, with which root."""

    origin: str
    size: int
    root: str


class Leaves(Struct, frozen=True):
    """The leaves of a match by their indices: that it was opened, and its newest head."""

    opening: int
    newest: int


class Noted:
    """What Redis knows of the log."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._redis: Redis = store.redis

    def signed(self) -> Signed | None:
        """What was signed last, as far as Redis knows."""
        with answering():
            found = cast("bytes | None", self._redis.get(SIGNED))
        return json.decode(found, type=Signed) if found else None

    def sign(self, before: Signed | None, now: Signed) -> bool:
        """Note what is signed next; False if what was signed before is something else by now."""
        with answering():
            known = json.encode(before) if before else b""
            return bool(_NOTE.run(self._redis, [SIGNED], known, json.encode(now)))

    def forget(self) -> None:
        """Know of no log: another one begins."""
        with answering():
            self._redis.delete(SIGNED)
            self._redis.delete(INDEXED)

    def indexed(self, origin: str) -> int:
        """How many leaves of a log can be found by their matches."""
        with answering():
            found = cast("bytes | None", self._redis.get(INDEXED))
        known, _, size = (found or b"").decode().rpartition(" ")
        return int(size) if known == origin else 0

    def index(self, origin: str, first: int, leaves: Sequence[Leaf]) -> None:
        """Let leaves be found by their matches; the first of them has this index."""
        matches = list({leaf.match: None for leaf in leaves})
        known = dict(zip(matches, self._ask("hget", matches), strict=True))
        found = {match: _opening(text) for match, text in known.items()}
        newest = {}
        for at, leaf in enumerate(leaves, first):
            newest[leaf.match] = at
            if isinstance(leaf, OpenLeaf):
                found[leaf.match] = at
        self._ask("hset", matches, [f"{found[match]},{newest[match]}" for match in matches])
        with answering():
            self._redis.set(INDEXED, f"{origin} {first + len(leaves)}")

    def leaves(self, match: str) -> Leaves | None:
        """The leaves of a match, as far as they can be found."""
        with answering():
            found = cast("bytes | None", self._redis.hget(self._key(match), match))
        return Leaves(*map(int, found.split(b","))) if found else None

    def _ask(
        self, command: str, matches: Sequence[str], values: Sequence[str] | None = None
    ) -> list[bytes | None]:
        """What a command says to the places of some matches, in one round trip."""
        with answering(), self._redis.pipeline(transaction=False) as pipe:
            for n, match in enumerate(matches):
                more = (values[n],) if values else ()
                getattr(pipe, command)(self._key(match), match, *more)
            return cast("list[bytes | None]", pipe.execute())

    def _key(self, match: str) -> str:
        return f"{{p{self._store.partition_of(match)}}}:leaves"


def _opening(known: bytes | None) -> int:
    """The index of the opening, out of what is known of a match; below zero for none."""
    return int(known.partition(b",")[0]) if known else -1
