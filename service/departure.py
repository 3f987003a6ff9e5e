"""When a player goes: what becomes of their matches, and of their account."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from domain.engine.errors import Refused
from domain.match import lobby, playing
from domain.match.errors import Forbidden
from domain.match.log import Draft
from domain.match.state import Match
from projections.matches import unfinished
from service.annals import Annals
from service.commands import Metadata, carry_out
from service.discord.links import Links
from service.players import Player
from service.webhooks.ending import end_all
from service.webhooks.subscriptions import Subscriptions


def delete(annals: Annals, player: Player) -> None:
    """Let a player leave all their matches, and forget them."""
    withdraw(annals, player.id)
    store = annals.store
    Links(store.redis, annals.players).forget_player(player.id)
    webhooks = Subscriptions(store.redis, store.partitions, annals.settings.webhooks)
    end_all(store, webhooks, player.id)
    annals.players.delete(player, annals.now())


def withdraw(annals: Annals, player: str) -> int:
    """Resign a player's matches, leave or close their tables, close their matches of bots, as far
    as the lists know them; how many they were.
    """
    matches = unfinished(annals.store.redis, annals.store.partitions, player)
    for match_id in matches:
        with suppress(Refused):  # it may have ended just now, or they may have left it
            while _waits(player, _withdrawn(annals, match_id, player)):
                pass
    return len(matches)


def _withdrawn(annals: Annals, match_id: str, player: str) -> Match:
    return carry_out(annals, match_id, Metadata(player), partial(_left, player)).match


def _waits(player: str, match: Match) -> bool:
    """Whether a player still sits at this table before the start."""
    return match.status == "open" and bool(match.seats_of(player))


def _left(player: str, match: Match, now: int) -> Draft:
    seats = match.seats_of(player)
    if match.host == player and (match.status == "open" or not match.has_people):
        return lobby.close(match, player)
    if match.status != "open":
        return playing.resign(match, player, now)
    if not seats:
        raise Forbidden("not_seated", "You have no seat at this table.")
    return lobby.leave_seat(match, player, seats[0])
