"""Matches of the toy game, recorded in a real event store, and projections folded from it."""

from __future__ import annotations

from typing import Any

from redis import Redis

from domain.audit.texts import chained
from domain.match.decisions import ending
from domain.match.events import RatingChange
from domain.match.log import AnyEvent, Draft
from domain.match.scheduled_work import Work, changes, due
from projections import PROJECTIONS
from projections.core.spaces import together
from projections.projector import Projector
from service.store.event_store import Appended, Store
from tests.match.table import Table


class Recorded(Table):
    """A match whose entries are recorded as they happen."""

    def __init__(self, store: Store, seats: str, **more: Any) -> None:
        self.store = store
        self._due: dict[Work, int] = {}
        super().__init__(seats, **more)

    def act(self, draft: Draft, actor: str, secret: bytes = b"") -> list[AnyEvent]:
        match = self.match
        events = super().act(draft, actor, secret)
        self.entries[-1] = chained(self.match.id, match, self.entries[-1], draft)
        self.match.head = self.entries[-1].head
        before, self._due = self._due, due(self.match)
        noted = changes(before, self._due)
        outcome = self.store.append(self.match.id, self.entries[-1], noted)
        assert outcome == Appended(self.match.version)
        return events

    def score(self) -> None:
        self.act(ending.score(self.match), "system")

    def settle(self) -> None:
        """Score, and rate if that counts, without a change of anybody's rating."""
        self.score()
        if ending.rateable(self.match):
            self.rate()

    def rate(self, **after: tuple[float, float, int, int]) -> None:
        """Ratings after the match by competitor: mu, sigma, played, won."""
        rated = [
            RatingChange(who.replace("_", ":"), (25.0, 8.0), (mu, sigma), played, won)
            for who, (mu, sigma, played, won) in after.items()
        ]
        self.act(ending.rate(self.match, rated), "system")


def many(store: Store, count: int) -> None:
    """Matches that are played to the end, scored and rated."""
    for n in range(count):
        table = Recorded(store, "ann bob", match=f"many{n}").play_out()
        table.settle()


def projectors(store: Store) -> list[Projector]:
    """One for all partitions, or on a cluster one for each."""
    groups = together(store.redis, range(store.partitions))
    return [Projector(store.redis, store, some, PROJECTIONS) for some in groups]


def fold_all(store: Store, batch: int = 100) -> None:
    """Fold all that was recorded, from wherever the projections are."""
    for projector in projectors(store):
        while projector.fold_next(batch * store.partitions):
            pass


def folded(redis: Redis) -> dict[bytes, bytes | None]:
    """All that projections keep, byte by byte."""
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


def varied(store: Store) -> list[Recorded]:
    """Matches of every kind, in every state."""
    tables = [
        Recorded(store, ". +easy", match="open", host="ann"),
        Recorded(store, "ann bob", match="running", visibility="private").play(3),
        Recorded(store, "ann +easy", match="scored").play_out(),
        Recorded(store, "ann bob cid", match="resigned").play(2),
        Recorded(store, "ann ann", match="hotseat").play_out(),
        Recorded(store, "bob ann", match="asking").play(4),
    ]
    tables[2].score()
    tables[2].rate(ann=(27.0, 7.0, 1, 1), bot_easy=(23.0, 7.0, 1, 0))
    tables[3].resign("bob")
    tables[4].score()
    tables[5].undo("ann")
    return tables
