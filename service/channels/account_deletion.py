"""Account deletion: leaves a player's matches and erases their personal data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

import structlog

from domain.engine.errors import GameOver
from domain.match.decisions import lobby, playing
from domain.match.errors import Forbidden, Impossible
from domain.match.log import CorruptEntry, Draft
from domain.match.scheduled_work import is_settled
from domain.match.state import Match
from projections.lists.matches import MATCHES, find_seated, find_unfinished
from projections.progress import wait_for_feeds
from service.accounts.admin_log import AdminLog
from service.accounts.client_networks import (
    delete_found_network,
    delete_network,
    find_shared_networks,
    network_of,
)
from service.accounts.forced_moves import set_forced_moves
from service.accounts.names.given_names import DELETED_NAME
from service.accounts.notes import Notes
from service.accounts.notices.settings import count_settings, erase_settings
from service.accounts.operators import Operators
from service.accounts.people.meeting import blocks_in, follows_in
from service.accounts.people.presence import hide_presence, shows_presence
from service.accounts.players import Player, is_player_id
from service.channels.chat.preferences import users_of
from service.channels.discord.account_links import AccountLinks
from service.channels.discord.channels import Channels
from service.channels.mail.addresses import MailAddresses
from service.channels.mail_removal import remove_mail
from service.channels.push.browsers import PushSubscriptions
from service.channels.webhooks.subscriptions import Subscriptions
from service.channels.webhooks.unsubscribe import unsubscribe_all
from service.matches.commands import Metadata, execute
from service.matches.container import Annals
from service.runtime.errors import NotFound, WriteConflict
from service.runtime.event_loop import pause
from service.store.erased_players import record_erased_player
from service.store.planning.plans import Plans
from service.store.redis_failures import log_redis_failures
from service.talk.erasing import erase_talk
from service.talk.mutes import Mutes
from service.talk.reports import Reports
from service.talk.speakers import Speakers
from service.talk.storage import Talk

log = structlog.get_logger()
NOT_COMPLETED = "deletion_not_completed"
"""What the log says if Redis fails while a deletion is completed: operators can repeat it."""
MATCHES_TO_LEAVE = "matches to leave"
SHARED_NETWORKS = "matches with two players in one network"
ENDED_OR_LEFT = (Forbidden, GameOver, Impossible, NotFound)
"""What a match says that has ended, or that the player has left, since it was listed."""
CATCH_UP_S = 2.0
"""How long a ban or a deletion waits for the lists, which may lag behind new matches."""
LEFT_UNTIL_THE_END = frozenset({MATCHES_TO_LEAVE, SHARED_NETWORKS})
"""What the end of matches removes; the lists lag a little, and ratings come after the end."""


class MatchesLeft(NamedTuple):
    """How many matches a player has left, and the ids of those that they could not leave."""

    left: int
    failed: tuple[str, ...]


def delete_account(annals: Annals, player: Player, wait_s: float = CATCH_UP_S) -> None:
    """Let a player leave all their matches, then erase everything about them but their id.

    It waits up to `wait_s` for the lists of matches. Calling it again completes an interrupted
    deletion.
    """
    record_erased_player(annals.settings.data, player.id)
    _leave_and_erase(annals, player.id, wait_s)
    annals.players.delete(player, annals.now())
    with log_redis_failures(NOT_COMPLETED, player=player.id):  # the player can't repeat it now
        _leave_and_erase(annals, player.id, wait_s)  # what they did before their tokens ended


def erase_if_deleted(annals: Annals, players: Iterable[str]) -> None:
    """Delete again each of these players who is deleted: a request has just written for them, or
    about them, and may have begun before they were. An outage is only logged: the answer counts.
    """
    for player in filter(is_player_id, players):
        with log_redis_failures(NOT_COMPLETED, player=player):
            if annals.players.is_deleted(player):
                delete_account(annals, Player(player, DELETED_NAME))


def remaining_data(annals: Annals, player: str) -> Mapping[str, int]:
    """Return the number of items stored about a player, by kind, besides the id in match records.
    Raises NotFound.
    """
    redis, account = annals.store.redis, annals.players.account(player)
    partitions = annals.store.partitions
    seated = find_seated(redis, partitions, player)
    cards = Channels(annals.store).cards_of(seated)
    found = {
        MATCHES_TO_LEAVE: len(find_unfinished(redis, partitions, player)),
        "name": account.name != DELETED_NAME,
        "reason of a ban": account.banned is not None,
        "tokens": len(annals.players.tokens.of_player(player)),
        "recovery codes": annals.players.recovery.count(player),
        "matches with notes": Notes(annals.store.redis).count_matches(player),
        "matches with plans": Plans(annals.store).count(seated, player),
        "players they follow": follows_in(redis).count(player),
        "followers": follows_in(redis).count_reverse(player),
        "players they block": blocks_in(redis).count(player),
        "players who block them": blocks_in(redis).count_reverse(player),
        "matches with talk": Talk(annals.store).count_matches(player),
        "muted players": len(Mutes(redis).of(player)),
        "reports of messages": Reports(redis).count_about(player),
        "reason of a mute": Speakers(redis, 0).has_mute(player),
        "when they were last seen": shows_presence(redis, player),
        "webhooks": len(_webhooks(annals).list_for(player)),
        "right to operate the service": Operators(redis).has(player),
        "choices about notices": count_settings(redis, player),
        "mail addresses": MailAddresses(annals.store).count(player),
        "push subscriptions": len(PushSubscriptions(annals.store).list_for(player)),
        "link with Discord": len(users_of(redis, [player])),
        "match messages in Discord": len(cards),
        "client network": network_of(redis, player) is not None,
        SHARED_NETWORKS: len(find_shared_networks(redis, seated)),
        "reasons in the `annals admin` log": len(AdminLog(redis).actions_with_reason(player)),
    }
    return {what: int(count) for what, count in found.items() if count}


def leave_matches(annals: Annals, player: str, wait_s: float = CATCH_UP_S) -> MatchesLeft:
    """Resign a player's matches, leave or close their tables, and decline their invitations. Raises
    StoreUnavailable; calling it again completes it.

    It waits up to `wait_s` for the lists, leaves the matches that they know then, and closes those
    of them in which only bots remain.
    """
    store = annals.store
    wait_for_feeds(store.redis, store.partitions, MATCHES, wait_s, pause)
    matches = find_unfinished(store.redis, store.partitions, player)
    failed = tuple(one for one in matches if not _try_to_leave(annals, one, player))
    return MatchesLeft(len(matches) - len(failed), failed)


def _leave_and_erase(annals: Annals, player: str, wait_s: float) -> None:
    """Leave all matches, and erase what is stored about a player besides name and tokens."""
    store = annals.store
    matches = set(find_seated(store.redis, store.partitions, player))
    leave_matches(annals, player, wait_s)
    matches.update(find_seated(store.redis, store.partitions, player))
    AccountLinks(store.redis, annals.players).erase_player(player)
    Channels(store).drop_cards(matches)
    unsubscribe_all(store, _webhooks(annals), player)
    delete_network(store.redis, player)
    _delete_shared_networks(annals, sorted(matches))
    AdminLog(store.redis).erase_reasons(player)
    Notes(store.redis).erase(player)
    Plans(store).erase_player(matches, player)
    set_forced_moves(store.redis, player, automatic=False)
    erase_settings(store.redis, player)
    for people in (follows_in(store.redis), blocks_in(store.redis)):
        people.erase(player)
    erase_talk(store, player)
    hide_presence(store.redis, player)
    remove_mail(store, player)
    PushSubscriptions(store).remove_all(player)
    Operators(store.redis).remove(player)


def _delete_shared_networks(annals: Annals, matches: Sequence[str]) -> None:
    """Delete what an interrupted write has left; in matches that go on, ratings still need it."""
    for match_id in find_shared_networks(annals.store.redis, matches):
        if not _may_be_rated(annals, match_id):
            delete_found_network(annals.store.redis, match_id)


def _may_be_rated(annals: Annals, match_id: str) -> bool:
    """Return whether a match, or the last one of the series that it began, has no rating yet.
    Without what a corrupt one has lost, there will be none.
    """
    try:
        match = annals.matches.latest(match_id)
        while match.next_in_series:
            match = annals.matches.latest(match.next_in_series)
    except CorruptEntry as error:
        log.error("match_not_read", match=match_id, exc_info=error)
        return False
    return not is_settled(match)


def _try_to_leave(annals: Annals, match_id: str, player: str) -> bool:
    """Leave a match; return False, and log why, if it cannot be read, or others write to it all the
    time.
    """
    try:
        with suppress(*ENDED_OR_LEFT):
            while _still_at_table(player, _leave_match(annals, match_id, player)):
                pass
    except (CorruptEntry, WriteConflict) as error:
        log.error("match_not_left", match=match_id, exc_info=error)
        return False
    return True


def _leave_match(annals: Annals, match_id: str, player: str) -> Match:
    metadata = Metadata(player, leaves=True)
    return execute(annals, match_id, metadata, partial(_decide_leaving, player)).match


def _still_at_table(player: str, match: Match) -> bool:
    """Return whether a player still has a seat or an invitation at a table that has not started."""
    return match.status == "open" and any(
        player in (chair.player, chair.invited) for chair in match.chairs
    )


def _decide_leaving(player: str, match: Match, now: int) -> Draft:
    seats = match.seats_of(player)
    if match.host == player and (match.status == "open" or not match.has_people):
        return lobby.close(match, player)
    if match.status != "open":
        return playing.resign(match, player, now)
    if not seats:
        return lobby.decline_invitation(match, player)
    return lobby.leave_seat(match, player, seats[0])


def _webhooks(annals: Annals) -> Subscriptions:
    return Subscriptions(annals.store.redis, annals.store.partitions, annals.settings.webhooks)
