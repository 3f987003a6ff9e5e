"""Names of players in Discord: who is invited, who declined, and in refusals of the rules."""

from __future__ import annotations

from typing import NoReturn

import pytest

from domain.engine.errors import RuleBroken
from domain.engine.sentences import SeatName
from domain.match.errors import Impossible
from domain.match.state import Match
from service.channels.discord.context import DiscordContext, InteractionContext
from service.channels.discord.payloads import COMPONENT, Interaction
from tests.discord.people import labels, text
from tests.service.channels.discord.conftest import DiscordHarness, Guest, guest
from tests.service.channels.discord.test_playing import open_card


def test_an_invitation_is_declined_with_a_button(ada: Guest, ben: Guest) -> None:
    """Only by the invited player; then the seat is open to others, and the host reads it."""
    cid = guest(ada.harness, "103", "Cid")
    assert "Decline" not in labels(ada.says("new", game="qin", seats=2))
    for person in (ben, cid):
        person.says("help")
    table = ada.says("new", game="qin", seats=2, opponent=ben.id)
    assert "Ben is invited." in text(table)
    assert text(cid.presses(table, "Decline")) == "No seat at this table is kept for you."
    declined = ben.presses(table, "Decline")
    assert "Ben declined the invitation." in text(declined)
    assert "Ben is invited." not in text(declined)
    assert "Decline" not in labels(declined)
    assert "Move" in labels(cid.presses(declined, "Join"))


def test_a_refusal_of_the_rules_calls_players_by_their_names(
    harness: DiscordHarness, ada: Guest, ben: Guest
) -> None:
    card = open_card(ada, ben, "hansa_teutonica")
    match = text(card).split("`")[1]
    player = harness.annals.players.by_name("Ada")
    assert player
    sent = Interaction("1", "2", COMPONENT, "token")
    context = InteractionContext(DiscordContext(harness.annals), sent, player, ada.id)

    def put_a_piece_that_is_not_held(match: Match, now: int) -> NoReturn:
        raise RuleBroken("HT-4.4", "not_held", piece="trader", owner=SeatName(1))

    with pytest.raises(Impossible, match="no trader of Ben in your hand"):
        context.record(match, put_a_piece_that_is_not_held)
