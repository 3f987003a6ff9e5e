"""Notices are planned exactly once, for subscriptions that ask for them and may receive them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Collection
from itertools import count, islice
from pathlib import Path

import pytest

from domain.match.state import ClockRule
from domain.notice_types import NOTICE_TYPES, NoticeName
from domain.notices import Notice
from projections import PROJECTIONS
from projections.outbox.plan import (
    Outbox,
    SubscriptionFilter,
    due_key,
    match_queue_key,
    outbox_space,
    put_filter,
    queue_prefix,
    read_filter,
    read_notice,
    warnings_key,
)
from projections.projector import Projector
from service.store.event_store import EventStore
from tests.match.table import NOON
from tests.projections.recorded import RecordedMatch, fold_all, some_of_each_kind

ROOT = Path(__file__).parents[2]
FOLDING = """
import sys
from projections import PROJECTIONS
from projections.outbox.plan import Outbox
from projections.projector import Projector
from service.store.redis_client import connect
from service.store.event_store import EventStore

redis = connect(sys.argv[1])
projector = Projector(redis, EventStore(redis), range(16), PROJECTIONS, outbox=Outbox(redis))
while sys.stdin.readline() and projector.fold_next(1):
    print("folded", flush=True)
"""
ALL = frozenset(NOTICE_TYPES)


def projector(store: EventStore) -> Projector:
    return Projector(
        store.redis, store, range(store.partitions), PROJECTIONS, outbox=Outbox(store.redis)
    )


def project(store: EventStore, limit: int = 1_000) -> None:
    folding = projector(store)
    while folding.fold_next(limit):
        pass


def subscribe(
    store: EventStore, name: str, player: str, types: Collection[NoticeName] = ALL, **more
) -> None:
    put_filter(
        store.redis, store.partitions, name, SubscriptionFilter(player, frozenset(types), **more)
    )


def prefix_of(store: EventStore, name: str, match: str) -> str:
    return queue_prefix(outbox_space(store.partition_of(match)), name)


def line(store: EventStore, name: str, match: str) -> list[Notice]:
    rows = store.redis.zrange(match_queue_key(prefix_of(store, name, match), match), 0, -1)
    return list(map(read_notice, rows))


def kinds(store: EventStore, name: str, match: str) -> list[NoticeName]:
    return [notice.type for notice in line(store, name, match)]


def test_a_subscription_covers_its_owners_matches_only(store: EventStore) -> None:
    subscribe(store, "w", "ann")
    RecordedMatch(store, "ann bob", match="mine").play_out()
    RecordedMatch(store, "bob cid", match="theirs").play_out()
    project(store)
    assert kinds(store, "w", "mine")[:2] == ["match.created", "match.started"]
    assert kinds(store, "w", "mine")[-2:] == ["move.made", "match.ended"]
    assert line(store, "w", "theirs") == []
    space = outbox_space(store.partition_of("mine"))
    assert store.redis.zrange(due_key(space), 0, -1, withscores=True) == [(b"w", 1)]


def test_each_new_work_of_a_webhook_is_due_at_another_place(store: EventStore) -> None:
    """So that a dispatcher knows it from work that waits to be sent."""
    subscribe(store, "w", "ann", all_matches=True)
    names = (f"m{number}" for number in count())
    found = []
    for match in islice((one for one in names if store.partition_of(one) == 3), 2):
        RecordedMatch(store, "ann bob", match=match)
        project(store)
        found.append(store.redis.zscore(due_key(outbox_space(3)), "w"))
        store.redis.zrem(due_key(outbox_space(3)), "w")  # it was served
    assert found == sorted(set(found))
    assert found[-1] < NOON


def test_a_subscription_to_all_matches_covers_public_ones(store: EventStore) -> None:
    subscribe(store, "all", "zoe", all_matches=True)
    subscribe(store, "one", "zoe", match="public")
    subscribe(store, "other", "zoe", all_matches=True, game="qin")
    RecordedMatch(store, "ann bob", match="public")
    RecordedMatch(store, "ann bob", match="secret", visibility="private")
    project(store)
    assert line(store, "all", "public") == line(store, "one", "public") != []
    assert line(store, "all", "secret") == line(store, "other", "public") == []


def test_a_private_match_is_delivered_to_its_players(store: EventStore) -> None:
    subscribe(store, "host", "ann")
    subscribe(store, "invited", "cid")
    subscribe(store, "curious", "cid", match="other")
    RecordedMatch(store, "ann ?cid", match="m", visibility="private")
    RecordedMatch(store, "ann bob", match="other", visibility="private")
    project(store)
    assert kinds(store, "host", "m") == kinds(store, "invited", "m") == ["match.created"]
    assert line(store, "curious", "other") == []


def test_my_turn_covers_only_notices_that_wait_for_the_owner(store: EventStore) -> None:
    subscribe(store, "w", "ann", my_turn=True)
    table = RecordedMatch(store, "ann bob", match="m").play_out()
    project(store)
    turns = [notice for notice in line(store, "w", "m") if notice.type == "turn.started"]
    assert turns
    assert {notice.seat for notice in turns} == {0}
    assert "match.ended" not in kinds(store, "w", "m")
    assert len(table.entries) > len({notice.version for notice in line(store, "w", "m")})


def test_nothing_is_planned_for_entries_before_the_subscription(store: EventStore) -> None:
    table = RecordedMatch(store, "ann bob", match="m").play(2)
    folding = projector(store)
    folding.fold_next(1_000)
    before = table.match.version
    subscribe(store, "w", "ann")  # the projector notices the change
    table.play()
    while folding.fold_next(1_000):
        pass
    assert {notice.version for notice in line(store, "w", "m")} == {before + 1}


def test_no_match_is_read_again_because_a_filter_has_changed(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a projector that has folded a match
    table = RecordedMatch(store, "ann bob", match="m").play(2)
    folding, reads, read = projector(store), list[str](), store.read
    folding.fold_next(1_000)
    monkeypatch.setattr(store, "read", lambda match, *more, **rest: reads.append(match))
    # when filters change before each commit, and while the projector has nothing to do
    for number in range(3):
        subscribe(store, "w", "ann", game=f"game {number}")
        table.play()
        while folding.fold_next(1_000):
            subscribe(store, "w", "ann")
        subscribe(store, "w", "ann")
        folding.fold_next(1_000)
    # then it reads no entry that it has folded already
    assert not reads
    assert folding.position(store.partition_of("m")) == len(read("m"))


def test_nothing_is_planned_after_the_filter_is_removed(store: EventStore) -> None:
    subscribe(store, "w", "ann", ["move.made"])
    table = RecordedMatch(store, "ann bob", match="m").play()
    folding = projector(store)
    folding.fold_next(1_000)
    put_filter(store.redis, store.partitions, "w", None)
    table.play()
    while folding.fold_next(1_000):
        pass
    assert len(line(store, "w", "m")) == 1


@pytest.mark.parametrize("batch", [1, 3, 10_000])
def test_plans_do_not_depend_on_batches(store: EventStore, batch: int) -> None:
    subscribe(store, "w", "ann")
    tables = some_of_each_kind(store)
    project(store, batch)
    planned = {table.match.id: line(store, "w", table.match.id) for table in tables}
    places = [notice.position for lines in planned.values() for notice in lines]
    assert len(places) > 40
    store.redis.delete(*store.redis.keys("*:outbox:queue:*"), *store.redis.keys("*:outbox:at"))
    project(store)
    assert {table.match.id: line(store, "w", table.match.id) for table in tables} == planned


def test_a_rebuild_plans_nothing_again(store: EventStore) -> None:
    subscribe(store, "w", "ann")
    some_of_each_kind(store)
    project(store)
    store.redis.delete(*store.redis.keys("*:outbox:queue:*"))
    store.redis.delete(*store.redis.keys("*:rm:*"))
    project(store)
    fold_all(store)
    assert store.redis.keys("*:outbox:queue:*") == []


def test_competing_projectors_plan_each_notice_once(store: EventStore) -> None:
    subscribe(store, "w", "ann")
    table = RecordedMatch(store, "ann bob", match="m")
    first, second = projector(store), projector(store)
    first.fold_next(1_000)
    second.fold_next(1_000)
    told = line(store, "w", "m")
    store.redis.delete(match_queue_key(prefix_of(store, "w", "m"), "m"))  # as if they had been sent
    table.play()
    first.fold_next(1_000)
    second.fold_next(1_000)
    second.fold_next(1_000)
    assert {notice.version for notice in line(store, "w", "m")} == {table.match.version}
    assert told


@pytest.mark.slow
def test_a_repeatedly_killed_projector_plans_each_notice_once(
    store: EventStore, redis_url: str
) -> None:
    subscribe(store, "w", "ann")
    tables = [RecordedMatch(store, "ann bob", match=f"m{n}").play_out() for n in range(8)]
    sent = []
    for kill_after in (2, 9):
        folding = subprocess.Popen(
            [sys.executable, "-c", FOLDING, redis_url],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        assert folding.stdin
        assert folding.stdout
        folding.stdin.write(b"\n" * (kill_after + 1))
        folding.stdin.flush()
        for _ in range(kill_after):
            folding.stdout.readline()
        os.kill(folding.pid, signal.SIGKILL)
        folding.communicate()
        sent += take(store, tables)  # removed after sending: a second plan would bring it back
    project(store)
    sent += take(store, tables)
    assert len(sent) == len(set(sent))
    for table in tables:
        mine = [(version, number) for match, version, number in sent if match == table.match.id]
        assert {version for version, _ in mine} == set(range(1, table.match.version + 1))
        assert mine == sorted(mine)


def take(store: EventStore, tables: list[RecordedMatch]) -> list[tuple[str, int, int]]:
    found = []
    for table in tables:
        match = table.match.id
        found += [(match, notice.version, notice.number) for notice in line(store, "w", match)]
        store.redis.delete(match_queue_key(prefix_of(store, "w", match), match))
    return found


def timers(store: EventStore, name: str, match: str) -> list[tuple[str, float]]:
    rows = store.redis.zrange(warnings_key(prefix_of(store, name, match)), 0, -1, withscores=True)
    return [(read_notice(row.split(b" ")[3]).share or "", at) for row, at in rows]


def test_partitions_share_one_filter_for_each_text(store: EventStore) -> None:
    subscribe(store, "w", "ann")
    subscribe(store, "v", "bob")
    first, second = (read_filter(store.redis, n, "w") for n in (0, store.partitions - 1))
    assert first is second is not None
    assert first != read_filter(store.redis, 0, "v")


def test_clock_warnings_are_planned_for_running_clocks(store: EventStore) -> None:
    subscribe(store, "w", "ann", ["clock.warning"], my_turn=True)
    table = RecordedMatch(store, "ann bob", match="m", clock=ClockRule(per_move_s=100))
    project(store)
    begun = table.now
    assert timers(store, "w", "m") == [("half", begun + 50_000), ("tenth", begun + 90_000)]
    space = outbox_space(store.partition_of("m"))
    assert store.redis.zrange(warnings_key(space), 0, -1, withscores=True) == [
        (b"w", begun + 50_000)
    ]
    table.wait(60)
    table.move(table.legal(0)[0])
    project(store)  # half was over already and is still planned; a tenth was not
    assert ("half", begun + 50_000) in timers(store, "w", "m")
    assert ("tenth", begun + 90_000) not in timers(store, "w", "m")
