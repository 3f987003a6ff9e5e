"""A worker that is told to stop does the job at hand, and no other."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress

import pytest
from redis import Redis
from rq import Queue
from rq.exceptions import StopRequested
from rq.job import Job, get_current_job

from workers.dispatch.log_once import Trouble
from workers.processes.worker import Worker

DONE = "done"


@pytest.fixture
def queue(redis_client: Redis) -> Iterator[Queue]:
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield Queue("scoring", connection=redis_client)
    for number, handler in handlers.items():
        signal.signal(number, handler)


@pytest.fixture
def worker(redis_client: Redis) -> Worker:
    return Worker(redis_client, Trouble())


def note(signalled: bool) -> None:
    """A job that notes how far it came, and is told to stop on the way."""
    job = get_current_job()
    assert job
    if signalled:
        os.kill(os.getpid(), signal.SIGTERM)
    job.connection.rpush(DONE, int(signalled))


def test_the_job_at_hand_is_done_and_the_next_one_is_left(worker: Worker, queue: Queue) -> None:
    first, second = queue.enqueue(note, True), queue.enqueue(note, False)
    worker.work(burst=True)
    assert worker.told_to_stop
    assert queue.connection.lrange(DONE, 0, -1) == [b"1"]
    assert not Job.exists(first.id, queue.connection)
    assert queue.job_ids == [second.id]


def test_it_stops_even_if_its_end_was_caught_on_the_way(worker: Worker, queue: Queue) -> None:
    waiting = queue.enqueue(note, False)
    with suppress(StopRequested):  # as logging does with whatever comes while it writes
        worker.request_stop(signal.SIGTERM, None)
    assert not worker.work(burst=True)
    assert queue.job_ids == [waiting.id]
