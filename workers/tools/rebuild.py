"""Rebuild projections from the first entry, beside the ones that are read, and switch over."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping

import click
from redis import Redis
from redis.exceptions import WatchError
from redis.lock import Lock

from domain.match.log import Damaged
from projections import PROJECTIONS
from projections.partition_projector import PartitionProjector
from projections.spaces import Projection, checkpoint, live_key, space_of
from service.settings import read_settings
from service.store import Store, connect
from workers.host.errors import CannotRun
from workers.host.redis_up import redis_up

BATCH = 500
LOCK_S = 120  # longer than one partition takes
GRACE_S = 1.0  # a query that began before the switch may read the old generation this long


@click.command()
@click.argument("name", required=False, type=click.Choice([one.name for one in PROJECTIONS]))
def rebuild(name: str | None) -> None:
    """Rebuild one projection, or all of them, and switch over; nothing has to be stopped."""
    settings = read_settings(os.environ)
    with redis_up(settings):
        redis = connect(settings.events_url)
        _rebuild(redis, Store(redis, settings.partitions), name)


def _rebuild(redis: Redis, store: Store, name: str | None) -> None:
    for projection in PROJECTIONS:
        if name in (None, projection.name):
            entries, damaged = fold_anew(redis, store, projection)
            click.echo(f"{projection.name}: {entries} entries folded anew")
            for match, damage in damaged.items():
                click.echo(f"{match}: {damage} {projection.name} has it as it was before.")


def fold_anew(
    redis: Redis, store: Store, projection: Projection, grace_s: float = GRACE_S
) -> tuple[int, Mapping[str, Damaged]]:
    """Replace a projection by one folded from the first entry; how many entries there were, and the
    matches that could not be read to their end, with the reason.
    """
    lock = rebuilding(redis, projection)
    if not lock.acquire(blocking=False):
        raise CannotRun(
            f"The projection {projection.name} is being rebuilt already; if that was"
            f" interrupted, try again in {LOCK_S} seconds."
        )
    try:
        olds: list[str] = []
        damaged: dict[str, Damaged] = {}
        for partition in range(store.partitions):
            old, unread = _fold_partition(redis, store, partition, projection)
            olds.append(old)
            damaged |= unread
            lock.reacquire()
        time.sleep(grace_s)
        for space in olds:
            forget(redis, space)
    finally:
        lock.release()
    return sum(store.feed_length(partition) for partition in range(store.partitions)), damaged


def rebuilding(redis: Redis, projection: Projection) -> Lock:
    """The lock of whoever folds a projection beside the one that is read."""
    lock: Lock = redis.lock(f"annals:rebuilding:{projection.key}", timeout=LOCK_S)
    return lock


def _fold_partition(
    redis: Redis, store: Store, partition: int, projection: Projection
) -> tuple[str, Mapping[str, Damaged]]:
    """Fold one partition and switch over; the space that was live before, and what is damaged."""
    live = int(redis.get(live_key(partition, projection)) or 0)
    old, new = (space_of(partition, projection, n) for n in (live, live + 1))
    forget(redis, new)  # what an interrupted rebuild may have left
    projector = PartitionProjector(redis, store, partition, [projection], live + 1)
    while projector.fold_next(BATCH) or not _switched(redis, partition, projection, live + 1):
        pass
    return old, projector.damaged


def _switched(redis: Redis, partition: int, projection: Projection, generation: int) -> bool:
    """Let a generation be read, unless what is live has read further or changes just now."""
    pointer = live_key(partition, projection)
    old, new = (
        checkpoint(space_of(partition, projection, n)) for n in (generation - 1, generation)
    )
    with redis.pipeline(transaction=True) as pipe:
        pipe.watch(pointer, old, new)  # type: ignore[no-untyped-call]
        live, anew = (int(position or 0) for position in redis.mget([old, new]))
        if anew < live:
            return False
        pipe.multi()
        pipe.set(pointer, generation)
        try:
            pipe.execute()
        except WatchError:
            return False
    return True


def forget(redis: Redis, space: str) -> None:
    """Delete all keys of a space."""
    for key in redis.scan_iter(match=f"{space}:*", count=BATCH):
        redis.unlink(key)
