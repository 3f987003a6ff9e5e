"""Rebuilds projections from the first entry, beside the live ones, and switches over."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from itertools import islice
from typing import Any

import click
from redis import Redis
from redis.lock import Lock

from domain.games import GAMES
from domain.match.log import CorruptEntry
from projections import PROJECTIONS
from projections.core.commit import Commit, commit
from projections.core.history import fold_history
from projections.core.spaces import Projection, generation_key, position_key, space_of
from projections.projector import Projector
from projections.studies import STUDIES, studies
from service.accounts.look_index import (
    LookReport,
    add_looks,
    count_names,
    find_orphans,
    free_orphans,
)
from service.runtime.settings import Settings
from service.store.archive.reader import open_archive
from service.store.event_store import EventStore
from service.store.redis_client import connect, store_errors
from workers.host.errors import CannotRun
from workers.host.redis.on_demand import running_redis
from workers.tools.helpers import helper_pool
from workers.tools.progress import show_progress
from workers.tools.running_store import read_service_settings

LOOKS = "looks"
"""The name of the keys that a name has for each of its looks."""
BATCH_ENTRIES = 500
SCAN_COUNT = 1_000
LOCK_S = 60
ALL_PROJECTIONS = (*PROJECTIONS, *STUDIES)
PARALLEL_FROM_ENTRIES = 10_000
"""With fewer entries, folding takes less time than starting processes."""

Task = tuple[Settings, int, Sequence[str], int]
"""Settings, a partition, the names of projections, and the generation to fold."""


@click.command()
@click.option("--dry-run", is_flag=True, help="With `looks`: say what would change.")
@click.argument(
    "name", required=False, type=click.Choice([*(one.name for one in ALL_PROJECTIONS), LOOKS])
)
def rebuild(name: str | None, *, dry_run: bool) -> None:
    """Rebuild one projection, or all of them, while the service runs; or complete the keys by which
    names look, and free those that belong to no name.
    """
    if dry_run and name != LOOKS:
        raise click.UsageError("`--dry-run` works with `looks` only.")
    settings = read_service_settings(os.environ)
    with running_redis(settings):
        if chosen := [one for one in ALL_PROJECTIONS if name in (None, one.name)]:
            _rebuild_chosen(settings, chosen)
        if name in (None, LOOKS):
            repair_looks(settings, dry_run=dry_run)


def _rebuild_chosen(settings: Settings, chosen: Sequence[Projection]) -> None:
    entries, corrupt = rebuild_projections(settings, chosen)
    names = ", ".join(one.name for one in chosen)
    click.echo(f"{names}: {entries} entries folded again")
    for match, error in corrupt.items():
        click.echo(f"{match}: {error} It keeps its earlier state.")


def repair_looks(settings: Settings, *, dry_run: bool) -> None:
    """Free the keys of names that nobody has, give names the keys of their looks that they lack,
    and print what changed and which look alike. A dry run only prints the keys that it would free.
    """
    report = LookReport()
    with store_errors(), closing(connect(settings.events_url)) as redis:
        orphans = [*find_orphans(redis)]
        for orphan in orphans if dry_run else free_orphans(redis, orphans):
            click.echo(f"{orphan} {'It would be' if dry_run else 'It is'} free.")
        if dry_run:
            click.echo(f"{LOOKS}: {len(orphans)} keys would be freed. Nothing has changed.")
            return
        total = count_names(redis)
        count = sum(1 for _ in show_progress("names", add_looks(redis, report), total))
    click.echo(f"{LOOKS}: {count} names read, {report.added} keys added")
    for alike in report.alike:
        click.echo(alike)


def rebuild_projections(
    settings: Settings, chosen: Sequence[Projection], parallel_from: int = PARALLEL_FROM_ENTRIES
) -> tuple[int, Mapping[str, CorruptEntry]]:
    """Replace projections by ones folded from the first entry; uses all processors if there are
    more than `few` entries.

    Returns the number of entries, and the matches that could not be read to their end, with the
    reason. The old projections stay live until the new ones are complete.
    """
    redis = connect(settings.events_url)
    store = EventStore(redis, settings.partitions, open_archive(settings))
    chosen = _projections_of(store, {one.name for one in chosen})
    entries = sum(store.feed_length(partition) for partition in range(store.partitions))
    with rebuild_lock(redis) as lock:
        delete_dead_generations(redis, store, chosen)
        generation = 1 + max(
            max(_live_generations(redis, n, chosen)) for n in range(store.partitions)
        )
        processes = 1 if entries < parallel_from else min(os.cpu_count() or 1, store.partitions)
        corrupt = _fold_all(settings, chosen, generation, processes, lock)
        for partition in range(store.partitions):
            _switch(redis, store, partition, chosen, generation)
        delete_dead_generations(redis, store, chosen)
    return entries, corrupt


def _projections_of(store: EventStore, names: Collection[str]) -> list[Projection]:
    """Return the projections of these names, with the functions that fold them from this store."""
    every = (*PROJECTIONS, *studies(GAMES, store.read))
    return [one for one in every if one.name in names]


@contextmanager
def rebuild_lock(redis: Redis) -> Iterator[Lock]:
    """Hold the lock of rebuilds. Raises CannotRun if another process holds it."""
    lock = redis.lock("annals:rebuilding", timeout=LOCK_S)
    if not lock.acquire(blocking=False):
        raise CannotRun(
            "Another process is rebuilding projections. If it was interrupted, try again in"
            f" {LOCK_S} seconds."
        )
    try:
        yield lock
    finally:
        lock.release()


def delete_dead_generations(redis: Redis, store: EventStore, chosen: Sequence[Projection]) -> None:
    """Delete all generations of these projections that are not live."""
    read = {
        space_of(partition, one, number).encode()
        for partition in range(store.partitions)
        for one, number in zip(chosen, _live_generations(redis, partition, chosen), strict=True)
    }
    for one in chosen:
        keys = redis.scan_iter(match=f"{{p*}}:rm:{one.key}:*", count=SCAN_COUNT)
        unread = (key for key in keys if b":".join(key.split(b":", 5)[:5]) not in read)
        while some := list(islice(unread, SCAN_COUNT)):
            with redis.pipeline(transaction=False) as pipe:
                for key in some:
                    pipe.unlink(key)
                pipe.execute()


def _live_generations(redis: Redis, partition: int, chosen: Sequence[Projection]) -> list[int]:
    """Return the live generations of a partition."""
    found: Any = redis.mget([generation_key(partition, one) for one in chosen])
    return [int(number or 0) for number in found]


def _fold_all(
    settings: Settings, chosen: Sequence[Projection], generation: int, processes: int, lock: Lock
) -> Mapping[str, CorruptEntry]:
    """Fold a generation of all partitions and show the progress; returns the corrupt matches."""
    names = [one.name for one in chosen]
    tasks = [(settings, partition, names, generation) for partition in range(settings.partitions)]
    corrupt: dict[str, CorruptEntry] = {}
    folded = _in_processes(tasks, processes, lock) if processes > 1 else map(_fold, tasks)
    for unread in show_progress("partitions", folded, len(tasks)):
        corrupt |= unread
        lock.reacquire()
    return corrupt


def _in_processes(
    tasks: Sequence[Task], processes: int, lock: Lock
) -> Iterator[Mapping[str, CorruptEntry]]:
    """Yield the results of the tasks as they finish. Raises CannotRun if a process is killed."""
    with helper_pool(processes) as pool:
        try:
            left = {pool.submit(_fold, task) for task in tasks}
            while left:
                done, left = wait(left, LOCK_S / 4, FIRST_COMPLETED)
                lock.reacquire()
                yield from (one.result() for one in done)
        except BrokenProcessPool:
            raise CannotRun(
                "A helper process was killed, perhaps because memory ran out. The projections have"
                " not changed: try again."
            ) from None


def _fold(task: Task) -> Mapping[str, CorruptEntry]:
    """Fold a generation of one partition up to the end of its feed."""
    settings, partition, names, generation = task
    redis = connect(settings.events_url)
    store = EventStore(redis, settings.partitions, open_archive(settings))
    chosen = _projections_of(store, names)
    corrupt = fold_history(redis, store, partition, chosen, generation)
    projector = Projector(redis, store, [partition], chosen, generation)
    while projector.fold_next(BATCH_ENTRIES):
        pass
    redis.close()
    return {**projector.corrupt_matches, **corrupt}


def _switch(
    redis: Redis, store: EventStore, partition: int, chosen: Sequence[Projection], generation: int
) -> None:
    """Make a generation live once it has folded as far as the live one."""
    projector = Projector(redis, store, [partition], chosen, generation)
    while projector.fold_next(BATCH_ENTRIES) or not _try_switch(
        redis, partition, chosen, generation
    ):
        pass


def _try_switch(
    redis: Redis, partition: int, chosen: Sequence[Projection], generation: int
) -> bool:
    """Try to make a generation live; False if the live one is further or has just changed."""
    live = _live_generations(redis, partition, chosen)
    pointers = [generation_key(partition, one) for one in chosen]
    old_keys, new_keys = (
        [
            position_key(space_of(partition, one, number))
            for one, number in zip(chosen, of, strict=True)
        ]
        for of in (live, [generation] * len(live))
    )
    found: Any = redis.mget([*old_keys, *new_keys])
    at = [int(position or 0) for position in found]
    if any(new < old for old, new in zip(at, at[len(old_keys) :], strict=False)):
        return False
    known = dict(zip([*pointers, *old_keys, *new_keys], [*live, *at], strict=True))
    words = [word for pointer in pointers for word in (pointer, generation)]
    return commit(redis, [Commit(known, [("MSET", *words)])]) == [True]
