"""An incoming webhook posts each turn to a Discord channel once, and never shows a hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from domain.games import GAMES
from domain.match.state import ClockRule
from service.channels.chat.preferences import player_key, user_key
from service.channels.chat.summary import summarize
from service.channels.webhooks.messages.discord_format import DiscordFormat
from service.channels.webhooks.queue.delivery_queue import ResendRequest
from service.channels.webhooks.subscriptions import Subscription
from service.runtime.http_client import ReceiverResponse
from tests.discord.people import StandIn, stand_in
from tests.projections.recorded import RecordedMatch
from tests.service.channels.webhooks.conftest import WebhookHarness, picture_cache

CHANNEL, THREAD = "700", "701"
POSTED = [
    pytest.param(game, marks=() if game in ("great_wall", "qin") else pytest.mark.long)
    for game in GAMES
]
"""Games whose turns are posted: the format knows no game, and two of them hide something."""


@pytest.fixture(scope="module")
def one_discord() -> Iterator[StandIn]:
    with stand_in() as discord:
        yield discord


@pytest.fixture
def discord(one_discord: StandIn) -> StandIn:
    one_discord.ask("reset")
    return one_discord


def subscribe(harness: WebhookHarness, discord: StandIn, player: str, **more: Any) -> Subscription:
    more = {"url": discord.hook(CHANNEL), "format": "discord", **more}
    return harness.subscribe(player, **more)


def link_player(harness: WebhookHarness, player: str, user: str, ping: bool = True) -> str:
    """A player with a Discord user."""
    harness.store.redis.set(player_key(player), user)
    harness.store.redis.hset(user_key(user), mapping={"own": player, "ping": int(ping)})
    return player


def deliver_messages(
    harness: WebhookHarness, discord: StandIn, channel: str = CHANNEL
) -> list[Any]:
    harness.pass_until_quiet()
    return discord.messages(channel)


def words(message: Any) -> str:
    [embed] = message["embeds"]
    return f"{embed['title']}\n{embed['description']}"


@pytest.mark.parametrize("game", POSTED)
def test_each_turn_is_one_message_that_mentions_the_player_to_move(
    harness: WebhookHarness, discord: StandIn, game: str
) -> None:
    """Except for mentions, a stranger's webhook gets the same message, so it shows no hand."""
    ann, bob, cid = (
        link_player(harness, harness.player("Ann"), "101"),
        harness.player("Bob"),
        harness.player("Cid"),
    )
    types = ("turn.started", "match.scored")
    subscribe(harness, discord, ann, types=types)
    subscribe(harness, discord, cid, types=types, all_matches=True, url=discord.hook("800"))
    table = RecordedMatch(harness.store, f"{ann} {bob}", game=GAMES[game], match="m").play(3)
    turns, theirs = deliver_messages(harness, discord), deliver_messages(harness, discord, "800")
    assert len({words(one).splitlines()[0] for one in turns}) == len(turns) > 0
    for one, other in zip(turns, theirs, strict=True):
        is_a_turn(one, game)
        assert words(one).replace("<@101>", "Ann") == words(other)
        assert pictures(one) == pictures(other)
    assert ["101"] in [one["users"] for one in turns]
    table.resign(bob)
    table.score()
    end = deliver_messages(harness, discord)[-1]
    assert "1. Ann:" in words(end)
    assert end["silent"]


def is_a_turn(message: Any, game: str) -> None:
    [file], [alt] = message["attachments"], message["alts"]
    assert file["filename"] == "board.png"
    assert alt.startswith(f"{GAMES[game].title}: the board at version")
    assert message["embeds"][0]["url"] == "https://annals.example/matches/m"
    assert message["users"] in ([], ["101"])
    assert message["content"] == ("<@101>" if message["users"] else "")
    assert message["silent"] == (not message["users"])
    assert "**" in words(message)


def pictures(message: Any) -> list[str]:
    return [file["sha"] for file in message["attachments"]]


