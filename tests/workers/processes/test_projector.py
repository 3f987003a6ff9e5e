"""The projector folds and hands out work despite failures."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest
from redis import Redis
from rq import Queue
from structlog.testing import capture_logs

from domain.match.scheduled_work import QUEUES
from projections import PROJECTIONS
from projections.lists.results import read_record
from projections.progress import read_progress
from projections.projector import Projector
from service.live.work_notifier import WorkNotifier
from service.runtime.batcher import Batcher
from service.runtime.settings import Settings
from service.store.event_store import EventStore
from tests.projections.recorded import RecordedMatch, fold_all, read_all
from tests.support.patience import PATIENCE_S, eventually
from tests.support.redis_process import RedisProcess
from tests.support.threads import running
from tests.support.warm_start import WarmProcess
from tests.workers.processes import small_projector
from workers.dispatch.due_work import Dispatcher, run_dispatcher
from workers.processes.projector import keep_folding


@pytest.fixture
def store(redis_client: Redis) -> EventStore:
    return EventStore(redis_client)


def waiting_jobs(store: EventStore) -> dict[str, list[str]]:
    """The ids of the waiting jobs, by queue."""
    return {name: Queue(name, connection=store.redis).job_ids for name in QUEUES}


@contextmanager
def running_threads(store: EventStore, queue: Redis) -> Iterator[None]:
    """A thread that folds, and one that hands out work."""
    stop = Event()
    projector = Projector(store.redis, store, range(store.partitions), PROJECTIONS)
    dispatcher = Dispatcher(Settings(), store, queue)
    threads = [
        Thread(target=keep_folding, args=(projector, Batcher(0), stop)),
        Thread(target=run_dispatcher, args=(dispatcher, WorkNotifier(store), stop)),
    ]
    for thread in threads:
        thread.start()
    with running(threads, stop):
        yield


@pytest.mark.slow
def test_entries_are_folded_while_the_queues_are_away(store: EventStore) -> None:
    table = RecordedMatch(store, "ann +easy", match="m")
    with (
        capture_logs() as lines,
        Redis(host="127.0.0.1", port=1) as nowhere,
        running_threads(store, nowhere),
    ):
        eventually(lambda: caught_up(store))
        table.play()
        eventually(lambda: caught_up(store))
        eventually(lambda: bool(lines))
    assert {line["event"] for line in lines} == {"dispatch_failed"}
    assert "refused" in str(lines[0]["exc_info"])


@contextmanager
def projector(url: str, *without: str, stdout: int = subprocess.DEVNULL) -> Iterator[WarmProcess]:
    environ = {**os.environ, "REDIS_URL": url, "ANNALS_PARTITIONS": "16"}
    with WarmProcess(without, environ, stdout, main=small_projector.main) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.slow
@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("work", ["keep_folding", "run_dispatcher", "delivery_work.run_dispatcher"])
def test_the_projector_ends_with_each_of_its_threads(work: str, redis_url: str) -> None:
    """Its parent starts another: without the thread it would go on without its work."""
    with projector(redis_url, work, stdout=subprocess.PIPE) as process:
        assert process.stdout
        said = process.stdout.read()
        assert process.wait(PATIENCE_S) == 1
    assert b"thread_crashed" in said


def caught_up(store: EventStore) -> bool:
    return all(one.lag == 0 for one in read_progress(store.redis, 16).values())


@pytest.mark.slow
def test_the_projector_stops_on_a_signal(store: EventStore, redis_url: str) -> None:
    table = RecordedMatch(store, "ann +easy", match="m")
    with projector(redis_url) as process:
        eventually(lambda: caught_up(store))
        table.play()
        eventually(lambda: caught_up(store))
        table.play_out()
        eventually(lambda: f"score-m-{table.match.version}" in waiting_jobs(store)["scoring"])
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0


@pytest.mark.slow
def test_killed_projectors_count_each_match_once(store: EventStore, redis_url: str) -> None:
    scored = 0
    for round_ in range(2):
        with projector(redis_url) as process:
            for n in range(4):
                RecordedMatch(store, "ann bob", match=f"m{round_}-{n}").play_out().settle()
                scored += 1
            eventually(lambda: sum(read_progress(store.redis, 16)["results"].positions) > 0)
            process.kill()
    fold_all(store)
    assert read_record(store.redis, 16, "ann")["toy"].played == scored
    live = read_all(store.redis)
    store.redis.delete(*live)
    fold_all(store)
    assert read_all(store.redis) == live


def test_the_projector_survives_a_kill_of_redis(tmp_path: Path) -> None:
    server = RedisProcess(tmp_path)
    try:
        store = EventStore(server.client())
        table = RecordedMatch(store, "ann bob", match="m").play()
        with projector(server.url) as process:
            eventually(lambda: caught_up(store))
            server.kill()
            server.start()
            eventually(lambda: table.play_out().match.status == "ended")
            eventually(lambda: f"score-m-{table.match.version}" in waiting_jobs(store)["scoring"])
            eventually(lambda: caught_up(store))
            assert process.poll() is None
    finally:
        server.kill()
