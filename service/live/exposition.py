"""What Prometheus is told: the counts of all processes added up, and what Redis knows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from redis import Redis
from redis.exceptions import RedisError
from rq import Queue

from domain.match.scheduled_work import QUEUES
from projections import PROJECTIONS
from projections.outbox.plan import due_wishes
from projections.progress import progress
from projections.studies import STUDIES
from service.matches.container import Annals
from service.runtime.metrics_folder import lives
from service.store.redis_client import connect

EVERY = (*PROJECTIONS, *STUDIES)


class Shared:
    """Metrics that are the same whichever process is asked."""

    def __init__(self, annals: Annals) -> None:
        self._annals = annals

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """What Redis knows now; nothing while it does not answer."""
        with suppress(RedisError):
            yield from self._progress()
            yield from (self._queues(), self._work(), self._webhooks())

    def _progress(self) -> Iterator[GaugeMetricFamily]:
        store = self._annals.store
        read = GaugeMetricFamily(
            "annals_projection_position",
            "Entries of the partition's feed read",
            labels=("projection", "partition"),
        )
        behind = GaugeMetricFamily(
            "annals_projection_lag",
            "Entries of the partition's feed still to be read",
            labels=("projection", "partition"),
        )
        for name, now in progress(store.redis, store.partitions, EVERY).items():
            for partition, (position, lag) in enumerate(zip(now.positions, now.lags, strict=True)):
                read.add_metric((name, str(partition)), position)
                behind.add_metric((name, str(partition)), lag)
        yield from (read, behind)

    def _queues(self) -> GaugeMetricFamily:
        lengths = GaugeMetricFamily(
            "annals_queue_length", "Jobs that wait in a queue", labels=("queue",)
        )
        for name, length in queue_lengths(self._annals.settings.queue_url).items():
            lengths.add_metric((name,), length)
        return lengths

    def _work(self) -> GaugeMetricFamily:
        waiting = GaugeMetricFamily(
            "annals_work_waiting", "Work that is due now or later, by its queue", labels=("queue",)
        )
        for name, count in self._annals.store.work_waiting().items():
            waiting.add_metric((name,), count)
        return waiting

    def _webhooks(self) -> GaugeMetricFamily:
        store = self._annals.store
        due = due_wishes(store.redis, range(store.partitions), self._annals.now())
        return GaugeMetricFamily(
            "annals_webhooks_due", "Webhooks that have something to be sent now", len(due)
        )


class Counted:
    """What the processes that share this folder have counted."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def collect(self) -> Iterator[Metric]:
        """All their counts, added up."""
        _close_gauges_of_ended(self._folder)
        added_up = MultiProcessCollector(None, str(self._folder))  # type: ignore[no-untyped-call]  # it has no annotations
        yield from added_up.collect()  # type: ignore[no-untyped-call]  # likewise


def all_metrics(annals: Annals, folder: Path) -> CollectorRegistry:
    """All metrics of the processes that share this folder."""
    metrics = CollectorRegistry()
    metrics.register(Counted(folder))
    metrics.register(Shared(annals))
    return metrics


def _close_gauges_of_ended(folder: Path) -> None:
    """What was open in a process that was killed is open no more."""
    for pid in {int(file.stem.rpartition("_")[2]) for file in folder.glob("gauge_live*.db")}:
        if not lives(pid):
            mark_process_dead(pid, str(folder))  # type: ignore[no-untyped-call]  # likewise


def queue_lengths(url: str) -> dict[str, int]:
    """How many jobs wait in each queue: in those of matches, and in all that ever had any."""
    redis = _queue_redis(url)
    used = {queue.name for queue in Queue.all(redis)}
    names = [*QUEUES, *sorted(used.difference(QUEUES))]
    with redis.pipeline(transaction=False) as pipe:
        for name in names:
            pipe.llen(f"rq:queue:{name}")
        return dict(zip(names, pipe.execute(), strict=True))


@cache
def _queue_redis(url: str) -> Redis:
    return connect(url)
