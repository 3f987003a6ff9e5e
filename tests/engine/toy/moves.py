"""What a player can choose."""

from __future__ import annotations

from typing import ClassVar

from domain.engine.play import Move, Seat


class Seal(Move):
    """Lay down this card for the prize: TOY-2.2."""

    sealed: ClassVar[bool] = True

    card: int


class ShowCard(Move):
    """Challenge this seat with this card: TOY-3.1."""

    own_events = ("CardPlayed",)

    to: Seat
    card: int


class Counter(Move):
    """Answer a card with a higher one: TOY-3.2."""

    own_events = ("CardPlayed",)

    card: int


class GiveIn(Move):
    """Pay rather than counter: TOY-3.3."""


class Pass(Move):
    """Make no further challenge: TOY-3.1."""


AnyMove = Seal | ShowCard | Counter | GiveIn | Pass
