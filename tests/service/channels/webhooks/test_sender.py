"""Messages arrive at least once, in the order of each match; whoever fails holds up nobody."""

from __future__ import annotations

from functools import partial
from itertools import groupby
from threading import Event, Thread

import pytest
from standardwebhooks import WebhookVerificationError

from domain.match.state import ClockRule
from domain.notices import Notice
from projections.outbox.plan import due_wishes
from service.channels.webhooks.messages import formats
from service.channels.webhooks.messages.bodies import message
from service.channels.webhooks.queue.delivery_queue import Errand
from service.channels.webhooks.queue.retry_schedule import DELAYS_S, NOTICE_AFTER, OFF_AFTER_MS
from service.channels.webhooks.sending import sender
from service.matches.container import Annals
from tests.service.channels.webhooks.conftest import Desk, changed
from tests.support.patience import eventually
from tests.support.receiver import OK, Got, Receiver
from workers.processes.deliveries import Threads

DAY_MS = 86_400_000


def versions(receiver: Receiver, match: str) -> list[int]:
    return [one.data["version"] for one in receiver.got if one.data["match"] == match]


def test_a_whole_match_is_told_in_order(desk: Desk, receiver: Receiver) -> None:
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url)
    table = desk.table(f"{ann} bob", match="m").play_out()
    table.settle()
    desk.send()
    told = versions(receiver, "m")
    assert told == sorted(told)
    assert set(told) == {*range(1, table.match.version + 1)} - {table.match.version}  # not rated
    assert len(set(receiver.ids())) == len(receiver.got)
    for one in receiver.got:
        assert one.verified(hook.secrets[0].text) == one.body
        assert len(one.raw) < 20_000
    assert receiver.connections == 1


def test_whoever_has_another_secret_finds_it_wrong(desk: Desk, receiver: Receiver) -> None:
    ann = desk.player("Ann")
    desk.subscribe(ann, receiver.url)
    desk.table(f"{ann} bob")
    desk.send()
    with pytest.raises(WebhookVerificationError):
        receiver.got[0].verified("whsec_" + "A" * 32)


def test_it_is_tried_again_with_the_same_id_and_signed_anew(desk: Desk, receiver: Receiver) -> None:
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url, ["match.created"])
    desk.table(f"{ann} bob")
    receiver.answers(500, b"no" * 3_000)
    desk.send()
    [first] = desk.deliveries(hook)
    assert (first.status, first.attempts, first.code) == ("waiting", 1, 500)
    assert first.answer == "no" * 1_000
    assert first.next_try == desk.now + 1000 * DELAYS_S[0]
    desk.send()
    assert len(receiver.got) == 1
    receiver.answers(200)
    desk.pass_until_quiet()
    one, other = receiver.got
    assert one.id == other.id
    assert one.raw == other.raw
    assert one.headers["webhook-signature"] != other.headers["webhook-signature"]
    assert one.headers["webhook-timestamp"] != other.headers["webhook-timestamp"]
    [after] = desk.deliveries(hook)
    assert (after.status, after.attempts) == ("delivered", 2)


def test_a_match_that_fails_waits_and_others_do_not(desk: Desk, receiver: Receiver) -> None:
    ann = desk.player("Ann")
    desk.subscribe(ann, receiver.url)
    bad, good = desk.table(f"{ann} bob", match="bad"), desk.table(f"{ann} bob", match="good")
    receiver.reply = lambda got: (500, {}, b"") if got.data["match"] == "bad" else OK
    bad.play(3)
    good.play(3)
    desk.send()
    assert set(versions(receiver, "good")) == set(range(1, good.match.version + 1))
    assert versions(receiver, "bad") == [1]
    receiver.answers(204)
    desk.pass_until_quiet()
    told = versions(receiver, "bad")
    assert told == sorted(told)
    assert set(told) == set(range(1, bad.match.version + 1))


def test_what_never_arrives_is_given_up_after_three_days(desk: Desk, receiver: Receiver) -> None:
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url, ["match.created", "match.started"])
    receiver.reply = lambda got: (500, {}, b"") if got.type == "match.created" else OK
    desk.table(f"{ann} bob")
    begun = desk.now
    desk.pass_until_quiet()
    dead, arrived = sorted(desk.deliveries(hook), key=lambda one: one.status)
    assert (dead.status, dead.attempts, dead.type) == ("dead", len(DELAYS_S) + 1, "match.created")
    assert (arrived.status, arrived.type) == ("delivered", "match.started")
    assert 75 * 3_600_000 < desk.now - begun < 5 * DAY_MS


def test_410_turns_it_off_for_good(desk: Desk, receiver: Receiver) -> None:
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url)
    table = desk.table(f"{ann} bob")
    receiver.answers(410)
    desk.send()
    table.play(3)
    desk.pass_until_quiet()
    assert len(receiver.got) == 1
    assert desk.health(hook).off == "gone"
    assert not desk.store.redis.keys("*:outbox:of:*")


