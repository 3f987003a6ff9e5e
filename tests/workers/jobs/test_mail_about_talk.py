"""Mail about talk comes only of what a player could read, has not read, and wants to hear of."""

from __future__ import annotations

from hashlib import sha256

import pytest

from service.accounts.people.meeting import block
from service.channels.mail.kinds import DELAY_MS
from service.channels.mail.talk import plan_talk_mail
from service.talk.messages import Message, Room
from service.talk.mutes import Mutes
from service.talk.storage import Talk
from tests.workers.jobs.mailing import HOUR_MS, Kill, Post, recipients, text_of

DAY_MS = 24 * HOUR_MS


def say(post: Post, author: str, text: str = "Hi", match: str = "m", room: Room = "players") -> int:
    """What the route does."""
    command = sha256(f"{author}{text}{post.now}".encode()).digest()
    number, _ = Talk(post.store).say(match, room, Message(author, post.now, text), command)
    plan_talk_mail(post.annals, post.annals.matches.latest(match), room, author)
    return number


def test_unread_talk_is_one_mail_for_those_who_want_it(post: Post) -> None:
    """Beside a turn of another match, at most once an hour, and once for each message."""
    ada, ben = post.player("Ada", ("message", "turn")), post.player("Ben", ("turn",))
    post.table(f"zoe {ada} {ben}", match="m")
    post.wait(DELAY_MS)
    say(post, "zoe", "a secret word")
    say(post, ben, "another")
    post.table(f"{ada} zoe", match="n")
    assert post.wait(HOUR_MS - 1) == []
    [message] = post.wait(1)
    assert recipients([message]) == ["ada@example.org"]
    assert message["Subject"] == "News of 2 matches"
    assert "You have 2 unread messages at the table." in text_of(message)
    assert "secret" not in message.as_string()
    assert post.wait(DAY_MS) == []
    say(post, ben, "a third")
    [message] = post.wait(DELAY_MS)
    assert "3 unread messages" in text_of(message)
    assert post.wait(DAY_MS) == []


def test_what_was_read_removed_or_is_left_out_is_no_mail(post: Post) -> None:
    """Nor is what a player says themselves, what spectators say, or a match that is not theirs."""
    players = [post.player(name, ("message",)) for name in ("Ada", "Ben", "Cid")]
    ada, ben, cid = players
    post.table(" ".join((*players, "zoe")), match="m")
    talk = Talk(post.store)
    Mutes(post.store.redis).add(ada, "zoe")
    block(post.store.redis, ben, "zoe", post.now)
    say(post, "zoe", "one")
    say(post, "eve", room="spectators")
    assert recipients(post.wait(DELAY_MS)) == ["cid@example.org"]
    talk.mark_read(cid, "m", "players", say(post, "zoe", "two"))
    assert post.wait(HOUR_MS) == []
    talk.remove("m", "players", [say(post, "zoe", "three")])
    assert post.wait(HOUR_MS) == []
    say(post, cid)
    assert recipients(post.wait(DELAY_MS)) == ["ada@example.org", "ben@example.org"]
    post.addresses.remove(ada)
    say(post, cid, "again")
    assert recipients(post.wait(HOUR_MS)) == ["ben@example.org"]
    assert not post.store.redis.exists(*(f"player:{one}:mail:talk" for one in players))


def test_two_tables_that_differ_only_in_words_give_equal_mails(post: Post) -> None:
    mails = list[str]()
    for match, text in (("m0", "yes"), ("m1", "a much longer text")):
        ada = post.player(f"Ada{match[1]}", ("message",))
        post.table(f"{ada} zoe", match=match)
        say(post, "zoe", text, match)
        [message] = post.wait(DELAY_MS)
        shown = f"{message['Subject']}{text_of(message)}{text_of(message, 'html')}"
        address = post.addresses.read(ada)
        assert address
        mails.append(shown.replace(match, "m").replace(ada, "ada").replace(address.secret, ""))
    assert mails[0] == mails[1]


@pytest.mark.parametrize("kill", ["before", "after"])
def test_a_killed_process_loses_no_mail_about_talk(post: Post, kill: str) -> None:
    """And what is said while the mail is on its way comes in the next one."""
    ada = post.player("Ada", ("message",))
    post.table(f"{ada} zoe", match="m")
    say(post, "zoe")
    post.kill = kill
    with pytest.raises(Kill):
        post.wait(DELAY_MS)
    taken, post.kill = [one for _, _, one in post.mail.taken], ""
    post.store.redis.delete(f"{{webhook:mail:{ada}}}:lock")  # it expires
    [again] = post.wait(HOUR_MS)
    assert {one["Message-ID"] for one in taken} <= {again["Message-ID"]}
    assert post.wait(DAY_MS) == []
    say(post, "zoe", "before the plan ends")
    send, said = post.addresses.mark_seen, list[int]()

    def say_and_mark(player: str, positions: dict[str, int]) -> None:
        send(player, positions)
        said.append(say(post, "zoe", "meanwhile"))

    post.addresses.mark_seen = say_and_mark  # type: ignore[method-assign, assignment]
    assert len(post.wait(DELAY_MS)) == 1
    post.addresses.mark_seen = send  # type: ignore[method-assign]
    assert len(said) == 1
    assert post.wait(HOUR_MS - 1) == []
    assert len(post.wait(1)) == 1
