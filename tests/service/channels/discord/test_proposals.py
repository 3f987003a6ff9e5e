"""Ending a match by agreement in Discord."""

from __future__ import annotations

from tests.discord.people import labels, text
from tests.service.channels.discord.conftest import DiscordHarness, Guest
from tests.service.channels.discord.test_playing import newest, open_card


def test_a_match_ends_when_all_have_agreed(ada: Guest, ben: Guest, harness: DiscordHarness) -> None:
    open_card(ada, ben)
    asked = ada.says("end")
    assert asked["only"] == ada.id
    assert "agree to end" in text(ada.presses(asked, "End by agreement"))
    card = newest(harness)
    assert "proposes to end the match without a result" in text(card)
    assert labels(card)[-2:] == ["Agree", "Decline"]
    assert "Agree" not in labels(ben.presses(card, "Decline"))
    assert "10 more moves" in text(ada.presses(ada.says("end"), "End by agreement"))
    ben.presses(ben.says("end"), "End by agreement")
    over = ada.presses(newest(harness), "Agree")
    assert "All players agreed to end the match" in text(over)
    assert "Move" not in labels(over)
