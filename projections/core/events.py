"""Events that are known without the game: those of the match, and who has to decide."""

from __future__ import annotations

import msgspec
from msgspec.msgpack import Decoder

from domain.engine.codecs.binary_codec import Readers, number_of, pick, readers
from domain.engine.play import Awaiting, Seat
from domain.match.events import MATCH_EVENTS, MatchEvent
from domain.match.log import Entry


class StepSeats(msgspec.Struct, frozen=True, array_like=True):
    """The seats of a step, whichever game it belongs to, after the number of its class."""

    number: int
    seats: tuple[Seat, ...] = ()


class AgendaSeats(msgspec.Struct, frozen=True, array_like=True, tag=number_of(Awaiting)):
    """Where a move of any game came to rest: the seats of its agenda, with the next step last."""

    agenda: tuple[StepSeats, ...]


KnownEvent = MatchEvent | AgendaSeats


class _Mover(msgspec.Struct, array_like=True):
    number: int
    seat: Seat


_MOVER = Decoder(_Mover)
KNOWN_EVENTS: tuple[type[KnownEvent], ...] = (*MATCH_EVENTS, AgendaSeats)
_READERS: Readers = {
    number_of(Awaiting): Decoder(AgendaSeats).decode,
    **readers(*MATCH_EVENTS),
}


def known_events(packed: bytes) -> list[KnownEvent]:
    """The events of an entry that do not belong to a game, in order."""
    return pick(_READERS, packed)


def mover_of(entry: Entry) -> Seat | None:
    """The seat that made the move of an entry, if it is a move."""
    return _MOVER.decode(entry.move).seat if entry.move else None
