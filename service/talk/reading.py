"""What a reader gets of a room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from service.accounts.players import Players
from service.matches.container import Annals
from service.matches.queries import iso
from service.talk.messages import Message, Room, phrase_in
from service.talk.mutes import authors_left_out
from service.talk.storage import Talk

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
    unread = count_unread(annals, match, room, reader)
    return RoomPage(found, previous, position, last_read, unread)


def count_unread(annals: Annals, match: str, room: Room, reader: str) -> int:
    """Return how many messages of a room a reader has not read, without their own and those that
    they leave out.
    """
    talk = Talk(annals.store)
    if not (numbers := talk.numbers(match, room)):
        return 0
    last_read = talk.read_mark(reader, match, room)
    new = talk.read(match, room, [number for number in numbers if number > last_read])
    return len(without(leave_out(annals, reader, new), frozenset({reader})))


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
