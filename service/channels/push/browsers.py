"""The browsers that players have subscribed, and how sending to each of them goes.

A player has the hash `player:<id>:push`, and for each browser that fails or asks for a pause
`player:<id>:push:<subscription>`, which passes by itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace
from redis import Redis

from projections.core.scripts import Script
from projections.outbox.plan import SubscriptionFilter, put_filter
from service.channels.mail.kinds import filter_of
from service.channels.push.kinds import KINDS, USUAL_KINDS, Device, PushKind
from service.channels.webhooks.unsubscribe import delete_deliveries
from service.store.event_store import EventStore

MAX_PER_PLAYER = 8
"""How many browsers a player can subscribe; one more takes the place of the oldest."""
STATE_LIFETIME_S = 604_800
ID_CHARS = 20
REPLACE = Script("""
-- Replaces a member of a hash, unless it has changed meanwhile.
-- KEYS  1 the hash    ARGV  1 the member  2 its old value  3 the new one
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
""")


class PushSubscription(msgspec.Struct, frozen=True, omit_defaults=True):
    """A browser of a player: where its push service takes messages, and how to encrypt them."""

    id: str
    player: str
    endpoint: str
    p256dh: str
    """The public key of the browser, in base64url as `auth`."""
    auth: str
    token: str
    """The id of the token that subscribed it: it ends with this token, as by signing out."""
    created_at: int
    kinds: tuple[PushKind, ...] = USUAL_KINDS
    language: str = "en"
    network: str = ""
    """The network from which it was subscribed: those of one network share the threads."""

    @property
    def device(self) -> Device:
        """The browser."""
        return Device(self.player, self.id)


class PushState(msgspec.Struct, frozen=True):
    """How often sending to a browser has failed in a row, and when it may be tried again (ms)."""

    failures: int = 0
    retry_at: int = 0


_SUBSCRIPTION = msgspec.json.Decoder(PushSubscription)
_STATE = msgspec.json.Decoder(PushState)


def decode_subscription(text: bytes) -> PushSubscription:
    """Return the subscription that was stored as this text. Raises MsgspecError."""
    return _SUBSCRIPTION.decode(text)


class PushSubscriptions:
    """The subscribed browsers of all players, in Redis."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._redis: Redis = store.redis

    def read(self, device: Device) -> PushSubscription | None:
        """Return a subscription, or None."""
        found: Any = self._redis.hget(_key(device.player), device.subscription)
        return decode_subscription(found) if found else None

    def list_for(self, player: str) -> list[PushSubscription]:
        """Return the subscriptions of a player, the oldest first."""
        found: Any = self._redis.hvals(_key(player))
        return sorted(map(decode_subscription, found), key=lambda one: (one.created_at, one.id))

    def kinds_of(self, player: str) -> frozenset[PushKind] | None:
        """Return about what the browsers of a player notify them; None without a browser."""
        found = [one.kinds for one in self.list_for(player)]
        return frozenset[PushKind]().union(*found) if found else None

    def choose_kinds(self, player: str, chosen: Collection[str]) -> None:
        """Change about what all browsers of a player notify them."""
        kinds = tuple(kind for kind in KINDS if kind in chosen)
        for one in self.list_for(player):
            texts = map(msgspec.json.encode, (one, replace(one, kinds=kinds)))
            REPLACE.run(self._redis, [_key(player)], one.id, *texts)

    def save(self, subscription: PushSubscription) -> bool:
        """Store a subscription in place of an earlier one with its id; above MAX_PER_PLAYER, remove
        the oldest others. Returns whether it is new.
        """
        player, device = subscription.player, subscription.device
        text = msgspec.json.encode(subscription)
        is_new = bool(self._redis.hset(_key(player), subscription.id, text))
        self._redis.delete(_state_key(device))
        self.put_filter(subscription)
        others = [one for one in self.list_for(player) if one.id != subscription.id]
        for one in others[: max(0, len(others) + 1 - MAX_PER_PLAYER)]:
            self.remove(one.device)
        return is_new

    def remove(self, device: Device) -> bool:
        """Erase a subscription with all that is planned for it; return whether there was one."""
        was_there = bool(self._redis.hdel(_key(device.player), device.subscription))
        self._redis.delete(_state_key(device))
        put_filter(self._redis, self._store.partitions, device.outbox_id, None)
        delete_deliveries(self._store, device.outbox_id)
        return was_there

    def remove_all(self, player: str, token: str | None = None) -> None:
        """Erase the subscriptions of a player, or only those that a token has made."""
        for one in self.list_for(player):
            if token in (None, one.token):
                self.remove(one.device)

    def put_filter(self, subscription: PushSubscription) -> SubscriptionFilter:
        """Plan all that a browser can say; return the filter. What its player wants is chosen when
        a message is written, so a change of it delays no projector.
        """
        criteria = filter_of(subscription.player, KINDS)
        name = subscription.device.outbox_id
        put_filter(self._redis, self._store.partitions, name, criteria)
        return criteria

    def put_all_filters(self) -> Mapping[Device, SubscriptionFilter]:
        """Plan what all browsers ask for: after a restore, whose backup has no filters. Return them
        by browser.
        """
        players = {key.decode().split(":")[1] for key in self._redis.scan_iter("player:*:push")}
        subscriptions = [one for player in players for one in self.list_for(player)]
        return {one.device: self.put_filter(one) for one in subscriptions}

    def state(self, device: Device) -> PushState:
        """Return how sending to a browser goes."""
        found: Any = self._redis.get(_state_key(device))
        return _STATE.decode(found) if found else PushState()

    def write_state(self, device: Device, state: PushState) -> None:
        """Record how sending to a browser goes."""
        if state == PushState():
            self._redis.delete(_state_key(device))
        else:
            text = msgspec.json.encode(state)
            self._redis.set(_state_key(device), text, ex=STATE_LIFETIME_S)


def id_of(endpoint: str) -> str:
    """Return the id of the subscription with an endpoint: that of one browser stays the same."""
    return hashlib.sha256(endpoint.encode()).hexdigest()[:ID_CHARS]


def _key(player: str) -> str:
    return f"player:{player}:push"


def _state_key(device: Device) -> str:
    return f"{_key(device.player)}:{device.subscription}"
