"""Entries from their texts: facts are put where the commitments to them stand."""

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
Said = dict[str, Any]
"""A text as JSON values."""


class Unopened(Exception):
    """There are commitments in a text that nobody may open yet."""


def read_text(text: str) -> Said:
    """A text as JSON values; Unproven if it is none."""
    try:
        said = msgspec.json.decode(text)
        _known_format(said)
    except (msgspec.MsgspecError, AttributeError, KeyError, RecursionError, TypeError) as error:
        raise Unproven("its text is not that of an entry.") from error
    return dict(said)


def open_all(said: Said, openings: tuple[Opening, ...]) -> None:
    """Put facts where the commitments to them stand; Unproven if one of them was to another fact,
    or stands nowhere.
    """
    for opening in openings:
        inner, last = _place(said, opening.field)
        if inner[last] != {"commitment": _commitment(opening)}:
            raise Unproven(f"{opening.field} was not what its opening says.")
        inner[last] = _fact(opening)


def hidden_in(said: Said) -> Iterator[str]:
    """The fields of a text that are still commitments."""
    if _is_commitment(said["move"]):
        yield "move"
    for number, event in enumerate(said["events"]):
        yield from (
            f"events.{number}.{name}" for name, value in event.items() if _is_commitment(value)
        )


def entry_of(game: Game[Any], said: Said) -> tuple[Entry, Content]:
    """The entry whose text says this, without its head and the seed, and what it says; Unproven
    if it makes no sense in this game, Unopened if something in it is still hidden.
    """
    if any(hidden_in(said)):
        raise Unopened
    try:
        move = said["move"] and _moves(game).decode(encode(said["move"]))
        events = _events(game).decode(encode(said["events"]))
        entry = Entry(
            said["version"], said["kind"], said["actor"], said["at"],
            pack(move) if move else b"", pack(events), said["rules"], b"",
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


def _known_format(said: Said) -> None:
    if said["version"] == 1 and said["format"] != FORMAT:
        raise Unproven(f"its format is {said['format']}; this program reads format {FORMAT}.")
    if not isinstance(said["events"], list) or "move" not in said:
        raise TypeError


def _place(said: Said, field: str) -> tuple[Any, Any]:
    """What a field of a text stands in, and its name there."""
    if field == "move":
        return said, "move"
    if found := _FIELD.fullmatch(field):
        number, name, events = int(found["number"]), found["name"], said["events"]
        if number < len(events) and name in events[number]:
            return events[number], name
    raise Unproven(f"an opening is for {field}, which is not there.")


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
