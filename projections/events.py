"""Events that are known without the game: those of the match, and who has to decide."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec.msgpack import Decoder

from domain.engine.compact import number_of, reader
from domain.engine.play import Awaiting, Seat
from domain.match.events import MATCH_EVENTS, MatchEvent
from domain.match.log import Entry


class StepSeats(msgspec.Struct, frozen=True, array_like=True):
    """The seats of a step, whichever game it belongs to, after the number of its class."""

    number: int
    seats: tuple[Seat, ...]


class AgendaSeats(msgspec.Struct, frozen=True, array_like=True, tag=number_of(Awaiting)):
    """Where a move of any game came to rest: the seats of its agenda, with the next step last."""

    agenda: tuple[StepSeats, ...]


KnownEvent = MatchEvent | AgendaSeats


class _Packed(msgspec.Struct, array_like=True):
    number: int


class _Mover(msgspec.Struct, array_like=True):
    number: int
    seat: Seat


_SPLIT = Decoder(list[msgspec.Raw])
_PACKED = Decoder(_Packed)
_MOVER = Decoder(_Mover)
_READERS: Mapping[int, Callable[[Any], KnownEvent]] = {
    number_of(Awaiting): Decoder(AgendaSeats).decode,
    **{number_of(kind): reader(kind) for kind in MATCH_EVENTS},
}
KNOWN_EVENTS: tuple[type[KnownEvent], ...] = (*MATCH_EVENTS, AgendaSeats)


def known_events(packed: bytes) -> list[KnownEvent]:
    """The events of an entry that do not belong to a game, in order."""
    return [
        read(raw)
        for raw in _SPLIT.decode(packed)
        if (read := _READERS.get(_PACKED.decode(raw).number)) is not None
    ]


def mover_of(entry: Entry) -> Seat | None:
    """The seat that made the move of an entry, if it is a move."""
    return _MOVER.decode(entry.move).seat if entry.move else None
