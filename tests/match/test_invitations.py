"""Invitations that players decline before the match starts."""

from __future__ import annotations

from typing import Any

import pytest

from domain.match.decisions import lobby
from domain.match.errors import Impossible
from domain.match.visibility import can_see
from tests.match.table import Table, kinds


def take(table: Table, player: str, seat: int | None = None) -> list[Any]:
    """Sit down."""
    return table.act(lobby.take_seat(table.match, player, seat, table.now), player)


def test_a_player_declines_an_invitation_and_the_seat_is_open_to_all() -> None:
    table = Table("ann ?bob ?cid", visibility="private")
    with pytest.raises(Impossible) as refused:
        lobby.decline_invitation(table.match, "dan")
    assert refused.value.code == "not_invited"
    assert kinds(decline(table, "bob")) == ["InvitationDeclined"]
    assert (table.match.chairs[1].invited, table.match.declined) == (None, {1: "bob"})
    assert not can_see(table.match, "bob")
    for player in ("bob", "ann"):  # twice, or without an invitation
        with pytest.raises(Impossible):
            lobby.decline_invitation(table.match, player)
    take(table, "dan", 1)
    take(table, "cid")
    assert [chair.player for chair in table.match.chairs] == ["ann", "dan", "cid"]
    with pytest.raises(Impossible, match="has started"):
        lobby.decline_invitation(table.match, "cid")


def test_a_player_who_took_their_seat_has_nothing_to_decline() -> None:
    table = Table("ann ?bob .")
    take(table, "bob")
    with pytest.raises(Impossible) as refused:
        lobby.decline_invitation(table.match, "bob")
    assert refused.value.code == "not_invited"


def decline(table: Table, player: str) -> list[Any]:
    """Decline an invitation."""
    return table.act(lobby.decline_invitation(table.match, player), player)
