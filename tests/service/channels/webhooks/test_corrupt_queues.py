"""What is corrupt in a queue delays nothing else."""

from __future__ import annotations

from itertools import count

import pytest

from domain.notices import Notice
from projections.outbox.plan import outbox_space, queue_prefix, warnings_key
from service.channels.webhooks.queue.delivery_queue import DeliveryQueue
from service.channels.webhooks.sending.results import STUCK_PAUSE_MS
from tests.service.channels.webhooks.conftest import WebhookHarness
from tests.support.receiver import Receiver


def test_a_corrupt_notice_or_warning_delays_no_others(
    harness: WebhookHarness, receiver: Receiver
) -> None:
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url, ["match.created"])
    harness.table(f"{ann} bob", match="good")
    redis = harness.store.redis
    harness.queue(hook).enqueue("bad", [Notice(1, 0, "match.created")])
    [key] = redis.keys(f"*:queue:{hook.id}:match:bad")
    redis.delete(key)
    redis.zadd(key, {"no JSON": 0})
    warnings = warnings_key(queue_prefix(outbox_space(0), hook.id))
    redis.zadd(warnings, {"corrupt": 0})
    harness.send()
    assert [one.data["match"] for one in receiver.got] == ["good"]
    assert harness.queue(hook).pending_matches() == 0
    assert redis.zcard(warnings) == 0


def test_a_notice_that_cannot_be_removed_is_not_sent_again(
    harness: WebhookHarness, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url, ["match.created"])
    for match in ("bad", "good"):
        harness.table(f"{ann} bob", match=match)
    complete = DeliveryQueue.complete_with
    monkeypatch.setattr(
        DeliveryQueue,
        "complete_with",
        lambda self, pipe, one: None if one.match == "bad" else complete(self, pipe, one),
    )
    harness.project()
    calls = count()
    harness.sender.send_due(hook.id, lambda: next(calls) < 50)
    assert sorted(one.data["match"] for one in receiver.got) == ["bad", "good"]
    assert harness.next_at() == harness.now + STUCK_PAUSE_MS
