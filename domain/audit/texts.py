"""Texts of entries: the bytes that everybody may read, and of which the chain of a match is made.

A text is the JSON of an entry with a commitment in the place of all that is hidden before the end.
It depends on nothing but the entry and the seed, so nobody has to store it. docs/audit.md has it
field by field.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from domain.engine.codecs.json_codec import encode
from domain.engine.game import Game
from domain.engine.play import Move, Record, Seat
from domain.match.log import AnyEvent, Draft, Entry, read_events, read_move
from domain.match.state import Match

FORMAT = 1
"""Which bytes these are; the first text of a chain tells it."""
_OF_ENTRY = b"annals/entry/1\n"


class Commitment(msgspec.Struct, frozen=True):
    """What stands in a text for what is hidden: the SHA-256 of its salt and its fact, in hex."""

    commitment: str


class Opening(msgspec.Struct, frozen=True):
    """What shows that a commitment was to a fact."""

    field: str  # where it stands in the text: `move`, or `events.<n>.<field>`, counted from 0
    salt: str  # 32 bytes, in hex
    fact: str  # its JSON, of which each byte counts


class Salts(NamedTuple):
    """What makes the salts of a match, all of which one secret tells."""

    match: str
    key: bytes  # its seed, or another secret if that was given

    def of(self, version: int, field: str) -> bytes:
        """The salt of a field of an entry: 32 bytes."""
        name = f"salt|{self.match}|{version}|{field}"
        return hmac.digest(self.key, name.encode(), "sha256")


class Content(NamedTuple):
    """What an entry says, unpacked."""

    move: Move | None
    events: Sequence[AnyEvent]


def content_of(game: Game[Any], entry: Entry) -> Content:
    """What an entry of a match of this game says."""
    move = read_move(game, entry.move) if entry.move else None
    return Content(move, read_events(game, entry.events))


class _Text(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The fields of a text, in order."""

    format: int | None = None
    version: int
    kind: str
    actor: str
    at: int
    rules: int
    move: Any
    events: Any


def text_of(salts: Salts, entry: Entry, content: Content) -> bytes:
    """The text of an entry that says this; the same for every viewer, and at any time."""
    move: Any = content.move
    events: Sequence[Any] = content.events
    if move is not None and move.sealed:
        move = _committed(salts, entry.version, "move", move)
    if any(event.hidden for event in events):
        numbered = enumerate(events)
        events = [_with_commitments(salts, entry.version, n, event) for n, event in numbered]
    text = _Text(
        format=FORMAT if entry.version == 1 else None,
        version=entry.version,
        kind=entry.kind,
        actor=entry.actor,
        at=entry.at,
        rules=entry.rules,
        move=move,
        events=events,
    )
    return encode(text)


def openings(salts: Salts, entry: Entry, content: Content) -> Iterator[tuple[Seat | None, Opening]]:
    """All openings of the text of an entry, each with the seat that may know it before the end, if
    any may.
    """
    if content.move is not None and content.move.sealed:
        yield content.move.seat, _opening(salts, entry.version, "move", content.move)
    for number, event in enumerate(content.events):
        for name in event.hidden:
            place = _place(number, name)
            opening = _opening(salts, entry.version, place, getattr(event, name))
            yield getattr(event, "seat", None), opening


def commitment(salt: bytes, fact: bytes) -> str:
    """What is published of a fact, given as its JSON, while it is hidden."""
    return hashlib.sha256(salt + fact).hexdigest()


def head_after(head: bytes, text: bytes) -> bytes:
    """The head of a match once an entry with this text follows on the one with that head."""
    return hashlib.sha256(_OF_ENTRY + head + text).digest()


def chained(match_id: str, before: Match, entry: Entry, draft: Draft) -> Entry:
    """The entry that records a draft, with its head: it follows on the match as it was before."""
    content = Content(draft.move, draft.events)
    text = text_of(Salts(match_id, before.salt_key), entry, content)
    return msgspec.structs.replace(entry, head=head_after(before.head, text))


def _with_commitments(salts: Salts, version: int, number: int, event: Record) -> Record:
    changes = {
        name: _committed(salts, version, _place(number, name), getattr(event, name))
        for name in event.hidden
    }
    return msgspec.structs.replace(event, **changes) if changes else event


def _place(number: int, name: str) -> str:
    return f"events.{number}.{name}"


def _committed(salts: Salts, version: int, field: str, fact: object) -> Commitment:
    return Commitment(commitment(salts.of(version, field), encode(fact)))


def _opening(salts: Salts, version: int, field: str, fact: object) -> Opening:
    return Opening(field, salts.of(version, field).hex(), encode(fact).decode())
