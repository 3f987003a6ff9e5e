"""Moves, events and steps as JSON."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from functools import cache, reduce
from typing import Any, TypeVar

import msgspec

from domain.engine.errors import BadMove, BadOptions, BadPosition, Unreadable
from domain.engine.faults import MAX_FAULTS as MOST_FAULTS
from domain.engine.faults import Fault, Path, find_faults
from domain.engine.game import Game, Json
from domain.engine.options import check_modes
from domain.engine.play import Awaiting, Event, Move, Seat

T = TypeVar("T")
ENCODER = msgspec.json.Encoder()


MAX_NUMBER = 9_999
"""Maximum absolute value of a number in a position. It keeps computations with them bounded."""
OUT_OF_RANGE = f"It is not between -{MAX_NUMBER} and {MAX_NUMBER}."
DECODE_ERRORS = (msgspec.ValidationError, UnicodeEncodeError)
"""Raised for wrong fields, and for half of a surrogate pair."""


@cache
def event_types(game: Game[Any]) -> tuple[Any, ...]:
    """All event types of a game for a decoder, with the agenda of its steps."""
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


def warm_up(game: Game[Any]) -> None:
    """Build the decoders of a game now, so that the first read is not slow."""
    _moves_decoder(game)
    _events_decoder(game)


def encode(record: Any) -> bytes:
    """A record, or a sequence of records, as JSON."""
    return ENCODER.encode(record)


def to_json(record: Any) -> Any:
    """A record as JSON values: dicts, lists, strings and numbers."""
    return msgspec.to_builtins(record)


def json_round_trip(record: Any) -> Any:
    """A record as the JSON values that a reader of the stored JSON will get."""
    return msgspec.json.decode(ENCODER.encode(record))


def read_events(game: Game[Any], text: bytes | str) -> list[Event[Any]]:
    """Decode the JSON of events of a game."""
    events: list[Event[Any]] = _events_decoder(game).decode(text)
    return events


def read_move(game: Game[Any], seat: Seat, data: Json) -> Move:
    """Decode the JSON of a move of this seat. Raises BadMove with all faults in it."""
    whole = {**data, "seat": seat}
    try:
        move: Move = _moves_decoder(game).decode(ENCODER.encode(whole))
    except DECODE_ERRORS as error:
        raise _unreadable(BadMove, _any_of(game.answers.moves), whole, error) from error
    return move


def read_position(kind: type[T], data: Json) -> T:
    """Convert the JSON of a position to this record type. Raises BadPosition with all faults."""
    try:
        position = msgspec.convert(data, kind)
    except DECODE_ERRORS as error:
        raise _unreadable(BadPosition, kind, data, error) from error
    if huge := [Fault(OUT_OF_RANGE, path) for path in _paths_out_of_range(data)]:
        raise BadPosition(str(huge[0]), huge[:MOST_FAULTS])
    return position


def _paths_out_of_range(data: Any, path: Path = ()) -> Iterator[Path]:
    """The paths to numbers that are too large for a position."""
    if isinstance(data, int | float):
        yield from () if abs(data) <= MAX_NUMBER else (path,)
    elif isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _paths_out_of_range(value, (*path, key))


def read_options(game: Game[Any], data: Json) -> msgspec.Struct:
    """Decode the JSON of a game's options; missing ones get their defaults. Raises BadOptions, also
    for an option that has no effect in the chosen mode.
    """
    try:
        options = msgspec.json.decode(ENCODER.encode(data), type=game.options)
    except DECODE_ERRORS as error:
        raise _unreadable(BadOptions, game.options, data, error) from error
    check_modes(options)
    return options


def _unreadable(refusal: type[Unreadable], kind: Any, data: Json, error: Exception) -> Unreadable:
    """The refusal of data that is not a record of this kind, with all its faults."""
    faults = find_faults(kind, data, error)
    return refusal(" ".join(map(str, faults)), faults)
