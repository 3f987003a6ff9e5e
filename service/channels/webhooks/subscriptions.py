"""Subscriptions: who wants to hear what, at which address; and how that went lately.

All of one is in a hash, `{hook:<id>}`: under `as` what its owner chose, beside it its health, which
the workers write. What it wishes to hear stands in each partition too, for the projector.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.resources import files
from typing import Any, Literal

import msgspec
from redis import Redis

from domain.notices import NoticeType
from projections.core.scripts import Script
from projections.outbox.plan import Wish, put_wish
from service.channels.webhooks.signing import new_secret
from service.runtime.errors import NotFound, TooManyWebhooks

EDIT = Script(files(__package__).joinpath("edit.lua").read_text())
FORMATS = ("standard", "discord")
"""How what is told may be written; workers know how for each."""

WhyOff = Literal["by_owner", "gone", "failing", "banned", "behind"]
ROTATION_MS = 86_400_000
MOST_SECRETS = 5


class Secret(msgspec.Struct, frozen=True, omit_defaults=True):
    """A shared secret, and until when it is good (ms since the epoch), if it was replaced."""

    text: str
    until: int | None = None


class Subscription(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an owner chose; the newest secret comes first."""

    id: str
    player: str
    url: str
    types: tuple[NoticeType, ...]
    created_at: int
    secrets: tuple[Secret, ...]
    match: str | None = None
    game: str | None = None
    everybody: bool = False
    my_turn: bool = False
    headers: Mapping[str, str] = {}
    format: str = "standard"

    @property
    def wish(self) -> Wish:
        """What it wishes to hear."""
        types = frozenset(self.types)
        return Wish(self.player, types, self.match, self.game, self.everybody, self.my_turn)

    def good_secrets(self, now: int) -> list[str]:
        """The secrets to sign with."""
        return [one.text for one in self.secrets if one.until is None or now < one.until]


class Health(msgspec.Struct, frozen=True):
    """How it went lately; times in ms since the epoch."""

    off: WhyOff | None = None
    off_at: int | None = None
    failures: int = 0
    """In a row."""
    failing_since: int | None = None
    error: str | None = None
    error_at: int | None = None
    success_at: int | None = None
    wait_until: int | None = None
    """Until when nothing is tried."""
    restored_at: int | None = None
    """When the store was last filled from a backup."""


class Known(msgspec.Struct, frozen=True):
    """A subscription and its health."""

    subscription: Subscription
    health: Health


_SUBSCRIPTION = msgspec.json.Decoder(Subscription)
_AS = "as"


