"""The sentences that text and picture share."""

from __future__ import annotations

from domain.engine.sentences import SeatName, Words, sentence
from tests.engine.toy.view import View


def lines(view: View, words: Words) -> list[str]:
    """The round, each seat, and the hand of the viewer."""
    head = words("round", round=view.round, rounds=view.rounds, prize=view.prize, left=view.bag)
    seats = [_seat(view, seat, words) for seat in range(len(view.points))]
    hand = [] if view.hand is None else [words("hand", cards=" ".join(map(str, view.hand)))]
    return [head, *seats, *hand]


def _seat(view: View, seat: int, words: Words) -> str:
    key = "has_sealed" if view.sealed[seat] else "has"
    parts = {"points": view.points[seat], "cards": view.cards[seat]}
    return words.line(sentence(key, seat=SeatName(seat), **parts))
