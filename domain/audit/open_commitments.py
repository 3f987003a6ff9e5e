"""Entries from their texts, by replacing commitments with the opened facts."""

from __future__ import annotations

import hashlib
import operator
import re
from collections.abc import Iterator
from functools import cache, reduce
from typing import Any

import msgspec

from domain.audit.errors import Unproven
from domain.audit.texts import FORMAT, Content, Opening
from domain.engine.codecs.binary_codec import pack
from domain.engine.codecs.json_codec import encode, event_types
from domain.engine.game import Game
from domain.engine.play import Move
from domain.match.events import MATCH_EVENTS
from domain.match.log import AnyEvent, Entry

_SALT = re.compile(r"[0-9a-f]{64}")
_FIELD = re.compile(r"events\.(?P<number>0|[1-9][0-9]{0,5})\.(?P<name>[a-z_]{1,100})", re.ASCII)
TextFields = dict[str, Any]
"""The JSON values of a text."""


class _TextForm(msgspec.Struct, forbid_unknown_fields=True):
    """The members of a text, and their types."""

    version: int
    kind: str
    actor: str
    at: int
    rules: int
    move: dict[str, Any] | None
    events: list[dict[str, Any]]
    format: int | None = None


class StillHidden(Exception):
    """A text still contains commitments without an opening."""


def read_text(text: str) -> TextFields:
    """Parse the text of an entry. Raises Unproven if it is not one."""
    try:
        fields: TextFields = msgspec.json.decode(text)
        form = msgspec.convert(fields, _TextForm)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise Unproven("its text is not an entry.") from error
    if form.version == 1 and form.format != FORMAT:
        raise Unproven(f"its format is {form.format}; this program reads format {FORMAT}.")
    return fields


def open_all(fields: TextFields, openings: tuple[Opening, ...]) -> None:
    """Replace commitments by their facts, in place. Raises Unproven if an opening does not fit its
    commitment, or has none.
    """
    for opening in openings:
        inner, last = _locate(fields, opening.field)
        if inner[last] != {"commitment": _commitment(opening)}:
            raise Unproven(f"{opening.field} does not match its opening.")
        inner[last] = _fact(opening)


def hidden_fields(fields: TextFields) -> Iterator[str]:
    """The fields of a text that are still commitments."""
    if _is_commitment(fields["move"]):
        yield "move"
    for number, event in enumerate(fields["events"]):
        yield from (
            f"events.{number}.{name}" for name, value in event.items() if _is_commitment(value)
        )


def owner_of(fields: TextFields, field: str) -> object:
    """The seat that may know a field before the end; None if there is none, or a sealed move
    hides it.
    """
    owned = fields["move"] if field == "move" else _locate(fields, field)[0]
    return owned.get("seat")


def entry_of(game: Game[Any], fields: TextFields) -> tuple[Entry, Content]:
    """The entry with this text, without its head and the seed, and its content.

    Raises Unproven if it makes no sense in this game, StillHidden if it contains commitments.
    """
    if any(hidden_fields(fields)):
        raise StillHidden
    try:
        move = fields["move"] and _moves(game).decode(encode(fields["move"]))
        events = _events(game).decode(encode(fields["events"]))
        entry = Entry(
            fields["version"], fields["kind"], fields["actor"], fields["at"],
            pack(move) if move else b"", pack(events), fields["rules"], b"",
        )  # fmt: skip
    except (msgspec.MsgspecError, KeyError, TypeError, ValueError) as error:
        raise Unproven(f"it makes no sense in this game: {error}.") from error
    return entry, Content(move, events)


@cache
def _events(game: Game[Any]) -> msgspec.json.Decoder[list[AnyEvent]]:
    kinds: Any = reduce(operator.or_, (*MATCH_EVENTS, *event_types(game)))
    return msgspec.json.Decoder(list[kinds])


@cache
def _moves(game: Game[Any]) -> msgspec.json.Decoder[Move]:
    kinds: Any = reduce(operator.or_, game.answers.moves)
    return msgspec.json.Decoder(kinds)


def _locate(fields: TextFields, field: str) -> tuple[Any, Any]:
    """The object that contains a field of a text, and its key there."""
    if field == "move":
        return fields, "move"
    if found := _FIELD.fullmatch(field):
        number, name, events = int(found["number"]), found["name"], fields["events"]
        if number < len(events) and name in events[number]:
            return events[number], name
    raise Unproven(f"an opening is for {field}, which does not exist.")


def _is_commitment(value: object) -> bool:
    return isinstance(value, dict) and value.keys() == {"commitment"}


def _commitment(opening: Opening) -> str:
    if not _SALT.fullmatch(opening.salt):
        raise Unproven(f"the salt of {opening.field} is not in hexadecimal.")
    salt = bytes.fromhex(opening.salt)
    return hashlib.sha256(salt + opening.fact.encode()).hexdigest()


def _fact(opening: Opening) -> object:
    try:
        return msgspec.json.decode(opening.fact)
    except msgspec.MsgspecError as error:
        raise Unproven(f"the fact of {opening.field} is not JSON.") from error