class Subscriptions:
    """All subscriptions, in Redis; at most so many of each player."""

    def __init__(self, redis: Redis, partitions: int, most: int) -> None:
        self._redis = redis
        self._partitions = partitions
        self._most = most

    def add(self, subscription: Subscription) -> None:
        """Begin to tell; TooManyWebhooks."""
        mine = _of(subscription.player)
        self._redis.sadd(mine, subscription.id)
        if self._redis.scard(mine) > self._most:
            self._redis.srem(mine, subscription.id)
            raise TooManyWebhooks(f"A player has at most {self._most} webhooks.")
        self._redis.hset(key_of(subscription.id), _AS, msgspec.json.encode(subscription))
        self._wish(subscription.id, subscription.wish)

    def change(self, name: str, how: Callable[[Subscription], Subscription]) -> Subscription:
        """Let its owner choose anew, by what they chose before: nobody's change is lost by one at
        the same time, and what was removed stays so; NotFound.
        """
        while True:
            known = self.known(name)
            before, after = known.subscription, how(known.subscription)
            old, new = map(msgspec.json.encode, (before, after))
            if EDIT.run(self._redis, [key_of(name)], old, 0, _AS, new):
                break
        if after.wish != before.wish and known.health.off is None:
            self._wish(name, after.wish)
        return after

    def known(self, name: str) -> Known:
        """A subscription; NotFound."""
        fields: Any = self._redis.hgetall(key_of(name))
        if _AS.encode() not in fields:
            raise NotFound("You have no such webhook.")
        health = {key.decode(): text.decode() for key, text in fields.items()}
        subscription = _SUBSCRIPTION.decode(health.pop(_AS))
        return Known(subscription, msgspec.convert(health, Health, strict=False))

    def own(self, player: str, name: str) -> Known:
        """A subscription of this player; NotFound."""
        found = self.known(name)
        if found.subscription.player != player:
            raise NotFound("You have no such webhook.")
        return found

    def of(self, player: str) -> list[Known]:
        """All of a player, the oldest first."""
        found = []
        for name in self._names(player):
            try:
                found.append(self.known(name))
            except NotFound:
                self._redis.srem(_of(player), name)
        return sorted(found, key=lambda one: (one.subscription.created_at, one.subscription.id))

    def remove(self, player: str, name: str) -> None:
        """End a subscription: from now on nothing is sent."""
        self._redis.delete(key_of(name))
        self._wish(name, None)
        self._redis.srem(_of(player), name)

    def rotate(self, name: str, now: int) -> str:
        """A new secret; the ones before are good for a day more; NotFound."""
        fresh = Secret(new_secret())

        def rotated(one: Subscription) -> Subscription:
            ending = [
                msgspec.structs.replace(secret, until=secret.until or now + ROTATION_MS)
                for secret in one.secrets
                if secret.until is None or now < secret.until
            ]
            return msgspec.structs.replace(one, secrets=(fresh, *ending)[:MOST_SECRETS])

        self.change(name, rotated)
        return fresh.text

    def turn_off(self, name: str, why: WhyOff, now: int) -> None:
        """Tell nothing more until it is turned on."""
        self.note(name, off=why, off_at=now, wait_until=None)
        self.withdraw(name)

    def turn_on(self, subscription: Subscription) -> None:
        """Tell again from now on, as if nothing had failed."""
        gone = ("off", "off_at", "failures", "failing_since", "wait_until")
        self._redis.hdel(key_of(subscription.id), *gone)
        self._wish(subscription.id, subscription.wish)

    def hurry(self, name: str) -> None:
        """Wait no longer with what failed: its owner wants it tried now."""
        self.note(name, wait_until=None)

    def note(self, name: str, **health: int | str | None) -> None:
        """Write down how it goes; what is None is forgotten. Not if it has been removed."""
        gone = [field for field, value in health.items() if value is None]
        there = [
            word for field, value in health.items() if value is not None for word in (field, value)
        ]
        EDIT.run(self._redis, [key_of(name)], "", len(gone), *gone, *there)

    def withdraw(self, name: str) -> None:
        """Wish nothing any more."""
        self._wish(name, None)

    def bury(self, name: str) -> None:
        """Let nothing be left of what was removed while somebody worked for it."""
        self._redis.delete(key_of(name))
        self.withdraw(name)

    def restored(self, now: int) -> Iterator[str]:
        """Let each subscription in a store that was filled anew know that, and the projector of the
        wishes of those that are on, whose ids these are.
        """
        for key in self._redis.scan_iter("{hook:*}"):
            with suppress(NotFound):  # it was removed while somebody wrote down how it went
                known = self.known(key.decode().removeprefix("{hook:").removesuffix("}"))
                self.note(known.subscription.id, restored_at=now)
                if known.health.off is None:
                    self._wish(known.subscription.id, known.subscription.wish)
                    yield known.subscription.id

    def _wish(self, name: str, wish: Wish | None) -> None:
        put_wish(self._redis, self._partitions, name, wish)

    def _names(self, player: str) -> Sequence[str]:
        found: Any = self._redis.smembers(_of(player))
        return sorted(name.decode() for name in found)


def new_id() -> str:
    """An id that no other subscription has."""
    return f"w{secrets.token_hex(8)}"


def key_of(name: str) -> str:
    """The hash of a subscription; its name is what all its keys share a slot by."""
    return f"{{hook:{name}}}"


def _of(player: str) -> str:
    return f"player:{player}:webhooks"
