"""Matches of the toy game in a real event store, and projections folded from them."""

from __future__ import annotations

from typing import Any

from redis import Redis

from domain.audit.texts import with_head
from domain.match.decisions import ending
from domain.match.log import AnyEvent, Draft
from domain.match.outcome import RatingChange
from domain.match.scheduled_work import Work, due_changes, due_work
from projections import PROJECTIONS
from projections.core.spaces import group_by_slot
from projections.projector import Projector
from service.store.event_store import AppendSuccess, EventStore
from tests.match.table import Table


class RecordedMatch(Table):
    """A match whose entries are appended as they happen."""

    def __init__(self, store: EventStore, seats: str, **more: Any) -> None:
        self.store = store
        self._due: dict[Work, int] = {}
        super().__init__(seats, **more)

    def act(self, draft: Draft, actor: str, secret: bytes = b"") -> list[AnyEvent]:
        match = self.match
        events = super().act(draft, actor, secret)
        self.entries[-1] = with_head(self.match.id, match, self.entries[-1], draft)
        self.match.head = self.entries[-1].head
        before, self._due = self._due, due_work(self.match)
        noted = due_changes(before, self._due)
        outcome = self.store.append(self.match.id, self.entries[-1], noted)
        assert outcome == AppendSuccess(self.match.version)
        return events

    def score(self) -> None:
        self.act(ending.score(self.match), "system")

    def settle(self) -> None:
        """Score the match; rate it if it counts, without changing ratings."""
        self.score()
        if ending.is_rateable(self.match):
            self.rate()

    def rate(self, **after: tuple[float, float, int, int]) -> None:
        """Rate the match: by competitor mu, sigma, and the numbers played and won."""
        rated = [
            RatingChange(who.replace("_", ":"), (25.0, 8.0), (mu, sigma), played, won)
            for who, (mu, sigma, played, won) in after.items()
        ]
        self.act(ending.rate(self.match, rated), "system")


def many_matches(store: EventStore, count: int) -> None:
    """Matches that are played to the end, scored and rated."""
    for n in range(count):
        table = RecordedMatch(store, "ann bob", match=f"many{n}").play_out()
        table.settle()


def projectors(store: EventStore) -> list[Projector]:
    """A projector for all partitions, or on a cluster one for each."""
    groups = group_by_slot(store.redis, range(store.partitions))
    return [Projector(store.redis, store, some, PROJECTIONS) for some in groups]


def fold_all(store: EventStore, batch: int = 100) -> None:
    """Fold all entries from the current positions."""
    for projector in projectors(store):
        while projector.fold_next(batch * store.partitions):
            pass


def read_all(redis: Redis) -> dict[bytes, bytes | None]:
    """The content of all keys of the projections, byte by byte."""
    return {key: contents(redis, key) for key in redis.scan_iter("*:rm:*")}


def contents(redis: Redis, key: bytes) -> Any:
    match redis.type(key):
        case b"hash":
            return redis.hgetall(key)
        case b"zset":
            return redis.zrange(key, 0, -1, withscores=True)
        case b"stream":
            return redis.xrange(key)
        case _:
            return redis.get(key)


def some_of_each_kind(store: EventStore) -> list[RecordedMatch]:
    """Matches of every kind, in every state."""
    tables = [
        RecordedMatch(store, ". +easy", match="open", host="ann"),
        RecordedMatch(store, "ann bob", match="running", visibility="private").play(3),
        RecordedMatch(store, "ann +easy", match="scored").play_out(),
        RecordedMatch(store, "ann bob cid", match="resigned").play(2),
        RecordedMatch(store, "ann ann", match="hotseat").play_out(),
        RecordedMatch(store, "bob ann", match="asking").play(4),
    ]
    tables[2].score()
    tables[2].rate(ann=(27.0, 7.0, 1, 1), bot_easy=(23.0, 7.0, 1, 0))
    tables[3].resign("bob")
    tables[4].score()
    tables[5].undo("ann")
    return tables
