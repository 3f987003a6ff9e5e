"""The projector process: folds all feeds into the projections, and hands out due work."""

from __future__ import annotations

import signal
import time
from collections.abc import Sequence
from threading import Event, Thread

import structlog

from projections import PROJECTIONS
from projections.core.scripts import with_single_connection
from projections.core.spaces import group_by_slot
from projections.outbox.plan import Outbox
from projections.projector import MAX_SUMMARIES, Projector
from service.channels.discord.channel_followers import match_of
from service.live.work_notifier import WorkNotifier
from service.runtime.batcher import Batcher
from service.runtime.logs import lasting_thread
from service.runtime.settings import Settings
from service.runtime.shares.cache_shares import SUMMARIES
from service.store.archive.reader import open_archive
from service.store.event_store import EventStore
from service.store.redis_client import connect
from workers.dispatch import delivery_work, talk_work
from workers.dispatch.due_work import Dispatcher, run_dispatcher
from workers.dispatch.log_once import FailureLog

BATCH_ENTRIES = 1_000
BLOCK_MS = 400
GATHER_S = 0.04
RETRY_PAUSES_S = (0.05, 2.0)  # between attempts after an error: first and maximum
STOP_S = 0.8
log = structlog.get_logger()


def main(settings: Settings, partitions: Sequence[int]) -> None:
    """Work on some partitions until a signal."""
    stop = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    threads = start_threads(settings, partitions, stop)
    stop.wait()
    until = time.monotonic() + STOP_S
    for thread in threads:
        thread.join(max(0.0, until - time.monotonic()))


def start_threads(settings: Settings, partitions: Sequence[int], stop: Event) -> list[Thread]:
    """Start the threads for these partitions and return them: one that folds (on a cluster one for
    each partition), one that hands out work, one that dispatches webhooks, and one that has old
    talk erased.
    """
    redis, queue_redis = connect(settings.events_url), connect(settings.queue_url)
    store, planned = EventStore(redis, settings.partitions, open_archive(settings)), Event()
    groups = group_by_slot(redis, partitions)
    max_summaries = SUMMARIES.max_entries(settings.cache_mb) // len(groups)
    threads = [
        lasting_thread(
            stop,
            keep_folding,
            build_projector(store, some, planned, max_summaries, settings.has_deliveries),
            Batcher(GATHER_S),
            stop,
            name="fold",
        )
        for some in groups
    ]
    dispatcher = Dispatcher(settings, store, queue_redis, partitions=partitions)
    notifier = WorkNotifier(store)
    threads.append(
        lasting_thread(stop, run_dispatcher, dispatcher, notifier, stop, name="dispatch")
    )
    deliveries = delivery_work.DeliveryDispatcher(store, queue_redis, partitions)
    send = delivery_work.run_dispatcher
    threads.append(lasting_thread(stop, send, deliveries, planned, stop, name="webhooks"))
    talk = talk_work.TalkDispatcher(store, queue_redis, partitions)
    threads.append(lasting_thread(stop, talk_work.run_dispatcher, talk, stop, name="talk"))
    for thread in threads:
        thread.start()
    return threads


def build_projector(
    store: EventStore,
    partitions: Sequence[int],
    planned: Event,
    max_summaries: int = MAX_SUMMARIES,
    has_deliveries: bool = True,
) -> Projector:
    """Return a projector for one thread; it sets `planned` when it has planned deliveries. Without
    a process that sends webhooks and mail, none are planned for these: they would only grow.
    """
    redis = with_single_connection(store.redis)
    own = EventStore(redis, store.partitions, store.archive)
    outbox = Outbox(redis, planned, lambda name: has_deliveries or match_of(name) is not None)
    return Projector(
        redis, own, partitions, PROJECTIONS, outbox=outbox, max_summaries=max_summaries
    )


def keep_folding(projector: Projector, batcher: Batcher, stop: Event) -> None:
    """Fold entries until `stop` is set."""
    pause, max_pause = RETRY_PAUSES_S
    failures = FailureLog()
    while not stop.is_set():
        started = time.monotonic()
        folded = failures.run("fold", lambda: fold_batch(projector))
        if folded is None:
            stop.wait(pause)
            pause = min(2 * pause, max_pause)
        else:
            pause = RETRY_PAUSES_S[0]
            time.sleep(batcher.pause(folded, time.monotonic() - started) if folded else 0)


def fold_batch(projector: Projector) -> int:
    """Fold the next entries and return their number; logs each corrupt match once."""
    known = set(projector.corrupt_matches)
    folded = projector.fold_next(BATCH_ENTRIES, BLOCK_MS)
    for match, error in projector.corrupt_matches.items():
        if match not in known:  # the details may be secret; `annals verify` shows them
            log.error("entry_corrupt", match=match, version=error.version)
    return folded
