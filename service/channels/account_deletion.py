"""When a player goes: what becomes of their matches, and of their account."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial

from domain.engine.errors import Refused
from domain.match.decisions import lobby, playing
from domain.match.errors import Forbidden
from domain.match.log import Draft
from domain.match.state import Match
from projections.lists.matches import seated, unfinished
from service.accounts.admin_log import Journal
from service.accounts.client_networks import forget_origin, origin_of
from service.accounts.players import DELETED, Player
from service.channels.chat.preferences import users_of
from service.channels.discord.account_links import Links
from service.channels.discord.channels import Channels
from service.channels.webhooks.subscriptions import Subscriptions
from service.channels.webhooks.unsubscribe import end_all
from service.matches.commands import Metadata, carry_out
from service.matches.container import Annals
from service.store.erased_players import note_forgotten

MATCHES = "matches to leave"


def delete(annals: Annals, player: Player) -> None:
    """Let a player leave all their matches, and forget them: nothing is left but their id.

    Doing it again does what an earlier attempt left undone.
    """
    note_forgotten(annals.settings.data, player.id)
    store = annals.store
    matches = seated(store.redis, store.partitions, player.id)
    withdraw(annals, player.id)
    Links(store.redis, annals.players).drop_player(player.id)
    Channels(store).drop_cards(matches)
    end_all(store, _webhooks(annals), player.id)
    forget_origin(store.redis, player.id)
    Journal(store.redis).forget(player.id)
    annals.players.delete(player, annals.now())


def traces(annals: Annals, player: str) -> Mapping[str, int]:
    """What is kept of a player besides their id, which stays in the annals: how much of each kind;
    NotFound.
    """
    redis, account = annals.store.redis, annals.players.account(player)
    partitions = annals.store.partitions
    cards = Channels(annals.store).cards_of(seated(redis, partitions, player))
    found = {
        MATCHES: len(unfinished(redis, partitions, player)),
        "name": account.name != DELETED,
        "reason of a ban": account.banned is not None,
        "tokens": len(annals.players.tokens.of(player)),
        "recovery codes": annals.players.recovery.left(player),
        "webhooks": len(_webhooks(annals).of(player)),
        "link with Discord": len(users_of(redis, [player])),
        "messages noted in Discord": len(cards),
        "place where they were": origin_of(redis, player) is not None,
        "reasons in the log of `annals admin`": len(Journal(redis).reasons(player)),
    }
    return {what: int(count) for what, count in found.items() if count}


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


def _webhooks(annals: Annals) -> Subscriptions:
    return Subscriptions(annals.store.redis, annals.store.partitions, annals.settings.webhooks)
