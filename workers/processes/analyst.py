"""The analyst process: folds statistics and the explorer, and makes the requested analyses.

No move waits for any of this, so it is a separate process with the lowest priority.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from threading import Event, Thread
from time import monotonic

from redis import Redis

from domain.analysis.analysis import Analysis
from domain.analysis.analysis import analyse as analysed
from projections.analyses import read_analysis, store_analysis
from projections.core.scripts import with_single_connection
from projections.core.spaces import Change, Command, Projection, group_by_slot
from projections.projector import Projector
from projections.studies import studies
from service.matches.analyses import QUEUE_NAME, Analyses, delete_progress, store_progress
from service.matches.container import Annals, open_annals
from service.runtime.batcher import Batcher
from service.runtime.errors import AnalystBusy
from service.runtime.logs import lasting_thread
from service.runtime.settings import Settings, read_settings
from service.runtime.shares.cache_shares import SUMMARIES
from service.store.event_store import EventStore
from service.store.redis_client import connect
from workers.processes.projector import keep_folding as keep_folding
from workers.processes.worker import main as work

NICE = 19
"""Niceness of the process: all other work comes first."""
GATHER_S = 0.2
"""How long entries are collected; waking up for each one would slow down moves."""
PROGRESS_INTERVAL_S = 0.5
"""How often the progress of an analysis is published."""


def main(settings: Settings, partitions: Sequence[int]) -> None:
    """Fold some partitions and make analyses until a signal."""
    os.nice(NICE)
    stop = Event()
    for thread in build_threads(settings, partitions, stop):
        thread.start()
    work(settings, [QUEUE_NAME])
    stop.set()


def build_threads(settings: Settings, partitions: Sequence[int], stop: Event) -> list[Thread]:
    """Threads that fold statistics and the explorer of some partitions until `stop` is set; on a
    cluster one for each partition.
    """
    annals = open_annals(settings)
    groups = group_by_slot(annals.store.redis, partitions)
    most = SUMMARIES.max_entries(settings.cache_mb) // len(groups)
    return [
        lasting_thread(stop, _fold_partitions, annals, some, most, stop, name="study")
        for some in groups
    ]


def _fold_partitions(
    annals: Annals, partitions: Sequence[int], max_summaries: int, stop: Event
) -> None:
    redis = with_single_connection(annals.store.redis)
    store = EventStore(redis, annals.store.partitions, annals.store.archive)
    projections = [*studies(annals.games, store.read), *automatic_analyses(annals)]
    batcher = Batcher(GATHER_S, busy=0)
    projector = Projector(redis, store, partitions, projections, max_summaries=max_summaries)
    keep_folding(projector, batcher, stop)


def automatic_analyses(annals: Annals) -> list[Projection]:
    """Return a projection that requests analyses of matches when they are scored, if
    ANNALS_ANALYSIS says so.

    It stores only its position.
    """
    scope, queue_redis = annals.settings.analysis_scope, connect(annals.settings.queue_url)
    analyses = Analyses(annals.store, lambda: queue_redis)

    def ask(_space: str, changes: Sequence[Change]) -> Iterator[Command]:
        for change in changes:
            game = annals.games.get(change.after.game)  # a store may have unknown games
            if game and _is_wanted(change, scope):
                with suppress(AnalystBusy):  # skip the match if too many analyses wait
                    analyses.request(game, change.after.id)
        return iter(())

    return [] if scope == "requested" else [Projection("analyses", 1, ask)]


def _is_wanted(change: Change, scope: str) -> bool:
    """Return whether a match was scored by this change and is to be analysed."""
    match = change.after
    is_new = match.status == "scored" and (change.before is None or change.before.result is None)
    return is_new and match.visibility == "public" and (scope == "all" or bool(match.holders))


def analyse(match_id: str) -> None:
    """Make the analysis of a match and store it; a job."""
    annals, queue_redis = _annals(), _queue()

    def tell(done: int, of: int) -> None:
        store_progress(queue_redis, match_id, done, of)

    tell(0, 0)
    try:
        make_analysis(annals, match_id, _throttle(tell))
    finally:
        delete_progress(queue_redis, match_id)


def make_analysis(
    annals: Annals, match_id: str, report: Callable[[int, int], None]
) -> Analysis | None:
    """Return the stored analysis of a match; it is made and stored if there is none. None if the
    match is not scored.

    Calls `report` with the number of finished decisions and of all decisions. Raises CorruptEntry.
    """
    store = annals.store
    match = annals.matches.latest(match_id)
    if match.status != "scored":
        return None
    partition = store.partition_of(match_id)
    found = read_analysis(store.redis, partition, match.game, match_id)
    if found is None:
        found = analysed(match.game, store.read(match_id), report)
        store_analysis(store.redis, partition, match.game, found)
    return found


def _throttle(report: Callable[[int, int], None]) -> Callable[[int, int], None]:
    """Return the function, limited to one call in PROGRESS_INTERVAL_S."""
    last = monotonic()

    def seldom(done: int, of: int) -> None:
        nonlocal last
        if monotonic() - last >= PROGRESS_INTERVAL_S:
            last = monotonic()
            report(done, of)

    return seldom


@cache
def _annals() -> Annals:
    return open_annals(read_settings(os.environ))


@cache
def _queue() -> Redis:
    return connect(_annals().settings.queue_url)
