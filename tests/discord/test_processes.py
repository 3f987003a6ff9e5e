"""The whole service with a stand-in for Discord: web, workers and the answering process."""

from __future__ import annotations

from typing import Any

import pytest

from tests.discord.people import Person, StandIn, labels, options, text
from tests.support.patience import eventually
from tests.support.whole_service import Service

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("discord")]


def cards(discord: StandIn) -> list[Any]:
    return [one for one in discord.messages("500") if one["components"]]


def test_two_people_begin_a_match(discord: StandIn, service: Service) -> None:
    ada, ben = (Person(discord, number, name) for number, name in (("1", "Ada"), ("2", "Ben")))
    assert discord.ask("probe") == {"good": 200, "answer": {"type": 1}, "bad": 401}
    card = ben.presses(ada.says("new", game="qin", seats=2), "Join")
    mover = ada if card["users"] == [ada.id] else ben
    shown = mover.presses(card, "Move")
    while choices := options(shown):
        shown = mover.chooses(shown, choices[0]["value"])
    assert "places a tile" in text(shown)
    eventually(lambda: "version 3" in text(cards(discord)[-1]))
    assert "Move" in labels(cards(discord)[-1])


def test_commands_are_registered_and_the_check_passes(discord: StandIn, service: Service) -> None:
    missing = service.command("discord", "check")
    assert missing.returncode == 1
    assert "annals discord register" in missing.stdout
    assert "of 8000 characters" in service.command("discord", "register").stdout
    assert [one["name"] for one in discord.ask("commands")] == ["annals"]
    assert service.command("discord", "check").stdout == "Everything is set up.\n"


def test_logs_contain_no_token(discord: StandIn, service: Service) -> None:
    Person(discord, "3", "Cid").says("new", game="qin")
    log = [file.read_text(errors="replace") for file in (service.data / "log").glob("*.log")]
    assert any("/v1/discord/interactions" in text for text in log)
    for secret in ("aW50ZXJhY3Rpb24", discord.settings["ANNALS_DISCORD_TOKEN"]):
        assert not any(secret in text for text in log)
