"""Events that are known without the game: those of the match, and who has to decide."""

from __future__ import annotations

import msgspec

from domain.engine.play import Seat
from domain.match.events import MATCH_EVENTS, MatchEvent
from domain.match.log import Entry


class StepSeats(msgspec.Struct, frozen=True):
    """The seats of a step, whichever game it belongs to."""

    seats: tuple[Seat, ...] = ()


class AgendaSeats(msgspec.Struct, frozen=True, tag="Awaiting"):
    """Where a move of any game came to rest: the seats of its agenda, with the next step last."""

    agenda: tuple[StepSeats, ...]


KnownEvent = MatchEvent | AgendaSeats


class _Kind(msgspec.Struct):
    type: str


class _Mover(msgspec.Struct):
    seat: Seat


_RAW = msgspec.json.Decoder(list[msgspec.Raw])
_KIND = msgspec.json.Decoder(_Kind)
_MOVER = msgspec.json.Decoder(_Mover)
KNOWN_EVENTS: tuple[type[KnownEvent], ...] = (*MATCH_EVENTS, AgendaSeats)
_DECODERS = {kind.__struct_config__.tag: msgspec.json.Decoder(kind) for kind in KNOWN_EVENTS}


def known_events(text: bytes) -> list[KnownEvent]:
    """The events of an entry (a JSON array) that do not belong to a game, in order."""
    return [
        decoder.decode(raw)
        for raw in _RAW.decode(text)
        if (decoder := _DECODERS.get(_KIND.decode(raw).type)) is not None
    ]


def mover_of(entry: Entry) -> Seat | None:
    """The seat that made the move of an entry, if it is a move."""
    return _MOVER.decode(entry.move).seat if entry.move else None
