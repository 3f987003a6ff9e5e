"""Browsers notify their players of what waits for them, while it is so, and say nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event
from typing import Any

import pytest
from redis import Redis

from domain.match.log import Draft
from domain.match.social_events import ForcedMovePlayed
from domain.match.state import ClockRule
from projections.outbox.plan import put_filter, read_filter
from service.channels.account_deletion import delete_account, remaining_data
from service.channels.outside_access import end_outside_access
from service.channels.push.browsers import MAX_PER_PLAYER
from service.channels.push.notifications import topic_of
from service.channels.webhooks.queue.delivery_queue import LEASE_MS
from tests.support.patience import eventually
from tests.support.receiver import OK, Got, Receiver, Reply, receiving
from tests.workers.jobs.pushing import HOUR_MS, PUBLIC, Kill, PushHouse
from workers.jobs.push import DELAY_MS, MAX_PAUSE_MS, PAUSES_MS, PRESENT_MS
from workers.processes.pusher import MAX_THREADS, hand_out
from workers.processes.sender_pool import ReceiverSpeeds, SenderPool
from workers.tools.store.restore import reset_deliveries
from workers.tools.store.stored_keys import treatment_of

SLOW = ClockRule(per_move_s=2 * 86_400)
TURN = "It is your turn."


@pytest.fixture(scope="module")
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


@pytest.fixture
def house(redis_client: Redis, redis_url: str, receiver: Receiver) -> PushHouse:
    receiver.got.clear()
    receiver.answers(201)
    return PushHouse(redis_client, redis_url, receiver)


def test_a_message_says_whose_turn_it_is_and_no_more(house: PushHouse) -> None:
    ada = house.player("Ada")
    house.subscribe(ada, "a", language="zh-Hans")
    table = house.table(f"{ada} ben", match="m", clock=SLOW)
    house.table(f"ben {ada}", match="n")
    assert house.run() == house.wait(DELAY_MS - 1) == []
    first = {one.content["notification"]["tag"]: one for one in house.wait(1)}["m"]
    assert first.content == {
        "web_push": 8030,
        "notification": {
            "title": "小游戏", "body": "轮到你了。", "navigate": f"{PUBLIC}/matches/m", "tag": "m",
            "lang": "zh-Hans",
        },
        "app_badge": 2,
    }  # fmt: skip
    headers = first.headers
    left_s = 2 * 86_400 - DELAY_MS // 1000
    assert (headers["ttl"], headers["urgency"]) == (str(left_s), "high")
    assert headers["topic"] == topic_of(ada, "m")
    assert headers["content-encoding"] == "aes128gcm"
    assert headers["authorization"].startswith("vapid t=")
    assert house.wait(HOUR_MS) == []
    assert table.match.status == "active"


def test_a_message_comes_also_if_the_clock_was_set_back(house: PushHouse) -> None:
    ada = house.player("Ada")
    house.subscribe(ada, "a")
    house.table(f"{ada} ben", match="m")
    house.now -= 24 * HOUR_MS
    assert [one.said for one in house.run()] == [("a", TURN)]


def test_what_is_over_is_not_sent(house: PushHouse) -> None:
    """Given three players with a turn, when one moves and one resigns before the message is due,
    then only the third gets it.
    """
    players = ada, ben, cid = [house.player(name) for name in ("Ada", "Ben", "Cid")]
    for player in players:
        house.subscribe(player, player)
    table = house.table(f"{ada} {ben} {cid} dot", match="m")
    house.run()
    table.now = house.now
    table.move(table.legal(0)[0])
    table.resign(ben)
    assert [one.browser for one in house.wait(DELAY_MS)] == [cid]


def test_who_plays_on_gets_no_message(house: PushHouse) -> None:
    """Given a bot that answers each move at once, and a player who thinks half a minute, then
    nothing is sent until they leave.
    """
    ada = house.player("Ada")
    house.subscribe(ada, "a")
    table = house.table(f"{ada} +easy", match="m")
    for _ in range(3):
        table.now = house.now
        table.move(table.legal(0)[0])
        while table.match.seats_to_move != (0,):
            table.move(table.legal(1)[0])
        assert house.run() == house.wait(DELAY_MS) == house.wait(PRESENT_MS // 2) == []
    assert [one.said for one in house.wait(PRESENT_MS // 2 - DELAY_MS)] == [("a", TURN)]


def test_a_move_that_played_itself_is_no_sign_of_its_player(house: PushHouse) -> None:
    """The turn goes on after it."""
    ada = house.player("Ada")
    house.subscribe(ada, "a")
    table = house.table(f"{ada} ben", match="m")
    table.act(Draft("move", (ForcedMovePlayed(0),)), ada)
    assert [one.said for one in house.wait(DELAY_MS)] == [("a", TURN)]


def test_each_browser_has_its_kinds(house: PushHouse) -> None:
    ada, ben = house.player("Ada"), house.player("Ben")
    for kind in ("turn", "reminder", "start", "end"):
        house.subscribe(ada, kind, (kind,))
    table = house.table(f"{ada} {ben} cid", match="m", clock=SLOW)
    started = house.wait(DELAY_MS)
    assert sorted(one.said for one in started) == [
        ("start", "The match has begun."), ("turn", TURN),
    ]  # fmt: skip
    assert {one.headers["urgency"] for one in started} == {"high", "normal"}
    [reminder] = house.wait(24 * HOUR_MS)
    assert reminder.said == ("reminder", "Your time is running out.")
    table.now = house.now
    for player in (ben, "cid"):
        table.resign(player)
    table.score()
    assert [one.said for one in house.wait(DELAY_MS)] == [("end", "The match is over.")]


def test_matches_that_differ_in_what_was_done_send_alike(house: PushHouse) -> None:
    ada = house.player("Ada")
    house.subscribe(ada, "a")
    for match, choice in ("m1", 0), ("m2", -1):
        table = house.table(f"ben {ada}", match=match)
        table.now = house.now
        table.move(table.legal(0)[choice])
    first, second = house.wait(DELAY_MS)
    assert first.content["notification"] != second.content["notification"]
    alike = (str(one.content).replace("m2", "m1") for one in (first, second))
    assert len(set(alike)) == 1
    assert first.headers["ttl"] == second.headers["ttl"]


@pytest.mark.parametrize("code", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(house: PushHouse, code: int) -> None:
    ada = house.player("Ada")
    device = house.subscribe(ada, "a")
    house.table(f"{ada} ben", match="m")
    house.receiver.answers(code)
    assert len(house.wait(DELAY_MS)) == 1
    assert house.subscriptions.read(device) is None
    assert read_filter(house.store.redis, 0, device.outbox_id) is None
    house.table(f"{ada} ben", match="n")
    assert house.wait(HOUR_MS) == []
    left = house.store.redis.keys(f"*{device.subscription}*")
    assert left == []


def test_a_message_that_is_too_large_is_not_sent_again(house: PushHouse) -> None:
    ada = house.player("Ada")
    device = house.subscribe(ada, "a")
    house.table(f"{ada} ben", match="m")
    house.receiver.answers(413)
    assert len(house.wait(DELAY_MS)) == 1
    assert house.wait(HOUR_MS) == []
    assert house.subscriptions.read(device)


def test_a_push_service_says_when_it_takes_more(house: PushHouse) -> None:
    """A new turn in another match does not end the pause."""
    ada = house.player("Ada")
    device = house.subscribe(ada, "a")
    house.table(f"{ada} ben", match="m")
    house.receiver.answers(429, retry_after="1800")
    assert len(house.wait(DELAY_MS)) == 1
    house.table(f"{ada} ben", match="n", clock=SLOW)
    assert house.wait(1_799_000) == []
    house.receiver.answers(201)
    assert len(house.wait(1_000)) == 2
    assert house.subscriptions.state(device).retry_at == 0 or house.wait(HOUR_MS) == []


def test_a_push_service_can_not_ask_for_a_message_each_second(house: PushHouse) -> None:
    ada = house.player("Ada")
    house.subscribe(ada, "a")
    house.table(f"{ada} ben", match="m")
    house.receiver.answers(429, retry_after="1")
    assert len(house.wait(DELAY_MS)) == 1
    assert house.wait(PAUSES_MS[0] - 1) == []
    assert len(house.wait(1)) == 1


def test_a_browser_that_keeps_failing_is_forgotten(house: PushHouse) -> None:
    ada = house.player("Ada")
    device = house.subscribe(ada, "a")
    house.table(f"{ada} ben", match="m")
    house.receiver.answers(503)
    assert len(house.wait(DELAY_MS)) == 1
    for pause in PAUSES_MS:
        assert house.subscriptions.read(device)
        assert house.wait(pause - 1) == []
        assert len(house.wait(1)) == 1
    assert house.subscriptions.read(device) is None


def test_a_success_ends_the_count_of_failures(house: PushHouse) -> None:
    ada = house.player("Ada")
    device = house.subscribe(ada, "a")
    house.table(f"{ada} ben", match="m")
    house.receiver.answers(500, retry_after="7200")
    assert len(house.wait(DELAY_MS)) == 1
    house.receiver.answers(201)
    assert house.wait(7_199_000) == [], "longer than our own pause"
    assert len(house.wait(1_000)) == 1
    assert house.subscriptions.state(device).failures == 0
    assert house.wait(MAX_PAUSE_MS) == []


@pytest.mark.parametrize(("moment", "sent"), [("before", 0), ("after", 1)])
def test_a_killed_process_loses_no_message(house: PushHouse, moment: str, sent: int) -> None:
    """One that was sent comes again, with the topic and the tag of the first."""
    ada = house.player("Ada")
    house.subscribe(ada, "a")
    house.table(f"{ada} ben", match="m")
    house.run()
    house.now += DELAY_MS
    house.kill = moment
    with pytest.raises(Kill):
        house.run()
    before, house.kill = house.taken(), ""
    assert len(before) == sent
    again = house.wait(LEASE_MS)
    assert len(again) == 1
    for one in before:
        assert one.content["notification"]["tag"] == again[0].content["notification"]["tag"]
        assert one.headers["topic"] == again[0].headers["topic"]
    assert house.wait(HOUR_MS) == []


def test_a_browser_that_never_answers_holds_up_no_other_player(
    house: PushHouse, receiver: Receiver
) -> None:
    """Given a player whose browsers all take the whole time of a request, when a player in another
    network has a turn, then their message comes at once.
    """
    ada, ben = house.player("Ada"), house.player("Ben")
    for number in range(MAX_PER_PLAYER):
        house.subscribe(ada, f"silent{number}")
    house.subscribe(ben, "quick", network="203.0.113.0/24")
    house.table(f"{ada} {ben}", match="m")
    house.run()
    house.now += DELAY_MS
    answered, reached = Event(), Event()

    def reply(got: Got) -> Reply:
        if "silent" in got.path:
            answered.wait(10)
        else:
            reached.set()
        return OK

    receiver.reply = reply
    pool = SenderPool(MAX_THREADS, ReceiverSpeeds())
    sender = PushHouse(house.store.redis, house.annals.settings.redis_url, receiver).sender
    sender.annals = house.annals
    for device in sorted(house.due(), key=lambda one: one.player == ben):
        hand_out(pool, sender, device)
    eventually(reached.is_set)
    answered.set()
    pool.stop()


def test_a_browser_ends_with_the_session_that_subscribed_it(house: PushHouse) -> None:
    ada = house.player("Ada")
    text = house.annals.players.tokens.issue_session(ada, "Firefox", house.now)
    session = next(one for one in house.annals.players.tokens.of_player(ada) if one.session)
    left, kept = house.subscribe(ada, "left", token=session.id), house.subscribe(ada, "kept")
    house.table(f"{ada} ben", match="m")
    house.annals.players.tokens.discard(text)
    assert [one.browser for one in house.wait(DELAY_MS)] == ["kept"]
    assert house.subscriptions.read(left) is None
    assert house.subscriptions.read(kept)


def test_the_oldest_browser_makes_room(house: PushHouse) -> None:
    ada = house.player("Ada")
    devices = list[Any]()
    for number in range(MAX_PER_PLAYER + 2):
        house.now += 1
        devices.append(house.subscribe(ada, f"b{number}"))
    found = [one.device for one in house.subscriptions.list_for(ada)]
    assert found == devices[2:]
    house.subscribe(ada, f"b{MAX_PER_PLAYER + 1}", ("end",))
    assert len(house.subscriptions.list_for(ada)) == MAX_PER_PLAYER


def test_nothing_stays_of_a_deleted_player(house: PushHouse) -> None:
    ada = house.player("Ada")
    device = house.subscribe(ada, "a")
    house.table(f"{ada} ben", match="m")
    house.run()
    assert remaining_data(house.annals, ada)["push subscriptions"] == 1
    player = house.annals.players.find_active(ada)
    assert player
    delete_account(house.annals, player, wait_s=0)
    assert "push subscriptions" not in remaining_data(house.annals, ada)
    assert house.wait(HOUR_MS) == []
    assert house.store.redis.keys(f"*{device.subscription}*") == []


def test_a_thief_keeps_no_browser(house: PushHouse) -> None:
    ada = house.player("Ada")
    device = house.subscribe(ada, "thief")
    house.table(f"{ada} ben", match="m")
    house.run()
    end_outside_access(house.annals, ada)
    assert house.subscriptions.read(device) is None
    assert house.wait(DELAY_MS) == []


def test_browsers_stay_subscribed_after_a_restore(house: PushHouse) -> None:
    """The key of the house is in the backup, the filters are not."""
    ada, redis = house.player("Ada"), house.store.redis
    device, key = house.subscribe(ada, "a"), house.sender.key.public_key
    house.table(f"{ada} ben", match="m")
    house.run()
    kept = {name for one in redis.scan_iter() if treatment_of(name := one.decode()) == "account"}
    assert {"push:key", f"player:{ada}:push"} <= kept
    put_filter(redis, house.store.partitions, device.outbox_id, None)
    reset_deliveries(house.annals)
    assert read_filter(redis, 0, device.outbox_id)
    assert [one.said for one in house.wait(DELAY_MS)] == [("a", TURN)]
    assert key
