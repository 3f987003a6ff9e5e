"""Push messages follow the table of channels of a player, and their choices for single matches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from redis import Redis

from service.accounts.notices.quiet_hours import QuietHours
from service.accounts.notices.settings import MatchChoices, NoticeSettings, write_notice_settings
from service.channels.chat.preferences import player_key, user_key
from service.channels.discord.channels import Channels
from tests.support.receiver import Receiver, receiving
from tests.workers.jobs.pushing import HOUR_MS, Message, PushHouse
from workers.jobs.push import DELAY_MS

NIGHT = QuietHours(22 * 60, 7 * 60, "Asia/Shanghai")
"""It is 6:13 in the morning there when a test begins."""


@pytest.fixture(scope="module")
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


@pytest.fixture
def house(redis_client: Redis, redis_url: str, receiver: Receiver) -> PushHouse:
    receiver.answers(201)
    return PushHouse(redis_client, redis_url, receiver)


def matches_in(messages: list[Message]) -> list[str]:
    return sorted(one.content["notification"]["tag"] for one in messages)


def test_a_match_can_be_quiet_or_loud(house: PushHouse) -> None:
    """Nothing comes of a quiet match; a loud one says all."""
    ada = house.player("Ada")
    house.subscribe(ada, "a", ("turn",))
    choices = MatchChoices(house.store.redis, ada)
    choices.choose("loud", "all")
    choices.choose("quiet", "none")
    tables = [house.table(f"{ada} zoe", match=match) for match in ("loud", "quiet", "usual")]
    assert matches_in(house.wait(DELAY_MS)) == ["loud", "usual"]
    for table in tables:
        table.now = house.now
        table.resign("zoe")
        table.score()
    assert matches_in(house.wait(DELAY_MS)) == ["loud"]
    assert house.wait(24 * HOUR_MS) == []


def test_messages_wait_until_the_end_of_quiet_hours(house: PushHouse) -> None:
    """Then they come if they are still so."""
    ada, ben = house.player("Ada"), house.player("Ben")
    for player in (ada, ben):
        house.subscribe(player, player)
    write_notice_settings(house.store.redis, ada, NoticeSettings(quiet=NIGHT))
    gone, _ = (house.table(f"{ada} {ben} zoe", match=match) for match in ("gone", "here"))
    ends_at = NIGHT.end_after(house.now)
    assert ends_at
    assert {one.browser for one in house.wait(DELAY_MS)} == {ben}
    gone.now = house.now
    gone.resign(ada)
    assert [one.browser for one in house.wait(ends_at - house.now - 1)].count(ada) == 0
    assert [(one.browser, *matches_in([one])) for one in house.wait(1)] == [(ada, "here")]


@pytest.mark.parametrize("twice", [False, True])
def test_nothing_comes_twice_unless_a_player_wants_it(house: PushHouse, twice: bool) -> None:
    """Discord mentions Ada in one of two matches."""
    settings = replace(house.annals.settings, discord_app="1")
    house.sender.annals = replace(house.annals, settings=settings)
    ada, redis = house.player("Ada"), house.store.redis
    house.subscribe(ada, "a", ("turn",))
    redis.set(player_key(ada), "7")
    redis.hset(user_key("7"), "own", ada)
    write_notice_settings(redis, ada, NoticeSettings(twice=twice))
    for match in ("shown", "other"):
        house.table(f"{ada} ben", match=match)
    Channels(house.store).add_match("c", "shown", house.now)
    assert matches_in(house.wait(DELAY_MS)) == (["other", "shown"] if twice else ["other"])
