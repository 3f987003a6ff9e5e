"""The order in which a worker reads its queues."""

from __future__ import annotations

import pytest
from redis import Redis

from domain.match.scheduled_work import PROMPT_QUEUES
from workers.dispatch.log_once import FailureLog
from workers.processes.worker import Worker


@pytest.fixture
def worker(redis_client: Redis) -> Worker:
    return Worker(redis_client, FailureLog())


def order(worker: Worker) -> list[str]:
    return [queue.name for queue in worker._ordered_queues]


def test_quick_bots_come_before_those_that_search(worker: Worker) -> None:
    assert order(worker) == [*PROMPT_QUEUES, "bots", "thinking"]
    worker.record_time("thinking", 2.0)
    assert order(worker) == [*PROMPT_QUEUES, "bots", "thinking"]


def test_quick_bots_leave_half_of_the_time_to_searches(
    worker: Worker,
) -> None:
    for _ in range(1_000):
        worker.record_time("bots", 0.1)
    assert order(worker) == [*PROMPT_QUEUES, "thinking", "bots"]
    worker.record_time("thinking", 2.0)
    assert order(worker) == [*PROMPT_QUEUES, "bots", "thinking"]
    worker.record_time("bots", 0.1)
    assert order(worker) == [*PROMPT_QUEUES, "thinking", "bots"]


def test_urgent_work_comes_first_and_counts_for_no_share(worker: Worker) -> None:
    worker.record_time("scoring", 9.0)
    assert order(worker) == [*PROMPT_QUEUES, "bots", "thinking"]


def test_a_quick_worker_never_takes_a_search(redis_client: Redis) -> None:
    worker = Worker(redis_client, FailureLog(), [*PROMPT_QUEUES, "bots"])
    worker.record_time("bots", 9.0)
    assert order(worker) == [*PROMPT_QUEUES, "bots"]
