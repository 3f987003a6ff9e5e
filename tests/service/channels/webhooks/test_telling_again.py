"""What was missed can be told again, since the annals forget nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from redis import Redis

from domain.games import GAMES
from projections.outbox.plan import read_notice
from service.channels.webhooks.queue.delivery_log import KEPT_MS, Deliveries, Delivery
from service.channels.webhooks.queue.delivery_queue import Errand
from service.store.archive.targets import Folder
from service.store.redis_client import connect
from tests.service.channels.webhooks.conftest import Desk
from tests.support.receiver import Receiver
from tests.support.redis_process import cluster
from workers.tools.store.archive import move

HOUR_MS = 3_600_000


def versions(receiver: Receiver, match: str) -> list[int]:
    return [one.data["version"] for one in receiver.got if one.data["match"] == match]


def test_a_match_is_told_again_from_a_version_on(desk: Desk, receiver: Receiver) -> None:
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url, ["move.made"])
    table = desk.table(f"{ann} bob", match="m").play(4)
    desk.send()
    before = receiver.ids()
    desk.mail(hook).ask(Errand("replay", match="m", since=table.match.version - 1))
    desk.send()
    assert receiver.ids()[len(before) :] == before[-2:]


def test_a_match_of_the_archive_is_told_again_in_the_same_words(
    desk: Desk, receiver: Receiver, tmp_path: Path
) -> None:
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url, ["move.made", "match.ended"])
    desk.table(f"{ann} {ann}", match="m").play_out().score()
    desk.send()
    assert (before := [one.data for one in receiver.got])
    desk.annals.store.rows.archive.target = Folder(tmp_path)
    assert move(desk.annals, 0).matches == 1
    desk.mail(hook).ask(Errand("replay", match="m", since=1))
    desk.send()
    assert [one.data for one in receiver.got[len(before) :]] == before


def test_what_was_planned_meanwhile_is_told_once_and_in_order(
    desk: Desk, receiver: Receiver
) -> None:
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url, ["move.made"])
    table = desk.table(f"{ann} bob", match="m").play(4)
    desk.project()
    desk.mail(hook).ask(Errand("replay", match="m", since=1))
    table.play(2)
    desk.send()
    assert versions(receiver, "m") == list(range(2, table.match.version + 1))


@pytest.mark.parametrize("everybody", [False, True])
def test_what_happened_while_it_was_off_is_recovered(
    desk: Desk, receiver: Receiver, everybody: bool
) -> None:
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url, ["match.created", "move.made"], everybody=everybody)
    early = desk.table(f"{ann} bob", match="early").play()
    desk.send()
    desk.subscriptions.turn_off(hook.id, "failing", desk.now)
    desk.now += HOUR_MS
    early.now = desk.now
    early.play()
    late = desk.table(f"bob {ann}", match="late")
    late.now = desk.now
    late.play()
    desk.table("bob cid", match="others").play()
    desk.send()
    told = len(receiver.got)
    desk.subscriptions.turn_on(hook)
    desk.mail(hook).ask(Errand("recover", since=desk.now))
    desk.send()
    again = {(one.data["match"], one.data["version"]) for one in receiver.got[told:]}
    assert again == {("early", early.match.version), ("late", late.match.version)}


def test_after_a_restore_what_happens_has_ids_of_its_own(desk: Desk, receiver: Receiver) -> None:
    """The same versions of a match are other ones then, and nobody takes them for old news."""
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url, ["move.made"])
    table = desk.table(f"{ann} bob", match="m").play(3)
    desk.send()
    before = receiver.ids()
    assert list(desk.subscriptions.restored(desk.now)) == [hook.id]
    desk.mail(hook).ask(Errand("replay", match="m", since=1))
    table.play(1)
    desk.send()
    assert receiver.ids()[3:] == [*(f"{name}_{desk.now}" for name in before), receiver.ids()[-1]]
    assert len(set(receiver.ids())) == 7


@pytest.mark.parametrize("my_turn", [False, True])
def test_whose_turn_it_is_can_be_told_again(desk: Desk, receiver: Receiver, my_turn: bool) -> None:
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url, my_turn=my_turn)
    mine, theirs = desk.table(f"{ann} bob", match="mine"), desk.table(f"bob {ann}", match="theirs")
    mine.play(5)
    theirs.play(2)
    asking = desk.table(f"{ann} bob", match="asking").play(5)
    asking.undo("bob")
    desk.table(f"{ann} bob", match="over").play_out()
    desk.project()
    desk.mail(hook).drop()
    desk.mail(hook).ask(Errand("turns"))
    desk.send()
    told = {(one.data["match"], one.type, one.data["seat"]) for one in receiver.got}
    assert told == {
        ("mine", "turn.started", 0),
        ("theirs", "turn.started", 1),
        ("asking", "turn.started", 0),
        ("asking", "undo.requested", None),
    }
    assert len(receiver.got) == len(told)


def test_a_dead_letter_is_sent_again_when_its_owner_asks(desk: Desk, receiver: Receiver) -> None:
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url, ["match.created"])
    desk.table(f"{ann} bob")
    receiver.answers(500)
    desk.pass_until_quiet()
    [dead] = desk.deliveries(hook)
    assert dead.status == "dead"
    assert dead.match
    assert dead.notice
    receiver.answers(200)
    desk.subscriptions.hurry(hook.id)
    desk.mail(hook).plan(dead.match, [read_notice(dead.notice.encode())])
    desk.send()
    [after] = desk.deliveries(hook)
    assert (after.status, after.id) == ("delivered", dead.id)


def test_dead_letters_are_kept_for_thirty_days(desk: Desk, receiver: Receiver) -> None:
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url)
    log = Deliveries(desk.store.redis, hook.id)
    for days in (0, 29, 31):
        at = desk.now + days * 86_400_000
        log.note(Delivery(f"msg_{days}", "ping", "dead", at, at, 10))
    assert [one.id for one in desk.deliveries(hook)] == ["msg_31", "msg_29"]
    assert KEPT_MS == 30 * 86_400_000


def test_a_ping_goes_out_even_if_nothing_else_may(desk: Desk, receiver: Receiver) -> None:
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url)
    desk.subscriptions.turn_off(hook.id, "by_owner", desk.now)
    desk.mail(hook).ask(Errand("sample", "msg_ping", "ping"))
    desk.send()
    assert [(one.id, one.type) for one in receiver.got] == [("msg_ping", "ping")]
    assert [one.status for one in desk.deliveries(hook)] == ["delivered"]
    receiver.answers(500)
    desk.now += 1
    desk.mail(hook).ask(Errand("sample", "msg_other", "move.made"))
    desk.send()
    latest, _ = desk.deliveries(hook)
    assert (latest.id, latest.status) == ("msg_other", "dead")
    assert desk.next_at() is None


def test_a_damaged_match_holds_up_no_other(desk: Desk, receiver: Receiver) -> None:
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url, ["move.made"])
    desk.table(f"{ann} bob", match="bad").play(3)
    desk.table(f"{ann} bob", match="good").play(3)
    desk.project()
    key = f"{{p{desk.store.partition_of('bad')}}}:match:bad"
    desk.store.redis.xdel(key, "2-0")
    desk.send()
    assert len(versions(receiver, "good")) == 3
    assert versions(receiver, "bad") == []
    dead = [one for one in desk.deliveries(hook) if one.status == "dead"]
    assert {one.error for one in dead} == {"The match cannot be read."}


@pytest.mark.slow
def test_it_is_the_same_on_a_cluster(tmp_path: Path, receiver: Receiver) -> None:
    with cluster(tmp_path) as url:
        redis: Redis = connect(url)
        desk = Desk(redis, url)
        ann = desk.player("Ann")
        hook = desk.subscribe(ann, receiver.url, ["move.made"])
        table = desk.table(f"{ann} bob", match="m", game=GAMES["qin"]).play(3)
        desk.project()
        desk.mail(hook).ask(Errand("sample", "msg_ping", "ping"))
        for _ in range(3):
            desk.sender.work(hook.id)
        assert versions(receiver, "m") == list(range(2, table.match.version + 1))
        assert "msg_ping" in receiver.ids()
        desk.mail(hook).ask(Errand("recover", since=0))
        desk.sender.work(hook.id)
        assert len(receiver.got) == 1 + 2 * 3
        desk.subscriptions.remove(ann, hook.id)
        desk.sender.work(hook.id)
        redis.close()
