"""Several processes share the partitions and together do what one does."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event

import pytest
from redis import Redis
from rq import Queue

from domain.match.scheduled_work import DUE_NOW
from projections import PROJECTIONS
from projections.core.spaces import Projection
from projections.outbox.due import due_subscriptions
from projections.outbox.plan import (
    Outbox,
    SubscriptionFilter,
    outbox_space,
    put_filter,
    queue_prefix,
)
from projections.progress import read_progress
from projections.projector import Projector
from projections.studies import STUDIES
from service.runtime.settings import BadSetting, Settings
from service.store.event_store import DueWork, EventStore
from tests.match.table import NOON
from tests.projections.recorded import RecordedMatch, read_all
from tests.support.patience import eventually
from tests.support.threads import running
from workers import cli
from workers.dispatch import delivery_work
from workers.dispatch.due_work import Dispatcher
from workers.dispatch.partitions import read_partitions
from workers.processes.analyst import build_threads
from workers.processes.projector import build_projector, start_threads

HALVES = (range(8), range(8, 16))


@pytest.fixture
def store(redis_client: Redis) -> EventStore:
    return EventStore(redis_client)


@pytest.fixture
def settings(redis_url: str) -> Settings:
    return Settings(events_url=redis_url, queue_url=redis_url)


def test_partitions_are_named_by_numbers_and_spans() -> None:
    assert read_partitions("0-3,8", 16) == [0, 1, 2, 3, 8]
    assert read_partitions(" 5 , 0-1", 16) == [0, 1, 5]
    assert read_partitions("0-15", 16) == [*range(16)]
    assert [*read_partitions(None, 4)] == [0, 1, 2, 3]


@pytest.mark.parametrize("text", ["", "x", "3-1", "1-", "-1", "0,,1", "1-2-3", "\u0663"])
def test_an_invalid_partition_option_is_refused(text: str) -> None:
    with pytest.raises(BadSetting, match="takes numbers and ranges such as 0-3,8"):
        read_partitions(text, 16)


def test_missing_or_repeated_partitions_are_refused() -> None:
    with pytest.raises(BadSetting, match=r"^--partitions names 16, .* 0 to 15"):
        read_partitions("8-20", 16)
    with pytest.raises(BadSetting, match="names a partition twice: 0-3,2"):
        read_partitions("0-3,2", 16)


def tables(store: EventStore) -> list[RecordedMatch]:
    """A match in each of many partitions, with a bot to move."""
    found = [RecordedMatch(store, "ann +easy", match=f"m{n}") for n in range(40)]
    assert len({store.partition_of(one.match.id) for one in found}) > 12
    return found


def fold_some(store: EventStore, partitions: Sequence[int]) -> None:
    outbox = Outbox(store.redis, Event())
    projector = Projector(store.redis, store, partitions, PROJECTIONS, outbox=outbox)
    while projector.fold_next(100):
        pass


def test_each_folds_its_own_partitions_and_together_they_fold_all(store: EventStore) -> None:
    tables(store)
    fold_some(store, HALVES[0])
    lags = {partition: store.feed_length(partition) for partition in range(16)}
    behind = sum(lags[partition] for partition in HALVES[1])
    assert {one.lag for one in read_progress(store.redis, 16).values()} == {behind}
    fold_some(store, HALVES[1])
    by_two = read_all(store.redis)
    assert {one.lag for one in read_progress(store.redis, 16).values()} == {0}
    for key in [*store.redis.scan_iter("*:rm:*"), *store.redis.scan_iter("*:outbox:*")]:
        store.redis.delete(key)
    fold_some(store, range(16))
    assert read_all(store.redis) == by_two


def test_nothing_is_planned_without_a_process_that_sends_it(store: EventStore) -> None:
    """A service whose webhooks and mail are off; channels in Discord have workers of their own."""
    for name in ("w", "mail:ann", "discord:m0"):
        put_filter(store.redis, 16, name, SubscriptionFilter("ann", frozenset({"match.started"})))
    RecordedMatch(store, "ann +easy", match="m0")
    projector = build_projector(store, range(16), Event(), has_deliveries=False)
    assert projector.fold_next(100)
    assert due_subscriptions(store.redis, range(16), NOON).keys() == {"discord:m0"}


def test_overlapping_projectors_fold_and_plan_once(
    store: EventStore,
) -> None:
    put_filter(store.redis, 16, "w", SubscriptionFilter("ann", frozenset({"match.started"})))
    projectors = [
        Projector(store.redis, store, some, PROJECTIONS, outbox=Outbox(store.redis, Event()))
        for some in (range(10), range(6, 16))
    ]
    matches = tables(store)
    while sum(one.fold_next(7) for one in projectors):
        pass
    assert {one.lag for one in read_progress(store.redis, 16).values()} == {0}
    lines = [
        store.redis.zcard(f"{queue_prefix(outbox_space(partition), 'w')}:match:{one.match.id}")
        for one in matches
        for partition in [store.partition_of(one.match.id)]
    ]
    assert lines == [1] * len(matches)


def test_each_dispatcher_serves_its_own_partitions(store: EventStore) -> None:
    matches = [f"m{n}" for n in range(8)]
    for match in matches:
        store.redis.zadd(f"{{p{store.partition_of(match)}}}:work:scoring", {f"score:{match}": 1})
        RecordedMatch(store, "ann bob", match=match)
    of_first = {one for one in matches if store.partition_of(one) in HALVES[0]}
    assert 0 < len(of_first) < len(matches)
    first, second = (Dispatcher(Settings(), store, store.redis, partitions=one) for one in HALVES)
    first.scan(2)
    assert play_scored(store) == of_first
    second.scan(2)
    assert play_scored(store) == {*matches}
    assert len(jobs_of(store, "scoring")) == len(matches)


def test_each_process_is_notified_of_its_own_partitions_only(store: EventStore) -> None:
    matches = [f"m{n}" for n in range(8)]
    heard = [DueWork("score", match, 1, DUE_NOW) for match in matches]
    dispatchers = [Dispatcher(Settings(), store, store.redis, partitions=one) for one in HALVES]
    assert sum(one.hand_out_notified(heard) for one in dispatchers) == len(matches)
    assert play_scored(store) == {*matches}


def play_scored(store: EventStore) -> set[str]:
    return {job.split("-")[1] for job in jobs_of(store, "scoring")}


def jobs_of(store: EventStore, queue: str) -> list[str]:
    return Queue(queue, connection=store.redis).job_ids


def test_overlapping_dispatchers_enqueue_a_job_once(store: EventStore) -> None:
    heard = [DueWork("score", f"m{n}", 1, DUE_NOW) for n in range(8)]
    for some in (range(10), range(6, 16)):
        Dispatcher(Settings(), store, store.redis, partitions=some).hand_out_notified(heard)
    assert sorted(jobs_of(store, "scoring")) == [f"score-m{n}-1" for n in range(8)]


def test_each_dispatcher_with_due_work_dispatches_the_webhook(store: EventStore) -> None:
    for partition, name in ((3, "w1"), (12, "w2"), (4, "both"), (13, "both"), (5, "mail:u1")):
        store.redis.zadd(f"{outbox_space(partition)}:due", {name: 0})
    assert due_subscriptions(store.redis, HALVES[0], 1) == {"w1": 0, "both": 0, "mail:u1": 0}
    first, second = (delivery_work.DeliveryDispatcher(store, store.redis, one) for one in HALVES)
    first.dispatch_due(1)
    assert jobs_of(store, "webhooks") == ["webhook-both", "webhook-w1"]
    assert jobs_of(store, "mail") == ["mail-u1"]
    second.dispatch_due(1)
    assert jobs_of(store, "webhooks") == ["webhook-both", "webhook-w1", "webhook-w2"]


def partitions_of(store: EventStore, projections: Sequence[Projection]) -> set[int]:
    """The partitions with folded entries."""
    found = read_progress(store.redis, 16, projections).values()
    return {n for one in found for n, position in enumerate(one.positions) if position}


def fill(store: EventStore, partitions: Sequence[int]) -> set[int]:
    return {n for n in partitions if store.feed_length(n)}


def test_a_projector_process_serves_only_its_partitions(
    store: EventStore, settings: Settings
) -> None:
    matches = [one.match.id for one in tables(store)]
    for match in matches:
        tag = f"{{p{store.partition_of(match)}}}"
        store.redis.zadd(f"{tag}:work:scoring", {f"score:{match}": 1})
    for partition in range(16):
        store.redis.zadd(f"{outbox_space(partition)}:due", {f"w{partition}": 0})
    mine, stop = HALVES[1], Event()
    with running(start_threads(settings, mine, stop), stop):
        eventually(lambda: partitions_of(store, PROJECTIONS) >= fill(store, mine))
        eventually(lambda: play_scored(store) and jobs_of(store, "webhooks"))
    assert partitions_of(store, PROJECTIONS) == fill(store, mine)
    assert play_scored(store) == {one for one in matches if store.partition_of(one) in mine}
    assert jobs_of(store, "webhooks") == sorted(f"webhook-w{n}" for n in mine)


def test_an_analyst_folds_its_own_partitions(store: EventStore, settings: Settings) -> None:
    tables(store)
    mine, stop = HALVES[1], Event()
    threads = build_threads(settings, mine, stop)
    for thread in threads:
        thread.start()
    with running(threads, stop):
        eventually(lambda: partitions_of(store, STUDIES) >= fill(store, mine))
    assert partitions_of(store, STUDIES) == fill(store, mine)


@pytest.mark.parametrize("name", ["projector", "analyst"])
def test_the_option_sets_the_partitions(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for prepare in ("start_logging", "prepare_worker"):
        monkeypatch.setattr(cli, prepare, Settings)
    monkeypatch.setattr("workers.host.redis.checks.await_both", lambda _settings: None)
    worked: list[list[int]] = []
    monkeypatch.setattr(
        f"workers.processes.{name}.main", lambda _settings, some: worked.append([*some])
    )
    for words in (["--partitions", "0-3,8"], []):
        cli.commands([name, *words], standalone_mode=False)
    assert worked == [[0, 1, 2, 3, 8], [*range(16)]]
