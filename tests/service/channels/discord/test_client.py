"""Calls to Discord: rate limits, expired tokens, a missing bot."""

from __future__ import annotations

import pytest

from service.channels.discord import components
from service.channels.discord.client import DiscordClient, DiscordError
from service.channels.discord.registration import MAX_COMMAND_CHARS, build_commands, count_chars
from tests.discord.people import Person, labels, text
from tests.discord.state import APP
from tests.service.channels.discord.conftest import DiscordHarness, Guest

HELLO = components.message([components.text("Hello.")])


def test_a_call_waits_for_retry_after(harness: DiscordHarness) -> None:
    harness.discord.ask("too_many", [0.5, 2.0])
    assert harness.client.post("500", "n", HELLO).id
    assert harness.waited == [0.5, 2.0]


def test_a_call_fails_if_the_wait_is_too_long(harness: DiscordHarness) -> None:
    harness.discord.ask("too_many", [60.0])
    with pytest.raises(DiscordError) as failed:
        harness.client.post("500", "n", HELLO)
    assert failed.value.status == 429
    assert harness.waited == []


def test_a_blocked_client_does_not_retry(harness: DiscordHarness) -> None:
    """Discord blocks a host after too many refused calls, and then names no wait."""
    harness.discord.ask("too_many", [None])
    with pytest.raises(DiscordError) as failed:
        harness.client.post("500", "n", HELLO)
    assert failed.value.status == 429
    assert len(harness.discord.ask("calls")) == 1


def test_a_nonce_is_posted_once(harness: DiscordHarness) -> None:
    first, second = (harness.client.post("500", "n", HELLO) for _ in range(2))
    assert first == second


def test_the_stand_in_refuses_invalid_messages(harness: DiscordHarness) -> None:
    with pytest.raises(DiscordError) as failed:
        harness.client.post("500", "n", {**HELLO, "content": "Hello."})
    assert failed.value.code == 50035


def test_a_rejected_bot_token_is_not_sent_again(harness: DiscordHarness) -> None:
    client = DiscordClient(harness.discord.url, APP, "wrong", harness.waited.append)
    for _ in range(2):
        with pytest.raises(DiscordError):
            client.post("500", "n", HELLO)
    assert len(harness.discord.ask("calls")) == 1


def test_errors_contain_no_token(harness: DiscordHarness) -> None:
    for api in (harness.discord.url, "http://127.0.0.1:1"):
        with pytest.raises(DiscordError) as failed:
            DiscordClient(api, APP, "bot-token").follow_up("the-token", HELLO)
        assert "token" not in str(failed.value)
    assert "no answer from 127.0.0.1 (ConnectionRefusedError): see whether" in str(failed.value)


def test_the_bot_posts_after_an_interaction_token_has_expired(
    harness: DiscordHarness, ada: Guest
) -> None:
    done = Person.uses(ada, 2, ada._command("new", {"game": "qin"}))
    harness.discord.ask("pass", 16 * 60)
    harness.work()
    [_, said] = harness.discord.messages("500")
    assert done["message"] != said["id"]
    assert "Join" in labels(said)


def test_without_a_bot_the_next_command_shows_the_match(
    harness: DiscordHarness, ada: Guest
) -> None:
    harness.discord.ask("without_bot", "500")
    Person.uses(ada, 2, ada._command("new", {"game": "qin"}))
    harness.discord.ask("pass", 16 * 60)
    harness.work()
    assert "A table for" in text(ada.says("board"))


def test_a_message_that_is_too_old_keeps_its_buttons(
    harness: DiscordHarness, ada: Guest, ben: Guest
) -> None:
    table = ada.says("new", game="qin", seats=2)
    harness.discord.ask("pass", 2 * 60 * 60)
    for _ in range(3):
        harness.client.edit("500", table["id"], HELLO)
    with pytest.raises(DiscordError) as failed:
        harness.client.edit("500", table["id"], HELLO)
    assert failed.value.code == 30046
    assert ada.says("board")["components"]


def test_a_picture_that_is_too_large_becomes_text(harness: DiscordHarness, ada: Guest) -> None:
    ada.more = {"limit": 1000}
    shown = ada.says("new", game="qin")
    assert not shown["attachments"]
    assert "```" in text(shown)


def test_commands_stay_below_discords_length_limit() -> None:
    commands = build_commands()
    assert max(map(count_chars, commands)) <= MAX_COMMAND_CHARS
    described = [part for one in commands[0]["options"] for part in (one, *one["options"])]
    assert all(0 < len(part["description"]) <= 100 for part in described)
