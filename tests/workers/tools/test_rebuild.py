"""A rebuild gives the same read models while the service runs."""

from __future__ import annotations

import multiprocessing
import threading

import pytest
from click.testing import CliRunner
from redis import Redis

from projections import PROJECTIONS
from projections.core import changes, history
from projections.core.changes import MAX_FEED_UPDATES
from projections.core.history import ConcurrentFold, _write
from projections.core.spaces import Projection
from projections.lists.results import RESULTS, read_record
from projections.progress import read_progress
from projections.projector import Projector
from service.runtime.settings import Settings
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
from tests.support.patience import eventually
from workers.host.errors import CannotRun
from workers.tools.rebuild import rebuild, rebuild_projections


@pytest.fixture
def store(redis_client: Redis) -> EventStore:
    return EventStore(redis_client)


@pytest.fixture
def settings(redis_url: str) -> Settings:
    return Settings(events_url=redis_url)


@pytest.mark.parametrize("told", [1, 3, MAX_FEED_UPDATES])
@pytest.mark.parametrize("projection", PROJECTIONS, ids=lambda one: one.name)
def test_a_rebuild_is_identical(
    store: EventStore,
    settings: Settings,
    projection: Projection,
    told: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With any number of last entries folded one by one for the streams."""
    for module in (changes, history):
        monkeypatch.setattr(module, "MAX_FEED_UPDATES", told)
    some_of_each_kind(store)
    fold_all(store, batch=2)
    live = read_all(store.redis)
    entries = sum(store.feed_length(partition) for partition in range(16))
    assert rebuild_projections(settings, [projection]) == (entries, {})
    anew = {}
    for key, value in read_all(store.redis).items():
        name = f":{projection.key}".encode()
        if key.endswith(name):
            assert value == b"1"
        else:
            anew[key.replace(name + b":1:", name + b":0:")] = value
    for partition in range(16):
        live.setdefault(f"{{p{partition}}}:rm:{projection.key}:0:at".encode(), None)
        anew.setdefault(f"{{p{partition}}}:rm:{projection.key}:0:at".encode(), None)
    assert anew == live


def test_a_rebuild_during_play_misses_nothing(
    store: EventStore, redis_url: str, settings: Settings
) -> None:
    many_matches(store, 6)
    fold_all(store)
    over = threading.Event()

    def project() -> None:
        redis = connect(redis_url)
        [own] = projectors(EventStore(redis))
        while not over.is_set():
            own.fold_next(5)
        redis.close()

    thread = threading.Thread(target=project)
    thread.start()
    table = RecordedMatch(store, "ann bob", match="going-on")
    for _ in range(3):
        rebuild_projections(settings, PROJECTIONS)
        if table.match.status == "active":
            table.play(2)
    table.play_out()
    table.settle()
    over.set()
    thread.join()
    fold_all(store)
    assert read_record(store.redis, 16, "ann")["toy"].played == 7
    assert {one.lag for one in read_progress(store.redis, 16).values()} == {0}


def test_the_command_rebuilds_one_projection_or_all(
    store: EventStore, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVENTS_REDIS_URL", redis_url)
    entries = RecordedMatch(store, "ann bob", match="m").play(2).match.version
    one = CliRunner().invoke(rebuild, ["turns"])
    assert (one.exit_code, one.stdout) == (0, f"turns: {entries} entries folded again\n")
    assert "partitions 16 of 16" in one.stderr
    assert read_progress(store.redis, 16)["turns"].lag == 0
    assert read_progress(store.redis, 16)["matches"].lag == entries
    all_of_them = CliRunner().invoke(rebuild)
    named = "matches, turns, results, reliability, statistics, explorer"
    assert f"{named}: {entries} entries folded again" in all_of_them.output
    assert {one.lag for one in read_progress(store.redis, 16).values()} == {0}
    assert CliRunner().invoke(rebuild, ["nothing"]).exit_code == 2


def test_a_second_rebuild_is_refused(store: EventStore, settings: Settings) -> None:
    some_of_each_kind(store)
    fold_all(store)
    before = read_all(store.redis)
    with (
        store.redis.lock("annals:rebuilding", timeout=60),
        pytest.raises(CannotRun, match="is rebuilding"),
    ):
        rebuild_projections(settings, [RESULTS])
    assert read_all(store.redis) == before
    assert rebuild_projections(settings, [RESULTS])


def test_a_rebuild_cleans_up_after_a_killed_one(store: EventStore, settings: Settings) -> None:
    some_of_each_kind(store)
    fold_all(store)
    partition = store.partition_of("scored")
    Projector(store.redis, store, [partition], [RESULTS], generation=1).fold_next(3)
    store.redis.set(f"{{p{partition}}}:rm:results:v2:1:left-over", 1)
    rebuild_projections(settings, [RESULTS])
    assert read_record(store.redis, 16, "ann")["toy"].played == 1
    assert not list(store.redis.scan_iter("*left-over"))
    assert not list(store.redis.scan_iter("*:rm:results:v2:0:*"))


def test_a_killed_helper_leaves_the_projections_unchanged(
    store: EventStore, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    some_of_each_kind(store)
    fold_all(store)
    monkeypatch.setattr("workers.tools.rebuild.os.cpu_count", lambda: 2)
    others = {*multiprocessing.active_children()}

    def kill_one() -> None:
        # Both must run: Python may wait for ever if one starts while another ends.
        eventually(lambda: len({*multiprocessing.active_children()} - others) == 2)
        ({*multiprocessing.active_children()} - others).pop().kill()

    killer = threading.Thread(target=kill_one)
    killer.start()
    with pytest.raises(CannotRun, match="try again"):
        rebuild_projections(settings, PROJECTIONS, parallel_from=0)
    killer.join()
    assert read_record(store.redis, 16, "ann")["toy"].played == 1
    rebuild_projections(settings, PROJECTIONS)
    assert read_record(store.redis, 16, "ann")["toy"].played == 1


COUNT = ("HINCRBY", "{p0}:sums", "entries", 1)


def test_a_repeated_commit_writes_once(redis_client: Redis) -> None:
    for _ in range(2):
        _write(redis_client, "{p0}:mark", 0, 3, [COUNT])
    assert redis_client.hgetall("{p0}:sums") == {b"entries": b"1"}
    assert redis_client.get("{p0}:mark") == b"3"


def test_an_overtaken_rebuild_writes_nothing(redis_client: Redis) -> None:
    redis_client.set("{p0}:mark", 7)
    with pytest.raises(ConcurrentFold):
        _write(redis_client, "{p0}:mark", 0, 3, [COUNT])
    assert not redis_client.exists("{p0}:sums")
