"""A rebuild gives the same read models, while everything goes on."""

from __future__ import annotations

import multiprocessing
import threading

import pytest
from click.testing import CliRunner
from redis import Redis

from projections import PROJECTIONS
from projections.core import changes, history
from projections.core.changes import TOLD
from projections.core.history import Overtaken, _write
from projections.core.spaces import Projection
from projections.lists.results import RESULTS, record_of
from projections.progress import progress
from projections.projector import Projector
from service.runtime.settings import Settings
from service.store.event_store import Store
from service.store.redis_client import connect
from tests.projections.recorded import Recorded, fold_all, folded, many, projectors, varied
from tests.support.patience import eventually
from workers.host.errors import CannotRun
from workers.tools.rebuild import fold_anew, rebuild


@pytest.fixture
def store(redis_client: Redis) -> Store:
    return Store(redis_client)


@pytest.fixture
def settings(redis_url: str) -> Settings:
    return Settings(events_url=redis_url)


@pytest.mark.parametrize("told", [1, 3, TOLD])
@pytest.mark.parametrize("projection", PROJECTIONS, ids=lambda one: one.name)
def test_a_rebuild_gives_the_same_byte_by_byte(
    store: Store,
    settings: Settings,
    projection: Projection,
    told: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However many of the last entries are folded one by one, since listeners are told of them."""
    for module in (changes, history):
        monkeypatch.setattr(module, "TOLD", told)
    varied(store)
    fold_all(store, batch=2)
    live = folded(store.redis)
    entries = sum(store.feed_length(partition) for partition in range(16))
    assert fold_anew(settings, [projection]) == (entries, {})
    anew = {}
    for key, value in folded(store.redis).items():
        name = f":{projection.key}".encode()
        if key.endswith(name):
            assert value == b"1"
        else:
            anew[key.replace(name + b":1:", name + b":0:")] = value
    for partition in range(16):
        live.setdefault(f"{{p{partition}}}:rm:{projection.key}:0:at".encode(), None)
        anew.setdefault(f"{{p{partition}}}:rm:{projection.key}:0:at".encode(), None)
    assert anew == live


def test_a_rebuild_while_matches_go_on_misses_nothing(
    store: Store, redis_url: str, settings: Settings
) -> None:
    many(store, 6)
    fold_all(store)
    over = threading.Event()

    def project() -> None:
        redis = connect(redis_url)
        [own] = projectors(Store(redis))
        while not over.is_set():
            own.fold_next(5)
        redis.close()

    thread = threading.Thread(target=project)
    thread.start()
    table = Recorded(store, "ann bob", match="going-on")
    for _ in range(3):
        fold_anew(settings, PROJECTIONS)
        if table.match.status == "active":
            table.play(2)
    table.play_out()
    table.settle()
    over.set()
    thread.join()
    fold_all(store)
    assert record_of(store.redis, 16, "ann")["toy"].played == 7
    assert {one.lag for one in progress(store.redis, 16).values()} == {0}


def test_the_command_rebuilds_one_projection_or_all(
    store: Store, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVENTS_REDIS_URL", redis_url)
    entries = Recorded(store, "ann bob", match="m").play(2).match.version
    one = CliRunner().invoke(rebuild, ["turns"])
    assert (one.exit_code, one.stdout) == (0, f"turns: {entries} entries folded anew\n")
    assert "partitions 16 of 16" in one.stderr
    assert progress(store.redis, 16)["turns"].lag == 0
    assert progress(store.redis, 16)["matches"].lag == entries
    all_of_them = CliRunner().invoke(rebuild)
    assert (
        f"matches, turns, results, statistics, explorer: {entries} entries folded anew"
        in all_of_them.output
    )
    assert {one.lag for one in progress(store.redis, 16).values()} == {0}
    assert CliRunner().invoke(rebuild, ["nothing"]).exit_code == 2


def test_only_one_rebuilds_at_a_time(store: Store, settings: Settings) -> None:
    varied(store)
    fold_all(store)
    before = folded(store.redis)
    with (
        store.redis.lock("annals:rebuilding", timeout=60),
        pytest.raises(CannotRun, match="are being rebuilt"),
    ):
        fold_anew(settings, [RESULTS])
    assert folded(store.redis) == before
    assert fold_anew(settings, [RESULTS])


def test_a_rebuild_cleans_up_after_one_that_was_killed(store: Store, settings: Settings) -> None:
    varied(store)
    fold_all(store)
    partition = store.partition_of("scored")
    Projector(store.redis, store, [partition], [RESULTS], generation=1).fold_next(3)
    store.redis.set(f"{{p{partition}}}:rm:results:v2:1:left-over", 1)
    fold_anew(settings, [RESULTS])
    assert record_of(store.redis, 16, "ann")["toy"].played == 1
    assert not list(store.redis.scan_iter("*left-over"))
    assert not list(store.redis.scan_iter("*:rm:results:v2:0:*"))


def test_a_process_that_is_killed_leaves_the_projections_as_they_were(
    store: Store, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    varied(store)
    fold_all(store)
    monkeypatch.setattr("workers.tools.rebuild.os.cpu_count", lambda: 2)
    others = {*multiprocessing.active_children()}

    def kill_one() -> None:
        # Both have to be there: Python may wait for ever for one that begins while another ends.
        eventually(lambda: len({*multiprocessing.active_children()} - others) == 2)
        ({*multiprocessing.active_children()} - others).pop().kill()

    killer = threading.Thread(target=kill_one)
    killer.start()
    with pytest.raises(CannotRun, match="try again"):
        fold_anew(settings, PROJECTIONS, few=0)
    killer.join()
    assert record_of(store.redis, 16, "ann")["toy"].played == 1
    fold_anew(settings, PROJECTIONS)
    assert record_of(store.redis, 16, "ann")["toy"].played == 1


COUNT = ("HINCRBY", "{p0}:sums", "entries", 1)


def test_what_is_sent_twice_is_written_once(redis_client: Redis) -> None:
    for _ in range(2):
        _write(redis_client, "{p0}:mark", 0, 3, [COUNT])
    assert redis_client.hgetall("{p0}:sums") == {b"entries": b"1"}
    assert redis_client.get("{p0}:mark") == b"3"


def test_whoever_was_overtaken_writes_nothing(redis_client: Redis) -> None:
    redis_client.set("{p0}:mark", 7)
    with pytest.raises(Overtaken):
        _write(redis_client, "{p0}:mark", 0, 3, [COUNT])
    assert not redis_client.exists("{p0}:sums")
