"""Moves, events and steps as JSON."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from functools import cache, reduce
from typing import Any, TypeVar

import msgspec

from domain.engine.errors import BadMove, BadOptions, BadPosition, Unreadable
from domain.engine.faults import MOST as MOST_FAULTS
from domain.engine.faults import Fault, Path, find_faults
from domain.engine.game import Game, Json
from domain.engine.options import refuse_of_other_modes
from domain.engine.play import Awaiting, Event, Move, Seat

T = TypeVar("T")
ENCODER = msgspec.json.Encoder()


MOST = 9_999
"""No number in a position is greater. Nothing has to be computed with numbers that have no end."""
TOO_MUCH = f"It is not between -{MOST} and {MOST}."
UNREADABLE = (msgspec.ValidationError, UnicodeEncodeError)
"""Not the right fields, or half of a character."""


@cache
def event_types(game: Game[Any]) -> tuple[Any, ...]:
    """All events of a game as types to decode, with the agenda of its steps."""
    return (*game.events, Awaiting[_any_of(game.answers.steps)])  # type: ignore[misc]  # known at run time


@cache
def _any_of(types: tuple[Any, ...]) -> Any:
    return reduce(operator.or_, types)


@cache
def _events_decoder(game: Game[Any]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(list[_any_of(event_types(game))])  # type: ignore[misc]  # likewise


@cache
def _moves_decoder(game: Game[Any]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(_any_of(game.answers.moves))


def get_ready(game: Game[Any]) -> None:
    """Make what reads moves and events of a game, rather than when the first one is read."""
    _moves_decoder(game)
    _events_decoder(game)


def encode(record: Any) -> bytes:
    """Any record, or sequence of records, as JSON."""
    return ENCODER.encode(record)


def to_json(record: Any) -> Any:
    """Any record as JSON values: dicts, lists, strings and numbers."""
    return msgspec.to_builtins(record)


def as_read_back(record: Any) -> Any:
    """Any record as JSON values, just as they will be read from the annals."""
    return msgspec.json.decode(ENCODER.encode(record))


def read_events(game: Game[Any], text: bytes | str) -> list[Event[Any]]:
    """Events of a game from their JSON."""
    events: list[Event[Any]] = _events_decoder(game).decode(text)
    return events


def read_move(game: Game[Any], seat: Seat, data: Json) -> Move:
    """A move of this seat from its JSON; BadMove says what cannot be read in it."""
    whole = {**data, "seat": seat}
    try:
        move: Move = _moves_decoder(game).decode(ENCODER.encode(whole))
    except UNREADABLE as error:
        raise _unreadable(BadMove, _any_of(game.answers.moves), whole, error) from error
    return move


def read_position(kind: type[T], data: Json) -> T:
    """A position as the record that a game reads it with; BadPosition says what cannot be read."""
    try:
        position = msgspec.convert(data, kind)
    except UNREADABLE as error:
        raise _unreadable(BadPosition, kind, data, error) from error
    if huge := [Fault(TOO_MUCH, path) for path in _huge(data)]:
        raise BadPosition(str(huge[0]), huge[:MOST_FAULTS])
    return position


def _huge(data: Any, path: Path = ()) -> Iterator[Path]:
    """The ways to numbers that are in no position."""
    if isinstance(data, int | float):
        yield from () if abs(data) <= MOST else (path,)
    elif isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _huge(value, (*path, key))


def read_options(game: Game[Any], data: Json) -> msgspec.Struct:
    """The options of a game from their JSON, with defaults for what is left out; BadOptions, also
    if one is chosen that means nothing in the mode.
    """
    try:
        options = msgspec.json.decode(ENCODER.encode(data), type=game.options)
    except UNREADABLE as error:
        raise _unreadable(BadOptions, game.options, data, error) from error
    refuse_of_other_modes(options)
    return options


def _unreadable(refusal: type[Unreadable], kind: Any, data: Json, error: Exception) -> Unreadable:
    """The refusal of data that cannot be read as this kind of record, with all its faults."""
    faults = find_faults(kind, data, error)
    return refusal(" ".join(map(str, faults)), faults)
