"""Messages arrive at least once, in the order of each match; no receiver delays others."""

from __future__ import annotations

from functools import partial
from itertools import groupby
from threading import Event, Thread

import pytest
from standardwebhooks import WebhookVerificationError

from domain.match.state import ClockRule
from domain.notices import Notice
from projections.outbox.due import due_subscriptions
from service.channels.webhooks.messages import formats
from service.channels.webhooks.messages.bodies import build_message
from service.channels.webhooks.queue.delivery_queue import ResendRequest
from service.channels.webhooks.queue.retry_schedule import (
    DISABLE_AFTER_MS,
    FAILURES_BEFORE_WARNING,
    MAX_CHOSEN_DELAYS,
    RETRY_DELAYS_S,
)
from service.matches.container import Annals
from service.runtime.shares.fair_queue import Payer
from tests.service.channels.webhooks.conftest import WebhookHarness, change
from tests.support.patience import eventually
from tests.support.receiver import OK, Got, Receiver
from workers.processes.sender_pool import Receiver as Sharing
from workers.processes.sender_pool import ReceiverSpeeds, SenderPool

DAY_MS = 86_400_000


def versions(receiver: Receiver, match: str) -> list[int]:
    return [one.data["version"] for one in receiver.got if one.data["match"] == match]


def test_all_notices_of_a_match_are_delivered_in_order(
    harness: WebhookHarness, receiver: Receiver
) -> None:
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url)
    table = harness.table(f"{ann} bob", match="m").play_out()
    table.settle()
    harness.send()
    received = versions(receiver, "m")
    assert received == sorted(received)
    assert set(received) == {*range(1, table.match.version + 1)} - {
        table.match.version
    }  # not rated
    assert len(set(receiver.ids())) == len(receiver.got)
    for one in receiver.got:
        assert one.verify(hook.secrets[0].text) == one.body
        assert len(one.raw) < 20_000
    assert receiver.connections == 1


def test_another_secret_does_not_verify(harness: WebhookHarness, receiver: Receiver) -> None:
    ann = harness.player("Ann")
    harness.subscribe(ann, receiver.url)
    harness.table(f"{ann} bob")
    harness.send()
    with pytest.raises(WebhookVerificationError):
        receiver.got[0].verify("whsec_" + "A" * 32)


def test_a_retry_has_the_same_id_and_a_new_signature(
    harness: WebhookHarness, receiver: Receiver
) -> None:
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url, ["match.created"])
    harness.table(f"{ann} bob")
    receiver.answers(500, b"no" * 3_000)
    harness.send()
    [first] = harness.deliveries(hook)
    assert (first.status, first.attempts, first.response_code) == ("waiting", 1, 500)
    assert first.response_body == "no" * 1_000
    assert first.next_attempt_at == harness.now + 1000 * RETRY_DELAYS_S[0]
    harness.send()
    assert len(receiver.got) == 1
    receiver.answers(200)
    harness.pass_until_quiet()
    one, other = receiver.got
    assert one.id == other.id
    assert one.raw == other.raw
    assert one.headers["webhook-signature"] != other.headers["webhook-signature"]
    assert one.headers["webhook-timestamp"] != other.headers["webhook-timestamp"]
    [after] = harness.deliveries(hook)
    assert (after.status, after.attempts) == ("delivered", 2)


def test_a_failing_match_waits_and_others_do_not(
    harness: WebhookHarness, receiver: Receiver
) -> None:
    ann = harness.player("Ann")
    harness.subscribe(ann, receiver.url)
    bad, good = harness.table(f"{ann} bob", match="bad"), harness.table(f"{ann} bob", match="good")
    receiver.reply = lambda got: (500, {}, b"") if got.data["match"] == "bad" else OK
    bad.play(3)
    good.play(3)
    harness.send()
    assert set(versions(receiver, "good")) == set(range(1, good.match.version + 1))
    assert versions(receiver, "bad") == [1]
    receiver.answers(204)
    harness.pass_until_quiet()
    received = versions(receiver, "bad")
    assert received == sorted(received)
    assert set(received) == set(range(1, bad.match.version + 1))


def test_a_message_is_given_up_after_three_days(
    harness: WebhookHarness, receiver: Receiver
) -> None:
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url, ["match.created", "match.started"])
    receiver.reply = lambda got: (500, {}, b"") if got.type == "match.created" else OK
    harness.table(f"{ann} bob")
    begun = harness.now
    harness.pass_until_quiet()
    dead, arrived = sorted(harness.deliveries(hook), key=lambda one: one.status)
    assert (dead.status, dead.attempts, dead.type) == (
        "dead",
        len(RETRY_DELAYS_S) + 1,
        "match.created",
    )
    assert (arrived.status, arrived.type) == ("delivered", "match.started")
    assert 75 * 3_600_000 < harness.now - begun < 5 * DAY_MS
    assert harness.health(hook).undelivered_since == begun


