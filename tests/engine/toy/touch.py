"""How players point at moves: cards of the hand, seats, and words."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.game import Json
from domain.engine.touches import ImpliedMoves, Pointing, TouchKind, Way, as_number
from tests.engine.toy import moves
from tests.engine.toy.view import View

CARD = TouchKind("card", "thing", "a card of the hand, by its value")
SEAT = TouchKind("seat", "thing", "another seat, by its number")
GIVE_IN = TouchKind("give_in", "word", "pay rather than counter")
PASS = TouchKind("pass", "word", "challenge nobody any more")
KINDS = (CARD, SEAT, GIVE_IN, PASS)


def touches(_view: View, move: moves.AnyMove) -> Iterator[Way]:
    """The card, then the seat that it is shown to; or the word."""
    match move:
        case moves.ShowCard(to=to, card=card):
            yield CARD.of(card), SEAT.of(to)
        case moves.Seal(card=card) | moves.Counter(card=card):
            yield (CARD.of(card),)
        case moves.GiveIn():
            yield (GIVE_IN.of(),)
        case moves.Pass():
            yield (PASS.of(),)


def _laid(_view: View, card: str) -> Iterator[Json]:
    """A card without a seat: sealed, or an answer."""
    for kind in ("Seal", "Counter"):
        yield {"type": kind, "card": as_number(card)}


def _shown(_view: View, card: str, to: str) -> Iterator[Json]:
    """A card that is shown to a seat."""
    yield {"type": "ShowCard", "card": as_number(card), "to": as_number(to)}


IMPLIED_MOVES: ImpliedMoves = {("card",): _laid, ("card", "seat"): _shown}
"""The moves that cards and seats imply, legal or not."""
POINTING = Pointing(touches=touches, kinds=KINDS, implied_moves=IMPLIED_MOVES)
