"""The projector folds, and hands out each work until it is done."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from freezegun import freeze_time
from redis import Redis
from rq import Queue
from rq.job import Job, JobStatus

from domain.match.log import Entry
from projections.progress import progress
from projections.results import record_of
from service.settings import Settings
from service.store import Store
from tests.patience import PATIENCE_S, eventually
from tests.projections.recorded import Recorded, fold_all, folded
from tests.redis_process import RedisProcess
from workers.dispatch import Dispatcher

ROOT = Path(__file__).parents[2]
RUN = """
import os
from service.settings import read_settings
from workers.projector import main
main(read_settings(os.environ))
"""
WORKS = {
    "bot": "bots",
    "score": "scoring",
    "rate": "scoring",
    "series": "scoring",
    "deadline": "deadlines",
    "lapse": "deadlines",
    "abort": "deadlines",
}


@pytest.fixture
def store(redis_client: Redis) -> Store:
    return Store(redis_client)


@pytest.fixture
def dispatcher(store: Store) -> Dispatcher:
    return dispatcher_of(store)


def dispatcher_of(store: Store, bot_seconds: float = 2.0) -> Dispatcher:
    return Dispatcher(
        Settings(bot_seconds=bot_seconds), store, store.redis, store.partition_of("m")
    )


def owe(store: Store, version: int = 1, **work: int) -> None:
    """Record an entry that leaves this work to be done."""
    entry = Entry(version, "Moved", "u", 5, b"", b"[]", 1, f"c{version}")
    store.append("m", entry, work)  # type: ignore[arg-type]


def queued(store: Store) -> dict[str, list[str]]:
    """The ids of the jobs that wait, by queue."""
    return {name: Queue(name, connection=store.redis).job_ids for name in set(WORKS.values())}


def job(store: Store, job_id: str) -> Job:
    return Job.fetch(job_id, connection=store.redis)


def taken(store: Store, work: str) -> Job:
    """A job that a worker took out of its queue."""
    [job_id] = Queue(WORKS[work], connection=store.redis).job_ids
    store.redis.delete(f"rq:queue:{WORKS[work]}")
    return job(store, job_id)


@pytest.mark.parametrize("work", WORKS)
def test_each_work_goes_to_its_queue(store: Store, dispatcher: Dispatcher, work: str) -> None:
    owe(store, **{work: 1_000})
    assert dispatcher.dispatch(999) == 0
    assert dispatcher.dispatch(1_000) == 1
    assert queued(store)[WORKS[work]] == [f"{work}-m-1"]
    handed = job(store, f"{work}-m-1")
    assert (handed.func_name, handed.args) == (f"workers.jobs.{work}", ("m", 1))
    assert handed.timeout
    assert handed.retries_left


def test_work_is_handed_out_once_for_each_version(store: Store, dispatcher: Dispatcher) -> None:
    owe(store, bot=1)
    assert [dispatcher.dispatch(10), dispatcher.dispatch(10)] == [1, 0]
    owe(store, 2, bot=2)
    assert [dispatcher.dispatch(10), dispatcher.dispatch(10)] == [1, 0]
    owe(store, 3)
    assert dispatcher.dispatch(10) == 0
    assert queued(store)["bots"] == ["bot-m-1", "bot-m-2"]


def test_a_second_projector_hands_out_nothing_twice(store: Store) -> None:
    owe(store, score=1)
    for _ in range(2):
        dispatcher_of(store).dispatch(10)
    assert queued(store)["scoring"] == ["score-m-1"]


@pytest.mark.parametrize("work", WORKS)
def test_a_job_that_vanished_is_handed_out_again(
    store: Store, dispatcher: Dispatcher, work: str
) -> None:
    owe(store, **{work: 1})
    patience = 7 if work == "bot" else 10
    with freeze_time() as clock:
        dispatcher.dispatch(10)
        taken(store, work).delete()
        clock.tick(patience - 0.1)
        assert dispatcher.dispatch(10) == 0
        clock.tick(0.2)
        assert dispatcher.dispatch(10) == 1
    assert queued(store)[WORKS[work]] == [f"{work}-m-1"]


@pytest.mark.parametrize(
    "status", [JobStatus.STARTED, JobStatus.QUEUED, JobStatus.FAILED, JobStatus.FINISHED]
)
def test_a_job_that_nobody_will_finish_is_replaced(store: Store, status: JobStatus) -> None:
    owe(store, score=1)
    dispatcher_of(store).dispatch(10)
    left = taken(store, "score")
    left.set_status(status)  # what a worker leaves behind that is killed at some point
    dispatcher_of(store).dispatch(10)
    assert queued(store)["scoring"] == ["score-m-1"]
    assert job(store, "score-m-1").get_status() == JobStatus.QUEUED


def test_a_job_that_has_just_begun_is_left_to_its_worker(store: Store) -> None:
    owe(store, score=1)
    with freeze_time() as clock:
        dispatcher_of(store).dispatch(10)
        taken(store, "score").prepare_for_execution("worker", pipe := store.redis.pipeline())
        pipe.execute()
        clock.tick(9.9)
        dispatcher_of(store).dispatch(10)
        assert queued(store)["scoring"] == []
        clock.tick(0.2)
        dispatcher_of(store).dispatch(10)
    assert queued(store)["scoring"] == ["score-m-1"]


@contextmanager
def projector(url: str, **more: Any) -> Iterator[subprocess.Popen[bytes]]:
    environ = {**os.environ, "REDIS_URL": url, "ANNALS_PARTITIONS": "16"}
    process = subprocess.Popen(
        [sys.executable, "-c", RUN], cwd=ROOT, env=environ, stdout=subprocess.DEVNULL, **more
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def caught_up(store: Store) -> bool:
    return all(one.lag == 0 for one in progress(store.redis, 16).values())


def test_the_projector_folds_hands_out_and_stops_when_told(store: Store, redis_url: str) -> None:
    table = Recorded(store, "ann +easy", match="m")
    with projector(redis_url) as process:
        eventually(lambda: caught_up(store))
        table.play()
        eventually(lambda: caught_up(store))
        table.play_out()
        eventually(lambda: f"score-m-{table.match.version}" in queued(store)["scoring"])
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0


def test_killed_projectors_count_each_match_once(store: Store, redis_url: str) -> None:
    scored = 0
    for round_ in range(3):
        with projector(redis_url) as process:
            for n in range(8):
                Recorded(store, "ann bob", match=f"m{round_}-{n}").play_out().score()
                scored += 1
            eventually(lambda: sum(progress(store.redis, 16)["results"].positions) > 0)
            process.kill()
    fold_all(store)
    assert record_of(store.redis, 16, "ann")["toy"].played == scored
    live = folded(store.redis)
    store.redis.delete(*live)
    fold_all(store)
    assert folded(store.redis) == live


def test_the_projector_outlives_a_redis_that_is_killed(tmp_path: Path) -> None:
    server = RedisProcess(tmp_path)
    try:
        store = Store(server.client())
        table = Recorded(store, "ann bob", match="m").play()
        with projector(server.url) as process:
            eventually(lambda: caught_up(store))
            server.kill()
            server.start()
            eventually(lambda: table.play_out().match.status == "ended")
            eventually(lambda: f"score-m-{table.match.version}" in queued(store)["scoring"])
            eventually(lambda: caught_up(store))
            assert process.poll() is None
    finally:
        server.kill()
