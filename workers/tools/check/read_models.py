"""Checks projections and ratings against the entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import MsgspecError
from redis import Redis

from projections import PROJECTIONS
from projections.core.spaces import Projection, generation_key, position_key, space_of
from projections.lists.matches import get
from projections.projector import Projector
from service import ratings
from service.store.event_store import EventStore
from service.store.redis_client import store_errors
from workers.host.errors import CannotRun
from workers.tools.rebuild import BATCH_ENTRIES, delete_dead_generations, rebuild_lock

MAX_ATTEMPTS = 20
"""How often two spaces are compared, until the live one does not move on meanwhile."""


def find_projection_faults(store: EventStore) -> Iterator[str]:
    """Sentences about faults of projections; each is folded again beside the live one, up to its
    position.
    """
    try:
        with store_errors(), rebuild_lock(store.redis) as lock:
            delete_dead_generations(store.redis, store, PROJECTIONS)
            for partition in range(store.partitions):
                for projection in PROJECTIONS:
                    yield from _check_space(store, partition, projection)
                    lock.reacquire()
            delete_dead_generations(store.redis, store, PROJECTIONS)
    except CannotRun as error:
        yield str(error)


def _check_space(store: EventStore, partition: int, projection: Projection) -> Iterator[str]:
    redis = store.redis
    generation = int(redis.get(generation_key(partition, projection)) or 0)
    live, rebuilt = (space_of(partition, projection, n) for n in (generation, generation + 1))
    projector = Projector(redis, store, [partition], [projection], generation + 1)
    for _ in range(MAX_ATTEMPTS):
        reached = _position(redis, live)
        if reached > store.feed_length(partition):
            yield f"{projection.name} of partition {partition} is ahead of its feed."
            return
        while (left := reached - _position(redis, rebuilt)) > 0:
            projector.fold_next(min(BATCH_ENTRIES, left))
        found, expected = read_space(redis, live), read_space(redis, rebuilt)
        if _position(redis, live) != reached:
            continue
        if not projector.corrupt_matches:
            yield from _differences(projection, partition, found, expected)
        elif found != expected:
            yield (
                f"{projection.name} of partition {partition} cannot be checked"
                f" while {', '.join(projector.corrupt_matches)} cannot be read."
            )
        return


def _position(redis: Redis, space: str) -> int:
    return int(redis.get(position_key(space)) or 0)


def _differences(
    projection: Projection, partition: int, found: dict[str, Any], expected: dict[str, Any]
) -> Iterator[str]:
    for key in sorted(found.keys() | expected.keys()):
        if found.get(key) != expected.get(key):
            yield (
                f"{projection.name} of partition {partition}: {key} does not match the entries;"
                f" `annals rebuild {projection.name}` rebuilds it."
            )


def read_space(redis: Redis, space: str) -> dict[str, Any]:
    """Return the content of a space, by the ends of the names of its keys."""
    found: dict[str, Any] = {}
    for key in redis.scan_iter(f"{space}:*", count=BATCH_ENTRIES):
        match redis.type(key):
            case b"hash":
                value: Any = redis.hgetall(key)
            case b"zset":
                value = redis.zrange(key, 0, -1, withscores=True)
            case b"stream":
                value = redis.xrevrange(key, count=1)  # its start is trimmed approximately
            case _:
                value = redis.get(key)
        found[key.decode(errors="replace").removeprefix(f"{space}:")] = value
    return found


def find_rating_faults(store: EventStore, games: Iterable[str]) -> Iterator[str]:
    """Sentences about faults of ratings: current ratings follow from the last match of each
    competitor, and entries have what each match did to the ratings.
    """
    done: dict[str, Mapping[str, ratings.Outcome]] = {}
    with store_errors():
        for game in games:
            try:
                done[game] = ratings.outcomes(store.redis, game)
                astray = ratings.find_inconsistent(store.redis, game)
            except MsgspecError:
                yield f"the ratings of {game} are corrupt."
                continue
            for who in astray:
                yield f"the rating of {who} in {game} does not match their last match."
        for match in store.match_ids():
            yield from _check_outcome(store, match, done)


def _check_outcome(
    store: EventStore, match: str, done: Mapping[str, Mapping[str, ratings.Outcome]]
) -> Iterator[str]:
    try:
        summary = get(store.redis, store.partition_of(match), match)
    except MsgspecError:  # the check of that projection reports it
        return
    if summary and summary.ratings and summary.game in done:
        outcome = done[summary.game].get(match)
        if outcome is None or outcome.changes != summary.ratings:
            yield f"{match}: the ratings do not match its entry."
