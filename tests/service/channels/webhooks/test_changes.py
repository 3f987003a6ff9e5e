"""Concurrent changes of subscriptions."""

from __future__ import annotations

import pytest
from redis import Redis

from domain.notice_types import NOTICE_TYPES
from service.admin.moderation import PAUSE_MS, Moderation
from service.channels.webhooks.subscriptions import (
    FAILING_KEY,
    DisabledReason,
    Subscription,
    Subscriptions,
    key_of,
)
from service.runtime.errors import NotFound
from tests.service.channels.webhooks.conftest import WebhookHarness, change
from tests.support.observed_redis import ObservedRedis
from tests.support.receiver import Got, Receiver, Reply


def subscribe(harness: WebhookHarness) -> Subscription:
    return harness.subscribe(harness.player("Ann"), "https://example.com/")


def test_a_new_webhook_stays_in_the_list_while_others_read_it(
    redis_client: Redis, redis_url: str, harness: WebhookHarness
) -> None:
    ann = harness.player("Ann")
    hook = Subscription("w1", ann, "https://example.com/", tuple(NOTICE_TYPES), 0, ())
    with ObservedRedis.from_url(redis_url) as observed:
        observed.read = lambda: harness.subscriptions.list_for(ann)
        Subscriptions(observed, harness.store.partitions, 10).add(hook)
    assert [one.subscription for one in harness.subscriptions.list_for(ann)] == [hook]


def test_a_concurrent_secret_rotation_is_kept(harness: WebhookHarness) -> None:
    hook, fresh = subscribe(harness), []

    def slowly(before: Subscription) -> Subscription:
        if not fresh:
            fresh.append(harness.subscriptions.rotate_secret(hook.id, harness.now))
        return change(before, url="https://example.org/")

    after = harness.subscriptions.change(hook.id, slowly)
    assert harness.subscriptions.get(hook.id).subscription == after
    assert (after.url, after.secrets[0].text) == ("https://example.org/", fresh[0])


def test_a_concurrent_deletion_wins_over_a_change(harness: WebhookHarness) -> None:
    hook = subscribe(harness)

    def slowly(before: Subscription) -> Subscription:
        harness.subscriptions.remove(hook.player, hook.id)
        return change(before, url="https://example.org/")

    with pytest.raises(NotFound):
        harness.subscriptions.change(hook.id, slowly)
    assert not harness.store.redis.exists(key_of(hook.id))


def test_health_of_a_deleted_webhook_is_not_written(harness: WebhookHarness) -> None:
    hook = subscribe(harness)
    harness.store.redis.hdel(key_of(hook.id), "subscription")
    harness.subscriptions.update_health(hook.id, failures=1, last_error=None)
    assert not harness.store.redis.exists(key_of(hook.id))


def test_an_unchanged_filter_is_not_written_again(harness: WebhookHarness) -> None:
    hook, redis = subscribe(harness), harness.store.redis

    def changes() -> list[bytes | None]:
        return [redis.get(key) for key in sorted(redis.keys("*:filters:changes"))]

    before = changes()
    harness.subscriptions.change(hook.id, lambda one: change(one, url="https://example.org/"))
    assert changes() == before
    harness.subscriptions.change(hook.id, lambda one: change(one, my_turn=True))
    assert changes() != before


@pytest.mark.parametrize("status", [204, 503])
def test_a_pause_that_an_operator_begins_during_an_attempt_stays(
    harness: WebhookHarness, receiver: Receiver, status: int
) -> None:
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url, ["match.created"])
    harness.table(f"{ann} bob")
    receiver.answers(503)
    harness.send()

    def pause(_: Got) -> Reply:
        Moderation(harness.annals, "root").pause_webhook(harness.subscriptions, hook.id)
        return status, {}, b""

    receiver.reply = pause
    harness.now = harness.next_at() or 0
    harness.send()
    assert len(receiver.got) == 2
    assert harness.health(hook).paused_until == harness.now + PAUSE_MS


@pytest.mark.parametrize(("reason", "listed"), [("gone", 1), ("queue_full", 1), ("by_owner", 0)])
def test_a_webhook_that_is_off_is_listed_unless_its_owner_wants_that(
    harness: WebhookHarness, reason: DisabledReason, listed: int
) -> None:
    hook, subscriptions = subscribe(harness), harness.subscriptions

    def count_failing() -> int:
        return len(subscriptions.list_failing(0, 10)[0])

    subscriptions.disable(hook.id, reason, harness.now)
    assert count_failing() == listed
    harness.store.redis.delete(FAILING_KEY)  # as in a backup of a version that had no list
    list(subscriptions.mark_restored(harness.now))
    assert count_failing() == listed
    subscriptions.enable(hook)
    assert count_failing() == 0
