"""Playing again in Discord: by a button below a result, for the players of the match."""

from __future__ import annotations

from domain.match.decisions import ending
from service.matches.commands import Metadata, execute
from tests.discord.people import labels, text
from tests.service.api.conftest import fold_lists
from tests.service.channels.discord.conftest import DiscordHarness, Guest, guest
from tests.service.channels.discord.test_playing import open_card


def test_a_button_of_a_finished_match_offers_to_play_again(
    harness: DiscordHarness, ada: Guest, ben: Guest
) -> None:
    card = open_card(ada, ben)
    match = text(card).split("`")[1]
    assert "Play again" not in labels(card)
    ada.presses(ada.says("resign"), "Resign")
    execute(harness.annals, match, Metadata(), lambda match, now: ending.score(match))
    result = ada.says("board", match=match)
    table = ada.presses(result, "Play again")
    assert labels(table) == ["Join", "Decline", "Board"]
    assert "Ben is invited." in text(table)
    fold_lists(harness.annals)
    elsewhere = guest(harness, "102", "Ben", "600")
    listed = elsewhere.says("turns")
    assert "you are invited" in text(listed)
    [other] = labels(listed)
    assert "Decline" in labels(elsewhere.presses(listed, other))
    started = ben.presses(result, "Play again")
    assert text(started).split("`")[1] == other
    assert "Move" in labels(started)
    stranger = guest(harness, "103", "Cid")
    assert "no seat" in text(stranger.presses(result, "Play again"))
