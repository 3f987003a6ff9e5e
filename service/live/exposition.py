"""Metrics for Prometheus: sums over all processes, and numbers from Redis."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import mark_process_dead
from redis import Redis
from rq import Queue

from domain.match.scheduled_work import QUEUES
from projections import PROJECTIONS
from projections.outbox.due import due_subscriptions
from projections.progress import read_progress
from projections.studies import STUDIES
from service.matches.container import Annals
from service.runtime.errors import REDIS_ERRORS
from service.runtime.metrics import collect_metrics
from service.runtime.metrics_folder import is_running
from service.store.backup_state import read_state
from service.store.redis_client import connect

ALL_PROJECTIONS = (*PROJECTIONS, *STUDIES)


class RedisMetrics:
    """Metrics from Redis, equal in all processes."""

    def __init__(self, annals: Annals) -> None:
        self._annals = annals

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the current numbers; none while Redis does not answer."""
        with suppress(*REDIS_ERRORS):
            yield from self._progress()
            yield from (self._queues(), self._work(), self._webhooks())

    def _progress(self) -> Iterator[GaugeMetricFamily]:
        store = self._annals.store
        read = GaugeMetricFamily(
            "annals_projection_position",
            "Position in the feed of the partition",
            labels=("projection", "partition"),
        )
        behind = GaugeMetricFamily(
            "annals_projection_lag",
            "Entries of the feed that the projection has not folded yet",
            labels=("projection", "partition"),
        )
        for name, now in read_progress(store.redis, store.partitions, ALL_PROJECTIONS).items():
            for partition, (position, lag) in enumerate(zip(now.positions, now.lags, strict=True)):
                read.add_metric((name, str(partition)), position)
                behind.add_metric((name, str(partition)), lag)
        yield from (read, behind)

    def _queues(self) -> GaugeMetricFamily:
        lengths = GaugeMetricFamily(
            "annals_queue_length", "Waiting jobs by queue", labels=("queue",)
        )
        for name, length in queue_lengths(self._annals.settings.queue_url).items():
            lengths.add_metric((name,), length)
        return lengths

    def _work(self) -> GaugeMetricFamily:
        waiting = GaugeMetricFamily(
            "annals_work_waiting", "Scheduled work by queue, due now or later", labels=("queue",)
        )
        for name, count in self._annals.store.count_work().items():
            waiting.add_metric((name,), count)
        return waiting

    def _webhooks(self) -> GaugeMetricFamily:
        store = self._annals.store
        due = due_subscriptions(store.redis, range(store.partitions), self._annals.now())
        return GaugeMetricFamily(
            "annals_webhooks_due", "Webhooks with deliveries due now", len(due)
        )


class BackupMetrics:
    """Metrics of scheduled backups."""

    def __init__(self, data: Path) -> None:
        self._data = data

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield what became of the last ones."""
        state = read_state(self._data)
        yield GaugeMetricFamily(
            "annals_backup_timestamp_seconds",
            "Time of the last verified backup; 0 if there is none",
            state.at / 1000,
        )
        yield GaugeMetricFamily(
            "annals_backup_bytes", "Size of the last verified backup", state.bytes
        )
        yield GaugeMetricFamily(
            "annals_backup_failing", "1 if the last backup failed", bool(state.failure)
        )


class ProcessMetrics:
    """Metrics of the processes that share this folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def collect(self) -> Iterator[Metric]:
        """Yield the sums over all processes."""
        _drop_dead_gauges(self._folder)
        yield from collect_metrics(self._folder)


def all_metrics(annals: Annals, folder: Path) -> CollectorRegistry:
    """Return the registry of all metrics of the processes that share this folder."""
    metrics = CollectorRegistry()
    metrics.register(ProcessMetrics(folder))
    metrics.register(RedisMetrics(annals))
    if annals.settings.backup:
        metrics.register(BackupMetrics(annals.settings.data))
    return metrics


def _drop_dead_gauges(folder: Path) -> None:
    """Drop the gauges of dead processes."""
    for pid in {int(file.stem.rpartition("_")[2]) for file in folder.glob("gauge_live*.db")}:
        if not is_running(pid):
            mark_process_dead(pid, str(folder))  # type: ignore[no-untyped-call]  # it has no annotations


def queue_lengths(url: str) -> dict[str, int]:
    """Return how many jobs wait in each queue: those of matches, and all others that ever had
    jobs.
    """
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
