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
from domain.match.scheduled_work import DUE_NOW, PROMPT_QUEUES, QUEUE_OF, QUEUES
from service.runtime.settings import Settings
from service.store.event_store import DueWork, EventStore
from workers.dispatch import job_queue
from workers.dispatch.due_work import Dispatcher

PROMPT = [work for work, queue in QUEUE_OF.items() if queue in PROMPT_QUEUES]


@pytest.fixture
def store(redis_client: Redis) -> EventStore:
    return EventStore(redis_client)


@pytest.fixture
def dispatcher(store: EventStore) -> Dispatcher:
    return dispatcher_of(store)


def dispatcher_of(store: EventStore, clock: Callable[[], float] = time.monotonic) -> Dispatcher:
    return Dispatcher(Settings(), store, store.redis, clock)


def owe(store: EventStore, version: int = 1, **work: int) -> None:
    """Append an entry that makes this work due."""
    entry = Entry(version, "Moved", "u", 5, b"", b"\x90", 1, b"c%d" % version)
    store.append("m", entry, work)  # type: ignore[arg-type]


def waiting_jobs(store: EventStore) -> dict[str, list[str]]:
    """The ids of the waiting jobs, by queue."""
    return {name: Queue(name, connection=store.redis).job_ids for name in QUEUES}


def job(store: EventStore, job_id: str) -> Job:
    return Job.fetch(job_id, connection=store.redis)


def take_job(store: EventStore, work: str) -> Job:
    """A job that a worker took out of its queue."""
    [job_id] = Queue(QUEUE_OF[work], connection=store.redis).job_ids
    store.redis.delete(f"rq:queue:{QUEUE_OF[work]}")
    return job(store, job_id)


def begin_job(store: EventStore, work: str, at: datetime) -> None:
    """Let a worker start a job at this time and never finish it."""
    job = take_job(store, work)
    job.prepare_for_execution("worker", pipe := store.redis.pipeline())
    job.started_at = at
    job.save(pipeline=pipe)
    pipe.execute()


@pytest.mark.parametrize("work", PROMPT)
def test_work_is_handed_out_when_it_is_due(
    store: EventStore, dispatcher: Dispatcher, work: str
) -> None:
    owe(store, **{work: 1_000})
    assert dispatcher.scan(999) == 0
    assert dispatcher.scan(1_000) == 1


@pytest.mark.parametrize("work", QUEUE_OF)
def test_each_work_goes_to_its_queue(store: EventStore, dispatcher: Dispatcher, work: str) -> None:
    owe(store, **{work: DUE_NOW})
    assert dispatcher.scan(1_000) == 1
    assert waiting_jobs(store)[QUEUE_OF[work]] == [f"{work}-m-1"]
    handed = job(store, f"{work}-m-1")
    assert (handed.func_name, handed.args) == (f"workers.jobs.match_jobs.{work}", ("m", 1))
    assert handed.timeout
    assert handed.retries_left


def test_work_is_handed_out_once_for_each_version(
    store: EventStore, dispatcher: Dispatcher
) -> None:
    owe(store, bot=DUE_NOW)
    assert [dispatcher.scan(10), dispatcher.scan(10)] == [1, 0]
    owe(store, 2, bot=DUE_NOW)
    assert [dispatcher.scan(10), dispatcher.scan(10)] == [1, 0]
    owe(store, 3)
    assert dispatcher.scan(10) == 0
    assert waiting_jobs(store)["bots"] == ["bot-m-1", "bot-m-2"]


def test_a_second_projector_hands_out_nothing_twice(store: EventStore) -> None:
    owe(store, score=1)
    for _ in range(2):
        dispatcher_of(store).scan(10)
    assert waiting_jobs(store)["scoring"] == ["score-m-1"]


