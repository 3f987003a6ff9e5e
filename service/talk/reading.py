"""What a reader gets of a room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from service.accounts.players import Players
from service.matches.container import Annals
from service.matches.queries import iso
from service.talk.messages import Message, Room, phrase_in
from service.talk.mutes import authors_left_out
from service.talk.storage import MAX_MESSAGES, RoomOfMatch, Talk

Json = dict[str, Any]
Numbered = Mapping[int, Message]


class RoomPage(NamedTuple):
    """A page of a room, as a reader gets it."""

    messages: Numbered
    """By number, the oldest first."""
    previous: int | None
    """The number before which older messages are; None if there are none."""
    position: int
    """The number of the last change before the page was read."""
    last_read: int
    """The number of the last message that the reader has read."""
    unread: int
    """How many messages of others the reader has not read."""


class Unread(NamedTuple):
    """What a reader has not read of a room."""

    messages: int
    """How many."""
    last: int
    """The number of the last message in the room, or 0."""
    newest: int
    """The number of the last message that is unread, or 0."""


def read_room(
    annals: Annals, match: str, room: Room, reader: str, before: int | None, limit: int
) -> RoomPage:
    """Return at most `limit` messages of a room before one, or the last ones, without those whose
    authors the reader leaves out.
    """
    talk = Talk(annals.store)
    position = talk.position(match, room)  # first: what follows, a stream has too
    numbers = talk.numbers(match, room)
    last_read = talk.read_mark(reader, match, room)
    earlier = [number for number in numbers if before is None or number < before]
    chosen = earlier[-limit:]
    previous = chosen[0] if len(earlier) > len(chosen) else None
    found = leave_out(annals, reader, talk.read(match, room, chosen))
    [(unread, *_)] = find_unread(annals, reader, [(match, room)])
    return RoomPage(found, previous, position, last_read, unread)


def find_unread(
    annals: Annals, reader: str, rooms: Sequence[RoomOfMatch], limit: int = MAX_MESSAGES
) -> list[Unread]:
    """Return for each room what a reader has not read of its last `limit` messages, without their
    own and those that they leave out. One round trip, and four more if there is talk.
    """
    talk = Talk(annals.store)
    numbers = dict(zip(rooms, talk.numbers_in(rooms), strict=True))
    spoken = [one for one in rooms if numbers[one]]
    marks = zip(spoken, talk.read_marks(reader, spoken), strict=True)
    new = talk.read_in(
        {one: [n for n in numbers[one][-limit:] if n > last_read] for one, last_read in marks}
    )
    authors = {message.author for found in new.values() for message in found.values()} - {reader}
    if authors:
        authors -= authors_left_out(annals.store.redis, reader, authors)
    unread = {
        room: [number for number, one in found.items() if one.author in authors]
        for room, found in new.items()
    }
    return [
        Unread(
            len(unread.get(room, ())),
            max(numbers[room], default=0),
            max(unread.get(room, ()), default=0),
        )
        for room in rooms
    ]


def leave_out(annals: Annals, reader: str, messages: Numbered) -> dict[int, Message]:
    """Return messages without those of the authors whom a reader leaves out."""
    authors = {one.author for one in messages.values()}
    return without(messages, authors_left_out(annals.store.redis, reader, authors))


def without(messages: Numbered, left_out: frozenset[str]) -> dict[int, Message]:
    """Return the messages without those of some authors."""
    return {number: one for number, one in messages.items() if one.author not in left_out}


def show_messages(players: Players, messages: Numbered, language: str) -> list[Json]:
    """Return messages as JSON, with names and phrases in a language."""
    names = players.names({one.author for one in messages.values()}, language)
    return [show_message(number, one, names, language) for number, one in messages.items()]


def show_message(number: int, message: Message, names: Mapping[str, str], language: str) -> Json:
    """Return a message as JSON, with its phrase in a language."""
    phrase = message.phrase or None
    return {
        "number": number,
        "at": iso(message.at),
        "player": message.author,
        "name": names.get(message.author, message.author),
        "phrase": phrase,
        "text": phrase_in(phrase, language) if phrase else message.text,
    }


def show_phrases(keys: Sequence[str], language: str) -> list[Json]:
    """Return phrases as JSON, in a language."""
    return [{"key": key, "text": phrase_in(key, language)} for key in keys]
