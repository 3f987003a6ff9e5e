"""Discord jobs: the next process requeues what a killed one left."""

from __future__ import annotations

import pytest
from redis import Redis
from rq import Queue
from rq.job import Job

from service.channels.discord.follow_up_jobs import MAX_TRIES, QUEUE, FollowUpJob, FollowUpQueue
from workers.dispatch.log_once import FailureLog
from workers.jobs import discord
from workers.jobs.discord import requeue_unfinished
from workers.processes.worker import Worker


@pytest.fixture
def worker(redis_client: Redis) -> Worker:
    return Worker(redis_client, FailureLog(), [QUEUE])


@pytest.fixture
def job_texts(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    job_texts: list[bytes] = []
    monkeypatch.setattr(discord, "show", job_texts.append)
    return job_texts


def start_job(worker: Worker) -> Job:
    """A job that a worker has started."""
    [queue] = worker.queues
    found = Queue.dequeue_any([queue], None, connection=worker.connection)
    assert found
    worker.prepare_job_execution(found[0], remove_from_intermediate_queue=True)
    return found[0]


def test_a_finished_job_leaves_nothing(
    worker: Worker, redis_client: Redis, job_texts: list[bytes]
) -> None:
    FollowUpQueue(redis_client).enqueue(FollowUpJob("m", "t"))
    worker.work(burst=True)
    assert len(job_texts) == 1
    left = [key.decode() for key in redis_client.keys(f"*{QUEUE}*")]
    assert [key for key in left if "intermediate" in key or "wip" in key] == []
    assert redis_client.keys("rq:job:*") == []


def test_started_and_taken_jobs_are_requeued(
    worker: Worker, redis_client: Redis, job_texts: list[bytes]
) -> None:
    for match in ("begun", "taken"):
        FollowUpQueue(redis_client).enqueue(FollowUpJob(match, "t"))
    start_job(worker)
    [queue] = worker.queues
    Queue.dequeue_any([queue], None, connection=redis_client)
    assert queue.count == 0
    requeue_unfinished(redis_client)
    worker.work(burst=True)
    assert len(job_texts) == 2


def test_a_job_that_keeps_killing_its_process_is_dropped(
    worker: Worker, redis_client: Redis
) -> None:
    FollowUpQueue(redis_client).enqueue(FollowUpJob("m", "t"))
    for _ in range(MAX_TRIES):
        start_job(worker)
        requeue_unfinished(redis_client)
    [queue] = worker.queues
    assert queue.count == 0
    assert queue.failed_job_registry.count == 1
