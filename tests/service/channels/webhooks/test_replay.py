"""A player can replay missed notices from the event log."""

from __future__ import annotations

from pathlib import Path

import pytest
from redis import Redis

from domain.games import GAMES
from projections.outbox.plan import read_notice
from service.channels.webhooks.queue.delivery_log import RETENTION_MS, Delivery, DeliveryLog
from service.channels.webhooks.queue.delivery_queue import ResendRequest
from service.store.archive.targets import FolderTarget
from service.store.redis_client import connect
from tests.service.channels.webhooks.conftest import WebhookHarness
from tests.support.receiver import Receiver
from tests.support.redis_process import cluster
from workers.tools.store.archive import archive_matches

HOUR_MS = 3_600_000


def versions(receiver: Receiver, match: str) -> list[int]:
    return [one.data["version"] for one in receiver.got if one.data["match"] == match]


def test_a_match_is_replayed_from_a_version_on(harness: WebhookHarness, receiver: Receiver) -> None:
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url, ["move.made"])
    table = harness.table(f"{ann} bob", match="m").play(4)
    harness.send()
    before = receiver.ids()
    harness.queue(hook).request_resend(
        ResendRequest("replay", match="m", since=table.match.version - 1)
    )
    harness.send()
    assert receiver.ids()[len(before) :] == before[-2:]


def test_an_archived_match_is_replayed_identically(
    harness: WebhookHarness, receiver: Receiver, tmp_path: Path
) -> None:
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url, ["move.made", "match.ended"])
    harness.table(f"{ann} {ann}", match="m").play_out().score()
    harness.send()
    assert (before := [one.data for one in receiver.got])
    harness.annals.store.rows.archive.target = FolderTarget(tmp_path)
    assert archive_matches(harness.annals, 0).matches == 1
    harness.queue(hook).request_resend(ResendRequest("replay", match="m", since=1))
    harness.send()
    assert [one.data for one in receiver.got[len(before) :]] == before


def test_notices_planned_during_a_replay_are_sent_once_and_in_order(
    harness: WebhookHarness, receiver: Receiver
) -> None:
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url, ["move.made"])
    table = harness.table(f"{ann} bob", match="m").play(4)
    harness.project()
    harness.queue(hook).request_resend(ResendRequest("replay", match="m", since=1))
    table.play(2)
    harness.send()
    assert versions(receiver, "m") == list(range(2, table.match.version + 1))


@pytest.mark.parametrize("all_matches", [False, True])
def test_recover_replays_notices_missed_while_disabled(
    harness: WebhookHarness, receiver: Receiver, all_matches: bool
) -> None:
    ann = harness.player("Ann")
    hook = harness.subscribe(
        ann, receiver.url, ["match.created", "move.made"], all_matches=all_matches
    )
    early = harness.table(f"{ann} bob", match="early").play()
    harness.send()
    harness.subscriptions.disable(hook.id, "failing", harness.now)
    harness.now += HOUR_MS
    early.now = harness.now
    early.play()
    late = harness.table(f"bob {ann}", match="late")
    late.now = harness.now
    late.play()
    harness.table("bob cid", match="others").play()
    harness.send()
    received = len(receiver.got)
    harness.subscriptions.enable(hook)
    harness.queue(hook).request_resend(ResendRequest("recover", since=harness.now))
    harness.send()
    again = {(one.data["match"], one.data["version"]) for one in receiver.got[received:]}
    assert again == {("early", early.match.version), ("late", late.match.version)}


@pytest.mark.parametrize("oldest", ["m0", "m1"])
def test_recover_sends_what_failed_and_what_waited(
    harness: WebhookHarness, receiver: Receiver, oldest: str
) -> None:
    """The entries are older than the first failure: the messages waited for a slow sender."""
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url, ["move.made"])
    failed, waiting = sorted(("m0", "m1"), key=harness.store.partition_of)  # as they are sent
    begun = harness.now
    for match in (failed, waiting):
        table = harness.table(f"{ann} bob", match=match)
        table.now = begun + (1 if match == oldest else HOUR_MS)
        table.play(2)
    harness.now += 2 * HOUR_MS
    receiver.answers(410)
    harness.send()
    [gone] = receiver.got
    assert gone.data["match"] == failed
    since = harness.health(hook).undelivered_since
    assert since is not None
    assert begun < since < begun + HOUR_MS
    receiver.answers(200)
    harness.subscriptions.enable(hook)
    harness.queue(hook).request_resend(ResendRequest("recover", since=since))
    harness.send()
    assert gone.id in receiver.ids()[1:]
    assert len(receiver.got) == 1 + 4


def test_message_ids_differ_after_a_restore(harness: WebhookHarness, receiver: Receiver) -> None:
    """The same versions may hold other events, so receivers must not drop them as duplicates."""
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url, ["move.made"])
    table = harness.table(f"{ann} bob", match="m").play(3)
    harness.send()
    before = receiver.ids()
    assert list(harness.subscriptions.mark_restored(harness.now)) == [hook.id]
    harness.queue(hook).request_resend(ResendRequest("replay", match="m", since=1))
    table.play(1)
    harness.send()
    assert receiver.ids()[3:] == [*(f"{name}_{harness.now}" for name in before), receiver.ids()[-1]]
    assert len(set(receiver.ids())) == 7


