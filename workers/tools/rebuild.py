"""Rebuild projections from the first entry, beside the ones that are read, and switch over."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from typing import Any

import click
from redis import Redis
from redis.lock import Lock

from domain.games import GAMES
from domain.match.log import Damaged
from projections import PROJECTIONS
from projections.core.commit import Commit, commit
from projections.core.history import fold_history
from projections.core.spaces import Projection, checkpoint, live_key, space_of
from projections.projector import Projector
from projections.studies import STUDIES, studies
from service.runtime.settings import Settings, read_settings
from service.store.archive.reader import archive_of
from service.store.event_store import Store
from service.store.redis_client import connect
from workers.host.errors import CannotRun
from workers.host.redis_up import redis_up
from workers.tools.helpers import helpers
from workers.tools.progress import counted

BATCH = 500
SCANNED = 1_000
LOCK_S = 60
EVERY = (*PROJECTIONS, *STUDIES)
FEW = 10_000
"""Entries that are folded sooner than processes for them have started."""

Task = tuple[Settings, int, Sequence[str], int]
"""A partition of a store, and which projections to fold into which generation."""


@click.command()
@click.argument("name", required=False, type=click.Choice([one.name for one in EVERY]))
def rebuild(name: str | None) -> None:
    """Rebuild one projection, or all of them, and switch over; nothing has to be stopped."""
    settings = read_settings(os.environ)
    chosen = [one for one in EVERY if name in (None, one.name)]
    with redis_up(settings):
        entries, damaged = fold_anew(settings, chosen)
    names = ", ".join(one.name for one in chosen)
    click.echo(f"{names}: {entries} entries folded anew")
    for match, damage in damaged.items():
        click.echo(f"{match}: {damage} It is there as it was before.")


def fold_anew(
    settings: Settings, chosen: Sequence[Projection], few: int = FEW
) -> tuple[int, Mapping[str, Damaged]]:
    """Replace projections by ones folded from the first entry, on all processors unless there are
    but a few entries; how many entries there are, and the matches that could not be read to their
    end, with the reason. Until all of it is whole, the old ones are read.
    """
    redis = connect(settings.events_url)
    store = Store(redis, settings.partitions, archive_of(settings))
    chosen = _of(store, {one.name for one in chosen})
    entries = sum(store.feed_length(partition) for partition in range(store.partitions))
    with alone(redis) as lock:
        forget_unread(redis, store, chosen)
        generation = 1 + max(max(_live(redis, n, chosen)) for n in range(store.partitions))
        processes = 1 if entries < few else min(os.cpu_count() or 1, store.partitions)
        damaged = _fold_all(settings, chosen, generation, processes, lock)
        for partition in range(store.partitions):
            _switch(redis, store, partition, chosen, generation)
        forget_unread(redis, store, chosen)
    return entries, damaged


def _of(store: Store, names: Collection[str]) -> list[Projection]:
    """The projections of these names, as they are folded from this store."""
    every = (*PROJECTIONS, *studies(GAMES, store.read))
    return [one for one in every if one.name in names]


@contextmanager
def alone(redis: Redis) -> Iterator[Lock]:
    """Fold projections beside the ones that are read while nobody else does; CannotRun."""
    lock = redis.lock("annals:rebuilding", timeout=LOCK_S)
    if not lock.acquire(blocking=False):
        raise CannotRun(
            "The projections are being rebuilt already; if that was interrupted, try again in"
            f" {LOCK_S} seconds."
        )
    try:
        yield lock
    finally:
        lock.release()


def forget_unread(redis: Redis, store: Store, chosen: Sequence[Projection]) -> None:
    """Delete all generations of projections that are not read: replaced, or never finished."""
    read = {
        space_of(partition, one, number).encode()
        for partition in range(store.partitions)
        for one, number in zip(chosen, _live(redis, partition, chosen), strict=True)
    }
    for one in chosen:
        keys = redis.scan_iter(match=f"{{p*}}:rm:{one.key}:*", count=SCANNED)
        unread = (key for key in keys if b":".join(key.split(b":", 5)[:5]) not in read)
        while some := list(islice(unread, SCANNED)):
            with redis.pipeline(transaction=False) as pipe:
                for key in some:
                    pipe.unlink(key)
                pipe.execute()


def _live(redis: Redis, partition: int, chosen: Sequence[Projection]) -> list[int]:
    """The generations of a partition that are read."""
    found: Any = redis.mget([live_key(partition, one) for one in chosen])
    return [int(number or 0) for number in found]


def _fold_all(
    settings: Settings, chosen: Sequence[Projection], generation: int, processes: int, lock: Lock
) -> Mapping[str, Damaged]:
    """Fold a generation of all partitions, and tell how far that is; what is damaged."""
    names = [one.name for one in chosen]
    tasks = [(settings, partition, names, generation) for partition in range(settings.partitions)]
    damaged: dict[str, Damaged] = {}
    folded = _in_processes(tasks, processes, lock) if processes > 1 else map(_fold, tasks)
    for unread in counted("partitions", folded, len(tasks)):
        damaged |= unread
        lock.reacquire()
    return damaged


def _in_processes(
    tasks: Sequence[Task], processes: int, lock: Lock
) -> Iterator[Mapping[str, Damaged]]:
    """What the tasks give, as they are done; CannotRun if one of the processes is ended."""
    with helpers(processes) as pool:
        try:
            left = {pool.submit(_fold, task) for task in tasks}
            while left:
                done, left = wait(left, LOCK_S / 4, FIRST_COMPLETED)
                lock.reacquire()
                yield from (one.result() for one in done)
        except BrokenProcessPool:
            raise CannotRun(
                "A process that folded was ended, perhaps for want of memory. The projections are"
                " as they were: try again."
            ) from None
        finally:
            pool.shutdown(cancel_futures=True)


def _fold(task: Task) -> Mapping[str, Damaged]:
    """Fold a generation of one partition up to now."""
    settings, partition, names, generation = task
    redis = connect(settings.events_url)
    store = Store(redis, settings.partitions, archive_of(settings))
    chosen = _of(store, names)
    damaged = fold_history(redis, store, partition, chosen, generation)
    projector = Projector(redis, store, [partition], chosen, generation)
    while projector.fold_next(BATCH):
        pass
    redis.close()
    return {**projector.damaged, **damaged}


def _switch(
    redis: Redis, store: Store, partition: int, chosen: Sequence[Projection], generation: int
) -> None:
    """Let a generation be read once it has read as far as the one that is read now."""
    projector = Projector(redis, store, [partition], chosen, generation)
    while projector.fold_next(BATCH) or not _switched(redis, partition, chosen, generation):
        pass


def _switched(redis: Redis, partition: int, chosen: Sequence[Projection], generation: int) -> bool:
    """Let a generation be read, unless what is live has read further or changes just now."""
    live = _live(redis, partition, chosen)
    pointers = [live_key(partition, one) for one in chosen]
    olds, news = (
        [
            checkpoint(space_of(partition, one, number))
            for one, number in zip(chosen, of, strict=True)
        ]
        for of in (live, [generation] * len(live))
    )
    found: Any = redis.mget([*olds, *news])
    at = [int(position or 0) for position in found]
    if any(new < old for old, new in zip(at, at[len(olds) :], strict=False)):
        return False
    known = dict(zip([*pointers, *olds, *news], [*live, *at], strict=True))
    words = [word for pointer in pointers for word in (pointer, generation)]
    return commit(redis, [Commit(known, [("MSET", *words)])]) == [True]
