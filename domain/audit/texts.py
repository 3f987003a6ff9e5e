"""Texts of entries: the public bytes that the hash chain of a match covers.

A text is the JSON of an entry, with a commitment in place of each value that is hidden before the
end. It depends only on the entry and the seed, so it need not be stored. docs/audit.md describes
each field.
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
"""Version of the format; the first text of a chain contains it."""
_HEAD_PREFIX = b"annals/entry/1\n"


class Commitment(msgspec.Struct, frozen=True):
    """The placeholder of a hidden value in a text: the SHA-256 of its salt and its fact, in hex."""

    commitment: str


class Opening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Proof that a commitment was made to a fact."""

    field: str  # its path in the text: `move`, or `events.<n>.<field>`, counted from 0
    salt: str  # 32 bytes, in hex
    fact: str  # its JSON, byte for byte


class Salts(NamedTuple):
    """The salts of a match, all derived from one secret."""

    match: str
    key: bytes  # its seed, or another secret if the host supplied the seed

    def salt(self, version: int, field: str) -> bytes:
        """The salt of a field of an entry: 32 bytes."""
        name = f"salt|{self.match}|{version}|{field}"
        return hmac.digest(self.key, name.encode(), "sha256")


class Content(NamedTuple):
    """The unpacked content of an entry."""

    move: Move | None
    events: Sequence[AnyEvent]


def content_of(game: Game[Any], entry: Entry) -> Content:
    """Unpack the content of an entry."""
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
    """The text of an entry with this content; the same for every viewer at any time."""
    move: Any = content.move
    events: Sequence[Any] = content.events
    if move is not None and move.sealed:
        move = _commit(salts, entry.version, "move", move)
    if any(event.hidden_fields for event in events):
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
    """All openings of the text of an entry, each with the seat that may know it before the end, or
    None.
    """
    if content.move is not None and content.move.sealed:
        yield content.move.seat, _opening(salts, entry.version, "move", content.move)
    for number, event in enumerate(content.events):
        for name in event.hidden_fields:
            place = _field_path(number, name)
            opening = _opening(salts, entry.version, place, getattr(event, name))
            yield getattr(event, "seat", None), opening


def commitment(salt: bytes, fact: bytes) -> str:
    """The public commitment to a hidden fact, which is given as JSON."""
    return hashlib.sha256(salt + fact).hexdigest()


def head_after(head: bytes, text: bytes) -> bytes:
    """The head after an entry with this text."""
    return hashlib.sha256(_HEAD_PREFIX + head + text).digest()


def with_head(match_id: str, before: Match, entry: Entry, draft: Draft) -> Entry:
    """The entry with its head, which follows from the head of the match before it."""
    content = Content(draft.move, draft.events)
    text = text_of(Salts(match_id, before.salt_key), entry, content)
    return msgspec.structs.replace(entry, head=head_after(before.head, text))


def _with_commitments(salts: Salts, version: int, number: int, event: Record) -> Record:
    changes = {
        name: _commit(salts, version, _field_path(number, name), getattr(event, name))
        for name in event.hidden_fields
    }
    return msgspec.structs.replace(event, **changes) if changes else event


def _field_path(number: int, name: str) -> str:
    return f"events.{number}.{name}"


def _commit(salts: Salts, version: int, field: str, fact: object) -> Commitment:
    return Commitment(commitment(salts.salt(version, field), encode(fact)))


def _opening(salts: Salts, version: int, field: str, fact: object) -> Opening:
    return Opening(field, salts.salt(version, field).hex(), encode(fact).decode())