@pytest.mark.parametrize("work", QUEUE_OF)
def test_a_lost_job_is_handed_out_again(store: EventStore, work: str) -> None:
    passed = 0.0
    dispatcher = dispatcher_of(store, clock=lambda: passed)
    owe(store, **{work: DUE_NOW})
    dispatcher.scan(10)
    take_job(store, work).delete()
    # a search may take 2 s and 5 more, a quick bot half a second, other work 10 s
    passed = {"think": 6.9, "bot": 5.4}.get(work, 9.9)
    assert dispatcher.scan(10) == 0
    passed += 2.0
    assert dispatcher.scan(10) == 1
    assert waiting_jobs(store)[QUEUE_OF[work]] == [f"{work}-m-1"]


@pytest.mark.parametrize(
    "status", [JobStatus.STARTED, JobStatus.QUEUED, JobStatus.FAILED, JobStatus.FINISHED]
)
def test_an_abandoned_job_is_replaced(store: EventStore, status: JobStatus) -> None:
    owe(store, score=1)
    dispatcher_of(store).scan(10)
    left = take_job(store, "score")
    left.set_status(status)  # what a killed worker may leave
    dispatcher_of(store).scan(10)
    assert waiting_jobs(store)["scoring"] == ["score-m-1"]
    assert job(store, "score-m-1").get_status() == JobStatus.QUEUED


def test_two_dispatchers_replace_an_abandoned_job_once(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    owe(store, score=1)
    dispatcher_of(store).scan(10)
    take_job(store, "score")
    delete = Job.delete

    def overtake(one: Job) -> None:
        monkeypatch.setattr(Job, "delete", delete)
        dispatcher_of(store).scan(10)

    monkeypatch.setattr(Job, "delete", overtake)
    dispatcher_of(store).scan(10)
    assert waiting_jobs(store)["scoring"] == ["score-m-1"]


def test_a_job_that_has_just_begun_is_left_to_its_worker(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    owe(store, score=1)
    dispatcher_of(store).scan(10)
    begin_job(store, "score", now())
    dispatcher_of(store).scan(10)
    assert waiting_jobs(store)["scoring"] == []
    monkeypatch.setattr(job_queue, "REDISPATCH_S", 0)
    dispatcher_of(store).scan(10)
    assert waiting_jobs(store)["scoring"] == ["score-m-1"]


@pytest.mark.parametrize("wrong", [timedelta(hours=1), timedelta(seconds=20)], ids=str)
def test_no_clock_delays_an_abandoned_job(store: EventStore, wrong: timedelta) -> None:
    """Its clock is ahead of ours, or ours was set back."""
    passed = 0.0
    dispatcher = dispatcher_of(store, clock=lambda: passed)
    owe(store, bot=DUE_NOW)
    dispatcher.scan(10)
    begin_job(store, "bot", now() + wrong)
    passed = 7.1
    dispatcher.scan(10)
    assert waiting_jobs(store)["bots"] == []
    passed = 20.0
    dispatcher.scan(10)
    assert waiting_jobs(store)["bots"] == ["bot-m-1"]


def test_a_job_started_by_a_late_clock_is_handed_out_again(store: EventStore) -> None:
    owe(store, bot=DUE_NOW)
    dispatcher_of(store).scan(10)
    begin_job(store, "bot", now() - timedelta(seconds=20))
    dispatcher_of(store).scan(10)
    assert waiting_jobs(store)["bots"] == ["bot-m-1"]


class CountingStore(EventStore):
    """A store that counts the reads of due work."""

    looks = 0

    def due_work(self, partition: int, until: int, limit: int) -> list[DueWork]:
        self.looks += 1
        return super().due_work(partition, until, limit)


def test_unreachable_queues_are_not_tried_for_each_partition(redis_client: Redis) -> None:
    store = CountingStore(redis_client, partitions=3)
    for number in range(30):
        first = Entry(1, "Moved", "u", 5, b"", b"\x90", 1, b"command1")
        store.append(f"m{number}", first, {"score": DUE_NOW})
    away = Redis.from_url("unix:///nowhere/redis.sock", retry=None)
    with pytest.raises(Unconnected):
        Dispatcher(Settings(), store, away).scan(1_000)
    assert store.looks == 1