@pytest.mark.parametrize("my_turn", [False, True])
def test_current_turns_can_be_replayed(
    harness: WebhookHarness, receiver: Receiver, my_turn: bool
) -> None:
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url, my_turn=my_turn)
    mine, theirs = (
        harness.table(f"{ann} bob", match="mine"),
        harness.table(f"bob {ann}", match="theirs"),
    )
    mine.play(5)
    theirs.play(2)
    asking = harness.table(f"{ann} bob", match="asking").play(5)
    asking.undo("bob")
    harness.table(f"{ann} bob", match="over").play_out()
    harness.project()
    harness.queue(hook).drop_all()
    harness.queue(hook).request_resend(ResendRequest("turns"))
    harness.send()
    received = {(one.data["match"], one.type, one.data["seat"]) for one in receiver.got}
    assert received == {
        ("mine", "turn.started", 0),
        ("theirs", "turn.started", 1),
        ("asking", "turn.started", 0),
        ("asking", "undo.requested", None),
    }
    assert len(receiver.got) == len(received)


def test_a_dead_letter_can_be_redelivered(harness: WebhookHarness, receiver: Receiver) -> None:
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url, ["match.created"])
    harness.table(f"{ann} bob")
    receiver.answers(500)
    harness.pass_until_quiet()
    [dead] = harness.deliveries(hook)
    assert dead.status == "dead"
    assert dead.match
    assert dead.notice
    receiver.answers(200)
    harness.subscriptions.clear_pause(hook.id)
    harness.queue(hook).enqueue(dead.match, [read_notice(dead.notice.encode())])
    harness.send()
    [after] = harness.deliveries(hook)
    assert (after.status, after.id) == ("delivered", dead.id)


def test_dead_letters_are_kept_for_thirty_days(harness: WebhookHarness, receiver: Receiver) -> None:
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url)
    log = DeliveryLog(harness.store.redis, hook.id)
    for days in (0, 29, 31):
        at = harness.now + days * 86_400_000
        log.record(Delivery(f"msg_{days}", "ping", "dead", at, at, 10))
    assert [one.id for one in harness.deliveries(hook)] == ["msg_31", "msg_29"]
    assert RETENTION_MS == 30 * 86_400_000


def test_a_ping_is_sent_while_the_webhook_is_paused(
    harness: WebhookHarness, receiver: Receiver
) -> None:
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url)
    harness.subscriptions.disable(hook.id, "by_owner", harness.now)
    harness.queue(hook).request_resend(ResendRequest("test", "msg_ping", "ping"))
    harness.send()
    assert [(one.id, one.type) for one in receiver.got] == [("msg_ping", "ping")]
    assert [one.status for one in harness.deliveries(hook)] == ["delivered"]
    receiver.answers(500)
    harness.now += 1
    harness.queue(hook).request_resend(ResendRequest("test", "msg_other", "move.made"))
    harness.send()
    latest, _ = harness.deliveries(hook)
    assert (latest.id, latest.status) == ("msg_other", "dead")
    assert harness.next_at() is None


def test_a_corrupt_match_delays_no_others(harness: WebhookHarness, receiver: Receiver) -> None:
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url, ["move.made"])
    harness.table(f"{ann} bob", match="bad").play(3)
    harness.table(f"{ann} bob", match="good").play(3)
    harness.project()
    key = f"{{p{harness.store.partition_of('bad')}}}:match:bad"
    harness.store.redis.xdel(key, "2-0")
    harness.send()
    assert len(versions(receiver, "good")) == 3
    assert versions(receiver, "bad") == []
    dead = [one for one in harness.deliveries(hook) if one.status == "dead"]
    assert {one.error for one in dead} == {"The match is corrupt."}


@pytest.mark.slow
def test_replay_works_on_a_cluster(tmp_path: Path, receiver: Receiver) -> None:
    with cluster(tmp_path) as url:
        redis: Redis = connect(url)
        harness = WebhookHarness(redis, url)
        ann = harness.player("Ann")
        hook = harness.subscribe(ann, receiver.url, ["move.made"])
        table = harness.table(f"{ann} bob", match="m", game=GAMES["qin"]).play(3)
        harness.project()
        harness.queue(hook).request_resend(ResendRequest("test", "msg_ping", "ping"))
        for _ in range(3):
            harness.sender.send_due(hook.id)
        assert versions(receiver, "m") == list(range(2, table.match.version + 1))
        assert "msg_ping" in receiver.ids()
        harness.queue(hook).request_resend(ResendRequest("recover", since=0))
        harness.sender.send_due(hook.id)
        assert len(receiver.got) == 1 + 2 * 3
        harness.subscriptions.remove(ann, hook.id)
        harness.sender.send_due(hook.id)
        redis.close()
