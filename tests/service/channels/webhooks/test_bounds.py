"""The delivery queue of a webhook and its stored responses are bounded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from service.channels.webhooks.audiences import Audiences
from service.channels.webhooks.queue.delivery_log import MAX_ANSWER_BYTES
from service.channels.webhooks.queue.delivery_queue import ResendRequest
from service.channels.webhooks.sending import sender
from service.channels.webhooks.subscriptions import Subscriptions
from service.runtime.errors import TooManyWebhooks
from tests.service.channels.webhooks.conftest import WebhookHarness
from tests.support.receiver import Receiver

URL = "http://127.0.0.1:9/"


def test_too_many_pending_notices_of_one_match_disable_the_webhook(
    harness: WebhookHarness, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "MAX_PENDING_NOTICES", 6)
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url, ["move.made"])
    receiver.answers(500)
    table = harness.table(f"{ann} bob", match="m").play(6)
    harness.send()
    assert (harness.health(hook).disabled_reason, harness.queue(hook).pending_notices()) == (
        None,
        6,
    )
    table.play(1)
    harness.project()
    harness.queue(hook).retry_all()
    harness.send()
    assert harness.health(hook).disabled_reason == "queue_full"
    assert not harness.store.redis.keys("*:outbox:queue:*")


def test_too_many_pending_matches_disable_the_webhook(
    harness: WebhookHarness, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "MAX_PENDING_MATCHES", 3)
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url)
    receiver.answers(500)
    for n in range(3):
        harness.table(f"{ann} bob", match=f"m{n}")
    harness.send()
    assert harness.health(hook).disabled_reason is None
    harness.table(f"{ann} bob", match="m4")
    harness.send()
    assert harness.health(hook).disabled_reason == "queue_full"
    assert not harness.store.redis.keys("*:outbox:queue:*")


def test_a_recovery_of_too_many_matches_disables_the_webhook(
    harness: WebhookHarness, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "MAX_PENDING_MATCHES", 3)
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url, ["match.aborted"])
    for n in range(3):
        harness.table(f"{ann} bob", match=f"m{n}")
    harness.project()
    harness.queue(hook).request_resend(ResendRequest("recover", since=0))
    harness.send()
    assert harness.health(hook).disabled_reason is None
    harness.table(f"{ann} bob", match="m4")
    harness.project()
    harness.queue(hook).request_resend(ResendRequest("recover", since=0))
    harness.send()
    assert harness.health(hook).disabled_reason == "queue_full"
    assert not harness.store.redis.keys("*:outbox:queue:*")


def test_a_stored_response_is_no_longer_than_the_response(
    harness: WebhookHarness, receiver: Receiver
) -> None:
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url, ["match.created"])
    receiver.answers(500, b"\x00\x1b" * MAX_ANSWER_BYTES)
    harness.table(f"{ann} bob", match="m")
    harness.send()
    [delivery] = harness.deliveries(hook)
    assert delivery.response_body == "\ufffd" * MAX_ANSWER_BYTES
    assert len(msgspec.json.encode(delivery.response_body)) <= 3 * MAX_ANSWER_BYTES + 2


@pytest.mark.parametrize("what", [{"all_matches": True}, {"match": "m"}])
def test_few_webhooks_receive_the_same_matches_and_fewer_of_one_network(
    harness: WebhookHarness, what: Mapping[str, Any]
) -> None:
    harness.subscriptions = Subscriptions(harness.store.redis, 16, 5, max_audience=20)
    players = [harness.player(f"P{number}") for number in range(21)]
    some = [harness.subscribe(one, URL, network="7", **what) for one in players[:2]]
    with pytest.raises(TooManyWebhooks, match="address"):
        harness.subscribe(players[2], URL, network="7", **what)
    assert not harness.subscriptions.list_for(players[2])
    for one in players[2:20]:
        harness.subscribe(one, URL, **what)
    with pytest.raises(TooManyWebhooks):
        harness.subscribe(players[20], URL, **what)
    mine = harness.subscribe(players[20], URL)
    with pytest.raises(TooManyWebhooks):
        harness.subscriptions.change(mine.id, lambda one: replace(one, **what))
    assert harness.subscriptions.get(mine.id).subscription == mine
    harness.subscriptions.change(
        some[0].id, lambda one: replace(one, all_matches=False, match=None)
    )
    harness.subscriptions.remove(players[1], some[1].id)
    for one in players[:2]:
        harness.subscribe(one, URL, **what)


def test_a_refused_webhook_leaves_no_place_taken(harness: WebhookHarness) -> None:
    ann = harness.player("Ann")
    for _ in range(5):
        harness.subscribe(ann, URL)
    with pytest.raises(TooManyWebhooks, match="A player"):
        harness.subscribe(ann, URL, all_matches=True)
    assert not harness.store.redis.keys("webhooks:audience:*")


def limited(harness: WebhookHarness, most: int) -> list[str]:
    """Limit audiences; one player more than there are places."""
    harness.subscriptions = Subscriptions(harness.store.redis, 16, 5, max_audience=most)
    return [harness.player(f"P{number}") for number in range(most + 1)]


def test_players_of_a_match_always_get_a_webhook_for_it(harness: WebhookHarness) -> None:
    *others, player = limited(harness, 2)
    for one in others:
        harness.subscribe(one, URL, match="m")
    for _ in range(2):
        harness.subscribe(player, URL, match="m", network="7", takes_part=True)


def test_a_webhook_that_is_off_takes_no_place(harness: WebhookHarness) -> None:
    first, second = limited(harness, 1)
    off = harness.subscribe(first, URL, match="m")
    harness.subscriptions.disable(off.id, "by_owner", harness.now)
    moved = harness.subscriptions.change(off.id, lambda one: replace(one, match="m2"))
    off = harness.subscriptions.change(moved.id, lambda one: replace(one, match="m"))
    on = harness.subscribe(second, URL, match="m")
    with pytest.raises(TooManyWebhooks):
        harness.subscriptions.enable(off)
    assert harness.health(off).disabled_reason
    harness.subscriptions.remove(second, on.id)
    harness.subscriptions.enable(off)
    with pytest.raises(TooManyWebhooks):
        harness.subscribe(second, URL, match="m")


def test_a_place_without_a_stored_webhook_is_freed(harness: WebhookHarness) -> None:
    first, _ = limited(harness, 1)
    harness.store.redis.hset("webhooks:audience:m", "lost", "7")  # a process ended here
    harness.subscribe(first, URL, match="m")
    assert harness.store.redis.hlen("webhooks:audience:m") == 1


def test_webhooks_that_join_at_the_same_time_count_before_they_are_stored(
    harness: WebhookHarness,
) -> None:
    audiences = Audiences(harness.store.redis, 9, is_active=lambda _: False)
    audiences.join("m", "first", "7")
    for number in range(2):
        with pytest.raises(TooManyWebhooks):
            audiences.join("m", f"other {number}", "7")
    audiences.leave("m", "first")
    audiences.join("m", "next", "7")


def test_a_small_audience_has_a_place_for_each_network(harness: WebhookHarness) -> None:
    first, second, *_ = limited(harness, 9)
    harness.subscribe(first, URL, match="m", network="7")
    with pytest.raises(TooManyWebhooks):
        harness.subscribe(second, URL, match="m", network="7")
