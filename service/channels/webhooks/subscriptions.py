"""Subscriptions: which notices a player receives at which address, and the health of the receiver.

The hash `{webhook:<id>}` holds a subscription: its settings in the field `subscription`, beside it
its health, which the workers write. Each partition has a copy of its filter for the projector.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.resources import files
from typing import Any, Literal

import msgspec
from redis import Redis

from domain.notice_types import NoticeName
from projections.core.scripts import Script
from projections.outbox.plan import SubscriptionFilter, put_filter
from service.channels.webhooks.audiences import ALL_MATCHES, Audiences
from service.channels.webhooks.signing import new_secret
from service.runtime.errors import NotFound, TooManyWebhooks
from service.runtime.settings import Settings
from service.runtime.shares.fair_queue import Payer
from service.store.redis_failures import log_redis_failures

EDIT = Script(files(__package__).joinpath("edit.lua").read_text())
PAUSE = Script(files(__package__).joinpath("pause.lua").read_text())
NOTE_UNDELIVERED = Script(files(__package__).joinpath("note_undelivered.lua").read_text())
FORMATS = ("standard", "discord")
"""The formats of messages; workers implement each."""

DisabledReason = Literal["by_owner", "gone", "failing", "banned", "queue_full"]
DELETED = Payer("", "")
"""The payer of deleted subscriptions, which have to be purged."""
FAILING_KEY = "webhooks:failing"
"""The sorted set of the ids of failing subscriptions, by `Health.ill_since`."""
SECRET_OVERLAP_MS = 86_400_000
MAX_SECRETS = 5


class Secret(msgspec.Struct, frozen=True, omit_defaults=True):
    """A shared secret; one that was replaced expires at `until` (ms since the epoch)."""

    text: str
    until: int | None = None


class Subscription(msgspec.Struct, frozen=True, omit_defaults=True):
    """The settings of a subscription; the newest secret comes first."""

    id: str
    player: str
    url: str
    types: tuple[NoticeName, ...]
    created_at: int
    secrets: tuple[Secret, ...]
    match: str | None = None
    game: str | None = None
    all_matches: bool = False
    my_turn: bool = False
    headers: Mapping[str, str] = {}
    format: str = "standard"
    network: str = ""
    """A number for the network from which it was created, which does not identify it."""
    takes_part: bool = False
    """Whether its owner had a seat in `match` when they chose it."""

    @property
    def filter(self) -> SubscriptionFilter:
        """Which notices it asks for."""
        types = frozenset(self.types)
        return SubscriptionFilter(
            self.player, types, self.match, self.game, self.all_matches, self.my_turn
        )

    @property
    def audience(self) -> str | None:
        """The matches that it shares with the webhooks of others, or None."""
        if self.match:
            return None if self.takes_part else self.match
        return ALL_MATCHES if self.all_matches else None

    @property
    def payer(self) -> Payer:
        """Whose share its deliveries take."""
        return Payer(self.origin, self.player)

    @property
    def origin(self) -> str:
        """The network that it counts for, or its owner if that is unknown."""
        return self.network or self.player

    def valid_secrets(self, now: int) -> list[str]:
        """Return the secrets that have not expired; each signs."""
        return [one.text for one in self.secrets if one.until is None or now < one.until]


class Health(msgspec.Struct, frozen=True):
    """The state of a subscription's deliveries; times in ms since the epoch."""

    disabled_reason: DisabledReason | None = None
    disabled_at: int | None = None
    failures: int = 0
    """In a row."""
    failing_since: int | None = None
    last_error: str | None = None
    last_error_at: int | None = None
    last_success_at: int | None = None
    paused_until: int | None = None
    """No attempt is made before this time."""
    undelivered_since: int | None = None
    """When the oldest entry was recorded that only a recovery delivers."""
    restored_at: int | None = None
    """When the store was last restored from a backup."""

    @property
    def ill_since(self) -> int | None:
        """Since when deliveries fail, or are off for another reason than that the owner wants it;
        None if neither.
        """
        if self.failing_since is None and self.disabled_reason != "by_owner":
            return self.disabled_at
        return self.failing_since


class SubscriptionRecord(msgspec.Struct, frozen=True):
    """A subscription and its health."""

    subscription: Subscription
    health: Health


_SUBSCRIPTION = msgspec.json.Decoder(Subscription)
SUBSCRIPTION_FIELD = "subscription"


