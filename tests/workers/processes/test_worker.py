"""A worker that is asked to stop finishes the current job and starts no other."""

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

from workers.dispatch.log_once import FailureLog
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
    return Worker(redis_client, FailureLog())


def note(signalled: bool) -> None:
    """A job that records its progress and asks its worker to stop halfway."""
    job = get_current_job()
    assert job
    if signalled:
        os.kill(os.getpid(), signal.SIGTERM)
    job.connection.rpush(DONE, int(signalled))


def test_the_current_job_is_finished_and_the_next_one_is_left(worker: Worker, queue: Queue) -> None:
    first, second = queue.enqueue(note, True), queue.enqueue(note, False)
    worker.work(burst=True)
    assert worker.stop_requested
    assert queue.connection.lrange(DONE, 0, -1) == [b"1"]
    assert not Job.exists(first.id, queue.connection)
    assert queue.job_ids == [second.id]


def test_it_stops_even_if_a_job_swallows_the_exception(worker: Worker, queue: Queue) -> None:
    waiting = queue.enqueue(note, False)
    with suppress(StopRequested):  # as logging does with any exception while it writes
        worker.request_stop(signal.SIGTERM, None)
    assert not worker.work(burst=True)
    assert queue.job_ids == [waiting.id]
