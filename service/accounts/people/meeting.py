"""Who may meet: the only place that decides it.

A block works both ways. Neither player learns more from the service than if the other were not
there: what this module refuses is "not found" everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from redis import Redis

from domain.match.decisions.absence import players_who_stay
from domain.match.state import Match
from projections.core.summary import Summary
from service.accounts.people.player_lists import PlayerList
from service.runtime.errors import NotFound

MAX_BLOCKED = 500
"""Maximum number of players that a player blocks."""
MAX_FOLLOWED = 500
"""Maximum number of players that a player follows."""


def blocks_in(redis: Redis) -> PlayerList:
    """Return the lists of the players whom others block."""
    return PlayerList(redis, "blocks", "blocked-by", MAX_BLOCKED)


def follows_in(redis: Redis) -> PlayerList:
    """Return the lists of the players whom others follow."""
    return PlayerList(redis, "follows", "followed-by", MAX_FOLLOWED)


def block(redis: Redis, player: str, other: str, now: int) -> None:
    """Let a player block another: they may not meet, and do not follow each other any longer.
    Raises TooManyPeople.
    """
    blocks_in(redis).add(player, other, now)
    follows = follows_in(redis)
    follows.remove(player, other)
    follows.remove(other, player)


def follow(redis: Redis, player: str, other: str, now: int) -> None:
    """Let a player follow another. Raises NotFound if they may not meet, TooManyPeople."""
    follows = follows_in(redis)
    follows.add(player, other, now)
    # Asked after the write: of two concurrent requests, the later one sees the other's.
    if not may_meet(redis, player, other):
        follows.remove(player, other)
        raise NotFound("There is no such player.")


def may_meet(redis: Redis, player: str, other: str) -> bool:
    """Return whether two players may meet: sit at a table, invite and find each other."""
    return not find_unmeetable(redis, player, [other])


def find_unmeetable(redis: Redis, player: str, others: Collection[str]) -> frozenset[str]:
    """Return those of these players whom a player may not meet, in one round trip."""
    asked = [other for other in dict.fromkeys(others) if other != player]
    if not asked:
        return frozenset()
    blocks = blocks_in(redis)
    with redis.pipeline(transaction=False) as pipe:
        pipe.zmscore(blocks.key(player), asked)
        pipe.smismember(blocks.reverse_key(player), asked)
        blocked, blocking = pipe.execute()
    pairs = zip(asked, blocked, blocking, strict=True)
    return frozenset(other for other, one, two in pairs if one is not None or two)


def is_hidden_from(redis: Redis, viewer: str | None, player: str) -> bool:
    """Return whether a player is hidden from a viewer: they block them. Those whom the viewer
    blocks stay visible, so that they can end the block.
    """
    return viewer is not None and bool(find_blocking(redis, viewer, [player]))


def find_blocking(redis: Redis, viewer: str, players: Sequence[str]) -> frozenset[str]:
    """Return those of these players who block a viewer."""
    if not players:
        return frozenset()
    found = redis.smismember(blocks_in(redis).reverse_key(viewer), list(players))
    return frozenset(one for one, blocks in zip(players, found, strict=True) if blocks)


def may_know(redis: Redis, match: Match, viewer: str | None) -> bool:
    """Return whether a viewer may know of a table that has not started, as far as its people are
    concerned. A match in play goes on, and everybody sees it as before.
    """
    people = people_at(match)
    return viewer is None or viewer in people or not find_unmeetable(redis, viewer, people)


def require_meetable(redis: Redis, match: Match, player: str) -> None:
    """Raise NotFound if a player who wants the seat of an absent one may not meet another player of
    the match.
    """
    if find_unmeetable(redis, player, players_who_stay(match)):
        raise NotFound("There is no such seat.")


def find_hidden(
    redis: Redis,
    matches: Sequence[Summary],
    viewer: str | None,
    people_of: Callable[[Summary], frozenset[str]] | None = None,
) -> frozenset[str]:
    """Return the ids of the listed tables of which a viewer may not know; see `may_know`. With
    `people_of`, of those where they may not meet these people.
    """
    tables = {match.id: (people_of or people_at_listed)(match) for match in matches}
    others = {table: people for table, people in tables.items() if viewer not in people}
    if viewer is None or not any(others.values()):
        return frozenset()
    unmeetable = find_unmeetable(redis, viewer, frozenset[str]().union(*others.values()))
    return frozenset(table for table, people in others.items() if people & unmeetable)


def find_strangers(
    redis: Redis, tables: Mapping[str, frozenset[str]]
) -> Mapping[str, frozenset[str]]:
    """Return for tables, given with their people, the players who may not know of each: for what
    many viewers receive. One round trip.
    """
    people = [*frozenset[str]().union(*tables.values())]
    if not people:
        return {}
    blocks = blocks_in(redis)
    with redis.pipeline(transaction=False) as pipe:
        for player in people:
            pipe.zrange(blocks.key(player), 0, -1)
            pipe.smembers(blocks.reverse_key(player))
        found: Any = pipe.execute()
    unmeetable = {
        player: {one.decode() for one in (*blocked, *blocking)}
        for player, blocked, blocking in zip(people, found[::2], found[1::2], strict=True)
    }
    return {
        table: frozenset[str]().union(*(unmeetable[one] for one in here)) - here
        for table, here in tables.items()
    }


def people_at(match: Match) -> frozenset[str]:
    """Return the people at a table that has not started: those who sit there, and the host. Nobody
    once it has.
    """
    if match.status != "open":
        return frozenset()
    return frozenset(chair.player for chair in match.chairs if chair.player) | {match.host}


def people_who_stay(match: Summary) -> frozenset[str]:
    """Return the players of a listed match whom a new player will meet."""
    return frozenset(seat.player for seat in match.seats if seat.player and not seat.replaceable)


def people_at_listed(match: Summary) -> frozenset[str]:
    """Return the people at a listed table, as `people_at`."""
    if match.status != "open":
        return frozenset()
    return frozenset(seat.player for seat in match.seats if seat.player) | {match.host}


def people_to_meet(match: Summary) -> frozenset[str]:
    """Return the people whom a new player of a listed match will meet: at a table that has not
    started, or in a match in play with a seat for a new player. None if it has no such seat.
    """
    return people_who_stay(match) if match.is_replaceable else people_at_listed(match)
