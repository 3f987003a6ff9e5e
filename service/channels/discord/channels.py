"""Which matches a channel sees: those that were opened in it, or shared to it by somebody who has
a seat there; and which message has the buttons of each.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from service.channels.discord.channel_followers import follow, leave
from service.store.event_store import Store

MOST = 200
"""Matches that a channel sees; the oldest are forgotten first."""
PAGE = 500
CLOSED_S = 3_600
"""How long the bot does not try to speak in a channel in which it may not."""


class Card(Struct, frozen=True):
    """The message in a channel that shows a match: what is in it but its buttons, and its file."""

    message: str
    version: int
    components: list[Any]
    attachment: str | None

    def stands_after(self, other: Card) -> bool:
        """Whether it is the later one of two: of a newer version, or below it in the channel."""
        return (self.version, int(self.message)) > (other.version, int(other.message))


_CARD = msgspec.json.Decoder(Card)


class Channels:
    """Which channels see which matches, in Redis."""

    def __init__(self, store: Store) -> None:
        self._store, self._redis = store, store.redis

    def show(self, channel: str, match: str, now: int) -> None:
        """Let a channel see a match from now on."""
        self._redis.sadd(_match_key(match), channel)
        follow(self._store, match)
        self._redis.zadd(_key(channel), {match: now})
        too_many: Any = self._redis.zrange(_key(channel), 0, -MOST - 1)
        for old in too_many:
            self._redis.zrem(_key(channel), old)
            self._redis.srem(_match_key(old.decode()), channel)

    def sees(self, channel: str | None, match: str) -> bool:
        """Whether a channel sees a match."""
        return channel is not None and self._redis.zscore(_key(channel), match) is not None

    def matches(self, channel: str | None) -> Sequence[str]:
        """The matches that a channel sees, the newest first."""
        found: Any = self._redis.zrevrange(_key(channel), 0, MOST) if channel else []
        return [match.decode() for match in found]

    def of(self, match: str) -> set[str]:
        """The channels that see a match."""
        found: Any = self._redis.smembers(_match_key(match))
        return {channel.decode() for channel in found}

    def leave(self, match: str) -> None:
        """Tell no channel of a match by ourselves any more: it is over. They see it still."""
        leave(self._store, match)
        self._redis.delete(_match_key(match))

    def follow_all(self) -> None:
        """Let all that channels are told of be known to the projector of a store filled anew."""
        for key in self._redis.scan_iter(_match_key("*")):
            follow(self._store, key.decode().removeprefix(_match_key("")))

    def close(self, channel: str) -> None:
        """The bot may not speak there: it does not try for a while, as whoever tries on and on is
        shut out.
        """
        self._redis.set(_closed_key(channel), 1, ex=CLOSED_S)

    def is_closed(self, channel: str) -> bool:
        """Whether it is not to try there now."""
        return bool(self._redis.exists(_closed_key(channel)))

    def card(self, channel: str, match: str) -> Card | None:
        """The message that shows a match in a channel, if there is one."""
        found: Any = self._redis.get(_card_key(channel, match))
        return _CARD.decode(found) if found else None

    def drop_cards(self, matches: Collection[str]) -> None:
        """Forget the messages that showed these matches; they stay in Discord as they are."""
        for key in self.cards_of(matches):
            self._redis.delete(key)

    def cards_of(self, matches: Collection[str]) -> list[bytes]:
        """The keys of all messages that showed these matches: names of players are in them."""
        keys = self._redis.scan_iter(_card_key("*", "*"), count=PAGE) if matches else ()
        return [key for key in keys if key.decode().rpartition(":")[2] in matches]

    def put_card(self, channel: str, match: str, card: Card) -> Card | None:
        """Note the message that shows a match; the one that did before."""
        before: Any = self._redis.set(
            _card_key(channel, match), msgspec.json.encode(card), get=True
        )
        return _CARD.decode(before) if before else None


def _key(channel: str) -> str:
    return f"discord:channel:{channel}"


def _closed_key(channel: str) -> str:
    return f"discord:closed:{channel}"


def _match_key(match: str) -> str:
    return f"discord:match:{match}"


def _card_key(channel: str, match: str) -> str:
    return f"discord:card:{channel}:{match}"
