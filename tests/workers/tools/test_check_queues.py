"""`annals verify --all` finds every flipped bit in the queues and filters of webhooks."""

from __future__ import annotations

from random import Random

import pytest
from redis import Redis

from domain.notices import Notice
from projections.outbox.plan import write_notice
from service.matches.container import Annals
from tests.match.table import clock
from tests.service.channels.webhooks.conftest import WebhookHarness
from tests.workers.tools.test_check_indexes import flip, flip_bit
from workers.tools.check import check_queues
from workers.tools.check.check_queues import find_queue_faults

QUEUES, WARNINGS = "{p*}:outbox:queue:*:match:*", "{p*}:outbox:queue:*:warnings"
FILTERS, RECORDS = "{p*}:outbox:filters", "{webhook:*}"


@pytest.fixture
def annals(redis_client: Redis, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Annals:
    """A store with a webhook of a player, whose matches have notices and warnings to send."""
    monkeypatch.setattr(check_queues, "RECHECK_S", 0)
    harness = WebhookHarness(redis_client, redis_url)
    ann = harness.player("Ann")
    harness.subscribe(ann, "http://127.0.0.1:9/hook")
    harness.subscribe(ann, "http://127.0.0.1:9/off", ["match.ended"])
    for match in ("m1", "m2"):
        harness.table(f"{ann} bob", match=match, clock=clock(bank=600)).play(3)
    harness.project()
    return harness.annals


def test_a_notice_has_the_text_that_the_first_recorded_version_wrote() -> None:
    notice = Notice(version=3, number=1, type="turn.started", seat=2, at=1_700_000_000_000)
    first = '{"version":3,"at":1700000000000,"number":1,"type":"turn.started","seat":2}'
    assert write_notice(notice) == first


def test_queues_as_they_were_planned_have_no_faults(annals: Annals) -> None:
    for kind in (QUEUES, WARNINGS, FILTERS, RECORDS):
        assert annals.store.redis.keys(kind), kind
    assert [*find_queue_faults(annals)] == []


@pytest.mark.parametrize("kind", [QUEUES, WARNINGS])
def test_every_flipped_bit_in_a_queue_is_found(annals: Annals, kind: str) -> None:
    redis, random = annals.store.redis, Random(kind)
    names = sorted(redis.scan_iter(kind))
    for _ in range(10):
        name = random.choice(names)
        before = redis.dump(name)
        flip(redis, name, random)
        assert [*find_queue_faults(annals)], name
        redis.restore(name, 0, before, replace=True)
    assert [*find_queue_faults(annals)] == []


def test_every_flipped_bit_in_a_filter_is_found(annals: Annals) -> None:
    redis, random = annals.store.redis, Random(1)
    for _ in range(10):
        key = random.choice(sorted(redis.scan_iter(FILTERS)))
        field, text = random.choice(sorted(redis.hgetall(key).items()))
        redis.hset(key, field, flip_bit(text, random))
        [fault] = find_queue_faults(annals)
        assert fault.endswith("has a wrong filter.")
        redis.hset(key, field, text)


def test_a_corrupt_webhook_and_a_match_that_is_never_sent_are_named(annals: Annals) -> None:
    redis = annals.store.redis
    [queue, *_] = redis.scan_iter(QUEUES)
    prefix, _, match = queue.decode().partition(":match:")
    redis.zrem(f"{prefix}:due", match)
    webhook = min(redis.scan_iter(RECORDS))
    redis.hset(webhook, "subscription", "{")
    name = webhook.decode().removeprefix("{webhook:").removesuffix("}")
    assert [*find_queue_faults(annals)] == [
        f"queue of {prefix.rpartition(':')[2]}: {match} waits, but is not due.",
        f"webhook {name}: its record is corrupt.",
    ]
