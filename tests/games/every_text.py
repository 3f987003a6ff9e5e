"""What each game must do so that anyone can check its annals, as functions of a game and seats."""

from __future__ import annotations

import hashlib
from functools import lru_cache, reduce
from operator import or_
from typing import Any, NamedTuple

import msgspec

from domain.audit.texts import Content, Opening, Salts, head_after, openings, text_of
from domain.engine.codecs import json_codec
from domain.engine.codecs.binary_codec import decoder, pack
from domain.engine.play import redact
from domain.match.log import Entry
from tests.games.record import record
from tests.games.seen import AnyGame

SALTS, OTHER_SALTS = Salts("m", bytes(range(32))), Salts("m", bytes(32))


class EntryWithText(NamedTuple):
    """A move and its events as an entry, with its text."""

    entry: Entry
    content: Content
    text: bytes


def texts_say_what_a_spectator_sees(game: AnyGame, seats: int) -> None:
    """And nothing else: a commitment stands for each hidden value."""
    for _, content, encoded in _play_entries(game, seats):
        text = msgspec.json.decode(encoded)
        for event, said in zip(content.events, text["events"], strict=True):
            told = _json(redact(event, None))
            assert told.keys() == said.keys()
            for name, value in said.items():
                hidden = name in event.hidden_fields
                assert value.keys() == {"commitment"} if hidden else value == told[name]
        if content.move and content.move.sealed:
            assert text["move"].keys() == {"commitment"}
        else:
            assert text["move"] == _json(content.move)


def openings_open_all_that_is_hidden(game: AnyGame, seats: int) -> None:
    """With them, a text contains all that its entry contains."""
    for entry, content, encoded in _play_entries(game, seats):
        text = msgspec.json.decode(encoded)
        for _, opening in openings(SALTS, entry, content):
            _open(text, opening)
        assert text["move"] == _json(content.move)
        assert text["events"] == _json(content.events)


def a_seat_can_open_what_it_sees(game: AnyGame, seats: int) -> None:
    """No more and no less."""
    for entry, content, _ in _play_entries(game, seats):
        found = list(openings(SALTS, entry, content))
        for seat in range(seats):
            own = {opening.field for owner, opening in found if owner == seat}
            told = {
                f"events.{number}.{name}"
                for number, event in enumerate(content.events)
                for name in event.hidden_fields
                if redact(event, seat) == event
            }
            sealed = content.move and content.move.sealed and content.move.seat == seat
            assert own == told | ({"move"} if sealed else set())


def texts_are_the_same_when_they_come_from_the_store(game: AnyGame, seats: int) -> None:
    """So the service does not store them."""
    event: Any = reduce(or_, json_codec.event_types(game))
    read = decoder(list[event])
    for entry, content, text in _play_entries(game, seats):
        again = Content(content.move, read(pack(list(content.events))))
        assert text_of(SALTS, entry, again) == text


def heads_of_different_entries_differ(game: AnyGame, seats: int) -> None:
    """Also entries that differ only in hidden values."""
    for entry, content, text in _play_entries(game, seats):
        texts = {text, text_of(OTHER_SALTS, entry, content)}
        hides = any(event.hidden_fields for event in content.events)
        hides |= content.move is not None and content.move.sealed
        assert len({head_after(bytes(32), text) for text in texts}) == 1 + hides


@lru_cache(maxsize=1)
def _play_entries(game: AnyGame, seats: int) -> list[EntryWithText]:
    """Play a game and return its moves and their events as entries."""
    played = record(game, seats, 0)
    moves: list[Any] = [None, *(moment.move for moment in played.moments)]
    found: list[EntryWithText] = []
    events: list[Any] = []
    for event in played.events:
        events.append(event)
        if type(event).__name__ == "Awaiting":
            number = len(found)
            entry = Entry(number + 2, "Moved", "u", 5, b"", b"", 1, b"")
            content = Content(moves[number], events)
            found.append(EntryWithText(entry, content, text_of(SALTS, entry, content)))
            events = []
    return found


def _open(text: Any, opening: Opening) -> None:
    """Put a fact into the place of its commitment."""
    fact = opening.fact.encode()
    found = hashlib.sha256(bytes.fromhex(opening.salt) + fact).hexdigest()
    *way, last = (int(part) if part.isdigit() else part for part in opening.field.split("."))
    inner = text
    for part in way:
        inner = inner[part]
    assert inner[last] == {"commitment": found}
    inner[last] = msgspec.json.decode(fact)


def _json(value: object) -> Any:
    return msgspec.json.decode(json_codec.encode(value))
