"""The dispatcher hands out each work that is due until it is done."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as Unconnected
from rq import Queue
from rq.job import Job, JobStatus
from rq.utils import now

from domain.match.log import Entry
from domain.match.scheduled_work import AT_ONCE, PROMPT_QUEUES, QUEUE_OF, QUEUES
from service.runtime.settings import Settings
from service.store.event_store import Due, Store
from workers.dispatch import job_queue
from workers.dispatch.due_work import Dispatcher

PROMPT = [work for work, queue in QUEUE_OF.items() if queue in PROMPT_QUEUES]


@pytest.fixture
def store(redis_client: Redis) -> Store:
    return Store(redis_client)


@pytest.fixture
def dispatcher(store: Store) -> Dispatcher:
    return dispatcher_of(store)


def dispatcher_of(store: Store, clock: Callable[[], float] = time.monotonic) -> Dispatcher:
    return Dispatcher(Settings(), store, store.redis, clock)


def owe(store: Store, version: int = 1, **work: int) -> None:
    """Record an entry that leaves this work to be done."""
    entry = Entry(version, "Moved", "u", 5, b"", b"\x90", 1, b"c%d" % version)
    store.append("m", entry, work)  # type: ignore[arg-type]


def queued(store: Store) -> dict[str, list[str]]:
    """The ids of the jobs that wait, by queue."""
    return {name: Queue(name, connection=store.redis).job_ids for name in QUEUES}


def job(store: Store, job_id: str) -> Job:
    return Job.fetch(job_id, connection=store.redis)


def taken(store: Store, work: str) -> Job:
    """A job that a worker took out of its queue."""
    [job_id] = Queue(QUEUE_OF[work], connection=store.redis).job_ids
    store.redis.delete(f"rq:queue:{QUEUE_OF[work]}")
    return job(store, job_id)


def begun(store: Store, work: str, at: datetime) -> None:
    """Let a worker take a job out of its queue at this time, and never finish it."""
    job = taken(store, work)
    job.prepare_for_execution("worker", pipe := store.redis.pipeline())
    job.started_at = at
    job.save(pipeline=pipe)
    pipe.execute()


@pytest.mark.parametrize("work", PROMPT)
def test_work_is_handed_out_when_its_time_has_come(
    store: Store, dispatcher: Dispatcher, work: str
) -> None:
    owe(store, **{work: 1_000})
    assert dispatcher.look(999) == 0
    assert dispatcher.look(1_000) == 1


@pytest.mark.parametrize("work", QUEUE_OF)
def test_each_work_goes_to_its_queue(store: Store, dispatcher: Dispatcher, work: str) -> None:
    owe(store, **{work: AT_ONCE})
    assert dispatcher.look(1_000) == 1
    assert queued(store)[QUEUE_OF[work]] == [f"{work}-m-1"]
    handed = job(store, f"{work}-m-1")
    assert (handed.func_name, handed.args) == (f"workers.jobs.match_jobs.{work}", ("m", 1))
    assert handed.timeout
    assert handed.retries_left


def test_work_is_handed_out_once_for_each_version(store: Store, dispatcher: Dispatcher) -> None:
    owe(store, bot=AT_ONCE)
    assert [dispatcher.look(10), dispatcher.look(10)] == [1, 0]
    owe(store, 2, bot=AT_ONCE)
    assert [dispatcher.look(10), dispatcher.look(10)] == [1, 0]
    owe(store, 3)
    assert dispatcher.look(10) == 0
    assert queued(store)["bots"] == ["bot-m-1", "bot-m-2"]


def test_a_second_projector_hands_out_nothing_twice(store: Store) -> None:
    owe(store, score=1)
    for _ in range(2):
        dispatcher_of(store).look(10)
    assert queued(store)["scoring"] == ["score-m-1"]


@pytest.mark.parametrize("work", QUEUE_OF)
def test_a_job_that_vanished_is_handed_out_again(store: Store, work: str) -> None:
    passed = 0.0
    dispatcher = dispatcher_of(store, clock=lambda: passed)
    owe(store, **{work: AT_ONCE})
    dispatcher.look(10)
    taken(store, work).delete()
    # a bot that searches has its 2 seconds and 5 more, a quick one half a second, the others 10
    passed = {"think": 6.9, "bot": 5.4}.get(work, 9.9)
    assert dispatcher.look(10) == 0
    passed += 2.0
    assert dispatcher.look(10) == 1
    assert queued(store)[QUEUE_OF[work]] == [f"{work}-m-1"]


@pytest.mark.parametrize(
    "status", [JobStatus.STARTED, JobStatus.QUEUED, JobStatus.FAILED, JobStatus.FINISHED]
)
def test_a_job_that_nobody_will_finish_is_replaced(store: Store, status: JobStatus) -> None:
    owe(store, score=1)
    dispatcher_of(store).look(10)
    left = taken(store, "score")
    left.set_status(status)  # what a worker leaves behind that is killed at some point
    dispatcher_of(store).look(10)
    assert queued(store)["scoring"] == ["score-m-1"]
    assert job(store, "score-m-1").get_status() == JobStatus.QUEUED


def test_a_job_that_has_just_begun_is_left_to_its_worker(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    owe(store, score=1)
    dispatcher_of(store).look(10)
    begun(store, "score", now())
    dispatcher_of(store).look(10)
    assert queued(store)["scoring"] == []
    monkeypatch.setattr(job_queue, "AGAIN_S", 0)
    dispatcher_of(store).look(10)
    assert queued(store)["scoring"] == ["score-m-1"]


@pytest.mark.parametrize("wrong", [timedelta(hours=1), timedelta(seconds=20)], ids=str)
def test_no_clock_delays_what_a_worker_began_and_left(store: Store, wrong: timedelta) -> None:
    """Its clock is ahead of ours, or ours was put back."""
    passed = 0.0
    dispatcher = dispatcher_of(store, clock=lambda: passed)
    owe(store, bot=AT_ONCE)
    dispatcher.look(10)
    begun(store, "bot", now() + wrong)
    passed = 7.1
    dispatcher.look(10)
    assert queued(store)["bots"] == []
    passed = 20.0
    dispatcher.look(10)
    assert queued(store)["bots"] == ["bot-m-1"]


def test_a_job_begun_by_a_clock_that_is_behind_is_handed_out_again(store: Store) -> None:
    owe(store, bot=AT_ONCE)
    dispatcher_of(store).look(10)
    begun(store, "bot", now() - timedelta(seconds=20))
    dispatcher_of(store).look(10)
    assert queued(store)["bots"] == ["bot-m-1"]


class Watched(Store):
    """A store that counts how often somebody looked for what is due."""

    looks = 0

    def due(self, partition: int, until: int, limit: int) -> list[Due]:
        self.looks += 1
        return super().due(partition, until, limit)


def test_queues_that_are_away_are_not_tried_again_for_each_partition(redis_client: Redis) -> None:
    store = Watched(redis_client, partitions=3)
    for number in range(30):
        first = Entry(1, "Moved", "u", 5, b"", b"\x90", 1, b"command1")
        store.append(f"m{number}", first, {"score": AT_ONCE})
    away = Redis.from_url("unix:///nowhere/redis.sock", retry=None)
    with pytest.raises(Unconnected):
        Dispatcher(Settings(), store, away).look(1_000)
    assert store.looks == 1
