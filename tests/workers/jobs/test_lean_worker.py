"""A lean worker does what RQ's own worker does, with fewer round trips to Redis."""

from __future__ import annotations

import pytest
from redis import Redis
from redis.connection import AbstractConnection
from rq import Queue, SimpleWorker
from rq.suspension import suspend
from rq.worker import WorkerStatus

from workers.jobs.lean_worker import HEARTBEAT_S, LeanWorker

JOBS = 5
OWN_KEYS = b"rq:worker"


def do_nothing() -> None:
    """A job."""


def fail() -> None:
    """A job that fails."""
    raise ValueError("on purpose")


def run_jobs(redis: Redis, kind: type[SimpleWorker], job: str) -> set[bytes]:
    """The keys in Redis after a worker of a kind has run some jobs, without those of the worker."""
    redis.flushall()
    queue = Queue("bots", connection=redis)
    for number in range(JOBS):
        queue.enqueue_call(f"{__name__}.{job}", job_id=f"j{number}", result_ttl=0, failure_ttl=60)
    worker = kind([queue], connection=redis)
    worker.work(burst=True, logging_level="CRITICAL")
    found: list[bytes] = redis.keys("*")  # type: ignore[assignment]
    return {key for key in found if not key.startswith(OWN_KEYS)}


@pytest.fixture
def round_trips(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by an item with each write to Redis."""
    writes = list[int]()
    send = AbstractConnection.send_packed_command

    def count(self: AbstractConnection, command: object, check_health: bool = True) -> None:
        writes.append(1)
        send(self, command, check_health)

    monkeypatch.setattr(AbstractConnection, "send_packed_command", count)
    return writes


@pytest.mark.parametrize("job", ["do_nothing", "fail"])
def test_a_job_leaves_what_it_leaves_with_the_worker_of_rq(redis_client: Redis, job: str) -> None:
    expected = run_jobs(redis_client, SimpleWorker, job)
    assert run_jobs(redis_client, LeanWorker, job) == expected
    assert bool(expected - {b"rq:queues"}) == (job == "fail")


def test_a_job_takes_less_than_half_of_the_round_trips(
    redis_client: Redis, round_trips: list[int]
) -> None:
    run_jobs(redis_client, SimpleWorker, "do_nothing")
    usual = len(round_trips)
    run_jobs(redis_client, LeanWorker, "do_nothing")
    assert len(round_trips) - usual < usual / 2


def test_heartbeats_and_the_look_at_suspension_wait_for_their_interval(
    redis_client: Redis, round_trips: list[int]
) -> None:
    worker = LeanWorker(["bots"], connection=redis_client)
    assert worker.worker_ttl > HEARTBEAT_S
    worker.heartbeat()
    worker.check_for_suspension(burst=True)
    before = len(round_trips)
    suspend(redis_client)
    suspending = len(round_trips)
    worker.heartbeat()
    worker.check_for_suspension(burst=True)
    assert before < suspending == len(round_trips)


def test_its_state_is_in_memory_only(redis_client: Redis) -> None:
    worker = LeanWorker(["bots"], connection=redis_client)
    worker.set_state(WorkerStatus.BUSY)
    assert worker.get_state() == WorkerStatus.BUSY
    assert redis_client.hget(worker.key, "state") is None
