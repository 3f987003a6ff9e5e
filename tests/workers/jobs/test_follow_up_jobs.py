"""Errands that wait for a worker of their own: what one that was killed has left is taken up."""

from __future__ import annotations

import pytest
from redis import Redis
from rq import Queue
from rq.job import Job

from service.channels.discord.follow_up_jobs import QUEUE, TRIES, Errand, Errands
from workers.dispatch.log_once import Trouble
from workers.jobs import discord
from workers.jobs.discord import take_up
from workers.processes.worker import Worker


@pytest.fixture
def worker(redis_client: Redis) -> Worker:
    return Worker(redis_client, Trouble(), [QUEUE])


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    done: list[bytes] = []
    monkeypatch.setattr(discord, "show", done.append)
    return done


def begun(worker: Worker) -> Job:
    """A job that a worker has begun."""
    [queue] = worker.queues
    found = Queue.dequeue_any([queue], None, connection=worker.connection)
    assert found
    worker.prepare_job_execution(found[0], remove_from_intermediate_queue=True)
    return found[0]


def test_nothing_is_left_of_an_errand_that_is_done(
    worker: Worker, redis_client: Redis, done: list[bytes]
) -> None:
    Errands(redis_client).put(Errand("m", "t"))
    worker.work(burst=True)
    assert len(done) == 1
    left = [key.decode() for key in redis_client.keys(f"*{QUEUE}*")]
    assert [key for key in left if "intermediate" in key or "wip" in key] == []
    assert redis_client.keys("rq:job:*") == []


def test_an_errand_that_was_begun_and_one_that_was_just_taken_are_done_by_the_next(
    worker: Worker, redis_client: Redis, done: list[bytes]
) -> None:
    for match in ("begun", "taken"):
        Errands(redis_client).put(Errand(match, "t"))
    begun(worker)
    [queue] = worker.queues
    Queue.dequeue_any([queue], None, connection=redis_client)
    assert queue.count == 0
    take_up(redis_client)
    worker.work(burst=True)
    assert len(done) == 2


def test_an_errand_that_ends_its_process_again_and_again_is_given_up(
    worker: Worker, redis_client: Redis
) -> None:
    Errands(redis_client).put(Errand("m", "t"))
    for _ in range(TRIES):
        begun(worker)
        take_up(redis_client)
    [queue] = worker.queues
    assert queue.count == 0
    assert queue.failed_job_registry.count == 1
