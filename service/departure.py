"""When a player goes: what becomes of their matches, and of their account."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from domain.engine.errors import Refused
from domain.match import lobby, playing
from domain.match.log import Draft
from domain.match.state import Match
from projections.matches import unfinished
from service.annals import Annals
from service.commands import Metadata, carry_out
from service.players import Player


def delete(annals: Annals, player: Player) -> None:
    """Let a player leave all their matches, and forget them."""
    withdraw(annals, player.id)
    annals.players.delete(player, annals.now())


def withdraw(annals: Annals, player: str) -> int:
    """Resign a player's matches, leave or close their tables, as far as the lists know them; how
    many they were.
    """
    matches = unfinished(annals.store.redis, annals.store.partitions, player)
    for match_id in matches:
        with suppress(Refused):  # it may have ended just now, or go on without its host
            carry_out(annals, match_id, Metadata(player), partial(_left, player))
    return len(matches)


def _left(player: str, match: Match, now: int) -> Draft:
    if match.status != "open":
        return playing.resign(match, player, now)
    if match.host == player:
        return lobby.close(match, player)
    return lobby.leave_seat(match, player, match.seats_of(player)[0])