def test_failures_in_a_row_slow_it_down_and_a_success_ends_that(
    desk: Desk, receiver: Receiver
) -> None:
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url, ["match.created"])
    for n in range(12):
        desk.table(f"{ann} bob", match=f"m{n}")
    receiver.answers(503)
    desk.send()
    assert len(receiver.got) == NOTICE_AFTER  # then nothing is tried for a while
    health = desk.health(hook)
    assert health.failures == NOTICE_AFTER
    assert health.wait_until == desk.now + 30_000
    desk.now += 30_000
    desk.send()
    assert len(receiver.got) == NOTICE_AFTER + 1  # and then one message only
    receiver.answers(204)
    desk.now = desk.health(hook).wait_until or 0
    desk.send()
    assert {one.status for one in desk.deliveries(hook)} == {"delivered"}
    assert desk.health(hook).failures == 0


def test_five_days_without_a_success_turn_it_off(desk: Desk, receiver: Receiver) -> None:
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url, ["match.created"])
    receiver.answers(500)
    begun, n = desk.now, 0
    while desk.health(hook).off is None:
        desk.table(f"{ann} bob", match=f"m{n}")
        desk.send()
        desk.now, n = desk.now + DAY_MS // 2, n + 1
    assert desk.health(hook).off == "failing"
    assert desk.health(hook).error == "The receiver answered 500."
    assert desk.now - begun >= OFF_AFTER_MS


def test_retry_after_is_heeded_within_bounds(desk: Desk, receiver: Receiver) -> None:
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url, ["match.created"])
    for asked, waits_s in (("60", 60), ("1", 300), ("9" * 5_000, 3_600)):
        receiver.answers(429, retry_after=asked)
        if asked == "60":
            desk.table(f"{ann} bob", match="m")
        desk.send()
        [one] = desk.deliveries(hook)
        assert one.next_try
        assert one.next_try - desk.now == 1000 * waits_s
        desk.now = one.next_try


def test_a_match_with_which_we_fail_ourselves_holds_up_no_other(
    desk: Desk, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url, ["move.made"])
    desk.table(f"{ann} bob", match="bad").play(3)
    desk.table(f"{ann} bob", match="good").play(3)

    def breaks(annals: Annals, player: str, match: str, notice: Notice) -> bytes:
        if match == "bad":
            raise KeyError
        return message(annals, player, match, notice)

    monkeypatch.setattr(formats, "message", breaks)
    desk.send()
    assert len(versions(receiver, "good")) == 3
    [waiting] = [one for one in desk.deliveries(hook) if one.status == "waiting"]
    assert (waiting.match, waiting.attempts) == ("bad", 1)
    assert waiting.error == "The message could not be made or sent."
    assert desk.health(hook).failures == 0
    monkeypatch.setattr(formats, "message", message)
    desk.pass_until_quiet()
    assert len(versions(receiver, "bad")) == 3


def test_a_receiver_gets_one_request_at_a_time(desk: Desk, receiver: Receiver) -> None:
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url)
    for n in range(4):
        desk.table(f"{ann} bob", match=f"m{n}").play(4)
    desk.project()
    threads = [Thread(target=desk.sender.work, args=(hook.id,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    desk.send()
    assert receiver.most_at_once == 1
    assert len(set(receiver.ids())) == len(receiver.got) > 20


def test_the_old_secret_is_good_for_a_day(desk: Desk, receiver: Receiver) -> None:
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url, ["match.created"])
    fresh = desk.subscriptions.rotate(hook.id, desk.now)
    desk.table(f"{ann} bob", match="m1")
    desk.send()
    both = receiver.got[-1]
    assert both.verified(hook.secrets[0].text) == both.verified(fresh)
    desk.now += DAY_MS
    desk.table(f"{ann} bob", match="m2")
    desk.send()
    assert receiver.got[-1].verified(fresh)
    with pytest.raises(WebhookVerificationError):
        receiver.got[-1].verified(hook.secrets[0].text)


def test_whoever_is_kept_out_is_told_nothing(desk: Desk, receiver: Receiver) -> None:
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url)
    desk.table(f"{ann} bob")
    desk.annals.players.ban(ann, "cheated")
    desk.send()
    assert receiver.got == []
    assert desk.health(hook).off == "banned"


def test_what_was_removed_leaves_nothing(desk: Desk, receiver: Receiver) -> None:
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url)
    desk.table(f"{ann} bob")
    desk.project()
    desk.mail(hook).ask(Errand("sample", "msg_ping", "ping"))
    desk.subscriptions.remove(ann, hook.id)
    desk.send()
    assert receiver.got == []
    left = {key.decode() for key in desk.store.redis.keys("*") if hook.id.encode() in key}
    assert left == set()


def test_a_private_match_is_told_as_its_player_sees_it(desk: Desk, receiver: Receiver) -> None:
    ann, cid = desk.player("Ann"), desk.player("Cid")
    desk.subscribe(ann, receiver.url, ["move.made"])
    desk.subscribe(cid, f"{receiver.url}/cid", ["move.made"], everybody=True)
    desk.table(f"{ann} bob", match="open").play(2)
    desk.table(f"{ann} bob", match="closed", visibility="private").play(2)
    desk.send()
    by_path = {
        path: list(some) for path, some in groupby(sorted(receiver.got, key=path_of), path_of)
    }
    assert {one.data["match"] for one in by_path["/hook/cid"]} == {"open"}
    assert {one.data["as"] for one in by_path["/hook/cid"]} == {None}
    assert {one.data["match"] for one in by_path["/hook"]} == {"open", "closed"}
    assert {one.data["as"] for one in by_path["/hook"]} == {0}


