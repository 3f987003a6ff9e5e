"""Whatever fails, mail comes once, or seldom: servers, recipients, processes and clocks."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from structlog.testing import capture_logs

from projections.outbox.plan import read_filter
from service.channels.mail.addresses import SendingState, link_code, new_address
from service.channels.mail.kinds import DELAY_MS, subscription_id_of
from service.channels.mail.talk import TalkMail
from service.matches.match_cache import RECENT_ENTRIES
from service.talk.messages import Message
from service.talk.storage import Talk
from tests.support.damage import damage
from tests.workers.jobs.mailing import (
    FROM,
    HOUR_MS,
    MINUTE_MS,
    Kill,
    Post,
    recipients,
    text_of,
)
from workers.dispatch.long_waits import LongWaits
from workers.jobs.mail import CONFIRMATIONS_PER_ADDRESS
from workers.jobs.mail_delivery import MAX_SERVER_PAUSE_MS, PAUSES_MS

DAY_MS = 24 * HOUR_MS


@pytest.mark.parametrize("kill", ["before", "after"])
def test_a_killed_process_loses_no_mail(post: Post, kill: str) -> None:
    """A mail that the server took just before comes again with the same id, once, after a while;
    then none for an hour.
    """
    ada = post.player("Ada")
    post.table(f"{ada} ben", match="m")
    post.kill = kill
    with pytest.raises(Kill):
        post.wait(DELAY_MS)
    taken, post.kill = [one for _, _, one in post.mail.taken], ""
    assert len(taken) == (kill == "after")
    post.store.redis.delete(f"{{webhook:{subscription_id_of(ada)}}}:lock")  # it expires
    assert post.wait(PAUSES_MS[0] - 1) == []
    [again] = post.wait(1)
    assert {one["Message-ID"] for one in taken} <= {again["Message-ID"]}
    assert post.wait(DAY_MS) == []


def test_a_mail_that_was_recorded_is_not_sent_again(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process is killed after it has recorded the positions of the notices."""
    ada = post.player("Ada")
    post.table(f"{ada} ben", match="m")
    with monkeypatch.context() as patch:
        patch.setattr(post.sender.addresses, "write_state", _write_once(post))
        with pytest.raises(Kill):
            post.wait(DELAY_MS)
    assert len(post.mail.taken) == 1
    assert post.wait(DAY_MS) == []


def _write_once(post: Post) -> Callable[[str, SendingState], None]:
    write, calls = post.addresses.write_state, list[str]()

    def write_state(player: str, state: SendingState) -> None:
        calls.append(player)
        if len(calls) > 1:
            raise Kill
        write(player, state)

    return write_state


def test_a_dead_server_gets_few_tries_and_all_mail_later(post: Post) -> None:
    ada, ben = post.player("Ada"), post.player("Ben")
    post.table(f"{ada} {ben}", match="m")
    post.mail.refused = {"annals@example.com": "451 Later"}
    with capture_logs() as logs:
        for _ in range(180):
            assert post.wait(MINUTE_MS) == []
    tries = sum(one["event"] == "mail_server_failed" for one in logs)
    assert 12 <= tries <= 25, "two at first each pause, then every quarter of an hour"
    post.mail.refused = {}
    assert recipients(post.wait(MAX_SERVER_PAUSE_MS)) == ["ada@example.org", "ben@example.org"]


def test_a_recipient_that_is_refused_for_ever_gets_no_more(post: Post) -> None:
    """Only an answer about the mailbox is for ever, not one about a quota. If the player confirms
    the address again, the links in earlier mails still work.
    """
    answers = {"Ada": "550 5.1.1 Unknown", "Ben": "452 Full", "Cid": "550 5.4.5 Daily limit"}
    ada, *others = map(post.player, answers)
    post.table(" ".join((ada, *others)), match="m")
    post.mail.refused = {f"{name.lower()}@example.org": one for name, one in answers.items()}
    with capture_logs() as logs:
        post.wait(DELAY_MS)
        post.mail.refused = {}
        found = recipients(post.wait(PAUSES_MS[0]))
    assert found == ["ben@example.org", "cid@example.org"]
    assert "@example.org" not in str(logs)
    address = post.addresses.read(ada)
    assert address is not None
    assert address.refused_at
    assert read_filter(post.store.redis, 0, subscription_id_of(ada)) is None
    wanted = new_address("ada@example.org", (), "en", "UTC")
    post.addresses.request(ada, wanted, post.now)
    assert post.addresses.confirm(link_code(ada, wanted)) == ada
    assert post.addresses.find_by_end_link(link_code(ada, address)) == ada


