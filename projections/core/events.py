"""Events that are readable without the game: those of the match, and the seats that must decide."""

from __future__ import annotations

import msgspec
from msgspec.msgpack import Decoder

from domain.engine.codecs.binary_codec import Decoders, class_id, decode_known, decoders
from domain.engine.play import Awaiting, Seat
from domain.match.events import MATCH_EVENTS
from domain.match.log import Entry
from domain.match.state import MatchEvent


class StepSeats(msgspec.Struct, frozen=True, array_like=True):
    """The seats of a step of any game, after the number of its class."""

    number: int
    seats: tuple[Seat, ...] = ()


class AgendaSeats(msgspec.Struct, frozen=True, array_like=True, tag=class_id(Awaiting)):
    """The seats of the agenda after a move of any game; the next step comes last."""

    agenda: tuple[StepSeats, ...]


KnownEvent = MatchEvent | AgendaSeats


class _Mover(msgspec.Struct, array_like=True):
    number: int
    seat: Seat


_MOVER = Decoder(_Mover)
KNOWN_EVENTS: tuple[type[KnownEvent], ...] = (*MATCH_EVENTS, AgendaSeats)
_READERS: Decoders = {
    class_id(Awaiting): Decoder(AgendaSeats).decode,
    **decoders(*MATCH_EVENTS),
}


def read_known_events(packed: bytes) -> list[KnownEvent]:
    """Decode the events of an entry that do not belong to a game, in order."""
    return decode_known(_READERS, packed)


def mover_of(entry: Entry) -> Seat | None:
    """Return the seat that made the move of an entry, or None if the entry has no move."""
    return _MOVER.decode(entry.move).seat if entry.move else None