def path_of(got: Got) -> str:
    return got.path


def test_a_clock_warns_at_half_and_at_a_tenth_and_once(desk: Desk, receiver: Receiver) -> None:
    ann = desk.player("Ann")
    desk.subscribe(ann, receiver.url, ["clock.warning"], my_turn=True)
    table = desk.table(f"{ann} bob", match="m", clock=ClockRule(bank_s=1_000))
    desk.pass_until_quiet()
    assert [one.data["left"] for one in receiver.got] == ["half", "tenth"]
    assert [one.body["timestamp"] for one in receiver.got] == sorted(
        one.body["timestamp"] for one in receiver.got
    )
    assert desk.now == table.now + 900_000
    table.now = desk.now
    table.move(table.legal(0)[0])
    desk.pass_until_quiet()
    assert len(receiver.got) == 2


def test_another_address_is_tried_at_once(desk: Desk, receiver: Receiver) -> None:
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, "http://127.0.0.1:9/", ["match.created"])
    for n in range(5):
        desk.table(f"{ann} bob", match=f"m{n}")
    desk.send()
    assert desk.health(hook).error == "The connection was refused."
    desk.subscriptions.change(hook.id, lambda one: changed(one, url=receiver.url))
    desk.subscriptions.hurry(hook.id)
    desk.mail(hook).release()
    desk.send()
    assert len(receiver.got) == 5


def test_one_dead_and_one_slow_receiver_hold_up_nobody(desk: Desk, receiver: Receiver) -> None:
    """Twenty receivers, of which one is not there and one never answers."""
    ann = desk.player("Ann")
    over = Event()
    receiver.reply = lambda got: (over.wait() and OK) if got.path.endswith("slow") else OK
    for n in range(18):
        player = desk.player(f"P{n}")
        desk.subscribe(player, f"{receiver.url}/{n}", ["move.made"], match="m")
    desk.subscribe(desk.player("Slow"), f"{receiver.url}/slow", ["move.made"], match="m")
    desk.subscribe(desk.player("Dead"), "http://127.0.0.1:9/", ["move.made"], match="m")
    table = desk.table(f"{ann} bob", match="m").play(5)
    desk.project()
    threads, due = Threads(20), due_wishes(desk.store.redis, range(16), desk.now)
    for name in due:
        assert threads.run(partial(desk.sender.work, name))
    wanted = 18 * len(range(2, table.match.version + 1))
    eventually(lambda: len([one for one in receiver.got if "slow" not in one.path]) == wanted)
    over.set()
    threads.stop()


def test_whoever_cannot_follow_is_turned_off(
    desk: Desk, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "MOST_WAITING", 3)
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url)
    receiver.answers(500)
    for n in range(3):
        desk.table(f"{ann} bob", match=f"m{n}")
    desk.send()
    assert desk.health(hook).off is None
    desk.table(f"{ann} bob", match="m4")
    desk.send()
    assert desk.health(hook).off == "behind"
    assert not desk.store.redis.keys("*:outbox:of:*")


def test_what_is_to_be_recovered_has_its_bounds(
    desk: Desk, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "MOST_WAITING", 3)
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url, ["match.aborted"])
    for n in range(3):
        desk.table(f"{ann} bob", match=f"m{n}")
    desk.project()
    desk.mail(hook).ask(Errand("recover", since=0))
    desk.send()
    assert desk.health(hook).off is None
    desk.table(f"{ann} bob", match="m4")
    desk.project()
    desk.mail(hook).ask(Errand("recover", since=0))
    desk.send()
    assert desk.health(hook).off == "behind"
    assert not desk.store.redis.keys("*:outbox:of:*")


def test_what_was_asked_for_is_done_even_if_all_else_is_dropped(
    desk: Desk, receiver: Receiver
) -> None:
    """Its owner turns it off just after asking: what they were promised is sent all the same."""
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url)
    desk.mail(hook).ask(Errand("sample", "msg_ping", "ping"))
    desk.subscriptions.turn_off(hook.id, "by_owner", desk.now)
    desk.mail(hook).drop()
    desk.send()
    assert receiver.ids() == ["msg_ping"]
    assert desk.next_at() is None


def test_nobody_is_warned_of_a_turn_that_is_over_whatever_they_wished_before(
    desk: Desk, receiver: Receiver
) -> None:
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url, ["clock.warning"])
    table = desk.table(f"{ann} bob", match="m", clock=ClockRule(per_move_s=1_000))
    desk.project()
    desk.subscriptions.change(hook.id, lambda one: changed(one, types=("match.ended",)))
    table.move(table.legal(0)[0])
    desk.pass_until_quiet()
    assert receiver.got == []
