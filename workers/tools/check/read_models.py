"""What is read off the entries, held against them: projections and ratings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import MsgspecError
from redis import Redis

from projections import PROJECTIONS
from projections.core.spaces import Projection, checkpoint, live_key, space_of
from projections.lists.matches import get
from projections.projector import Projector
from service import ratings
from service.store.event_store import Store
from service.store.redis_client import answering
from workers.host.errors import CannotRun
from workers.tools.rebuild import BATCH, alone, forget_unread

TRIES = 20
"""How often two spaces are read until the one in use has not moved on meanwhile."""


def wrong_projections(store: Store) -> Iterator[str]:
    """What is wrong with projections: each is folded once more, beside, up to where it has come."""
    try:
        with answering(), alone(store.redis) as lock:
            forget_unread(store.redis, store, PROJECTIONS)
            for partition in range(store.partitions):
                for projection in PROJECTIONS:
                    yield from _wrong_space(store, partition, projection)
                    lock.reacquire()
            forget_unread(store.redis, store, PROJECTIONS)
    except CannotRun as error:
        yield str(error)


def _wrong_space(store: Store, partition: int, projection: Projection) -> Iterator[str]:
    redis = store.redis
    generation = int(redis.get(live_key(partition, projection)) or 0)
    live, anew = (space_of(partition, projection, n) for n in (generation, generation + 1))
    projector = Projector(redis, store, [partition], [projection], generation + 1)
    for _ in range(TRIES):
        reached = _position(redis, live)
        if reached > store.feed_length(partition):
            yield f"{projection.name} of partition {partition} has read more than there is."
            return
        while (left := reached - _position(redis, anew)) > 0:
            projector.fold_next(min(BATCH, left))
        found, wanted = contents(redis, live), contents(redis, anew)
        if _position(redis, live) != reached:
            continue
        if not projector.damaged:
            yield from _differences(projection, partition, found, wanted)
        elif found != wanted:
            yield (
                f"{projection.name} of partition {partition}: nobody can tell whether they are"
                f" right while {', '.join(projector.damaged)} cannot be read."
            )
        return


def _position(redis: Redis, space: str) -> int:
    return int(redis.get(checkpoint(space)) or 0)


def _differences(
    projection: Projection, partition: int, found: dict[str, Any], wanted: dict[str, Any]
) -> Iterator[str]:
    for key in sorted(found.keys() | wanted.keys()):
        if found.get(key) != wanted.get(key):
            yield (
                f"{projection.name} of partition {partition}: {key} is not what the entries say;"
                f" `annals rebuild {projection.name}` makes it anew."
            )


def contents(redis: Redis, space: str) -> dict[str, Any]:
    """All that a space holds, by the ends of the names of its keys."""
    found: dict[str, Any] = {}
    for key in redis.scan_iter(f"{space}:*", count=BATCH):
        match redis.type(key):
            case b"hash":
                value: Any = redis.hgetall(key)
            case b"zset":
                value = redis.zrange(key, 0, -1, withscores=True)
            case b"stream":
                value = redis.xrevrange(key, count=1)  # where it is cut off is not exact
            case _:
                value = redis.get(key)
        found[key.decode(errors="replace").removeprefix(f"{space}:")] = value
    return found


def wrong_ratings(store: Store, games: Iterable[str]) -> Iterator[str]:
    """What is wrong with ratings: those of now follow from the last match of each competitor, and
    what a match did to them is what its entry says.
    """
    done: dict[str, Mapping[str, ratings.Outcome]] = {}
    with answering():
        for game in games:
            try:
                done[game] = ratings.outcomes(store.redis, game)
                astray = ratings.astray(store.redis, game)
            except MsgspecError:
                yield f"the ratings of {game} are damaged."
                continue
            for who in astray:
                yield f"the rating of {who} in {game} is not that after their last match."
        for match in store.matches():
            yield from _wrong_outcome(store, match, done)


def _wrong_outcome(
    store: Store, match: str, done: Mapping[str, Mapping[str, ratings.Outcome]]
) -> Iterator[str]:
    try:
        summary = get(store.redis, store.partition_of(match), match)
    except MsgspecError:  # that projection is wrong, which is told where it is looked at
        return
    if summary and summary.ratings and summary.game in done:
        outcome = done[summary.game].get(match)
        if outcome is None or outcome.changes != summary.ratings:
            yield f"{match}: the ratings have it otherwise than its entry."