class Subscriptions:
    """All subscriptions, stored in Redis; each player has a limited number."""

    def __init__(
        self,
        redis: Redis,
        partitions: int,
        max_per_player: int,
        max_audience: int = Settings().webhook_audience,
    ) -> None:
        self._redis = redis
        self._partitions = partitions
        self._max_per_player = max_per_player
        self._audiences = Audiences(redis, max_audience, self._is_active)

    def add(self, subscription: Subscription) -> None:
        """Store a new subscription. Raises TooManyWebhooks."""
        key, record = _player_key(subscription.player), key_of(subscription.id)
        self._audiences.join(subscription.audience, subscription.id, subscription.origin)
        # The list comes second: readers delete what is listed and not stored.
        self._redis.hset(record, SUBSCRIPTION_FIELD, msgspec.json.encode(subscription))
        self._redis.sadd(key, subscription.id)
        if self._redis.scard(key) > self._max_per_player:
            self._redis.srem(key, subscription.id)
            self._redis.delete(record)
            self._audiences.leave(subscription.audience, subscription.id)
            raise TooManyWebhooks(f"A player has at most {self._max_per_player} webhooks.")
        self._put_filter(subscription.id, subscription.filter)

    def change(
        self, subscription_id: str, update: Callable[[Subscription], Subscription]
    ) -> Subscription:
        """Update a subscription atomically and return it. Raises NotFound, TooManyWebhooks.

        `update` runs again if another writer changed the subscription first.
        """
        while True:
            record = self.get(subscription_id)
            before, after = record.subscription, update(record.subscription)
            moves = after.audience != before.audience and record.health.disabled_reason is None
            if moves:
                self._audiences.join(after.audience, subscription_id, after.origin)
            old, new = map(msgspec.json.encode, (before, after))
            if EDIT.run(self._redis, [key_of(subscription_id)], old, 0, SUBSCRIPTION_FIELD, new):
                break
        if moves:
            self._audiences.leave(before.audience, subscription_id)
        if after.filter != before.filter and record.health.disabled_reason is None:
            self._put_filter(subscription_id, after.filter)
        return after

    def get(self, subscription_id: str) -> SubscriptionRecord:
        """Return a subscription with its health. Raises NotFound."""
        fields: Any = self._redis.hgetall(key_of(subscription_id))
        if SUBSCRIPTION_FIELD.encode() not in fields:
            raise NotFound("You have no such webhook.")
        health = {key.decode(): text.decode() for key, text in fields.items()}
        subscription = _SUBSCRIPTION.decode(health.pop(SUBSCRIPTION_FIELD))
        return SubscriptionRecord(subscription, msgspec.convert(health, Health, strict=False))

    def payer(self, subscription_id: str) -> Payer:
        """Return whose share the deliveries of a subscription take; deleted ones share one."""
        try:
            return self.get(subscription_id).subscription.payer
        except NotFound:
            return DELETED

    def get_owned(self, player: str, subscription_id: str) -> SubscriptionRecord:
        """Return a subscription of this player. Raises NotFound."""
        found = self.get(subscription_id)
        if found.subscription.player != player:
            raise NotFound("You have no such webhook.")
        return found

    def list_for(self, player: str) -> list[SubscriptionRecord]:
        """Return all subscriptions of a player, the oldest first."""
        found = []
        for subscription_id in self._ids(player):
            try:
                found.append(self.get(subscription_id))
            except NotFound:
                self._redis.srem(_player_key(player), subscription_id)
        return sorted(found, key=lambda one: (one.subscription.created_at, one.subscription.id))

    def remove(self, player: str, subscription_id: str) -> None:
        """Delete a subscription: nothing is sent from now on. If it fails, it can be repeated."""
        with suppress(NotFound):
            self._audiences.leave(self.get(subscription_id).subscription.audience, subscription_id)
        self._put_filter(subscription_id, None)
        self._redis.delete(key_of(subscription_id))
        with log_redis_failures("webhook_listed", webhook=subscription_id):  # readers delete that
            self._put_filter(subscription_id, None)  # a request may have turned it on meanwhile
            self._redis.srem(_player_key(player), subscription_id)
            self._redis.zrem(FAILING_KEY, subscription_id)

    def rotate_secret(self, subscription_id: str, now: int) -> str:
        """Add a new secret and return it; the previous ones expire in one day. Raises NotFound."""
        fresh = Secret(new_secret())

        def rotate(one: Subscription) -> Subscription:
            expiring = [
                msgspec.structs.replace(secret, until=secret.until or now + SECRET_OVERLAP_MS)
                for secret in one.secrets
                if secret.until is None or now < secret.until
            ]
            return msgspec.structs.replace(one, secrets=(fresh, *expiring)[:MAX_SECRETS])

        self.change(subscription_id, rotate)
        return fresh.text

    def disable(self, subscription_id: str, reason: DisabledReason, now: int) -> None:
        """Stop deliveries until the subscription is enabled. One that its owner turned off
        stays as it is: an attempt that began before may fail after.
        """
        if self._redis.hget(key_of(subscription_id), "disabled_reason") == b"by_owner":
            return
        self.update_health(
            subscription_id, disabled_reason=reason, disabled_at=now, paused_until=None
        )
        self.note_undelivered(subscription_id, now)
        self.remove_filter(subscription_id)
        with suppress(NotFound):
            self._audiences.leave(self.get(subscription_id).subscription.audience, subscription_id)

    def enable(self, subscription: Subscription) -> None:
        """Resume deliveries of new notices, with clean health. Raises TooManyWebhooks."""
        self._audiences.join(subscription.audience, subscription.id, subscription.origin)
        cleared = (
            "disabled_reason",
            "disabled_at",
            "failures",
            "failing_since",
            "paused_until",
        )
        self._redis.hdel(key_of(subscription.id), *cleared)
        self._redis.zrem(FAILING_KEY, subscription.id)
        self._put_filter(subscription.id, subscription.filter)

    def pause(self, subscription_id: str, until: int) -> None:
        """Make no attempt before a time (ms). A longer pause stays: an operator may have begun it
        during an attempt.
        """
        PAUSE.run(self._redis, [key_of(subscription_id)], until)

    def clear_pause(self, subscription_id: str) -> None:
        """End the pause after failures, so that the next attempt is made now."""
        self.update_health(subscription_id, paused_until=None)

    def update_health(self, subscription_id: str, **health: int | str | None) -> None:
        """Set health fields; None deletes a field. Does nothing if the subscription has been
        deleted.
        """
        removed = [field for field, value in health.items() if value is None]
        stored = [
            word for field, value in health.items() if value is not None for word in (field, value)
        ]
        EDIT.run(self._redis, [key_of(subscription_id)], "", len(removed), *removed, *stored)
        if not health.keys().isdisjoint(("failing_since", "disabled_reason")):
            self._index(subscription_id)

    def list_failing(self, start: int, limit: int) -> tuple[list[SubscriptionRecord], int | None]:
        """Return failing subscriptions and those that are off because they failed, the longest
        first, without the first `start`; and the `start` of the next page, or None.
        """
        found: Any = self._redis.zrange(FAILING_KEY, start, start + limit - 1)
        records = []
        for one in found:
            try:
                records.append(self.get(one.decode()))
            except NotFound:  # deleted while a worker wrote its health
                self._redis.zrem(FAILING_KEY, one)
        return records, start + len(records) if len(found) == limit else None

    def note_undelivered(self, subscription_id: str, at: int) -> None:
        """Note that entries recorded at a time (ms) are delivered only by a recovery."""
        NOTE_UNDELIVERED.run(self._redis, [key_of(subscription_id)], at)

    def remove_filter(self, subscription_id: str) -> None:
        """Plan no more notices for a subscription."""
        self._put_filter(subscription_id, None)

    def purge(self, subscription_id: str) -> None:
        """Delete what a worker wrote for a subscription after its owner had deleted it."""
        self._redis.delete(key_of(subscription_id))
        self._redis.zrem(FAILING_KEY, subscription_id)
        self.remove_filter(subscription_id)

    def mark_restored(self, now: int) -> Iterator[str]:
        """After a restore, mark each subscription and copy the filters of enabled ones to the
        partitions.

        Yields the ids of the enabled ones.
        """
        for key in self._redis.scan_iter("{webhook:*}"):
            with suppress(NotFound):  # deleted while a worker wrote its health
                record = self.get(key.decode().removeprefix("{webhook:").removesuffix("}"))
                self.update_health(record.subscription.id, restored_at=now)
                self._index(record.subscription.id)
                if record.health.disabled_reason is None:
                    self._put_filter(record.subscription.id, record.subscription.filter)
                    yield record.subscription.id

    def _put_filter(self, subscription_id: str, criteria: SubscriptionFilter | None) -> None:
        put_filter(self._redis, self._partitions, subscription_id, criteria)

    def _index(self, subscription_id: str) -> None:
        """List a subscription among those that fail, or no longer."""
        try:
            since = self.get(subscription_id).health.ill_since
        except NotFound:
            since = None
        if since is None:
            self._redis.zrem(FAILING_KEY, subscription_id)
        else:
            self._redis.zadd(FAILING_KEY, {subscription_id: since})

    def _is_active(self, subscription_id: str) -> bool:
        try:
            return self.get(subscription_id).health.disabled_reason is None
        except NotFound:
            return False

    def _ids(self, player: str) -> Sequence[str]:
        found: Any = self._redis.smembers(_player_key(player))
        return sorted(name.decode() for name in found)


def new_id() -> str:
    """Return a new random id."""
    return f"w{secrets.token_hex(8)}"


def key_of(subscription_id: str) -> str:
    """Return the key of a subscription; its hash tag puts all its keys into one slot."""
    return f"{{webhook:{subscription_id}}}"


def _player_key(player: str) -> str:
    return f"player:{player}:webhooks"
