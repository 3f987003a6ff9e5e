"""Each entry is folded exactly once, whoever folds and however often they are stopped."""

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

from domain.engine.codecs.binary_codec import number_of
from domain.match.events import Resigned
from domain.match.log import Entry
from projections import PROJECTIONS
from projections.lists.matches import get
from projections.lists.results import RESULTS, record_of
from projections.progress import progress, wait_for
from projections.projector import Projector
from service.store.event_store import Store
from service.store.redis_client import connect
from tests.projections.recorded import Recorded, fold_all, folded, many, projectors, varied
from tests.support.loss import losing
from tests.support.patience import PATIENCE_S

ROOT = Path(__file__).parents[2]
FOLDING = """
import sys
from projections import PROJECTIONS
from projections.projector import Projector
from service.store.redis_client import connect
from service.store.event_store import Store

redis = connect(sys.argv[1])
store = Store(redis)
projector = Projector(redis, store, range(16), PROJECTIONS)
while sys.stdin.readline() and projector.fold_next(1):
    print("folded", flush=True)
"""


@pytest.mark.parametrize("batch", [1, 2, 7, 1_000])
def test_it_makes_no_difference_in_which_batches_the_feed_is_read(store: Store, batch: int) -> None:
    varied(store)
    fold_all(store, 10_000)
    at_once = folded(store.redis)
    store.redis.delete(*at_once)
    fold_all(store, batch)
    assert folded(store.redis) == at_once


def test_folding_entry_by_entry_as_they_come_gives_the_same(store: Store) -> None:
    [lasting] = projectors(store)
    for seats in ("ann bob", "ann +easy cid"):
        table = Recorded(store, seats, match=seats.replace(" ", "-").replace("+", ""))
        while table.match.status == "active":
            table.play()
            assert lasting.fold_next(100)
        table.settle()
    lasting.fold_next(100)
    live = folded(store.redis)
    store.redis.delete(*live)
    fold_all(store)
    assert folded(store.redis) == live


def test_a_projector_that_starts_late_folds_what_the_match_was_before(store: Store) -> None:
    table = Recorded(store, "ann bob", match="m").play(4)
    fold_all(store)
    table.play_out()
    table.settle()
    fold_all(store, batch=1)  # these projectors have not seen the first entries
    live = folded(store.redis)
    store.redis.delete(*live)
    fold_all(store)
    assert folded(store.redis) == live