def test_410_disables_the_webhook(harness: WebhookHarness, receiver: Receiver) -> None:
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url)
    table = harness.table(f"{ann} bob")
    receiver.answers(410)
    harness.send()
    table.play(3)
    harness.pass_until_quiet()
    assert len(receiver.got) == 1
    assert harness.health(hook).disabled_reason == "gone"
    assert not harness.store.redis.keys("*:outbox:queue:*")


def test_failures_in_a_row_cause_a_pause_until_a_success(
    harness: WebhookHarness, receiver: Receiver
) -> None:
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url, ["match.created"])
    for n in range(12):
        harness.table(f"{ann} bob", match=f"m{n}")
    receiver.answers(503)
    harness.send()
    assert len(receiver.got) == FAILURES_BEFORE_WARNING  # then comes a pause
    health = harness.health(hook)
    assert health.failures == FAILURES_BEFORE_WARNING
    assert health.paused_until == harness.now + 30_000
    harness.now += 30_000
    harness.send()
    assert len(receiver.got) == FAILURES_BEFORE_WARNING + 1  # then one message only
    receiver.answers(204)
    harness.now = harness.health(hook).paused_until or 0
    harness.send()
    assert {one.status for one in harness.deliveries(hook)} == {"delivered"}
    assert harness.health(hook).failures == 0


def test_five_days_without_a_success_disable_the_webhook(
    harness: WebhookHarness, receiver: Receiver
) -> None:
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url, ["match.created"])
    receiver.answers(500)
    begun, n = harness.now, 0
    while harness.health(hook).disabled_reason is None:
        harness.table(f"{ann} bob", match=f"m{n}")
        harness.send()
        harness.now, n = harness.now + DAY_MS // 2, n + 1
    assert harness.health(hook).disabled_reason == "failing"
    assert harness.health(hook).last_error == "The receiver answered 500."
    assert harness.now - begun >= DISABLE_AFTER_MS


def test_retry_after_is_respected_within_bounds(
    harness: WebhookHarness, receiver: Receiver
) -> None:
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url, ["match.created"])
    harness.table(f"{ann} bob", match="m")
    answers = [(500, "3", 5), (429, "60", 60), (503, "3", 3), (429, "9" * 5_000, 3_600)]
    for code, requested, delay_s in [
        *answers,
        *[(429, "0", 1)] * (MAX_CHOSEN_DELAYS - len(answers)),
    ]:
        receiver.answers(code, retry_after=requested)
        harness.send()
        [one] = harness.deliveries(hook)
        assert (one.status, one.next_attempt_at) == ("waiting", harness.now + 1000 * delay_s)
        harness.now += 1000 * delay_s - 1
        harness.send()
        assert harness.deliveries(hook) == [one]
        harness.now += 1
    assert one.attempts == 2  # those after which the receiver chose no delay


def test_an_internal_error_delays_only_its_match(
    harness: WebhookHarness, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url, ["move.made"])
    harness.table(f"{ann} bob", match="bad").play(3)
    harness.table(f"{ann} bob", match="good").play(3)

    def breaks(annals: Annals, player: str, match: str, notice: Notice) -> bytes:
        if match == "bad":
            raise KeyError
        return build_message(annals, player, match, notice)

    monkeypatch.setattr(formats, "build_message", breaks)
    harness.send()
    assert len(versions(receiver, "good")) == 3
    [waiting] = [one for one in harness.deliveries(hook) if one.status == "waiting"]
    assert (waiting.match, waiting.attempts) == ("bad", 1)
    assert waiting.error == "Annals could not build or send the message."
    assert harness.health(hook).failures == 0
    monkeypatch.setattr(formats, "build_message", build_message)
    harness.pass_until_quiet()
    assert len(versions(receiver, "bad")) == 3


def test_a_receiver_gets_one_request_at_a_time(harness: WebhookHarness, receiver: Receiver) -> None:
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url)
    for n in range(4):
        harness.table(f"{ann} bob", match=f"m{n}").play(4)
    harness.project()
    threads = [Thread(target=harness.sender.send_due, args=(hook.id,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    harness.send()
    assert receiver.most_at_once == 1
    assert len(set(receiver.ids())) == len(receiver.got) > 20


def test_the_old_secret_expires_after_a_day(harness: WebhookHarness, receiver: Receiver) -> None:
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url, ["match.created"])
    fresh = harness.subscriptions.rotate_secret(hook.id, harness.now)
    harness.table(f"{ann} bob", match="m1")
    harness.send()
    both = receiver.got[-1]
    assert both.verify(hook.secrets[0].text) == both.verify(fresh)
    harness.now += DAY_MS
    harness.table(f"{ann} bob", match="m2")
    harness.send()
    assert receiver.got[-1].verify(fresh)
    with pytest.raises(WebhookVerificationError):
        receiver.got[-1].verify(hook.secrets[0].text)


def test_a_banned_owner_receives_nothing(harness: WebhookHarness, receiver: Receiver) -> None:
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url)
    harness.table(f"{ann} bob")
    harness.annals.players.ban(ann, "cheated")
    harness.send()
    assert receiver.got == []
    assert harness.health(hook).disabled_reason == "banned"


def test_a_deleted_webhook_leaves_no_keys(harness: WebhookHarness, receiver: Receiver) -> None:
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url)
    harness.table(f"{ann} bob")
    harness.project()
    harness.queue(hook).request_resend(ResendRequest("test", "msg_ping", "ping"))
    harness.subscriptions.remove(ann, hook.id)
    harness.send()
    assert receiver.got == []
    left = {key.decode() for key in harness.store.redis.keys("*") if hook.id.encode() in key}
    assert left == set()


