"""Players get mail about what waits for them: late enough, seldom, never twice, and only if it is
still so.
"""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from domain.match.decisions import absence, proposals
from domain.match.scheduled_work import due_work
from domain.match.state import ClockRule, Clocks, Match
from projections.outbox.plan import put_filter, read_filter
from service.accounts.players import Player
from service.channels.account_deletion import delete_account, remaining_data
from service.channels.mail.addresses import new_address
from service.channels.mail.digest import turn_of
from service.channels.mail.kinds import DELAY_MS, subscription_id_of
from service.channels.webhooks.queue.delivery_queue import DeliveryQueue
from tests.projections.recorded import RecordedMatch
from tests.workers.jobs.mailing import (
    HOUR_MS,
    MINUTE_MS,
    PUBLIC,
    Post,
    recipients,
    text_of,
)
from workers.jobs.mail import INTERVAL_MS
from workers.tools.store.restore import reset_deliveries
from workers.tools.store.stored_keys import treatment_of

DAY_MS = 24 * HOUR_MS
SLOW = ClockRule(per_move_s=2 * 86_400)


def seal(table: RecordedMatch, seat: int, post: Post) -> None:
    """Make the first move of a seat."""
    table.now = post.now
    table.move(table.legal(seat)[0])


def test_a_mail_says_whose_turn_it_is_and_until_when(post: Post) -> None:
    ada = post.player("Ada", zone="Asia/Shanghai")
    ben = post.annals.players.register("Free-Prize.com", post.now)[0].id
    table = post.table(f"{ada} {ben}", match="m", clock=SLOW)
    assert post.run() == post.wait(DELAY_MS - 1) == []
    [message] = post.wait(1)
    deadline = table.match.clocks and table.match.clocks.deadline
    assert deadline == post.now - DELAY_MS + 2 * DAY_MS
    text = text_of(message)
    assert (message["To"], message["Subject"]) == ("ada@example.org", "Toy: your turn")
    until = "Until 2023-11-17 06:13 (Asia/Shanghai), 47 hours left."
    assert f"Toy with Free-Prize.\u2060com: It is your turn. {until}" in text
    assert f"\n{PUBLIC}/matches/m\n" in text.replace("\r", "")
    assert f"What you get mail about: {PUBLIC}/settings#notices" in text
    assert f'<a href="{PUBLIC}/matches/m">' in text_of(message, "html")
    assert post.wait(DAY_MS // 2) == []


@pytest.mark.parametrize(("language", "said"), [("zh-Hans", "轮到你了"), ("zh-Hant", "輪到你了")])
def test_a_mail_is_in_the_language_of_its_reader(post: Post, language: str, said: str) -> None:
    ada = post.player("Ada", language=language, zone="No/Such_Place")
    post.table(f"{ada} ben", match="m", clock=SLOW)
    [message] = post.wait(DELAY_MS)
    assert said in message["Subject"]
    assert said in text_of(message)
    assert "(UTC)" in text_of(message)
    assert f'lang="{language}"' in text_of(message, "html")


def test_no_mail_comes_of_what_is_over_or_was_seen(post: Post) -> None:
    """Given four players with a turn, when one moves, one opens the match, one resigns and one does
    nothing, then the last gets a mail. The others get one when their next turn begins, unless they
    began it themselves.
    """
    ada, ben, cid, dot = map(post.player, ("Ada", "Ben", "Cid", "Dot"))
    table = post.table(f"{ada} {ben} {cid} {dot}", match="m")
    post.run()
    seal(table, 0, post)
    post.addresses.mark_opened(ben, "m", table.match.version)
    table.resign(cid)
    assert recipients(post.wait(DELAY_MS)) == ["dot@example.org"]
    for seat in (3, 1):
        seal(table, seat, post)
    [seat] = table.match.seats_to_move
    table.now = post.now
    table.move(table.legal(seat)[0])
    names = {ada: "ada@example.org", ben: "ben@example.org", dot: "dot@example.org"}
    waiting = {table.who(one) for one in table.match.seats_to_move} & names.keys()
    expected = {names[one] for one in waiting - {table.who(seat)}}
    assert expected, "another round has begun"
    assert set(recipients(post.wait(INTERVAL_MS))) == expected
    assert post.wait(DAY_MS) == []


def test_a_flood_of_turns_is_one_mail_an_hour(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a new match every five minutes, each mail names all that wait, the last of them for a
    moment only, as far as it has room.
    """
    monkeypatch.setattr("workers.jobs.mail.MAX_LISTED", 20)
    ada, sent = post.player("Ada"), list[tuple[int, set[str], str]]()
    for number in range(30):
        post.table(f"{ada} ben", match=f"m{number}").now = post.now
        for message in post.wait(5 * MINUTE_MS):
            named = set(re.findall(r"matches/(\w+)", text_of(message)))
            sent.append((number, named, message["Subject"]))
            last = text_of(message)
    assert [number for number, _, _ in sent] == [0, 12, 24]
    assert [len(named) for _, named, _ in sent] == [1, 13, 20]
    assert [said for _, _, said in sent] == [
        "Toy: your turn", "News of 13 matches", "News of 25 matches"
    ]  # fmt: skip
    assert "5 more matches are in your list." in last


def test_each_kind_can_be_chosen(post: Post) -> None:
    """Given a match with a clock, when it begins, time runs, and it ends, then each player gets
    what they have chosen.
    """
    kinds = ("turn", "reminder", "end", "start", "request")
    players = {kind: post.player(kind.capitalize(), (kind,)) for kind in kinds[:4]}
    table = post.table(" ".join(players.values()), match="m", clock=SLOW)
    first = post.wait(DELAY_MS)
    assert recipients(first) == ["start@example.org", "turn@example.org"]
    [reminder] = post.wait(DAY_MS)
    assert (reminder["To"], reminder["Subject"]) == (
        "reminder@example.org",
        "Toy: your time is running out",
    )
    table.now = post.now
    for player in [*players.values()][1:]:
        table.resign(player)
    assert table.match.status == "ended"
    table.score()
    assert recipients(post.wait(DELAY_MS)) == ["end@example.org"]


def test_a_request_is_a_mail_until_it_is_answered(post: Post) -> None:
    ada, ben = post.player("Ada", ("request",)), post.player("Ben", ("request",))
    table = post.table(f"{ben} {ada}", match="m")
    table.play(4)
    table.undo(ada)
    [message] = post.wait(DELAY_MS)
    assert (message["To"], message["Subject"]) == (
        "ben@example.org", "Toy: the others wait for your answer"
    )  # fmt: skip
    table.answer(ben, agree=False)
    assert post.wait(DAY_MS) == []


def test_nothing_that_a_player_may_not_know_is_in_a_mail(post: Post) -> None:
    """Two matches that differ in hidden cards and in what others have chosen give equal mails."""
    ada, texts = post.player("Ada", ("turn",)), []
    for match, seed, card in (("m0", b"\1" * 32, 0), ("m1", b"\2" * 32, -1)):
        table = post.table(f"{ada} ben", match=match, seed=seed)
        table.now = post.now
        table.move(table.legal(1)[card])
        [message] = post.wait(INTERVAL_MS)
        lines = (text_of(message), text_of(message, "html"), message["Subject"])
        texts.append(" ".join(lines).replace(match, "m"))
        table.resign(ada)
    assert texts[0] == texts[1]


def test_a_kind_that_a_player_has_turned_off_does_not_come(post: Post) -> None:
    """Also what was planned before."""
    ada = post.player("Ada", ("turn", "reminder"))
    post.table(f"{ada} ben", match="m", clock=SLOW)
    post.run()
    address = post.addresses.read(ada)
    assert address
    assert post.addresses.change(ada, address, replace(address, kinds=("end",)))
    assert post.wait(DELAY_MS) == post.wait(DAY_MS) == []


def test_who_stays_away_is_warned_and_the_others_learn_that_they_may_vote(post: Post) -> None:
    ada, ben = post.player("Ada", ("reminder",)), post.player("Ben", ("reminder",))
    table = post.table(f"{ada} {ben}", match="m", patience_ms=8 * DAY_MS)
    seal(table, 1, post)
    assert post.run() == []
    [warning] = post.wait(4 * DAY_MS)
    assert warning["To"] == "ada@example.org"
    assert "may vote how to go on without you. Until 2023-11-22" in text_of(warning)
    table.now = post.now = due_work(table.match)["patience"]
    table.act(absence.end_patience(table.match, post.now), "system")
    texts = {str(one["To"]): f"{one['Subject']} {text_of(one)}" for one in post.wait(DELAY_MS)}
    assert "You have been away" in texts["ada@example.org"]
    assert "you can now vote" in texts["ben@example.org"]
    assert "Your time is running out" in text_of(warning)
    assert all("time is running out" not in text for text in texts.values())


def test_a_match_that_is_named_besides_says_what_is_most_urgent_in_it(post: Post) -> None:
    """A mail that comes of another match completes its notices."""
    ada, ben = post.player("Ada"), post.player("Ben", ())
    table = post.table(f"{ada} {ben}", match="m")
    assert len(post.wait(DELAY_MS)) == 1
    assert post.wait(INTERVAL_MS - MINUTE_MS) == []
    table.now = post.now
    table.act(proposals.propose(table.match, ben, "end", post.now), ben)
    post.table(f"{ada} ben", match="n")
    [message] = post.wait(MINUTE_MS)
    assert "/matches/n" in text_of(message)
    assert "The others wait for your answer." in text_of(message)
    assert post.wait(DAY_MS) == []


def test_what_is_over_hastens_no_mail(post: Post) -> None:
    """A turn that no longer waits gives the end of its match no earlier time."""
    ada = post.player("Ada", ("turn", "end"))
    post.table(f"{ada} ben", match="m")
    assert len(post.wait(DELAY_MS)) == 1
    table = post.table(f"{ada} ben", match="n")
    assert post.wait(INTERVAL_MS - MINUTE_MS) == []
    table.now = post.now
    table.resign("ben")
    table.score()
    assert post.wait(MINUTE_MS) == []
    [message] = post.wait(DELAY_MS - MINUTE_MS)
    assert "The match is over." in text_of(message)


def test_a_mail_says_when_the_time_of_its_reader_runs_out(post: Post) -> None:
    ada = post.player("Ada")
    match = post.table(f"{ada} ben", match="m", clock=SLOW).match
    assert match.clocks
    banks = (9 * HOUR_MS, 10 * MINUTE_MS)
    deadline = match.clocks.since + min(banks)
    clocks = replace(match.clocks, banks=banks, deadline=deadline)
    found = [turn_of(_with_clocks(match, clocks), who) for who in (ada, "ben")]
    assert [one and one.until for one in found] == [match.clocks.since + one for one in banks]


def _with_clocks(match: Match, clocks: Clocks) -> Match:
    changed = match.copy()
    changed.clocks = clocks
    return changed


def test_an_address_is_confirmed_by_a_mail_and_flooded_by_none(post: Post) -> None:
    """Of five players who name the same inbox, three get it a mail a day."""
    links = []
    for number in range(5):
        player = post.annals.players.register(f"Eve {number}", post.now)[0].id
        wanted = new_address(f"Vic+{number}@example.org", (), "en", "UTC")
        post.addresses.request(player, wanted, post.now)
        for message in post.run():
            links += re.findall(r"code=(\S+)", text_of(message))
            assert "Eve" not in str(message)
            assert "List-Unsubscribe" not in message
    assert len(links) == 3
    player = post.addresses.confirm(links[0])
    assert player is not None
    assert post.addresses.read(player)
    assert post.addresses.confirm(links[0]) is None
    assert post.addresses.confirm(f"{player}.\u00e9") is None


def test_nothing_is_left_of_a_deleted_player(post: Post) -> None:
    ada = post.player("Ada")
    post.table(f"{ada} ben", match="m")
    post.run()
    post.addresses.mark_opened(ada, "m", 1)
    post.addresses.request(ada, new_address("new@example.org", (), "en", "UTC"), post.now)
    assert remaining_data(post.annals, ada)["mail addresses"] == 2
    delete_account(post.annals, Player(ada, "Ada"), 0)
    assert "mail addresses" not in remaining_data(post.annals, ada)
    assert list(post.store.redis.scan_iter(f"*player:{ada}:mail*")) == []
    assert list(post.store.redis.scan_iter(f"*mail:{ada}*")) == []
    assert post.wait(DAY_MS) == []


def test_a_banned_player_gets_no_mail(post: Post) -> None:
    ada = post.player("Ada")
    post.table(f"{ada} ben", match="m")
    post.annals.players.ban(ada, "A reason.")
    assert post.wait(DAY_MS) == []


def test_links_in_headers_are_whole(post: Post) -> None:
    """RFC 8058: both headers, each on one line as it is written to the server."""
    ada = post.player("Ada")
    post.table(f"{ada} ben", match="m")
    [message] = post.wait(DELAY_MS)
    address = post.addresses.read(ada)
    assert address
    link = f"{PUBLIC}/mail/unsubscribe?code={ada}.{address.secret}"
    assert message["List-Unsubscribe"] == f"<{link}>"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert link in text_of(message)
    assert post.addresses.find_by_end_link(f"{ada}.{address.secret}") == ada


def test_mail_goes_on_after_a_restore(post: Post) -> None:
    """A backup has the confirmed address, and neither filters nor what passes by itself. Turns that
    wait are mailed.
    """
    ada = post.player("Ada")
    kinds = {name: treatment_of(f"player:{ada}:mail{name}") for name in ("", ":pending", ":seen")}
    assert kinds == {"": "account", ":pending": "passing", ":seen": "passing"}
    subscription = subscription_id_of(ada)
    before = read_filter(post.store.redis, 0, subscription)
    post.table(f"{ada} ben", match="m")
    post.run()
    DeliveryQueue(post.store.redis, post.store.partitions, subscription).drop_all()
    put_filter(post.store.redis, post.store.partitions, subscription, None)
    reset_deliveries(post.annals)
    assert before is not None
    assert read_filter(post.store.redis, 0, subscription) == before
    assert recipients(post.wait(DELAY_MS)) == ["ada@example.org"]
