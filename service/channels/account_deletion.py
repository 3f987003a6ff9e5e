"""Account deletion: leaves a player's matches and erases their personal data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial

from domain.engine.errors import Refusal
from domain.match.decisions import lobby, playing
from domain.match.errors import Forbidden
from domain.match.log import Draft
from domain.match.scheduled_work import is_settled
from domain.match.state import Match
from projections.lists.matches import find_seated, find_unfinished
from service.accounts.admin_log import AdminLog
from service.accounts.client_networks import (
    delete_network,
    delete_shared_network,
    find_shared_networks,
    network_of,
)
from service.accounts.operators import Operators
from service.accounts.players import DELETED_NAME, Player
from service.channels.chat.preferences import users_of
from service.channels.discord.account_links import AccountLinks
from service.channels.discord.channels import Channels
from service.channels.webhooks.subscriptions import Subscriptions
from service.channels.webhooks.unsubscribe import unsubscribe_all
from service.matches.commands import Metadata, execute
from service.matches.container import Annals
from service.store.erased_players import record_erased_player

MATCHES = "matches to leave"
SHARED_NETWORKS = "matches with two players in one network"
LEFT_UNTIL_THE_END = frozenset({MATCHES, SHARED_NETWORKS})
"""What the end of matches removes; the lists lag a little, and ratings come after the end."""


def delete_account(annals: Annals, player: Player) -> None:
    """Let a player leave all their matches, then erase everything about them but their id.

    Calling it again completes an interrupted deletion.
    """
    record_erased_player(annals.settings.data, player.id)
    store = annals.store
    matches = find_seated(store.redis, store.partitions, player.id)
    leave_matches(annals, player.id)
    AccountLinks(store.redis, annals.players).erase_player(player.id)
    Channels(store).drop_cards(matches)
    unsubscribe_all(store, _webhooks(annals), player.id)
    delete_network(store.redis, player.id)
    _delete_shared_networks(annals, matches)
    AdminLog(store.redis).erase_reasons(player.id)
    Operators(store.redis).remove(player.id)
    annals.players.delete(player, annals.now())


def remaining_data(annals: Annals, player: str) -> Mapping[str, int]:
    """Return the number of items stored about a player, by kind, besides the id in match records.
    Raises NotFound.
    """
    redis, account = annals.store.redis, annals.players.account(player)
    partitions = annals.store.partitions
    seated = find_seated(redis, partitions, player)
    cards = Channels(annals.store).cards_of(seated)
    found = {
        MATCHES: len(find_unfinished(redis, partitions, player)),
        "name": account.name != DELETED_NAME,
        "reason of a ban": account.banned is not None,
        "tokens": len(annals.players.tokens.of_player(player)),
        "recovery codes": annals.players.recovery.count(player),
        "webhooks": len(_webhooks(annals).list_for(player)),
        "right to operate the service": Operators(redis).has(player),
        "link with Discord": len(users_of(redis, [player])),
        "match messages in Discord": len(cards),
        "client network": network_of(redis, player) is not None,
        SHARED_NETWORKS: len(find_shared_networks(redis, seated)),
        "reasons in the `annals admin` log": len(AdminLog(redis).actions_with_reason(player)),
    }
    return {what: int(count) for what, count in found.items() if count}


def leave_matches(annals: Annals, player: str) -> int:
    """Resign a player's matches, and leave or close their tables; returns the number of matches.

    It covers the matches that the lists know, and closes matches in which only bots are left.
    """
    matches = find_unfinished(annals.store.redis, annals.store.partitions, player)
    for match_id in matches:
        with suppress(Refusal):  # the match may have ended, or the player may have left it
            while _still_at_table(player, _leave_match(annals, match_id, player)):
                pass
    return len(matches)


def _delete_shared_networks(annals: Annals, matches: Sequence[str]) -> None:
    """Delete what an interrupted write has left; in matches that go on, ratings still need it."""
    for match_id in find_shared_networks(annals.store.redis, matches):
        match = annals.matches.latest(match_id)
        while match.next_match:
            match = annals.matches.latest(match.next_match)
        if is_settled(match):
            delete_shared_network(annals.store.redis, match)


def _leave_match(annals: Annals, match_id: str, player: str) -> Match:
    return execute(annals, match_id, Metadata(player), partial(_decide_leaving, player)).match


def _still_at_table(player: str, match: Match) -> bool:
    """Return whether a player still has a seat at a table that has not started."""
    return match.status == "open" and bool(match.seats_of(player))


def _decide_leaving(player: str, match: Match, now: int) -> Draft:
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
