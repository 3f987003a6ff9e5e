"""Work that falls due at once is told at once; who does not hear it finds it in the index."""

from __future__ import annotations

from pathlib import Path

import pytest
from redis import Redis

from domain.match.log import Entry
from domain.match.scheduled_work import AT_ONCE, IN_HAND
from service.live.work_notifier import Bell
from service.store.event_store import Due, Store, Turn
from service.store.redis_client import connect
from tests.support.patience import PATIENCE_S
from tests.support.redis_process import cluster


def entry(version: int) -> Entry:
    return Entry(version, "Moved", "u1", 5, b"", b"\x90", 1, b"c%d" % version)


@pytest.fixture
def store(redis_client: Redis) -> Store:
    return Store(redis_client)


def listening(store: Store) -> Bell:
    bell = Bell(store)
    while not bell._pubsub.subscribed:
        bell.heard(0)
    bell.heard(0.1)  # that it listens is a message, too
    return bell


def heard(bell: Bell) -> list[Due]:
    """What is heard, as soon as it comes."""
    return bell.heard(PATIENCE_S)


@pytest.mark.parametrize("work", ["bot", "think", "score"])
def test_what_is_due_at_once_is_told_with_its_version_and_its_place(
    store: Store, work: str
) -> None:
    bell = listening(store)
    for version in (1, 2):
        store.append("m", entry(version), {work: AT_ONCE, "deadline": 1_000})  # type: ignore[dict-item]
        assert heard(bell) == [Due(work, "m", version, version)]  # type: ignore[arg-type]


def test_what_is_due_later_or_in_hand_is_told_nobody(store: Store) -> None:
    bell = listening(store)
    store.append("m", entry(1), {"deadline": 1_000, "bot": IN_HAND})
    store.append("n", entry(1), {"bot": AT_ONCE})
    assert [work.match for work in heard(bell)] == ["n"]


def test_another_store_on_the_same_server_rings_another_bell(redis_url: str, store: Store) -> None:
    with Redis.from_url(redis_url, db=1) as redis:
        redis.flushdb()
        bell, theirs = listening(store), Store(redis)
        theirs.append("theirs", entry(1), {"bot": AT_ONCE})
        store.append("ours", entry(1), {"bot": AT_ONCE})
        assert [work.match for work in heard(bell)] == ["ours"]
        redis.flushdb()


@pytest.mark.parametrize("told", [b"bot:m", b"boot:m:1:1", b"bot:m:-1:x", b"\xff"])
def test_what_means_nothing_is_not_heard(store: Store, told: bytes) -> None:
    bell = listening(store)
    store.redis.publish(store.bell, told)
    store.redis.publish(store.bell, "bot:m:1:1")
    works = heard(bell) or heard(bell)
    assert works == [Due("bot", "m", 1, 1)]


def test_a_user_who_may_not_tell_may_record_all_the_same(redis_url: str, store: Store) -> None:
    store.redis.acl_setuser(
        "quiet", enabled=True, nopass=True, categories=["+@all"], keys=["*"], reset_channels=True
    )
    with Redis.from_url(redis_url, username="quiet", password="any") as redis:
        Store(redis).append("m", entry(1), {"bot": AT_ONCE})
    assert store.turns(store.partition_of("m")) == [Turn("bot", "m", 1)]
    store.redis.acl_deluser("quiet")


def test_what_is_in_hand_is_in_the_index_and_marked(store: Store) -> None:
    partition = store.partition_of("m")
    store.append("m", entry(1), {"bot": IN_HAND})
    assert store.turns(partition) == [Turn("bot", "m", 1, in_hand=True)]
    assert store.turns(partition, after=1) == []
    store.append("m", entry(2), {"bot": AT_ONCE})
    assert store.turns(partition, after=1) == [Turn("bot", "m", 2)]


@pytest.mark.slow
def test_the_bell_of_a_cluster_is_heard(tmp_path: Path) -> None:
    with cluster(tmp_path) as url:
        redis = connect(url)
        store = Store(redis)
        bell = listening(store)
        store.append("m", entry(1), {"bot": AT_ONCE})
        assert heard(bell) == [Due("bot", "m", 1, 1)]
        redis.close()
