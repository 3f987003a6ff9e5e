"""Moves, events and steps as JSON."""

from __future__ import annotations

import operator
from functools import cache, reduce
from typing import Any

import msgspec

from domain.engine.errors import BadMove, BadOptions, Unreadable
from domain.engine.faults import DECODE_ERRORS, find_faults
from domain.engine.game import Game, Json
from domain.engine.options import check_modes
from domain.engine.play import Awaiting, Event, Move, Seat

ENCODER = msgspec.json.Encoder()


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
    try:
        return _decode_move(game, seat, data)
    except DECODE_ERRORS as error:
        whole = {**data, "seat": seat}
        raise _unreadable(BadMove, _any_of(game.answers.moves), whole, error) from error


def find_move(game: Game[Any], seat: Seat, data: Json) -> Move | None:
    """Decode the JSON of a move of this seat; None, without its faults, if it is none."""
    try:
        return _decode_move(game, seat, data)
    except DECODE_ERRORS:
        return None


def _decode_move(game: Game[Any], seat: Seat, data: Json) -> Move:
    move: Move = _moves_decoder(game).decode(ENCODER.encode({**data, "seat": seat}))
    return move


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
