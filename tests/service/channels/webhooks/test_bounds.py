"""What waits for a webhook, and what is kept of its answers, has its bounds."""

from __future__ import annotations

import msgspec
import pytest

from service.channels.webhooks.queue.delivery_log import ANSWER_KEPT
from service.channels.webhooks.sending import sender
from tests.service.channels.webhooks.conftest import Desk
from tests.support.receiver import Receiver


def test_whoever_cannot_follow_one_match_is_turned_off(
    desk: Desk, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "MOST_NOTICES", 6)
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url, ["move.made"])
    receiver.answers(500)
    table = desk.table(f"{ann} bob", match="m").play(6)
    desk.send()
    assert (desk.health(hook).off, desk.mail(hook).notices()) == (None, 6)
    table.play(1)
    desk.project()
    desk.mail(hook).release()
    desk.send()
    assert desk.health(hook).off == "behind"
    assert not desk.store.redis.keys("*:outbox:of:*")


def test_an_answer_takes_no_more_room_than_it_had(desk: Desk, receiver: Receiver) -> None:
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url, ["match.created"])
    receiver.answers(500, b"\x00\x1b" * ANSWER_KEPT)
    desk.table(f"{ann} bob", match="m")
    desk.send()
    [delivery] = desk.deliveries(hook)
    assert delivery.answer == "\ufffd" * ANSWER_KEPT
    assert len(msgspec.json.encode(delivery.answer)) <= 3 * ANSWER_KEPT + 2
