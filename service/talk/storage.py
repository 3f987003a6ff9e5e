"""The messages about matches in Redis. All keys of a match are in the slot of its partition, and
streams have only numbers, so that words can be erased.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec

from projections.core.scripts import Script
from projections.core.spaces import slot_tag
from service.runtime.errors import KeyReused, NotFound
from service.runtime.random_bytes import ID_BYTES
from service.store.event_store import EventStore
from service.store.redis_client import store_errors
from service.store.redis_failures import log_redis_failures
from service.talk.messages import ROOMS, Message, Room

MAX_MESSAGES = 500
"""Maximum number of messages in a room; a further one replaces the oldest."""
MAX_CHANGES = 1_000
"""How many changes of a room streams can catch up with."""
MAX_FEED = 1_000
"""How many changes of a partition the processes that serve streams can be late."""
RECEIPT_S = 86_400
"""How long a request that is sent again is recognized, in seconds."""
DAY_MS = 86_400_000
RETENTION_MS = 30 * DAY_MS
"""How long after the end of its match talk is kept."""
RoomOfMatch = tuple[str, Room]
"""A room, with the id of its match."""
_SAY = Script(files(__package__).joinpath("say.lua").read_text())
_REMOVE = Script(files(__package__).joinpath("remove.lua").read_text())
_MESSAGE = msgspec.json.Decoder(Message)


class Change(NamedTuple):
    """A change of a room: its number, and that of the message that was said or removed."""

    number: int
    message: int
    is_removal: bool


class Talk:
    """The messages of all matches."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._redis = store.redis

    def say(self, match: str, room: Room, message: Message, command: bytes) -> tuple[int, Message]:
        """Keep a message; return its number, and the message. `command` identifies the request: a
        copy adds no message and gets the first one. Raises KeyReused if the key of another request
        comes again, NotFound if the first message was removed.
        """
        with store_errors():
            # The list comes first: what it lacks would not be erased with the account.
            self._redis.sadd(_list_key(message.author), match)
            request = command[ID_BYTES:].hex()
            number, kept, is_repeated = _SAY.run(
                self._redis,
                [
                    *self._written_keys(match, room), self._due_key(match),
                    f"{self._tag(match)}:talk:receipt:{command[:ID_BYTES].hex()}",
                    self._marks_key(match),
                ],
                match, room, msgspec.json.encode(message), MAX_MESSAGES, MAX_CHANGES, MAX_FEED,
                message.at + RETENTION_MS, request, RECEIPT_S, message.author,
            )  # fmt: skip
        with log_redis_failures("talk_not_listed", match=match, player=message.author):
            self._redis.sadd(_list_key(message.author), match)  # again: see `Notes.write`
        if kept.decode() != request:
            raise KeyReused("This Idempotency-Key was used for another message.")
        self._store.confirm(match)
        said = self.message(match, room, int(number)) if is_repeated else message
        return int(number), said

    def numbers(self, match: str, room: Room) -> list[int]:
        """Return the numbers of all messages in a room, the oldest first."""
        return self.numbers_in([(match, room)])[0]

    def numbers_in(self, rooms: Sequence[RoomOfMatch]) -> list[list[int]]:
        """Return for each room the numbers of its messages, the oldest first, in one round trip."""
        if not rooms:
            return []
        with store_errors(), self._redis.pipeline(transaction=False) as pipe:
            for one in rooms:
                pipe.hkeys(self._messages_key(*one))
            return [sorted(map(int, found)) for found in pipe.execute()]

    def read(self, match: str, room: Room, numbers: Sequence[int]) -> dict[int, Message]:
        """Return messages by their numbers, without those that were removed."""
        return self.read_in({(match, room): numbers}).get((match, room), {})

    def read_in(
        self, rooms: Mapping[RoomOfMatch, Sequence[int]]
    ) -> dict[RoomOfMatch, dict[int, Message]]:
        """Return messages of rooms by their numbers, as `read`, in one round trip; rooms of which
        no message is asked for are not in the result.
        """
        asked = {one: numbers for one, numbers in rooms.items() if numbers}
        if not asked:
            return {}
        with store_errors(), self._redis.pipeline(transaction=False) as pipe:
            for one, numbers in asked.items():
                pipe.hmget(self._messages_key(*one), [*map(str, numbers)])
            found = pipe.execute()
        return {
            one: {
                number: _MESSAGE.decode(message)
                for number, message in zip(numbers, messages, strict=True)
                if message is not None
            }
            for (one, numbers), messages in zip(asked.items(), found, strict=True)
        }

    def message(self, match: str, room: Room, number: int) -> Message:
        """Return a message. Raises NotFound if there is none, or it was removed."""
        found = self.read(match, room, [number])
        if not found:
            raise NotFound("There is no such message.")
        return found[number]

    def position(self, match: str, room: Room) -> int:
        """Return the number of the last change of a room; 0 if there is none."""
        with store_errors():
            rows: Any = self._redis.xrevrange(self._changes_key(match, room), count=1)
        return number_of(rows[0][0]) if rows else 0

    def changes(self, match: str, room: Room, after: int, limit: int) -> list[Change] | None:
        """Return at most `limit` changes of a room after one, the oldest first; None if those
        after it are no longer known.
        """
        key = self._changes_key(match, room)
        with store_errors(), self._redis.pipeline(transaction=False) as pipe:
            pipe.xrange(key, f"({after}-0" if after else "-", count=limit)
            pipe.xrevrange(key, count=1)
            rows, last = pipe.execute()
        position = number_of(last[0][0]) if last else 0
        found = [_change_from(*row) for row in rows]
        is_lost = after > position or (bool(found) and found[0].number != after + 1)
        return None if is_lost else found

    def remove(self, match: str, room: Room, numbers: Iterable[int]) -> int:
        """Remove messages from a room; return how many there were."""
        given = [*map(str, numbers)]
        if not given:
            return 0
        keys = self._written_keys(match, room)
        with store_errors():
            removed = _REMOVE.run(
                self._redis, keys, match, room, MAX_CHANGES, MAX_FEED, *given
            )  # fmt: skip
        return int(removed)

    def mark_read(self, player: str, match: str, room: Room, number: int) -> None:
        """Record that a player has read a room up to a message."""
        with store_errors():
            self._redis.sadd(_list_key(player), match)
            self._redis.hset(self._marks_key(match), f"{room}:{player}", str(number))
            self._redis.sadd(_list_key(player), match)  # again: see `Notes.write`

    def read_mark(self, player: str, match: str, room: Room) -> int:
        """Return the number of the last message of a room that a player has read, or 0."""
        return self.read_marks(player, [(match, room)])[0]

    def read_marks(self, player: str, rooms: Sequence[RoomOfMatch]) -> list[int]:
        """Return for each room the number of the last message that a player has read, or 0, in one
        round trip.
        """
        if not rooms:
            return []
        with store_errors(), self._redis.pipeline(transaction=False) as pipe:
            for match, room in rooms:
                pipe.hget(self._marks_key(match), f"{room}:{player}")
            return [int(found or 0) for found in pipe.execute()]

    def count_matches(self, player: str) -> int:
        """Return in how many matches a player has talked or read."""
        return self._redis.scard(_list_key(player))

    def erase_player(self, player: str) -> None:
        """Erase all that a player has said, and what they have read."""
        matches: Collection[Any] = self._redis.smembers(_list_key(player))
        for match in sorted(one.decode() for one in matches):
            for room in ROOMS:
                said = self.read(match, room, self.numbers(match, room))
                self.remove(match, room, [n for n, one in said.items() if one.author == player])
            self._redis.hdel(self._marks_key(match), *(f"{room}:{player}" for room in ROOMS))
        self._redis.delete(_list_key(player))

    def erase_match(self, match: str) -> None:
        """Erase all that was said about a match."""
        with store_errors():
            marks: Mapping[Any, Any] = self._redis.hgetall(self._marks_key(match))
            for player in {name.decode().partition(":")[2] for name in marks}:
                self._redis.srem(_list_key(player), match)
            for room in ROOMS:
                # one by one, so that readers of streams learn of it
                self.remove(match, room, self.numbers(match, room))
            keys = [key for room in ROOMS for key in self._written_keys(match, room)[:2]]
            self._redis.delete(*keys, self._marks_key(match))
            self._redis.zrem(self._due_key(match), match)

    def due(self, partition: int, now: int, limit: int) -> list[str]:
        """Return matches of a partition whose talk may have to be erased by now."""
        with store_errors():
            found: Any = self._redis.zrange(
                f"{slot_tag(partition)}:talk:due", "-inf", now, byscore=True, offset=0, num=limit
            )  # fmt: skip
        return [match.decode() for match in found]

    def keep_until(self, match: str, at: int) -> None:
        """Look at the talk of a match again at a time (ms since the epoch)."""
        with store_errors():
            self._redis.zadd(self._due_key(match), {match: at})

    def _tag(self, match: str) -> str:
        return slot_tag(self._store.partition_of(match))

    def _written_keys(self, match: str, room: Room) -> tuple[str, str, str]:
        """Return the keys that each change of a room writes."""
        feed = feed_key(self._store.partition_of(match))
        return self._messages_key(match, room), self._changes_key(match, room), feed

    def _messages_key(self, match: str, room: Room) -> str:
        return f"{self._tag(match)}:talk:{room}:{match}"

    def _changes_key(self, match: str, room: Room) -> str:
        return f"{self._messages_key(match, room)}:changes"

    def _marks_key(self, match: str) -> str:
        return f"{self._tag(match)}:talk:marks:{match}"

    def _due_key(self, match: str) -> str:
        return f"{self._tag(match)}:talk:due"


def feed_key(partition: int) -> str:
    """Return the key of the feed of talk of a partition."""
    return f"{slot_tag(partition)}:talk:feed"


def _list_key(player: str) -> str:
    return f"player:{player}:talk"


def number_of(row_id: bytes) -> int:
    """Return the number of a row of a stream."""
    return int(row_id.partition(b"-")[0])


def _change_from(row_id: bytes, fields: Mapping[bytes, bytes]) -> Change:
    [(kind, message)] = fields.items()
    return Change(number_of(row_id), int(message), kind == b"removed")
