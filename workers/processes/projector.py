"""The projector: folds every feed into the projections, and hands out the work that is due."""

from __future__ import annotations

import signal
import time
from collections.abc import Sequence
from threading import Event, Thread

import structlog

from projections import PROJECTIONS
from projections.core.scripts import for_one_thread
from projections.core.spaces import together
from projections.outbox.plan import Outbox
from projections.projector import Projector
from service.live.work_notifier import Bell
from service.runtime.batcher import Pace
from service.runtime.settings import Settings
from service.store.archive.reader import archive_of
from service.store.event_store import Store
from service.store.redis_client import connect
from workers.dispatch import delivery_work
from workers.dispatch.due_work import Dispatcher, keep_handing_out
from workers.dispatch.log_once import Trouble

BATCH = 1_000
BLOCK_MS = 400
GATHER_S = 0.04
PATIENCE_S = (0.05, 2.0)  # between tries when something does not work: at first, at most
STOP_S = 0.8
log = structlog.get_logger()


def main(settings: Settings, partitions: Sequence[int]) -> None:
    """Work on some partitions until told to stop."""
    stop = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    threads = start(settings, partitions, stop)
    stop.wait()
    until = time.monotonic() + STOP_S
    for thread in threads:
        thread.join(max(0.0, until - time.monotonic()))


def start(settings: Settings, partitions: Sequence[int], stop: Event) -> list[Thread]:
    """A thread that folds some partitions, on a cluster one for each of them, one that hands out
    their work, and one that hands out their webhooks.
    """
    redis, queue_redis = connect(settings.events_url), connect(settings.queue_url)
    store, planned = Store(redis, settings.partitions, archive_of(settings)), Event()
    threads = [
        Thread(
            target=work,
            args=(_projector(store, some, planned), Pace(GATHER_S), stop),
            daemon=True,
            name="fold",
        )
        for some in together(redis, partitions)
    ]
    dispatcher = Dispatcher(settings, store, queue_redis, partitions=partitions)
    threads.append(
        Thread(
            target=keep_handing_out,
            args=(dispatcher, Bell(store), stop),
            daemon=True,
            name="dispatch",
        )
    )
    mail = delivery_work.Dispatcher(store, queue_redis, partitions)
    threads.append(
        Thread(
            target=delivery_work.keep_handing_out,
            args=(mail, planned, stop),
            daemon=True,
            name="webhooks",
        )
    )
    for thread in threads:
        thread.start()
    return threads


def _projector(store: Store, partitions: Sequence[int], planned: Event) -> Projector:
    """A projector for a thread of its own, which says when anything is planned."""
    redis = for_one_thread(store.redis)
    own, outbox = Store(redis, store.partitions, store.archive), Outbox(redis, planned)
    return Projector(redis, own, partitions, PROJECTIONS, outbox=outbox)


def work(projector: Projector, pace: Pace, stop: Event) -> None:
    """Fold what comes until told to stop."""
    patience, most = PATIENCE_S
    trouble = Trouble()
    while not stop.is_set():
        begin = time.monotonic()
        folded = trouble.tried("fold", lambda: fold(projector))
        if folded is None:
            stop.wait(patience)
            patience = min(2 * patience, most)
        else:
            patience = PATIENCE_S[0]
            time.sleep(pace.pause(folded, time.monotonic() - begin) if folded else 0)


def fold(projector: Projector) -> int:
    """How many entries were folded; a match that cannot be read any further is told once."""
    known = set(projector.damaged)
    folded = projector.fold_next(BATCH, BLOCK_MS)
    for match in projector.damaged.keys() - known:
        log.error("damaged", match=match)  # what it is may be a secret: `annals verify` tells
    return folded
