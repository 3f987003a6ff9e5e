"""Several projectors share the partitions, and do together what one does."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event

import pytest
from redis import Redis
from rq import Queue

from domain.match.scheduled_work import AT_ONCE
from projections import PROJECTIONS
from projections.core.spaces import Projection
from projections.outbox.plan import Outbox, Wish, due_wishes, mailbox, put_wish, space_of_outbox
from projections.progress import progress
from projections.projector import Projector
from projections.studies import STUDIES
from service.runtime.settings import BadSetting, Settings
from service.store.event_store import Due, Store
from tests.projections.recorded import Recorded, folded
from tests.support.patience import eventually
from tests.support.threads import running
from workers import cli
from workers.dispatch import delivery_work
from workers.dispatch.due_work import Dispatcher
from workers.dispatch.partitions import read_partitions
from workers.processes.analyst import folding
from workers.processes.projector import start

HALVES = (range(8), range(8, 16))


@pytest.fixture
def store(redis_client: Redis) -> Store:
    return Store(redis_client)


@pytest.fixture
def settings(redis_url: str) -> Settings:
    return Settings(events_url=redis_url, queue_url=redis_url)


def test_partitions_are_named_by_numbers_and_spans() -> None:
    assert read_partitions("0-3,8", 16) == [0, 1, 2, 3, 8]
    assert read_partitions(" 5 , 0-1", 16) == [0, 1, 5]
    assert read_partitions("0-15", 16) == [*range(16)]
    assert [*read_partitions(None, 4)] == [0, 1, 2, 3]


@pytest.mark.parametrize("text", ["", "x", "3-1", "1-", "-1", "0,,1", "1-2-3", "\u0663"])
def test_what_names_no_partitions_is_refused(text: str) -> None:
    with pytest.raises(BadSetting, match="must be numbers and spans, as 0-3,8"):
        read_partitions(text, 16)


def test_partitions_that_are_not_there_or_named_twice_are_refused() -> None:
    with pytest.raises(BadSetting, match=r"^--partitions names 16, and .* are 0 to 15"):
        read_partitions("8-20", 16)
    with pytest.raises(BadSetting, match="names a partition twice: 0-3,2"):
        read_partitions("0-3,2", 16)


def tables(store: Store) -> list[Recorded]:
    """A match in each of many partitions, with a bot whose turn it is."""
    found = [Recorded(store, "ann +easy", match=f"m{n}") for n in range(40)]
    assert len({store.partition_of(one.match.id) for one in found}) > 12
    return found


def fold_some(store: Store, partitions: Sequence[int]) -> None:
    outbox = Outbox(store.redis, Event())
    projector = Projector(store.redis, store, partitions, PROJECTIONS, outbox=outbox)
    while projector.fold_next(100):
        pass


def test_each_folds_its_own_partitions_and_together_they_fold_all(store: Store) -> None:
    tables(store)
    fold_some(store, HALVES[0])
    lags = {partition: store.feed_length(partition) for partition in range(16)}
    behind = sum(lags[partition] for partition in HALVES[1])
    assert {one.lag for one in progress(store.redis, 16).values()} == {behind}
    fold_some(store, HALVES[1])
    by_two = folded(store.redis)
    assert {one.lag for one in progress(store.redis, 16).values()} == {0}
    for key in [*store.redis.scan_iter("*:rm:*"), *store.redis.scan_iter("*:outbox:*")]:
        store.redis.delete(key)
    fold_some(store, range(16))
    assert folded(store.redis) == by_two


def test_those_whose_partitions_overlap_fold_each_entry_and_plan_each_notice_once(
    store: Store,
) -> None:
    put_wish(store.redis, 16, "w", Wish("ann", frozenset({"match.started"})))
    projectors = [
        Projector(store.redis, store, some, PROJECTIONS, outbox=Outbox(store.redis, Event()))
        for some in (range(10), range(6, 16))
    ]
    matches = tables(store)
    while sum(one.fold_next(7) for one in projectors):
        pass
    assert {one.lag for one in progress(store.redis, 16).values()} == {0}
    lines = [
        store.redis.zcard(f"{mailbox(space_of_outbox(partition), 'w')}:line:{one.match.id}")
        for one in matches
        for partition in [store.partition_of(one.match.id)]
    ]
    assert lines == [1] * len(matches)


def test_each_hands_out_the_work_of_its_own_partitions(store: Store) -> None:
    matches = [f"m{n}" for n in range(8)]
    for match in matches:
        store.redis.zadd(f"{{p{store.partition_of(match)}}}:work:scoring", {f"score:{match}": 1})
        Recorded(store, "ann bob", match=match)
    of_first = {one for one in matches if store.partition_of(one) in HALVES[0]}
    assert 0 < len(of_first) < len(matches)
    first, second = (Dispatcher(Settings(), store, store.redis, partitions=one) for one in HALVES)
    first.look(2)
    assert scored(store) == of_first
    second.look(2)
    assert scored(store) == {*matches}
    assert len(jobs_of(store, "scoring")) == len(matches)


def test_each_hears_only_what_falls_due_in_its_own_partitions(store: Store) -> None:
    matches = [f"m{n}" for n in range(8)]
    heard = [Due("score", match, 1, AT_ONCE) for match in matches]
    dispatchers = [Dispatcher(Settings(), store, store.redis, partitions=one) for one in HALVES]
    assert sum(one.hear(heard) for one in dispatchers) == len(matches)
    assert scored(store) == {*matches}


def scored(store: Store) -> set[str]:
    return {job.split("-")[1] for job in jobs_of(store, "scoring")}


def jobs_of(store: Store, queue: str) -> list[str]:
    return Queue(queue, connection=store.redis).job_ids


def test_those_whose_partitions_overlap_put_a_job_into_its_queue_once(store: Store) -> None:
    heard = [Due("score", f"m{n}", 1, AT_ONCE) for n in range(8)]
    for some in (range(10), range(6, 16)):
        Dispatcher(Settings(), store, store.redis, partitions=some).hear(heard)
    assert sorted(jobs_of(store, "scoring")) == [f"score-m{n}-1" for n in range(8)]


def test_a_webhook_is_handed_out_by_whoever_has_something_for_it(store: Store) -> None:
    for partition, name in ((3, "w1"), (12, "w2"), (4, "both"), (13, "both")):
        store.redis.zadd(f"{space_of_outbox(partition)}:due", {name: 0})
    assert due_wishes(store.redis, HALVES[0], 1) == {"w1", "both"}
    first, second = (delivery_work.Dispatcher(store, store.redis, one) for one in HALVES)
    first.look(1)
    assert jobs_of(store, "webhooks") == ["webhook-both", "webhook-w1"]
    second.look(1)
    assert jobs_of(store, "webhooks") == ["webhook-both", "webhook-w1", "webhook-w2"]


def folded_in(store: Store, projections: Sequence[Projection]) -> set[int]:
    """The partitions of which anything is folded."""
    found = progress(store.redis, 16, projections).values()
    return {n for one in found for n, position in enumerate(one.positions) if position}


def filled(store: Store, partitions: Sequence[int]) -> set[int]:
    return {n for n in partitions if store.feed_length(n)}


def test_a_projector_folds_and_hands_out_what_is_in_its_partitions_and_no_more(
    store: Store, settings: Settings
) -> None:
    matches = [one.match.id for one in tables(store)]
    for match in matches:
        tag = f"{{p{store.partition_of(match)}}}"
        store.redis.zadd(f"{tag}:work:scoring", {f"score:{match}": 1})
    for partition in range(16):
        store.redis.zadd(f"{space_of_outbox(partition)}:due", {f"w{partition}": 0})
    mine, stop = HALVES[1], Event()
    with running(start(settings, mine, stop), stop):
        eventually(lambda: folded_in(store, PROJECTIONS) >= filled(store, mine))
        eventually(lambda: scored(store) and jobs_of(store, "webhooks"))
    assert folded_in(store, PROJECTIONS) == filled(store, mine)
    assert scored(store) == {one for one in matches if store.partition_of(one) in mine}
    assert jobs_of(store, "webhooks") == sorted(f"webhook-w{n}" for n in mine)


def test_an_analyst_folds_its_own_partitions(store: Store, settings: Settings) -> None:
    tables(store)
    mine, stop = HALVES[1], Event()
    threads = folding(settings, mine, stop)
    for thread in threads:
        thread.start()
    with running(threads, stop):
        eventually(lambda: folded_in(store, STUDIES) >= filled(store, mine))
    assert folded_in(store, STUDIES) == filled(store, mine)


@pytest.mark.parametrize("name", ["projector", "analyst"])
def test_what_the_command_is_told_is_what_is_worked_on(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for prepare in ("logging", "ready_to_work"):
        monkeypatch.setattr(cli, prepare, Settings)
    monkeypatch.setattr("workers.host.redis_check.await_both", lambda _settings: None)
    worked: list[list[int]] = []
    monkeypatch.setattr(f"workers.{name}.main", lambda _settings, some: worked.append([*some]))
    for words in (["--partitions", "0-3,8"], []):
        cli.commands([name, *words], standalone_mode=False)
    assert worked == [[0, 1, 2, 3, 8], [*range(16)]]
