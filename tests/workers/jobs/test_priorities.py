"""The order in which a worker reads its queues."""

from __future__ import annotations

import pytest
from redis import Redis

from domain.match.scheduled_work import BOT_QUEUES, URGENT_QUEUES
from workers.dispatch.log_once import FailureLog
from workers.processes.worker import QUICK_QUEUES, Worker


@pytest.fixture
def worker(redis_client: Redis) -> Worker:
    return Worker(redis_client, FailureLog())


def order(worker: Worker) -> list[str]:
    return [queue.name for queue in worker._ordered_queues]


def bots_in(names: list[str]) -> list[str]:
    return [name for name in names if name in BOT_QUEUES]


def test_quick_bots_come_before_those_that_search(worker: Worker) -> None:
    assert order(worker) == [*URGENT_QUEUES, "bots", "thinking", "plans"]
    worker.record_time("thinking", 2.0)
    assert bots_in(order(worker)) == ["bots", "thinking"]


def test_quick_bots_leave_half_of_the_time_to_searches(
    worker: Worker,
) -> None:
    for _ in range(1_000):
        worker.record_time("bots", 0.1)
    assert bots_in(order(worker)) == ["thinking", "bots"]
    worker.record_time("thinking", 2.0)
    assert bots_in(order(worker)) == ["bots", "thinking"]
    worker.record_time("bots", 0.1)
    assert bots_in(order(worker)) == ["thinking", "bots"]


def test_plans_come_after_bots_but_for_one_after_each_of_their_turns(worker: Worker) -> None:
    for bot in "bots", "thinking":
        worker.record_time(bot, 0.1)
        assert order(worker)[len(URGENT_QUEUES)] == "plans"
        for _ in range(2):
            worker.record_time("plans", 9.0)
            assert order(worker)[-1] == "plans"


def test_urgent_work_comes_first_and_counts_for_no_share(worker: Worker) -> None:
    before = order(worker)
    assert before[: len(URGENT_QUEUES)] == [*URGENT_QUEUES]
    for queue in URGENT_QUEUES:
        worker.record_time(queue, 9.0)
        assert order(worker) == before


def test_a_quick_worker_never_takes_a_search(redis_client: Redis) -> None:
    worker = Worker(redis_client, FailureLog(), QUICK_QUEUES)
    worker.record_time("bots", 9.0)
    assert sorted(order(worker)) == sorted([*URGENT_QUEUES, "plans", "bots"])
