"""Events as every game has them: those of the match, and who has to decide; others are skipped."""

from __future__ import annotations

import msgspec

from domain.engine.play import Seat
from domain.match.events import MATCH_EVENTS, MatchEvent
from domain.match.log import Entry


class Step(msgspec.Struct, frozen=True):
    """A step of any game."""

    seats: tuple[Seat, ...] = ()


class Awaiting(msgspec.Struct, frozen=True, tag=True):
    """Where a move of any game came to rest: the agenda, with the next step last."""

    agenda: tuple[Step, ...]


AnyEvent = MatchEvent | Awaiting


class _Kind(msgspec.Struct):
    type: str


class _Mover(msgspec.Struct):
    seat: Seat


_RAW = msgspec.json.Decoder(list[msgspec.Raw])
_KIND = msgspec.json.Decoder(_Kind)
_MOVER = msgspec.json.Decoder(_Mover)
_KINDS: tuple[type[AnyEvent], ...] = (*MATCH_EVENTS, Awaiting)
_DECODERS = {kind.__name__: msgspec.json.Decoder(kind) for kind in _KINDS}


def read_events(text: bytes) -> list[AnyEvent]:
    """The events of an entry that do not belong to a game, in order."""
    return [
        decoder.decode(raw)
        for raw in _RAW.decode(text)
        if (decoder := _DECODERS.get(_KIND.decode(raw).type)) is not None
    ]


def mover_of(entry: Entry) -> Seat | None:
    """The seat that made the move of an entry, if it is a move."""
    return _MOVER.decode(entry.move).seat if entry.move else None
