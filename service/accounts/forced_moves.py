"""Whether forced moves of players play themselves: a setting of their accounts, off at first."""

from __future__ import annotations

from collections.abc import Collection

from redis import Redis

from domain.match.scheduled_work import starts_now
from domain.match.state import Match
from service.accounts.players import player_key
from service.accounts.quota import MINUTE_S, Quota
from service.store.event_store import EventStore
from service.store.planning.plans import Plans
from service.store.redis_client import store_errors

_FIELD = "forced_moves"
CHANGES_PER_MINUTE = 60
"""How often a player changes what they plan, which workers may have to look at."""
CHANGES_PER_ADDRESS = 3 * CHANGES_PER_MINUTE


def count_plan_change(redis: Redis, player: str, address: str, now: int) -> None:
    """Count a change of what a player plans, or of whether forced moves play themselves, at a time
    (ms since the epoch). Raises TooManyRequests above the limits of the player and of the address.
    """
    with store_errors():
        Quota(redis, "changes of plans", CHANGES_PER_MINUTE, MINUTE_S).use(player, now)
        Quota(redis, "changes of plans of an address", CHANGES_PER_ADDRESS, MINUTE_S).use(
            address, now
        )


def set_forced_moves(redis: Redis, player: str, *, automatic: bool) -> None:
    """Let forced moves of a player play themselves, or not."""
    if automatic:
        redis.hset(player_key(player), _FIELD, 1)
    else:
        redis.hdel(player_key(player), _FIELD)


def has_automatic_moves(redis: Redis, player: str) -> bool:
    """Return whether forced moves of a player play themselves where they said nothing else."""
    return bool(redis.hexists(player_key(player), _FIELD))


def plan_at_start(store: EventStore, before: Match | None, after: Match) -> None:
    """Before the entry that starts a match, or brings a new player, is recorded, note in its plans
    whose accounts say that forced moves play themselves: the append then looks for plans, as each
    one after it.
    """
    begin = set[str]()
    if starts_now(before, after):
        begin = after.deciding_players()
    elif before and len(before.tenures) < len(after.tenures):
        begin = after.deciding_players() - before.deciding_players()
    if begin:
        with store_errors():
            automatic = find_automatic(store.redis, sorted(begin))
        if automatic:
            Plans(store).add(after.id, automatic)


def erase_plans_of_leavers(store: EventStore, before: Match, after: Match) -> None:
    """Erase what players planned whose seats new players have taken."""
    for one in after.tenures[len(before.tenures) :]:
        Plans(store).erase_player([after.id], one.player)


def find_automatic(redis: Redis, players: Collection[str]) -> frozenset[str]:
    """Return those of these players whose forced moves play themselves, in one round trip."""
    if not players:
        return frozenset()
    with redis.pipeline(transaction=False) as pipe:
        for player in players:
            pipe.hexists(player_key(player), _FIELD)
        found = pipe.execute()
    return frozenset(one for one, is_set in zip(players, found, strict=True) if is_set)
