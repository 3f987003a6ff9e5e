"""Mail follows the table of channels of a player, and what they choose for single matches."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from service.accounts.notices.quiet_hours import QuietHours, find_zone
from service.accounts.notices.settings import (
    MatchChoice,
    MatchChoices,
    NoticeSettings,
    write_notice_settings,
)
from service.channels.chat.preferences import player_key, user_key, users_about
from service.channels.discord.channels import Channels
from service.channels.mail.addresses import new_address
from service.channels.mail.kinds import DELAY_MS
from service.channels.push.browsers import PushState, PushSubscription, PushSubscriptions
from service.channels.push.kinds import PushKind
from tests.workers.jobs.mailing import HOUR_MS, MINUTE_MS, Post, recipients, text_of

DAY_MS = 24 * HOUR_MS
NEW_YEAR = 1_672_531_200_000
"""2023-01-01 in UTC."""
NIGHT = QuietHours(22 * 60, 7 * 60, "Asia/Shanghai")


def choose(post: Post, player: str, match: str, choice: MatchChoice) -> None:
    """What the route does."""
    MatchChoices(post.store.redis, player).choose(match, choice)
    post.addresses.put_filter(player)


def test_a_match_can_be_quiet_or_loud(post: Post) -> None:
    """Nothing comes of a quiet match, nor is it listed beside others; a loud one says all."""
    ada = post.player("Ada", ("turn",))
    choose(post, ada, "loud", "all")
    choose(post, ada, "quiet", "none")
    tables = [post.table(f"{ada} zoe", match=match) for match in ("loud", "quiet", "usual")]
    [message] = post.wait(DELAY_MS)
    assert "/matches/loud" in text_of(message)
    assert "/matches/usual" in text_of(message)
    assert "quiet" not in text_of(message)
    for table in tables:
        table.now = post.now
        table.resign("zoe")
        table.score()
    [message] = post.wait(HOUR_MS)
    assert "/matches/loud" in text_of(message)
    assert "The match is over." in text_of(message)
    assert "/matches/usual" not in text_of(message)
    assert post.wait(DAY_MS) == []


def mention(post: Post, player: str) -> None:
    """Let Discord mention a player."""
    settings = replace(post.annals.settings, discord_app="1")
    post.sender.annals = replace(post.annals, settings=settings)
    post.store.redis.set(player_key(player), "7")
    post.store.redis.hset(user_key("7"), "own", player)


@pytest.mark.parametrize("twice", [False, True])
def test_nothing_comes_twice_unless_a_player_wants_it(post: Post, twice: bool) -> None:
    """Discord mentions Ada in one of two matches; it says nothing but turns, and nothing to Ben."""
    ada, ben = post.player("Ada", ("turn", "end")), post.player("Ben", ("turn",))
    mention(post, ada)
    write_notice_settings(post.store.redis, ada, NoticeSettings(twice=twice))
    shown, _ = (post.table(f"{ada} {ben}", match=match) for match in ("shown", "other"))
    Channels(post.store).add_match("c", "shown", post.now)
    found = {str(one["To"]): text_of(one) for one in post.wait(DELAY_MS)}
    assert ("/matches/shown" in found["ada@example.org"]) == twice
    assert "/matches/shown" in found["ben@example.org"]
    assert all("/matches/other" in text for text in found.values())
    shown.now = post.now
    shown.resign(ben)
    shown.score()
    [message] = post.wait(HOUR_MS)
    assert recipients([message]) == ["ada@example.org"]
    assert "The match is over." in text_of(message)


@pytest.mark.parametrize("failures", [0, 1])
def test_mail_says_what_a_browser_fails_to_take(post: Post, failures: int) -> None:
    """It also says what no browser does, as when all keep silent about turns."""
    ada, ben = post.player("Ada", ("turn",)), post.player("Ben", ("turn",))
    browsers = PushSubscriptions(post.store)
    chosen: dict[str, tuple[PushKind, ...]] = {ada: ("turn",), ben: ("end",)}
    for player, kinds in chosen.items():
        one = PushSubscription(player, player, "https://x.example/", "", "", "", post.now, kinds)
        browsers.save(one)
        browsers.write_state(one.device, PushState(failures))
    post.table(f"{ada} {ben} zoe", match="m")
    post.table(f"{ben} {ada} zoe", match="n")
    expected = ["ada@example.org"] * failures + ["ben@example.org"]
    assert recipients(post.wait(DELAY_MS)) == expected


def test_a_browser_says_nothing_for_another_one(post: Post) -> None:
    """One fails that would say it, and the one that works says other things."""
    ada, browsers = post.player("Ada", ("turn",)), PushSubscriptions(post.store)
    chosen: dict[str, tuple[PushKind, ...]] = {"fails": ("turn",), "works": ("end",)}
    for name, kinds in chosen.items():
        one = PushSubscription(name, ada, f"https://{name}/", "", "", "", post.now, kinds)
        browsers.save(one)
        browsers.write_state(one.device, PushState(int(name == "fails")))
    post.table(f"{ada} zoe", match="m")
    assert recipients(post.wait(DELAY_MS)) == ["ada@example.org"]


def test_mail_waits_until_the_end_of_quiet_hours(post: Post) -> None:
    """Turns, talk and reminders; then it comes in one mail, if it is still so. That is 6:13 in the
    morning in Shanghai when it begins.
    """
    ada, ben = post.player("Ada"), post.player("Ben", ("turn",))
    write_notice_settings(post.store.redis, ada, NoticeSettings(quiet=NIGHT))
    gone, _ = (post.table(f"{ada} {ben} zoe", match=match) for match in ("gone", "here"))
    ends_at = NIGHT.end_after(post.now)
    assert ends_at
    assert ends_at - post.now == 46 * MINUTE_MS + 40_000
    assert recipients(post.wait(DELAY_MS)) == ["ben@example.org"]
    gone.now = post.now
    gone.resign(ada)
    assert post.wait(ends_at - post.now - 1) == []
    [message] = post.wait(1)
    assert "/matches/here" in text_of(message)
    assert "/matches/gone" not in text_of(message)
    post.now = ends_at + 15 * HOUR_MS
    assert NIGHT.end_after(post.now) == ends_at + DAY_MS


def test_mail_says_what_discord_does_not_in_quiet_hours(post: Post) -> None:
    """Ada gets no mention of her turn at 6:13, so she gets mail about it after 7:00."""
    ada, redis = post.player("Ada"), post.store.redis
    mention(post, ada)
    write_notice_settings(redis, ada, NoticeSettings(quiet=NIGHT))
    post.table(f"{ada} zoe", match="m")
    Channels(post.store).add_match("c", "m", post.now)
    assert not users_about(redis, "m", [ada], post.now)[ada][1].ping
    assert post.wait(DELAY_MS) == []
    ends_at = NIGHT.end_after(post.now)
    assert ends_at
    [message] = post.wait(ends_at - post.now)
    assert "/matches/m" in text_of(message)
    assert users_about(redis, "m", [ada], post.now)[ada][1].ping


def test_a_confirmation_does_not_wait(post: Post) -> None:
    """A player asks for it, and looks for it at once."""
    player = post.annals.players.register("Ada", post.now)[0].id
    write_notice_settings(post.store.redis, player, NoticeSettings(quiet=NIGHT))
    post.addresses.request(player, new_address("ada@example.org", (), "en", "UTC"), post.now)
    assert len(post.run()) == 1


@given(
    start=st.integers(0, 1_439),
    end=st.integers(0, 1_439),
    zone=st.sampled_from(["UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Apia", "No/Where"]),
    hours=st.integers(0, 24 * 366),
    minute=st.integers(0, 59),
)
@example(start=0, end=150, zone="Europe/Berlin", hours=24 * 302 + 1, minute=15)  # 2:15 again
@example(start=60, end=150, zone="Europe/Berlin", hours=24 * 90, minute=30)  # 2:30 is left out
def test_quiet_hours_end_at_their_time_of_day(
    start: int, end: int, zone: str, hours: int, minute: int
) -> None:
    """Within a day and an hour, and then they are over; also where clocks change."""
    assume(start != end)
    quiet = QuietHours(start, end, zone)
    now = NEW_YEAR + hours * HOUR_MS + minute * MINUTE_MS
    ends_at = quiet.end_after(now)
    here = datetime.fromtimestamp(now / 1000, find_zone(zone) or UTC)
    at = 60 * here.hour + here.minute
    is_in = start <= at < end if start < end else at >= start or at < end
    assert (ends_at is None) == (not is_in)
    if ends_at is not None:
        assert now < ends_at <= now + 25 * HOUR_MS
        assert quiet.end_after(ends_at) is None
