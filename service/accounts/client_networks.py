"""The networks of players, so that many accounts in one network share one bot quota, and do not
rate one another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from ipaddress import ip_network
from zlib import crc32

from redis import Redis

from domain.match.decisions.absence import all_players
from domain.match.state import Match

KEPT_S = 7 * 86_400
NETWORK_BUCKETS = 1 << 16
PRIVATE = "private-"
"""Prefix of the number of a network that is not one of the internet."""
ALL_PLAYERS = "1"
"""Recorded for a match before 0.5.0: two of its players share a network, but not which."""


def store_network(redis: Redis, player: str, address: str) -> None:
    """Store for a week the network of a player who opens a table or takes a seat."""
    redis.set(_key(player), network_bucket(address), ex=KEPT_S)


def network_of(redis: Redis, player: str) -> str | None:
    """Return the network in which a player last sat down, as a number that does not identify it."""
    found = redis.get(_key(player))
    return found.decode() if isinstance(found, bytes) else None


def record_shared_network(redis: Redis, match: Match) -> None:
    """Record which players of a match share a network, if any do: the match, or its series, may
    take longer than networks are stored. Delete it when that is over.
    """
    if sharing := players_sharing_networks(redis, match):
        redis.set(_match_key(match), " ".join(sorted(sharing)))


def players_sharing_networks(redis: Redis, match: Match) -> set[str]:
    """Return the players of a match, and those who were replaced, who share a network of the
    internet with another one of them: when they took their seats, or when they last sat down. Many
    may share a private one, such as that of a proxy.
    """
    players = all_players(match)
    networks = {player: network_of(redis, player) for player in players}
    public = Counter(one for one in networks.values() if one and not one.startswith(PRIVATE))
    sharing = {player for player, one in networks.items() if one and public[one] > 1}
    return sharing | _recorded_players(redis, match, players)


def players_left_out(redis: Redis, match: Match) -> set[str]:
    """Return the players whom the ratings leave out for a network that they share. Players who were
    replaced are among them only if one who was there before shares one, too: else a second account
    in their seat would spare them the loss.
    """
    sharing = players_sharing_networks(redis, match)
    left = {one.player for one in match.tenures}
    new = {match.chairs[one.seat].player or "" for one in match.tenures}
    return sharing if sharing - new - left else sharing - left


def _recorded_players(redis: Redis, match: Match, players: set[str]) -> set[str]:
    """Return who of these players is recorded to share a network with another one of them."""
    found = redis.get(_match_key(match))
    recorded = found.decode() if isinstance(found, bytes) else ""
    sharing = players if recorded == ALL_PLAYERS else players.intersection(recorded.split())
    return sharing if len(sharing) > 1 else set()


def find_shared_networks(redis: Redis, matches: Sequence[str]) -> list[str]:
    """Return those of these matches for which it is recorded that players share a network; the
    first match for a series.
    """
    with redis.pipeline(transaction=False) as pipe:
        for match in matches:
            pipe.exists(_key_of_match(match))
        return [match for match, found in zip(matches, pipe.execute(), strict=True) if found]


def delete_shared_network(redis: Redis, match: Match) -> None:
    """Delete the record that two players of a match, or of its series, share a network."""
    redis.delete(_match_key(match))


def delete_found_network(redis: Redis, match: str) -> None:
    """Delete a record that `find_shared_networks` has found."""
    redis.delete(_key_of_match(match))


def delete_network(redis: Redis, player: str) -> None:
    """Delete the stored network of a player."""
    redis.delete(_key(player))


def network_bucket(address: str) -> str:
    """Return a number for an address. Some 65,000 IPv4 addresses share it, so it reveals none."""
    return f"{'' if _is_public(address) else PRIVATE}{crc32(address.encode()) % NETWORK_BUCKETS}"


def _is_public(address: str) -> bool:
    try:
        return ip_network(address).is_global
    except ValueError:  # a person in Discord, or a client as a proxy names it
        return False


def _key(player: str) -> str:
    return f"network:{player}"


def _match_key(match: Match) -> str:
    return _key_of_match(match.series.id if match.series else match.id)


def _key_of_match(match: str) -> str:
    return f"shared-network:{match}"
