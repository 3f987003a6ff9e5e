"""A channel in Discord is told by its incoming webhook: each turn, once, and no hand of anybody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from domain.games import GAMES
from domain.match.state import ClockRule
from service.channels.chat.preferences import player_key, user_key
from service.channels.chat.summary import story
from service.channels.webhooks.queue.delivery_queue import Errand
from service.channels.webhooks.subscriptions import Subscription
from tests.discord.people import StandIn, stand_in
from tests.projections.recorded import Recorded
from tests.service.channels.webhooks.conftest import Desk

CHANNEL, THREAD = "700", "701"


@pytest.fixture(scope="module")
def one_discord() -> Iterator[StandIn]:
    with stand_in() as discord:
        yield discord


@pytest.fixture
def discord(one_discord: StandIn) -> StandIn:
    one_discord.ask("reset")
    return one_discord


def subscribed(desk: Desk, discord: StandIn, player: str, **more: Any) -> Subscription:
    more = {"url": discord.hook(CHANNEL), "format": "discord", **more}
    return desk.subscribe(player, **more)


def linked(desk: Desk, player: str, user: str, ping: bool = True) -> str:
    """A player who is somebody in Discord."""
    desk.store.redis.set(player_key(player), user)
    desk.store.redis.hset(user_key(user), mapping={"own": player, "ping": int(ping)})
    return player


def told(desk: Desk, discord: StandIn, channel: str = CHANNEL) -> list[Any]:
    desk.pass_until_quiet()
    return discord.messages(channel)


def words(message: Any) -> str:
    [embed] = message["embeds"]
    return f"{embed['title']}\n{embed['description']}"


@pytest.mark.parametrize("game", GAMES)
def test_each_turn_of_any_game_is_one_message_that_calls_whoever_is_to_move(
    desk: Desk, discord: StandIn, game: str
) -> None:
    """And all but that call is what a stranger is told who owns another webhook: so no hand."""
    ann, bob, cid = linked(desk, desk.player("Ann"), "101"), desk.player("Bob"), desk.player("Cid")
    types = ("turn.started", "match.scored")
    subscribed(desk, discord, ann, types=types)
    subscribed(desk, discord, cid, types=types, everybody=True, url=discord.hook("800"))
    table = Recorded(desk.store, f"{ann} {bob}", game=GAMES[game], match="m").play(3)
    turns, theirs = told(desk, discord), told(desk, discord, "800")
    assert len({words(one).splitlines()[0] for one in turns}) == len(turns) > 0
    for one, other in zip(turns, theirs, strict=True):
        is_a_turn(one, game)
        assert words(one).replace("<@101>", "Ann") == words(other)
        assert pictures(one) == pictures(other)
    assert ["101"] in [one["users"] for one in turns]
    table.resign(bob)
    table.score()
    end = told(desk, discord)[-1]
    assert "1. Ann:" in words(end)
    assert end["silent"]


def is_a_turn(message: Any, game: str) -> None:
    [file], [alt] = message["attachments"], message["alts"]
    assert file["filename"] == "board.png"
    assert alt.startswith(f"{GAMES[game].title}, the board at version")
    assert message["embeds"][0]["url"] == "https://annals.example/matches/m"
    assert message["users"] in ([], ["101"])
    assert message["content"] == ("<@101>" if message["users"] else "")
    assert message["silent"] == (not message["users"])
    assert "**" in words(message)


def pictures(message: Any) -> list[str]:
    return [file["sha"] for file in message["attachments"]]


@pytest.mark.parametrize("game", GAMES)
def test_all_of_a_match_can_be_told_at_once(desk: Desk, game: str) -> None:
    ann, bob = desk.player("Ann"), desk.player("Bob")
    table = Recorded(desk.store, f"{ann} {bob}", game=GAMES[game], match="m").play(40)
    match = desk.annals.matches.latest("m")
    whole = story(desk.annals, match, None, {}, 0, ())
    assert len(whole.news) > 3
    assert not any("{" in one or not one for one in whole.news), table.match.version


def test_what_happened_since_the_last_message_is_told(desk: Desk, discord: StandIn) -> None:
    ann = desk.player("Ann")
    subscribed(desk, discord, ann, types=("turn.started",), my_turn=True)
    table = Recorded(desk.store, f"{ann} {desk.player('Bob')}", game=GAMES["qin"], match="m")
    table.play(6)
    turns = [one for one in told(desk, discord) if one["embeds"]]
    assert all("Ann" in words(one) and "Bob" in words(one) for one in turns[1:])
    assert len(turns) >= 3


def test_only_the_owner_of_a_seat_learns_who_is_who_in_discord(
    desk: Desk, discord: StandIn
) -> None:
    ann, cid = linked(desk, desk.player("Ann"), "101"), desk.player("Cid")
    subscribed(desk, discord, cid, everybody=True)
    desk.table(f"{ann} {desk.player('Bob')}").play(2)
    messages = told(desk, discord)
    assert messages
    assert not any(one["users"] or "<@" in words(one) + one["content"] for one in messages)


def test_whoever_does_not_want_to_be_called_is_named(desk: Desk, discord: StandIn) -> None:
    ann = linked(desk, desk.player("Ann"), "101", ping=False)
    subscribed(desk, discord, ann, types=("turn.started",), my_turn=True)
    desk.table(f"{ann} {desk.player('Bob')}").play(2)
    assert {(one["silent"], one["content"]) for one in told(desk, discord)} == {(True, "")}


def test_a_private_match_is_shown_only_by_a_seat_that_names_it(
    desk: Desk, discord: StandIn
) -> None:
    ann = desk.player("Ann")
    subscribed(desk, discord, ann)
    subscribed(desk, discord, ann, match="m", url=discord.hook("800"))
    desk.table(f"{ann} {desk.player('Bob')}", match="m", visibility="private").play(2)
    assert told(desk, discord) == []
    assert told(desk, discord, "800")


def test_what_lies_between_is_told_without_a_sound(desk: Desk, discord: StandIn) -> None:
    ann = linked(desk, desk.player("Ann"), "101")
    subscribed(desk, discord, ann, types=("move.made",))
    bob = desk.player("Bob")
    desk.table(f"{ann} {bob}").play(3)
    messages = told(desk, discord)
    assert len(messages) == 3
    assert all(one["silent"] for one in messages)
    subscribed(desk, discord, ann, url=discord.hook("800"))
    desk.table(f"{ann} {bob}", match="other").play(3)
    shown = [words(one).splitlines()[0] for one in told(desk, discord, "800")]
    assert len(set(shown)) == len(shown)


def test_a_warning_calls_whoever_runs_out_of_time(desk: Desk, discord: StandIn) -> None:
    ann = linked(desk, desk.player("Ann"), "101")
    subscribed(desk, discord, ann, types=("clock.warning",), my_turn=True)
    table = desk.table(f"{ann} {desk.player('Bob')}", clock=ClockRule(per_move_s=1_000))
    half, tenth = told(desk, discord)
    deadline = (table.now + 1_000_000) // 1_000
    assert f"<t:{deadline}:R>" in words(half)
    assert half["users"] == tenth["users"] == ["101"]


def test_a_ping_and_an_example_arrive_and_call_nobody(desk: Desk, discord: StandIn) -> None:
    hook = subscribed(desk, discord, desk.player("Ann"), url=discord.hook(CHANNEL, THREAD))
    desk.mail(hook).ask(Errand("sample", "msg_1", "ping"))
    desk.mail(hook).ask(Errand("sample", "msg_2", "move.made"))
    desk.send()
    messages = discord.messages(THREAD)
    assert [one["silent"] for one in messages] == [True, True]
    assert messages[0]["embeds"][0]["description"] == "Annals reaches this channel."
    assert {one.status for one in desk.deliveries(hook)} == {"delivered"}


def test_429_is_waited_for_and_is_no_failure(desk: Desk, discord: StandIn) -> None:
    hook = subscribed(desk, discord, desk.player("Ann"), types=("match.created",))
    desk.table(f"{hook.player} {desk.player('Bob')}")
    discord.ask("too_many", [2.5])
    desk.send()
    health = desk.health(hook)
    assert (health.failures, health.wait_until) == (0, desk.now + 3_000)
    assert len(told(desk, discord)) == 1
    assert [one.attempts for one in desk.deliveries(hook)] == [1]


@pytest.mark.parametrize("code", [10015, 50027, 10003])
def test_a_webhook_that_is_gone_is_never_called_again(
    desk: Desk, discord: StandIn, code: int
) -> None:
    url = discord.hook(CHANNEL)
    wrong = {10015: url.replace("/webhooks/", "/webhooks/9"), 50027: f"{url}x",
             10003: f"{url}?thread_id=999"}  # fmt: skip
    hook = subscribed(desk, discord, desk.player("Ann"), url=wrong[code])
    table = desk.table(f"{hook.player} {desk.player('Bob')}", match="m")
    desk.send()
    table.play(2)
    desk.pass_until_quiet()
    health = desk.health(hook)
    assert health.off == "gone"
    assert f"code {code}" in (health.error or "")
    assert len(discord.ask("calls")) == 1


def test_a_message_that_is_refused_does_not_hold_up_the_next(
    desk: Desk, discord: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = subscribed(desk, discord, desk.player("Ann"), types=("turn.started",))
    table = desk.table(f"{hook.player} {desk.player('Bob')}", match="m")
    with monkeypatch.context() as wrong:
        wrong.setattr("service.channels.webhooks.messages.discord_format.SILENT", 3)
        desk.send()
    assert [one.status for one in desk.deliveries(hook)] == ["dead"]
    table.play(3)
    assert told(desk, discord)
    assert desk.health(hook).failures == 0