def test_a_private_match_is_delivered_as_its_player_sees_it(
    harness: WebhookHarness, receiver: Receiver
) -> None:
    ann, cid = harness.player("Ann"), harness.player("Cid")
    harness.subscribe(ann, receiver.url, ["move.made"])
    harness.subscribe(cid, f"{receiver.url}/cid", ["move.made"], all_matches=True)
    harness.table(f"{ann} bob", match="open").play(2)
    harness.table(f"{ann} bob", match="closed", visibility="private").play(2)
    harness.send()
    by_path = {
        path: list(some) for path, some in groupby(sorted(receiver.got, key=path_of), path_of)
    }
    assert {one.data["match"] for one in by_path["/hook/cid"]} == {"open"}
    assert {one.data["as"] for one in by_path["/hook/cid"]} == {None}
    assert {one.data["match"] for one in by_path["/hook"]} == {"open", "closed"}
    assert {one.data["as"] for one in by_path["/hook"]} == {0}


def path_of(got: Got) -> str:
    return got.path


def test_clock_warnings_come_once_at_half_and_at_a_tenth(
    harness: WebhookHarness, receiver: Receiver
) -> None:
    ann = harness.player("Ann")
    harness.subscribe(ann, receiver.url, ["clock.warning"], my_turn=True)
    table = harness.table(f"{ann} bob", match="m", clock=ClockRule(bank_s=1_000))
    harness.pass_until_quiet()
    assert [one.data["time_left"] for one in receiver.got] == ["half", "tenth"]
    assert [one.body["timestamp"] for one in receiver.got] == sorted(
        one.body["timestamp"] for one in receiver.got
    )
    assert harness.now == table.now + 900_000
    table.now = harness.now
    table.move(table.legal(0)[0])
    harness.pass_until_quiet()
    assert len(receiver.got) == 2


def test_a_new_url_is_tried_at_once(harness: WebhookHarness, receiver: Receiver) -> None:
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, "http://127.0.0.1:9/", ["match.created"])
    for n in range(5):
        harness.table(f"{ann} bob", match=f"m{n}")
    harness.send()
    assert harness.health(hook).last_error == "The receiver refused the connection."
    harness.subscriptions.change(hook.id, lambda one: change(one, url=receiver.url))
    harness.subscriptions.clear_pause(hook.id)
    harness.queue(hook).retry_all()
    harness.send()
    assert len(receiver.got) == 5


def test_dead_and_slow_receivers_delay_no_others(
    harness: WebhookHarness, receiver: Receiver
) -> None:
    """Of twenty receivers one is down and one never answers."""
    ann = harness.player("Ann")
    over = Event()
    receiver.reply = lambda got: (over.wait() and OK) if got.path.endswith("slow") else OK
    for n in range(18):
        player = harness.player(f"P{n}")
        harness.subscribe(player, f"{receiver.url}/{n}", ["move.made"], match="m")
    harness.subscribe(harness.player("Slow"), f"{receiver.url}/slow", ["move.made"], match="m")
    harness.subscribe(harness.player("Dead"), "http://127.0.0.1:9/", ["move.made"], match="m")
    table = harness.table(f"{ann} bob", match="m").play(5)
    harness.project()
    pool = SenderPool(8, ReceiverSpeeds())
    for name in due_subscriptions(harness.store.redis, range(16), harness.now):
        receives = Sharing(Payer(name, name), name)
        assert pool.submit(name, receives, partial(harness.sender.send_due, name))
    wanted = 18 * len(range(2, table.match.version + 1))
    eventually(lambda: len([one for one in receiver.got if "slow" not in one.path]) == wanted)
    over.set()
    pool.stop()


def test_resend_requests_survive_a_drop_of_the_queue(
    harness: WebhookHarness, receiver: Receiver
) -> None:
    """The owner turns the webhook off just after the request."""
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url)
    harness.queue(hook).request_resend(ResendRequest("test", "msg_ping", "ping"))
    harness.subscriptions.disable(hook.id, "by_owner", harness.now)
    harness.queue(hook).drop_all()
    harness.send()
    assert receiver.ids() == ["msg_ping"]
    assert harness.next_at() is None


def test_warnings_of_a_finished_turn_are_cancelled_after_a_filter_change(
    harness: WebhookHarness, receiver: Receiver
) -> None:
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url, ["clock.warning"])
    table = harness.table(f"{ann} bob", match="m", clock=ClockRule(per_move_s=1_000))
    harness.project()
    harness.subscriptions.change(hook.id, lambda one: change(one, types=("match.ended",)))
    table.move(table.legal(0)[0])
    harness.pass_until_quiet()
    assert receiver.got == []
