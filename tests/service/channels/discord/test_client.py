"""Calling Discord: waiting when told to, messages that are too late, a bot that is not there."""

from __future__ import annotations

import pytest

from service.channels.discord import components
from service.channels.discord.client import Client, DiscordFailed
from service.channels.discord.registration import MOST_LETTERS, commands, letters
from tests.discord.people import Person, labels, text
from tests.discord.state import APP
from tests.service.channels.discord.conftest import Guest, Office

HELLO = components.message([components.text("Hello.")])


def test_a_call_waits_as_long_as_it_is_told_to(office: Office) -> None:
    office.discord.ask("too_many", [0.5, 2.0])
    assert office.client.post("500", "n", HELLO).id
    assert office.waited == [0.5, 2.0]


def test_a_long_wait_is_not_waited_for(office: Office) -> None:
    office.discord.ask("too_many", [60.0])
    with pytest.raises(DiscordFailed) as failed:
        office.client.post("500", "n", HELLO)
    assert failed.value.status == 429
    assert office.waited == []


def test_whoever_is_shut_out_does_not_try_on_and_on(office: Office) -> None:
    """Too many calls that are refused shut out all of a host; then no wait is named."""
    office.discord.ask("too_many", [None])
    with pytest.raises(DiscordFailed) as failed:
        office.client.post("500", "n", HELLO)
    assert failed.value.status == 429
    assert len(office.discord.ask("calls")) == 1


def test_the_same_nonce_is_one_message(office: Office) -> None:
    first, second = (office.client.post("500", "n", HELLO) for _ in range(2))
    assert first == second


def test_what_is_not_as_discord_has_it_is_refused(office: Office) -> None:
    with pytest.raises(DiscordFailed) as failed:
        office.client.post("500", "n", {**HELLO, "content": "Hello."})
    assert failed.value.code == 50035


def test_a_refused_token_of_the_bot_is_not_sent_again(office: Office) -> None:
    client = Client(office.discord.url, APP, "wrong", office.waited.append)
    for _ in range(2):
        with pytest.raises(DiscordFailed):
            client.post("500", "n", HELLO)
    assert len(office.discord.ask("calls")) == 1


def test_nothing_that_is_raised_names_a_token(office: Office) -> None:
    for api in (office.discord.url, "http://127.0.0.1:1"):
        with pytest.raises(DiscordFailed) as failed:
            Client(api, APP, "bot-token").follow_up("the-token", HELLO)
        assert "token" not in str(failed.value)


def test_when_a_token_has_ended_the_bot_speaks(office: Office, ada: Guest) -> None:
    done = Person.uses(ada, 2, ada._command("new", {"game": "qin"}))
    office.discord.ask("pass", 16 * 60)
    office.work()
    [_, said] = office.discord.messages("500")
    assert done["message"] != said["id"]
    assert "Join" in labels(said)


def test_without_a_bot_the_next_command_shows_it(office: Office, ada: Guest) -> None:
    office.discord.ask("without_bot", "500")
    Person.uses(ada, 2, ada._command("new", {"game": "qin"}))
    office.discord.ask("pass", 16 * 60)
    office.work()
    assert "A table for" in text(ada.says("board"))


def test_a_message_too_old_keeps_its_buttons(office: Office, ada: Guest, ben: Guest) -> None:
    table = ada.says("new", game="qin", seats=2)
    office.discord.ask("pass", 2 * 60 * 60)
    for _ in range(3):
        office.client.edit("500", table["id"], HELLO)
    with pytest.raises(DiscordFailed) as failed:
        office.client.edit("500", table["id"], HELLO)
    assert failed.value.code == 30046
    assert ada.says("board")["components"]


def test_a_picture_too_large_becomes_text(office: Office, ada: Guest) -> None:
    ada.more = {"limit": 1000}
    shown = ada.says("new", game="qin")
    assert not shown["attachments"]
    assert "```" in text(shown)


def test_the_commands_have_few_enough_letters() -> None:
    assert max(map(letters, commands())) <= MOST_LETTERS
