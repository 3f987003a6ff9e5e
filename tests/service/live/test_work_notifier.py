"""Immediate work is notified at once; workers find missed notifications in the index."""

from __future__ import annotations

from pathlib import Path

import pytest
from redis import Redis

from domain.match.log import Entry
from domain.match.scheduled_work import CLAIMED, DUE_NOW
from service.live.work_notifier import WorkNotifier
from service.store.event_store import BotTurn, DueWork, EventStore
from service.store.redis_client import connect
from tests.support.patience import PATIENCE_S
from tests.support.redis_process import cluster


def entry(version: int) -> Entry:
    return Entry(version, "Moved", "u1", 5, b"", b"\x90", 1, b"c%d" % version)


@pytest.fixture
def store(redis_client: Redis) -> EventStore:
    return EventStore(redis_client)


def listening(store: EventStore) -> WorkNotifier:
    bell = WorkNotifier(store)
    while not bell._pubsub.subscribed:
        bell.receive(0)
    bell.receive(0.1)  # the confirmation of a subscription is a message, too
    return bell


def next_work(bell: WorkNotifier) -> list[DueWork]:
    """The next notifications, as soon as they arrive."""
    return bell.receive(PATIENCE_S)


@pytest.mark.parametrize("work", ["bot", "think", "score"])
def test_immediate_work_is_notified_with_its_version_and_partition(
    store: EventStore, work: str
) -> None:
    bell = listening(store)
    for version in (1, 2):
        store.append("m", entry(version), {work: DUE_NOW, "deadline": 1_000})  # type: ignore[dict-item]
        assert next_work(bell) == [DueWork(work, "m", version, version)]  # type: ignore[arg-type]


def test_later_and_claimed_work_is_not_notified(store: EventStore) -> None:
    bell = listening(store)
    store.append("m", entry(1), {"deadline": 1_000, "bot": CLAIMED})
    store.append("n", entry(1), {"bot": DUE_NOW})
    assert [work.match for work in next_work(bell)] == ["n"]


def test_another_store_on_the_same_server_has_another_channel(
    redis_url: str, store: EventStore
) -> None:
    with Redis.from_url(redis_url, db=1) as redis:
        redis.flushdb()
        bell, theirs = listening(store), EventStore(redis)
        theirs.append("theirs", entry(1), {"bot": DUE_NOW})
        store.append("ours", entry(1), {"bot": DUE_NOW})
        assert [work.match for work in next_work(bell)] == ["ours"]
        redis.flushdb()


@pytest.mark.parametrize("received", [b"bot:m", b"boot:m:1:1", b"bot:m:-1:x", b"\xff"])
def test_malformed_notifications_are_ignored(store: EventStore, received: bytes) -> None:
    bell = listening(store)
    store.redis.publish(store.work_channel, received)
    store.redis.publish(store.work_channel, "bot:m:1:1")
    works = next_work(bell) or next_work(bell)
    assert works == [DueWork("bot", "m", 1, 1)]


def test_a_user_without_the_right_to_publish_can_still_record(
    redis_url: str, store: EventStore
) -> None:
    store.redis.acl_setuser(
        "quiet", enabled=True, nopass=True, categories=["+@all"], keys=["*"], reset_channels=True
    )
    with Redis.from_url(redis_url, username="quiet", password="any") as redis:
        EventStore(redis).append("m", entry(1), {"bot": DUE_NOW})
    assert store.bot_turns(store.partition_of("m")) == [BotTurn("bot", "m", 1)]
    store.redis.acl_deluser("quiet")


def test_claimed_work_is_marked_in_the_index(store: EventStore) -> None:
    partition = store.partition_of("m")
    store.append("m", entry(1), {"bot": CLAIMED})
    assert store.bot_turns(partition) == [BotTurn("bot", "m", 1, is_claimed=True)]
    assert store.bot_turns(partition, after=1) == []
    store.append("m", entry(2), {"bot": DUE_NOW})
    assert store.bot_turns(partition, after=1) == [BotTurn("bot", "m", 2)]


@pytest.mark.slow
def test_notifications_of_a_cluster_arrive(tmp_path: Path) -> None:
    with cluster(tmp_path) as url:
        redis = connect(url)
        store = EventStore(redis)
        bell = listening(store)
        store.append("m", entry(1), {"bot": DUE_NOW})
        assert next_work(bell) == [DueWork("bot", "m", 1, 1)]
        redis.close()