@pytest.mark.parametrize("game", GAMES)
def test_a_match_can_be_delivered_in_one_batch(harness: WebhookHarness, game: str) -> None:
    ann, bob = harness.player("Ann"), harness.player("Bob")
    table = RecordedMatch(harness.store, f"{ann} {bob}", game=GAMES[game], match="m").play(20)
    match = harness.annals.matches.latest("m")
    whole = summarize(harness.annals, match, None, {}, 0, ())
    assert len(whole.events) > 3
    assert not any("{" in one or not one for one in whole.events), table.match.version


def test_a_message_describes_the_events_since_the_last_one(
    harness: WebhookHarness, discord: StandIn
) -> None:
    ann = harness.player("Ann")
    subscribe(harness, discord, ann, types=("turn.started",), my_turn=True)
    table = RecordedMatch(
        harness.store, f"{ann} {harness.player('Bob')}", game=GAMES["qin"], match="m"
    )
    table.play(6)
    turns = [one for one in deliver_messages(harness, discord) if one["embeds"]]
    assert all("Ann" in words(one) and "Bob" in words(one) for one in turns[1:])
    assert len(turns) >= 3


@pytest.mark.parametrize(
    ("types", "count"),
    [
        (("undo.requested", "undo.answered"), 1),
        (("match.ended",), 1),
        (("match.ended", "match.scored"), 1),
        (("match.started",), 1),
    ],
)
def test_a_notice_that_another_message_covers_has_none(
    harness: WebhookHarness, discord: StandIn, types: tuple[str, ...], count: int
) -> None:
    ann, bob = harness.player("Ann"), harness.player("Bob")
    subscribe(harness, discord, ann, types=types)
    table = harness.table(f"{ann} {bob}").play(6)
    table.undo(ann, to=table.match.line[1].version)
    table.answer(bob)
    table.play_out()
    table.score()
    assert len(deliver_messages(harness, discord)) == count


def test_only_the_owner_of_a_seat_sees_discord_users(
    harness: WebhookHarness, discord: StandIn
) -> None:
    ann, cid = link_player(harness, harness.player("Ann"), "101"), harness.player("Cid")
    subscribe(harness, discord, cid, all_matches=True)
    harness.table(f"{ann} {harness.player('Bob')}").play(2)
    messages = deliver_messages(harness, discord)
    assert messages
    assert not any(one["users"] or "<@" in words(one) + one["content"] for one in messages)


def test_a_player_who_wants_no_mentions_is_named(harness: WebhookHarness, discord: StandIn) -> None:
    ann = link_player(harness, harness.player("Ann"), "101", ping=False)
    subscribe(harness, discord, ann, types=("turn.started",), my_turn=True)
    harness.table(f"{ann} {harness.player('Bob')}").play(2)
    assert {(one["silent"], one["content"]) for one in deliver_messages(harness, discord)} == {
        (True, "")
    }


def test_a_private_match_is_shown_only_if_its_player_named_it(
    harness: WebhookHarness, discord: StandIn
) -> None:
    ann = harness.player("Ann")
    subscribe(harness, discord, ann)
    subscribe(harness, discord, ann, match="m", url=discord.hook("800"))
    harness.table(f"{ann} {harness.player('Bob')}", match="m", visibility="private").play(2)
    assert deliver_messages(harness, discord) == []
    assert deliver_messages(harness, discord, "800")


def test_messages_without_mentions_are_silent(harness: WebhookHarness, discord: StandIn) -> None:
    ann = link_player(harness, harness.player("Ann"), "101")
    subscribe(harness, discord, ann, types=("move.made",))
    bob = harness.player("Bob")
    harness.table(f"{ann} {bob}").play(3)
    messages = deliver_messages(harness, discord)
    assert len(messages) == 3
    assert all(one["silent"] for one in messages)
    subscribe(harness, discord, ann, url=discord.hook("800"))
    harness.table(f"{ann} {bob}", match="other").play(3)
    shown = [words(one).splitlines()[0] for one in deliver_messages(harness, discord, "800")]
    assert len(set(shown)) == len(shown)


