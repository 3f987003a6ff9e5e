"""What a player can choose."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from domain.engine.play import Move, Seat
from tests.engine.toy.state import Answer, Challenge, Choose, State


class Seal(Move):
    """Lay down this card for the prize."""

    sealed: ClassVar[bool] = True

    card: int


class ShowCard(Move):
    """Challenge this seat with this card."""

    to: Seat
    card: int


class Counter(Move):
    """Answer a card with a higher one."""

    card: int


class GiveIn(Move):
    """Pay rather than counter."""


class Pass(Move):
    """Challenge nobody any more."""


MOVES = (Seal, ShowCard, Counter, GiveIn, Pass)
AnyMove = Seal | ShowCard | Counter | GiveIn | Pass


def candidates(state: State, seat: Seat) -> Iterable[AnyMove]:
    """Moves worth asking `check` about."""
    cards = sorted(set(state.hands[seat]))
    match state.agenda[-1]:
        case Choose():
            return [Seal(seat, card) for card in cards]
        case Challenge():
            others = range(len(state.hands))
            return [Pass(seat), *(ShowCard(seat, to, card) for to in others for card in cards)]
        case Answer():
            return [GiveIn(seat), *(Counter(seat, card) for card in cards)]
        case step:
            raise AssertionError(step)
