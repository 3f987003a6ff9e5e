"""Limits how many webhooks receive the same matches: each of them costs work for each entry.

An audience are the active webhooks of one match, or those of all matches. Nobody who plays a match
chooses how many others receive it, so the webhooks of its players don't count.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from redis import Redis

from service.runtime.errors import TooManyWebhooks

NETWORK_SHARE = 10
"""One network takes at most 1 / NETWORK_SHARE of an audience, and at least one place."""
JOINING_S = 60
"""How long a webhook that joins counts as active: longer than until its record says so."""
ALL_MATCHES = "all"
"""The audience of all matches; others have the id of their match."""


class Audiences:
    """The webhooks of each audience, with their networks."""

    def __init__(self, redis: Redis, max_audience: int, is_active: Callable[[str], bool]) -> None:
        self._redis = redis
        self._max_audience = max_audience
        self._is_active = is_active

    def join(self, audience: str | None, subscription_id: str, network: str) -> None:
        """Add a webhook to an audience; None has no limit. Raises TooManyWebhooks."""
        if audience is None or not self._max_audience:
            return
        self._redis.set(_joining_key(subscription_id), "", ex=JOINING_S)
        self._redis.hset(_key(audience), subscription_id, network)
        if self._is_too_large(audience, network):
            self._drop_inactive(audience, subscription_id)
            if self._is_too_large(audience, network):
                self.leave(audience, subscription_id)
                self._redis.delete(_joining_key(subscription_id))
                raise TooManyWebhooks(
                    "Too many webhooks receive these matches, or too many of your address. Ask for"
                    " your matches only, or use a stream."
                )

    def leave(self, audience: str | None, subscription_id: str) -> None:
        """Remove a webhook from an audience."""
        if audience is not None:
            self._redis.hdel(_key(audience), subscription_id)

    def _is_too_large(self, audience: str, network: str) -> bool:
        networks: Any = self._redis.hvals(_key(audience))
        theirs = networks.count(network.encode())
        share = max(1, self._max_audience // NETWORK_SHARE)
        return len(networks) > self._max_audience or theirs > share

    def _drop_inactive(self, audience: str, joining: str) -> None:
        """Remove webhooks that are off or not stored: a crash between two commands leaves some."""
        members: Any = self._redis.hkeys(_key(audience))
        for name in (member.decode() for member in members):
            if name != joining and not self._is_joining(name) and not self._is_active(name):
                self.leave(audience, name)

    def _is_joining(self, subscription_id: str) -> bool:
        return bool(self._redis.exists(_joining_key(subscription_id)))


def _key(audience: str) -> str:
    return f"webhooks:audience:{audience}"


def _joining_key(subscription_id: str) -> str:
    return f"webhooks:joining:{subscription_id}"