def test_a_warning_mentions_the_player_who_runs_out_of_time(
    harness: WebhookHarness, discord: StandIn
) -> None:
    ann = link_player(harness, harness.player("Ann"), "101")
    subscribe(harness, discord, ann, types=("clock.warning",), my_turn=True)
    table = harness.table(f"{ann} {harness.player('Bob')}", clock=ClockRule(per_move_s=1_000))
    half, tenth = deliver_messages(harness, discord)
    deadline = (table.now + 1_000_000) // 1_000
    assert f"<t:{deadline}:R>" in words(half)
    assert half["users"] == tenth["users"] == ["101"]


def test_a_warning_says_how_to_keep_a_match_that_ends_by_itself(
    harness: WebhookHarness, discord: StandIn
) -> None:
    ann = harness.player("Ann")
    subscribe(harness, discord, ann, types=("match.idle",), my_turn=True)
    table = harness.table(f"{ann} +easy", idle_ms=1_000_000)
    [warning] = deliver_messages(harness, discord)
    ends_at = (table.now + 1_000_000) // 1_000
    assert f"The match ends by itself <t:{ends_at}:R>. To keep it, move" in words(warning)


def test_pings_and_examples_mention_no_user(harness: WebhookHarness, discord: StandIn) -> None:
    hook = subscribe(harness, discord, harness.player("Ann"), url=discord.hook(CHANNEL, THREAD))
    harness.queue(hook).request_resend(ResendRequest("test", "msg_1", "ping"))
    harness.queue(hook).request_resend(ResendRequest("test", "msg_2", "move.made"))
    harness.send()
    messages = discord.messages(THREAD)
    assert [one["silent"] for one in messages] == [True, True]
    assert messages[0]["embeds"][0]["description"] == "Annals reaches this channel."
    assert {one.status for one in harness.deliveries(hook)} == {"delivered"}


def test_the_header_counts_if_a_proxy_of_discord_answers(harness: WebhookHarness) -> None:
    answer = ReceiverResponse(429, b"<html>", {"retry-after": "3"})
    outcome = DiscordFormat(harness.annals, picture_cache()).outcome_of(answer)
    assert (outcome.kind, outcome.retry_after_s) == ("rate_limited", 3)


def test_429_causes_a_pause_and_no_failure(harness: WebhookHarness, discord: StandIn) -> None:
    hook = subscribe(harness, discord, harness.player("Ann"), types=("match.created",))
    harness.table(f"{hook.player} {harness.player('Bob')}")
    discord.ask("too_many", [2.5])
    harness.send()
    health = harness.health(hook)
    assert (health.failures, health.paused_until) == (0, harness.now + 3_000)
    assert len(deliver_messages(harness, discord)) == 1
    assert [one.attempts for one in harness.deliveries(hook)] == [1]


@pytest.mark.parametrize("code", [10015, 50027, 10003])
def test_a_deleted_discord_webhook_is_never_called_again(
    harness: WebhookHarness, discord: StandIn, code: int
) -> None:
    url = discord.hook(CHANNEL)
    wrong = {10015: url.replace("/webhooks/", "/webhooks/9"), 50027: f"{url}x",
             10003: f"{url}?thread_id=999"}  # fmt: skip
    hook = subscribe(harness, discord, harness.player("Ann"), url=wrong[code])
    table = harness.table(f"{hook.player} {harness.player('Bob')}", match="m")
    harness.send()
    table.play(2)
    harness.pass_until_quiet()
    health = harness.health(hook)
    assert health.disabled_reason == "gone"
    assert f"code {code}" in (health.last_error or "")
    assert len(discord.ask("calls")) == 1


def test_a_rejected_message_does_not_delay_the_next(
    harness: WebhookHarness, discord: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = subscribe(harness, discord, harness.player("Ann"), types=("turn.started",))
    table = harness.table(f"{hook.player} {harness.player('Bob')}", match="m")
    with monkeypatch.context() as wrong:
        wrong.setattr("service.channels.webhooks.messages.discord_format.SILENT", 3)
        harness.send()
    assert [one.status for one in harness.deliveries(hook)] == ["dead"]
    table.play(3)
    assert deliver_messages(harness, discord)
    assert harness.health(hook).failures == 0
