"""The queues of the service: what waits there, and for how long."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any, NamedTuple

from redis import Redis

from projections.outbox.due import due_subscriptions
from service.live.backlog import Backlog
from service.live.exposition import queue_lengths
from service.matches.container import Annals

JOB_KEY, LIST_KEY, FAILED_KEY = "rq:job:", "rq:queue:", "rq:failed:"


class QueueState(NamedTuple):
    """What waits in a queue. `oldest_s` is how long the first one has waited, in seconds, if that
    is known; `failed` counts jobs that failed within the last minute, and are given up.
    """

    name: str
    waiting: int
    oldest_s: int | None
    failed: int


def read_queues(annals: Annals, queue_redis: Redis, backlog: Backlog | None) -> list[QueueState]:
    """Return all queues: of jobs, of deliveries, and of entries for the projections."""
    store, now = annals.store, annals.now()
    jobs = queue_lengths(annals.settings.queue_url)
    due = due_subscriptions(store.redis, range(store.partitions), now)
    lag = max((one.lag for one in backlog.progress.values()), default=0) if backlog else 0
    waiting_s = int(backlog.waiting_s) if backlog else 0
    return [
        *_read_jobs(queue_redis, jobs, now),
        QueueState("webhooks due", len(due), None, 0),
        QueueState("projections", lag, waiting_s if lag else None, 0),
    ]


def _read_jobs(redis: Redis, lengths: Mapping[str, int], now: int) -> Iterator[QueueState]:
    with redis.pipeline(transaction=False) as pipe:
        for name in lengths:
            pipe.lindex(f"{LIST_KEY}{name}", 0)
            pipe.zcard(f"{FAILED_KEY}{name}")
        rows: Any = iter(pipe.execute())
    for (name, waiting), first, failed in zip(lengths.items(), rows, rows, strict=True):
        yield QueueState(name, waiting, _age_s(redis, first, now) if first else None, failed)


def _age_s(redis: Redis, job: bytes, now: int) -> int | None:
    """Return how long a job has waited; None if it has just begun."""
    text = redis.hget(f"{JOB_KEY}{job.decode()}", "enqueued_at")
    with suppress(ValueError):
        at = datetime.fromisoformat(text.decode()) if isinstance(text, bytes) else None
        return max(0, now // 1000 - int(at.timestamp())) if at else None
    return None