@pytest.mark.parametrize(
    ("refused", "is_off"),
    [
        ({"DATA": "554 Spam"}, False),
        ({}, False),  # the command
        ({"ada@example.org": "554 5.7.1 Relay access denied"}, False),
        ({"ada@example.org": "550 Unknown"}, True),
    ],
)
def test_a_message_that_is_refused_is_given_up(
    post: Post, refused: dict[str, str], is_off: bool
) -> None:
    ada = post.player("Ada")
    post.table(f"{ada} ben", match="m")
    post.mail.refused, post.mail.knows_recipients = refused, bool(refused)
    with capture_logs() as logs:
        for _ in range(35):
            assert post.wait(HOUR_MS) == []
    tries = sum(one["event"] == "mail_refused" for one in logs)
    assert tries == len(PAUSES_MS) + 1
    address = post.addresses.read(ada)
    assert address
    assert bool(address.refused_at) == is_off
    assert any(one["event"] == "mail_given_up" for one in logs) != is_off
    assert post.sender.delivery.pause.ends_at(post.now) == 0


@pytest.mark.parametrize("command", ["RCPT", "DATA"])
def test_a_mail_without_an_answer_comes_seldom_and_is_given_up(post: Post, command: str) -> None:
    """The server may have taken it: it waits for the next hour, with the same id."""
    ada = post.player("Ada")
    post.table(f"{ada} ben", match="m")
    post.mail.ends_at = command
    with capture_logs() as logs:
        found = [(hour, one) for hour in range(60) for one in post.wait(HOUR_MS // 2)]
    tries = sum(one["event"] == "mail_answer_missing" for one in logs)
    assert tries == len(PAUSES_MS) + 1
    assert len(found) == (tries if command == "DATA" else 0)
    assert all(later - earlier >= 2 for (earlier, _), (later, _) in pairwise(found))
    assert len({one["Message-ID"] for _, one in found}) == bool(found)
    address = post.addresses.read(ada)
    assert address
    assert address.refused_at is None


def test_a_corrupt_match_keeps_no_other_mail(post: Post) -> None:
    """It was read before; its old entries are read for the last act of the player."""
    ada = post.player("Ada")
    corrupt = post.table(f"{ada} ben", match="m")
    post.run()
    corrupt.play(RECENT_ENTRIES)
    assert post.annals.matches.latest("m").version > RECENT_ENTRIES
    damage(post.store, "m", 1)
    post.table(f"{ada} ben", match="n")
    [message] = post.wait(DELAY_MS)
    assert "/matches/n" in text_of(message)


def test_a_clock_that_was_set_back_delays_no_mail(post: Post) -> None:
    ada, set_back = post.player("Ada"), post.now
    post.now += 30 * DAY_MS
    post.table(f"{ada} ben", match="m")
    assert len(post.wait(DELAY_MS)) == 1
    post.now = set_back
    post.table(f"{ada} ben", match="n")
    assert len(post.wait(DELAY_MS)) == 1


@pytest.mark.parametrize("is_restarted", [False, True])
def test_what_waits_does_so_no_longer_when_the_clock_is_set_back(
    post: Post, is_restarted: bool
) -> None:
    """Mail after a refusal, talk, and a confirmation; also if the process has begun since."""
    ada, ben, set_back = post.player("Ada"), post.player("Ben", ("message",)), post.now
    cid = post.annals.players.register("Cid", post.now)[0].id
    post.now += 30 * DAY_MS
    post.table(f"{ada} {ben}", match="m").now = post.now
    post.addresses.request(cid, new_address("cid@example.org", (), "en", "UTC"), post.now)
    post.mail.refused = {"DATA": "451 Later"}
    with capture_logs():
        assert post.wait(DELAY_MS) == []
    TalkMail(post.annals, ben).plan("m")
    Talk(post.store).say("m", "players", Message(ada, post.now, "Hi"), b"command")
    assert post.run() == []
    post.mail.refused, post.now = {}, set_back + MINUTE_MS
    if is_restarted:
        post.long_waits = LongWaits(post.store, range(post.store.partitions))
    found = recipients([*post.run(), *post.wait(MAX_SERVER_PAUSE_MS)])
    assert found == [f"{one}@example.org" for one in ("ada", "ben", "cid")]


def test_a_confirmation_that_is_refused_for_ever_says_so(post: Post) -> None:
    """At once if there is no such inbox, else after the last try; not if an inbox has had its mails
    of the day: that would say that other players named it.
    """
    answers = {"Ada": "550 5.1.1 Unknown", "Ben": "452 Full", "Cid": "", "Dot": ""}
    players = {name: post.annals.players.register(name, post.now)[0].id for name in answers}
    post.mail.refused = {f"{name.lower()}@example.org": one for name, one in answers.items() if one}
    for number in range(CONFIRMATIONS_PER_ADDRESS):
        wanted = new_address("dot@example.org", (), "en", "UTC")
        post.addresses.request(f"other{number}", wanted, post.now)
    with capture_logs():
        post.run()
        for name, player in players.items():
            wanted = new_address(f"{name.lower()}@example.org", (), "en", "UTC")
            post.addresses.request(player, wanted, post.now)
        post.run()
        early = {name for name in players if _is_refused(post, players[name])}
        for pause in PAUSES_MS:
            post.wait(pause)
    assert early == {"Ada"}
    assert {name for name in players if _is_refused(post, players[name])} == {"Ada", "Ben"}


def _is_refused(post: Post, player: str) -> bool:
    pending = post.addresses.read_pending(player)
    return bool(pending and pending.refused)


@pytest.mark.parametrize("refused", [FROM, "ada@example.org"])
def test_a_confirmation_waits_for_the_server(post: Post, refused: str) -> None:
    """Neither an outage nor a full mailbox uses up what an inbox gets a day."""
    player = post.annals.players.register("Ada", post.now)[0].id
    post.mail.refused = {refused: "452 Full"}
    post.addresses.request(player, new_address("ada@example.org", (), "en", "UTC"), post.now)
    with capture_logs():
        for _ in range(6):
            assert post.wait(MAX_SERVER_PAUSE_MS) == []
    post.mail.refused = {}
    assert post.run() == []
    assert len(post.wait(PAUSES_MS[4])) == 1
    assert post.wait(DAY_MS) == []


def test_a_confirmation_without_an_answer_floods_no_inbox(post: Post) -> None:
    player = post.annals.players.register("Ada", post.now)[0].id
    post.mail.ends_at = "DATA"
    post.addresses.request(player, new_address("ada@example.org", (), "en", "UTC"), post.now)
    with capture_logs():
        found = [one for _ in range(20) for one in post.wait(5 * MINUTE_MS)]
    assert len(found) == CONFIRMATIONS_PER_ADDRESS


def test_a_killed_process_loses_no_confirmation(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = post.annals.players.register("Ada", post.now)[0].id
    wanted = new_address("ada@example.org", ("turn",), "en", "UTC")
    post.addresses.request(player, wanted, post.now)

    def put_filter(_: str) -> None:
        raise Kill

    with monkeypatch.context() as patch:
        patch.setattr(post.addresses, "put_filter", put_filter)
        with pytest.raises(Kill):
            post.addresses.confirm(link_code(player, wanted))
    assert post.addresses.confirm(link_code(player, wanted)) == player
    assert read_filter(post.store.redis, 0, subscription_id_of(player))
