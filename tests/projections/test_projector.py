"""Each entry is folded exactly once, by any number of projectors that may be killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from copy import copy
from pathlib import Path

import pytest
from msgspec import msgpack
from redis import Redis
from redis.exceptions import RedisError

from domain.engine.codecs.binary_codec import class_id
from domain.match.events import Resigned
from domain.match.log import Entry
from projections import PROJECTIONS
from projections.lists.matches import get
from projections.lists.results import RESULTS, read_record
from projections.progress import read_progress, wait_for
from projections.projector import Projector
from service.store.event_store import EventStore
from service.store.redis_client import connect
from tests.projections.recorded import (
    RecordedMatch,
    fold_all,
    many_matches,
    projectors,
    read_all,
    some_of_each_kind,
)
from tests.support.loss import losing
from tests.support.patience import PATIENCE_S

ROOT = Path(__file__).parents[2]
FOLDING = """
import sys
from projections import PROJECTIONS
from projections.projector import Projector
from service.store.redis_client import connect
from service.store.event_store import EventStore

redis = connect(sys.argv[1])
store = EventStore(redis)
projector = Projector(redis, store, range(16), PROJECTIONS)
while sys.stdin.readline() and projector.fold_next(1):
    print("folded", flush=True)
"""


@pytest.mark.parametrize("batch", [1, 2, 7, 1_000])
def test_the_result_does_not_depend_on_batches(store: EventStore, batch: int) -> None:
    some_of_each_kind(store)
    fold_all(store, 10_000)
    at_once = read_all(store.redis)
    store.redis.delete(*at_once)
    fold_all(store, batch)
    assert read_all(store.redis) == at_once


def test_folding_live_equals_folding_at_once(store: EventStore) -> None:
    [lasting] = projectors(store)
    for seats in ("ann bob", "ann +easy cid"):
        table = RecordedMatch(store, seats, match=seats.replace(" ", "-").replace("+", ""))
        while table.match.status == "active":
            table.play()
            assert lasting.fold_next(100)
        table.settle()
    lasting.fold_next(100)
    live = read_all(store.redis)
    store.redis.delete(*live)
    fold_all(store)
    assert read_all(store.redis) == live


def test_a_late_projector_folds_earlier_entries(store: EventStore) -> None:
    table = RecordedMatch(store, "ann bob", match="m").play(4)
    fold_all(store)
    table.play_out()
    table.settle()
    fold_all(store, batch=1)  # these projectors have not seen the first entries
    live = read_all(store.redis)
    store.redis.delete(*live)
    fold_all(store)
    assert read_all(store.redis) == live


def test_competing_projectors_count_each_match_once(store: EventStore, redis_url: str) -> None:
    many_matches(store, 12)

    def fold() -> None:
        redis = connect(redis_url)
        [own] = projectors(EventStore(redis))
        while own.fold_next(2):
            pass
        redis.close()

    threads = [threading.Thread(target=fold) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    fold_all(store)
    assert read_record(store.redis, 16, "ann")["toy"].played == 12
    live = read_all(store.redis)
    store.redis.delete(*live)
    fold_all(store)
    assert read_all(store.redis) == live


@pytest.mark.slow
def test_a_repeatedly_killed_projector_counts_each_match_once(
    store: EventStore, redis_url: str
) -> None:
    many_matches(store, 25)
    for kill_after in (2, 9):  # fewer rounds in all than entries
        folding = subprocess.Popen(
            [sys.executable, "-c", FOLDING, redis_url],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        assert folding.stdin
        assert folding.stdout
        folding.stdin.write(b"\n" * (kill_after + 1))  # it is killed in the last of these rounds
        folding.stdin.flush()
        for _ in range(kill_after):
            folding.stdout.readline()
        time.sleep(0.003)
        os.kill(folding.pid, signal.SIGKILL)
        folding.communicate()
    results = read_progress(store.redis, 16)["results"]
    assert sum(results.positions) > 0
    assert results.lag > 0
    fold_all(store)
    assert read_record(store.redis, 16, "ann")["toy"].played == 25
    live = read_all(store.redis)
    store.redis.delete(*live)
    fold_all(store)
    assert read_all(store.redis) == live


def test_a_commit_with_an_old_position_writes_nothing(
    store: EventStore,
) -> None:
    table = RecordedMatch(store, "ann bob", match="m").play_out()
    table.settle()
    partition = store.partition_of("m")
    projector, twin = (Projector(store.redis, store, [partition], [RESULTS]) for _ in range(2))
    projector.fold_next(1)
    twin.fold_next(1)
    projector.fold_next(100)  # its position is out of date, so nothing is written
    assert progress_of(store, partition) == twin.position(partition) == 2
    twin.fold_next(100)
    projector.fold_next(100)
    assert (
        progress_of(store, partition) == twin.position(partition) == projector.position(partition)
    )
    assert read_record(store.redis, 16, "ann")["toy"].played == 1


@pytest.mark.parametrize("since", [1, 2, 3])
def test_positions_lost_with_a_server_are_folded_again(
    store: EventStore, redis_client: Redis, since: int
) -> None:
    table = RecordedMatch(store, "ann bob", match="m")
    projector = Projector(redis_client, store, [store.partition_of("m")], PROJECTIONS)
    with losing(redis_client):
        branch(table).play(3)
        fold_whole(projector)
    for _ in range(since):
        table.move(table.legal()[-1])  # what was lost began with the first one
        fold_whole(projector)
        listed = get(redis_client, store.partition_of("m"), "m")
        assert listed
        assert listed.version == table.match.version
    live = read_all(redis_client)
    redis_client.delete(*live)
    fold_all(store)
    assert read_all(redis_client) == live


def test_lost_positions_are_folded_again_while_other_partitions_are_busy(
    store: EventStore, redis_client: Redis
) -> None:
    table, partition = RecordedMatch(store, "ann bob", match="m"), store.partition_of("m")
    others = [one for one in map(str, range(100)) if store.partition_of(one) != partition]
    projector = Projector(redis_client, store, range(store.partitions), PROJECTIONS)
    with losing(redis_client):
        branch(table).play(3)
        fold_whole(projector)
    table.play()
    for another in others[:70]:
        RecordedMatch(store, "ann bob", match=another)
        assert projector.fold_next(100)
    listed = get(redis_client, partition, "m")
    assert listed
    assert listed.version == table.match.version


def branch(table: RecordedMatch) -> RecordedMatch:
    """The same match, which goes on independently."""
    other = copy(table)
    other.entries = [*table.entries]
    return other


def fold_whole(projector: Projector) -> None:
    """Fold until nothing is left, even if folded positions were lost."""
    while projector.fold_next(100) or projector.fold_next(100):
        pass


def progress_of(store: EventStore, partition: int) -> int:
    return read_progress(store.redis, 16)["results"].positions[partition]


def test_a_new_projection_catches_up_beside_the_others(store: EventStore) -> None:
    some_of_each_kind(store)
    partition = store.partition_of("scored")
    old = Projector(store.redis, store, [partition], PROJECTIONS[:2])
    while old.fold_next(100):
        pass
    both = Projector(store.redis, store, [partition], PROJECTIONS)
    while both.fold_next(2):
        pass
    assert read_record(store.redis, 16, "ann")["toy"].played == 1
    live = read_all(store.redis)
    store.redis.delete(*live)
    again = Projector(store.redis, store, [partition], PROJECTIONS)
    while again.fold_next(100):
        pass
    assert read_all(store.redis) == live


class StarsFell:
    """An event of an unknown game."""


def test_unknown_events_are_skipped(store: EventStore) -> None:
    table = RecordedMatch(store, "ann bob", match="m")
    strange = msgpack.encode([[class_id(StarsFell), 9, 3], [class_id(Resigned), 1, "new"]])
    store.append("m", Entry(table.match.version + 1, "New", "u", 5, b"", strange, 1, b"c"), {})
    fold_all(store)
    assert {one.lag for one in read_progress(store.redis, 16).values()} == {0}


def test_progress_has_the_position_of_each_projection(store: EventStore) -> None:
    table = RecordedMatch(store, "ann bob", match="m").play(3)
    partition = store.partition_of("m")
    assert {one.lag for one in read_progress(store.redis, 16).values()} == {table.match.version}
    fold_all(store)
    table.play()
    found = read_progress(store.redis, 16)
    assert list(found) == ["matches", "turns", "results", "reliability"]
    for one in found.values():
        assert one.positions[partition] == table.match.version - 1
        assert (one.lags[partition], one.lag) == (1, 1)


def test_one_can_wait_for_a_version(store: EventStore, redis_url: str) -> None:
    table = RecordedMatch(store, "ann bob", match="m").play(2)
    partition, version = store.partition_of("m"), table.match.version

    def fold_later() -> None:
        time.sleep(0.05)
        with Redis.from_url(redis_url) as redis:
            fold_all(EventStore(redis))

    thread = threading.Thread(target=fold_later)
    thread.start()
    assert wait_for(store.redis, partition, "m", version, PATIENCE_S)
    thread.join()
    assert not wait_for(store.redis, partition, "m", version + 1, 0.02)
    assert wait_for(store.redis, partition, "m", 1, 0)


def test_a_projector_continues_after_redis_was_unreachable(store: EventStore) -> None:
    RecordedMatch(store, "ann bob", match="m").play_out().settle()
    projector = Projector(store.redis, store, [store.partition_of("m")], PROJECTIONS)
    projector.fold_next(2)
    maxmemory = store.redis.config_get("maxmemory")["maxmemory"]
    store.redis.config_set("maxmemory", 1)
    with pytest.raises(RedisError):
        projector.fold_next(2)
    store.redis.config_set("maxmemory", maxmemory)
    while projector.fold_next(2):
        pass
    assert read_record(store.redis, 16, "ann")["toy"].played == 1
