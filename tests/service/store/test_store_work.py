"""The index of due work in the event store."""

from __future__ import annotations

import pytest
from redis import Redis

from domain.match.log import Entry
from domain.match.scheduled_work import CLAIMED, DUE_NOW
from service.live.work_notifier import partitions_with_work
from service.store.event_store import BotTurn, DueWork, EventStore


@pytest.fixture
def store(redis_client: Redis) -> EventStore:
    return EventStore(redis_client)


def entry(version: int) -> Entry:
    return Entry(version, "Moved", "u1", 5, b"", b"\x90", 1, b"c%d" % version)


def test_each_entry_says_what_work_is_due_otherwise_than_before(store: EventStore) -> None:
    partition = store.partition_of("m")
    store.append("m", entry(1), {"lapse": 100, "deadline": 900})
    assert store.due_work(partition, 100, 10) == [DueWork("lapse", "m", 1, 100)]
    store.append("m", entry(2), {"lapse": None, "deadline": 950})
    assert store.due_work(partition, 2_000, 10) == [DueWork("deadline", "m", 2, 950)]
    store.append("m", entry(3), {"deadline": None, "rate": 5, "series": 5})
    assert [due.work for due in store.due_work(partition, 2_000, 10)] == ["rate", "series"]
    store.append("m", entry(4), {})
    assert [due.work for due in store.due_work(partition, 2_000, 10)] == ["rate", "series"]


def test_work_comes_the_oldest_first_and_not_all_at_once(store: EventStore) -> None:
    ids = [match for n in range(400) if store.partition_of(match := f"m{n}") == 3]
    for n, match in enumerate(ids):
        store.append(match, entry(1), {"deadline": 1_000 - n})
    due = store.due_work(3, 1_000, 4)
    assert [one.match for one in due] == ids[:-5:-1]


def test_immediate_work_is_due_in_its_order_and_at_any_time(store: EventStore) -> None:
    ids = [match for n in range(100) if store.partition_of(match := f"m{n}") == 3]
    for match in reversed(ids):
        store.append(match, entry(1), {"score": DUE_NOW, "deadline": 1_796_000_000_000})
    hour_ago = 1_795_000_000_000
    due = store.due_work(3, hour_ago, 2 * len(ids))
    assert [(one.work, one.match) for one in due] == [("score", match) for match in ids[::-1]]


def test_bot_turns_hide_no_other_work_however_many_there_are(store: EventStore) -> None:
    ids = [match for n in range(400) if store.partition_of(match := f"m{n}") == 3]
    for match in ids[1:]:
        store.append(match, entry(1), {"bot": DUE_NOW, "think": DUE_NOW})
    store.append(ids[0], entry(1), {"deadline": 1_000, "score": DUE_NOW})
    assert [due.work for due in store.due_work(3, 1_000, 2)] == ["deadline", "score"]


def test_bot_turns_come_in_their_order_from_any_cursor_on(store: EventStore) -> None:
    ids = [match for n in range(100) if store.partition_of(match := f"m{n}") == 3]
    kinds = ["bot", "think"] * len(ids)
    for match, kind in zip(ids, kinds, strict=False):
        store.append(match, entry(1), {kind: DUE_NOW})  # type: ignore[dict-item]
    turns = [BotTurn(*row) for row in zip(kinds, ids, range(1, len(ids) + 1), strict=False)]  # type: ignore[arg-type]
    assert store.bot_turns(3) == turns
    assert store.bot_turns(3, after=2) == turns[2:]
    store.append(ids[0], entry(2), {"bot": None})
    assert store.bot_turns(3) == turns[1:]
    assert store.count_work() == {
        "deadlines": 0,
        "scoring": 0,
        "bots": (len(ids) - 1) // 2,
        "thinking": len(ids) // 2,
        "plans": 0,
    }


def test_a_time_of_today_is_kept_to_the_millisecond(store: EventStore) -> None:
    store.append("m", entry(1), {"deadline": 1_795_000_000_123})
    assert store.due_work(store.partition_of("m"), 1_795_000_000_123, 9)[0].at == 1_795_000_000_123
    assert store.due_work(store.partition_of("m"), 1_795_000_000_122, 9) == []


def test_it_is_known_where_work_waits(store: EventStore) -> None:
    ids = {store.partition_of(match := f"m{n}"): match for n in range(400)}
    assert partitions_with_work(store, range(16), 2_000) == set()
    store.append(ids[3], entry(1), {"deadline": 1_000})
    store.append(ids[5], entry(1), {"think": DUE_NOW})
    store.append(ids[7], entry(1), {"bot": CLAIMED})
    store.append(ids[9], entry(1), {"score": DUE_NOW})
    store.redis.set("{p11}:work:scoring", "nonsense")
    assert partitions_with_work(store, range(16), 1_000) == {3, 5, 7, 9, 11}
    assert partitions_with_work(store, range(16), 999) == {5, 7, 9, 11}