def test_two_that_compete_count_each_match_once(store: Store, redis_url: str) -> None:
    many(store, 12)

    def fold() -> None:
        redis = connect(redis_url)
        [own] = projectors(Store(redis))
        while own.fold_next(2):
            pass
        redis.close()

    threads = [threading.Thread(target=fold) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    fold_all(store)
    assert record_of(store.redis, 16, "ann")["toy"].played == 12
    live = folded(store.redis)
    store.redis.delete(*live)
    fold_all(store)
    assert folded(store.redis) == live


@pytest.mark.slow
def test_killed_again_and_again_it_counts_each_match_once(store: Store, redis_url: str) -> None:
    many(store, 25)
    for kill_after in (2, 9, 5, 8):  # in all fewer rounds than there are entries
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
    results = progress(store.redis, 16)["results"]
    assert sum(results.positions) > 0
    assert results.lag > 0
    fold_all(store)
    assert record_of(store.redis, 16, "ann")["toy"].played == 25
    live = folded(store.redis)
    store.redis.delete(*live)
    fold_all(store)
    assert folded(store.redis) == live


def test_whoever_goes_by_a_position_that_is_no_longer_true_writes_nothing(store: Store) -> None:
    table = Recorded(store, "ann bob", match="m").play_out()
    table.settle()
    partition = store.partition_of("m")
    projector, twin = (Projector(store.redis, store, [partition], [RESULTS]) for _ in range(2))
    projector.fold_next(1)
    twin.fold_next(1)
    projector.fold_next(100)  # goes by a position that is no longer true, so nothing is written
    assert progress_of(store, partition) == twin.position(partition) == 2
    twin.fold_next(100)
    projector.fold_next(100)
    assert (
        progress_of(store, partition) == twin.position(partition) == projector.position(partition)
    )
    assert record_of(store.redis, 16, "ann")["toy"].played == 1


@pytest.mark.parametrize("since", [1, 2, 3])
def test_what_was_folded_and_lost_with_its_server_is_folded_anew(
    store: Store, redis_client: Redis, since: int
) -> None:
    table = Recorded(store, "ann bob", match="m")
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
    live = folded(redis_client)
    redis_client.delete(*live)
    fold_all(store)
    assert folded(redis_client) == live


def test_it_is_folded_anew_though_other_partitions_always_have_something_to_fold(
    store: Store, redis_client: Redis
) -> None:
    table, partition = Recorded(store, "ann bob", match="m"), store.partition_of("m")
    others = [one for one in map(str, range(100)) if store.partition_of(one) != partition]
    projector = Projector(redis_client, store, range(store.partitions), PROJECTIONS)
    with losing(redis_client):
        branch(table).play(3)
        fold_whole(projector)
    table.play()
    for another in others[:70]:
        Recorded(store, "ann bob", match=another)
        assert projector.fold_next(100)
    listed = get(redis_client, partition, "m")
    assert listed
    assert listed.version == table.match.version


def branch(table: Recorded) -> Recorded:
    """The same match, which goes on by itself."""
    other = copy(table)
    other.entries = [*table.entries]
    return other


def fold_whole(projector: Projector) -> None:
    """Fold until there is nothing more to fold, even if all was folded and then lost."""
    while projector.fold_next(100) or projector.fold_next(100):
        pass


def progress_of(store: Store, partition: int) -> int:
    return progress(store.redis, 16)["results"].positions[partition]


def test_a_new_projection_catches_up_beside_the_others(store: Store) -> None:
    varied(store)
    partition = store.partition_of("scored")
    old = Projector(store.redis, store, [partition], PROJECTIONS[:2])
    while old.fold_next(100):
        pass
    both = Projector(store.redis, store, [partition], PROJECTIONS)
    while both.fold_next(2):
        pass
    assert record_of(store.redis, 16, "ann")["toy"].played == 1
    live = folded(store.redis)
    store.redis.delete(*live)
    again = Projector(store.redis, store, [partition], PROJECTIONS)
    while again.fold_next(100):
        pass
    assert folded(store.redis) == live


class StarsFell:
    """An event of a game that is not known here."""


def test_events_that_are_not_known_are_skipped(store: Store) -> None:
    table = Recorded(store, "ann bob", match="m")
    strange = msgpack.encode([[number_of(StarsFell), 9, 3], [number_of(Resigned), 1, "new"]])
    store.append("m", Entry(table.match.version + 1, "New", "u", 5, b"", strange, 1, b"c"), {})
    fold_all(store)
    assert {one.lag for one in progress(store.redis, 16).values()} == {0}


def test_progress_tells_how_far_each_projection_has_read(store: Store) -> None:
    table = Recorded(store, "ann bob", match="m").play(3)
    partition = store.partition_of("m")
    assert {one.lag for one in progress(store.redis, 16).values()} == {table.match.version}
    fold_all(store)
    table.play()
    found = progress(store.redis, 16)
    assert list(found) == ["matches", "turns", "results"]
    for one in found.values():
        assert one.positions[partition] == table.match.version - 1
        assert (one.lags[partition], one.lag) == (1, 1)


def test_one_can_wait_for_a_version(store: Store, redis_url: str) -> None:
    table = Recorded(store, "ann bob", match="m").play(2)
    partition, version = store.partition_of("m"), table.match.version

    def fold_later() -> None:
        time.sleep(0.05)
        with Redis.from_url(redis_url) as redis:
            fold_all(Store(redis))

    thread = threading.Thread(target=fold_later)
    thread.start()
    assert wait_for(store.redis, partition, "m", version, PATIENCE_S)
    thread.join()
    assert not wait_for(store.redis, partition, "m", version + 1, 0.02)
    assert wait_for(store.redis, partition, "m", 1, 0)


def test_a_projector_goes_on_after_redis_was_out_of_reach(store: Store) -> None:
    Recorded(store, "ann bob", match="m").play_out().settle()
    projector = Projector(store.redis, store, [store.partition_of("m")], PROJECTIONS)
    projector.fold_next(2)
    maxmemory = store.redis.config_get("maxmemory")["maxmemory"]
    store.redis.config_set("maxmemory", 1)
    with pytest.raises(RedisError):
        projector.fold_next(2)
    store.redis.config_set("maxmemory", maxmemory)
    while projector.fold_next(2):
        pass
    assert record_of(store.redis, 16, "ann")["toy"].played == 1
