"""The analyst: folds statistics and the explorer, and makes the analyses that are wanted.

All of it is work that nobody waits for with a move, so it is done in a process apart, at the
lowest priority.
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
from projections.analyses import analysis_of, keep_analysis
from projections.core.scripts import for_one_thread
from projections.core.spaces import Change, Command, Projection, together
from projections.projector import Projector
from projections.studies import studies
from service.matches.analyses import QUEUE, Analyses, end_progress, tell_progress
from service.matches.container import Annals, open_annals
from service.runtime.batcher import Pace
from service.runtime.errors import AnalystBusy
from service.runtime.settings import Settings, read_settings
from service.store.event_store import Store
from service.store.redis_client import connect
from workers.processes.projector import work as keep_folding
from workers.processes.worker import main as work

NICE = 19
"""The priority: whatever else there is to do comes first."""
GATHER_S = 0.2
"""How long entries gather: to be woken by each costs the moves beside it more than it helps."""
TELL_S = 0.5
"""How often it is told how far an analysis is."""


def main(settings: Settings, partitions: Sequence[int]) -> None:
    """Fold some partitions, and make analyses, until told to stop."""
    os.nice(NICE)
    stop = Event()
    for thread in folding(settings, partitions, stop):
        thread.start()
    work(settings, [QUEUE])
    stop.set()


def folding(settings: Settings, partitions: Sequence[int], stop: Event) -> list[Thread]:
    """Threads that fold statistics and the explorer of some partitions until told to stop; on a
    cluster one for each of them.
    """
    annals = open_annals(settings)
    return [
        Thread(target=_fold, args=(annals, some, stop), daemon=True, name="study")
        for some in together(annals.store.redis, partitions)
    ]


def _fold(annals: Annals, partitions: Sequence[int], stop: Event) -> None:
    redis = for_one_thread(annals.store.redis)
    store = Store(redis, annals.store.partitions, annals.store.archive)
    folded = [*studies(annals.games, store.read), *unasked(annals)]
    pace = Pace(GATHER_S, busy=0)
    keep_folding(Projector(redis, store, partitions, folded), pace, stop)


def unasked(annals: Annals) -> list[Projection]:
    """What asks for the analyses of matches that have just been scored, as far as the settings want
    it. It writes down nothing but how far it has read.
    """
    wanted, queue_redis = annals.settings.analyse, connect(annals.settings.queue_url)
    analyses = Analyses(annals.store, lambda: queue_redis)

    def ask(_space: str, changes: Sequence[Change]) -> Iterator[Command]:
        for change in changes:
            game = annals.games.get(change.after.game)  # a store may have games of other programs
            if game and _is_wanted(change, wanted):
                with suppress(AnalystBusy):  # more than it can do: those are left out
                    analyses.want(game, change.after.id)
        return iter(())

    return [] if wanted == "asked" else [Projection("analyses", 1, ask)]


def _is_wanted(change: Change, wanted: str) -> bool:
    """Whether a match that was scored now is to be analysed."""
    match = change.after
    is_new = match.status == "scored" and (change.before is None or change.before.result is None)
    return is_new and match.visibility == "public" and (wanted == "all" or bool(match.holders))


def analyse(match_id: str) -> None:
    """Make the analysis of a match, and keep it; a job."""
    annals, queue_redis = _annals(), _queue()

    def tell(done: int, of: int) -> None:
        tell_progress(queue_redis, match_id, done, of)

    tell(0, 0)
    try:
        analysis(annals, match_id, _now_and_then(tell))
    finally:
        end_progress(queue_redis, match_id)


def analysis(annals: Annals, match_id: str, tell: Callable[[int, int], None]) -> Analysis | None:
    """The analysis of a match, made and kept unless there is one; None if it is not scored.
    `tell` is told how many decisions of how many are done. Damaged if the match cannot be read.
    """
    store = annals.store
    match = annals.matches.latest(match_id)
    if match.status != "scored":
        return None
    partition = store.partition_of(match_id)
    found = analysis_of(store.redis, partition, match.game, match_id)
    if found is None:
        found = analysed(match.game, store.read(match_id), tell)
        keep_analysis(store.redis, partition, match.game, found)
    return found


def _now_and_then(tell: Callable[[int, int], None]) -> Callable[[int, int], None]:
    """The same, but no oftener than makes sense."""
    last = monotonic()

    def seldom(done: int, of: int) -> None:
        nonlocal last
        if monotonic() - last >= TELL_S:
            last = monotonic()
            tell(done, of)

    return seldom


@cache
def _annals() -> Annals:
    return open_annals(read_settings(os.environ))


@cache
def _queue() -> Redis:
    return connect(_annals().settings.queue_url)
