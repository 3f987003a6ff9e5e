"""Limits how many webhooks receive the same matches: each of them costs work for each entry.

An audience are the webhooks of one match, or those of all matches. Nobody who plays a match chooses
how many others receive it.
"""

from __future__ import annotations

from typing import Any

from redis import Redis

from service.runtime.errors import TooManyWebhooks

MAX_AUDIENCE = 50
NETWORK_SHARE = 10
"""One network takes at most 1 / NETWORK_SHARE of an audience."""
ALL_MATCHES = "all"
"""The audience of all matches; others have the id of their match."""


class Audiences:
    """The webhooks of each audience, with their networks."""

    def __init__(self, redis: Redis, max_audience: int) -> None:
        self._redis = redis
        self._max_audience = max_audience

    def join(self, audience: str | None, subscription_id: str, network: str) -> None:
        """Add a webhook to an audience; None has no limit. Raises TooManyWebhooks."""
        if audience is None or not self._max_audience:
            return
        self._redis.hset(_key(audience), subscription_id, network)
        networks: Any = self._redis.hvals(_key(audience))
        theirs = networks.count(network.encode())
        if len(networks) > self._max_audience or theirs * NETWORK_SHARE > self._max_audience:
            self.leave(audience, subscription_id)
            raise TooManyWebhooks(
                "Too many webhooks receive these matches, or too many of your address. Ask for your"
                " matches only, or use a stream."
            )

    def leave(self, audience: str | None, subscription_id: str) -> None:
        """Remove a webhook from an audience."""
        if audience is not None:
            self._redis.hdel(_key(audience), subscription_id)


def _key(audience: str) -> str:
    return f"webhooks:audience:{audience}"
