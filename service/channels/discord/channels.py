"""Which matches a channel shows, and which message shows each.

A channel shows the matches opened in it, and those that one of their players has shared to it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from service.channels.discord.channel_followers import follow, unfollow
from service.store.event_store import EventStore

MAX_MATCHES_PER_CHANNEL = 200
"""Maximum number of matches that a channel shows; the oldest are dropped first."""
SCAN_COUNT = 500
UNWRITABLE_S = 3_600
"""How long the bot does not post to a channel after Discord refused it."""


class PostedCard(Struct, frozen=True):
    """The message in a channel that shows a match: its components without buttons, and its file."""

    message: str
    version: int
    components: list[Any]
    attachment: str | None

    def is_later_than(self, other: PostedCard) -> bool:
        """Return whether this card shows a newer version, or the same version further down."""
        return (self.version, int(self.message)) > (other.version, int(other.message))


_CARD = msgspec.json.Decoder(PostedCard)


class Channels:
    """The channels and their matches, stored in Redis."""

    def __init__(self, store: EventStore) -> None:
        self._store, self._redis = store, store.redis

    def add_match(self, channel: str, match: str, now: int) -> None:
        """Show a match in a channel from now on."""
        self._redis.sadd(_match_key(match), channel)
        follow(self._store, match)
        self._redis.zadd(_key(channel), {match: now})
        too_many: Any = self._redis.zrange(_key(channel), 0, -MAX_MATCHES_PER_CHANNEL - 1)
        for old in too_many:
            self._redis.zrem(_key(channel), old)
            self._redis.srem(_match_key(old.decode()), channel)

    def shows(self, channel: str | None, match: str) -> bool:
        """Return whether a channel shows a match."""
        return channel is not None and self._redis.zscore(_key(channel), match) is not None

    def matches(self, channel: str | None) -> Sequence[str]:
        """Return the matches that a channel shows, the newest first."""
        found: Any = (
            self._redis.zrevrange(_key(channel), 0, MAX_MATCHES_PER_CHANNEL) if channel else []
        )
        return [match.decode() for match in found]

    def channels_of(self, match: str) -> set[str]:
        """Return the channels that show a match."""
        found: Any = self._redis.smembers(_match_key(match))
        return {channel.decode() for channel in found}

    def stop_updates(self, match: str) -> None:
        """Post no more updates of a match that is over; channels can still show it on request."""
        unfollow(self._store, match)
        self._redis.delete(_match_key(match))

    def follow_all(self) -> None:
        """After a restore, subscribe all channels to their matches again."""
        for key in self._redis.scan_iter(_match_key("*")):
            follow(self._store, key.decode().removeprefix(_match_key("")))

    def mark_unwritable(self, channel: str) -> None:
        """Do not post to a channel for a while: Discord blocks applications that keep trying."""
        self._redis.set(_unwritable_key(channel), 1, ex=UNWRITABLE_S)

    def is_unwritable(self, channel: str) -> bool:
        """Return whether the bot must not post to this channel now."""
        return bool(self._redis.exists(_unwritable_key(channel)))

    def card(self, channel: str, match: str) -> PostedCard | None:
        """Return the message that shows a match in a channel, or None if there is none."""
        found: Any = self._redis.get(_card_key(channel, match))
        return _CARD.decode(found) if found else None

    def drop_cards(self, matches: Collection[str]) -> None:
        """Delete the records of messages that showed these matches; Discord keeps the messages."""
        for key in self.cards_of(matches):
            self._redis.delete(key)

    def cards_of(self, matches: Collection[str]) -> list[bytes]:
        """Return the keys of all messages that showed these matches; they contain names
        of players.
        """
        keys = self._redis.scan_iter(_card_key("*", "*"), count=SCAN_COUNT) if matches else ()
        return [key for key in keys if key.decode().rpartition(":")[2] in matches]

    def put_card(self, channel: str, match: str, card: PostedCard) -> PostedCard | None:
        """Store the message that shows a match; returns the previous one."""
        before: Any = self._redis.set(
            _card_key(channel, match), msgspec.json.encode(card), get=True
        )
        return _CARD.decode(before) if before else None


def _key(channel: str) -> str:
    return f"discord:channel:{channel}"


def _unwritable_key(channel: str) -> str:
    return f"discord:unwritable:{channel}"


def _match_key(match: str) -> str:
    return f"discord:match:{match}"


def _card_key(channel: str, match: str) -> str:
    return f"discord:card:{channel}:{match}"
