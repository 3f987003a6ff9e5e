"""The sentences that text and picture share."""

from __future__ import annotations

from tests.engine.toy.view import View


def lines(view: View) -> list[str]:
    """The round, each seat, and the hand of the viewer."""
    head = f"Round {view.round} of {view.rounds}, prize {view.prize}, {view.bag} in the bag"
    seats = [_seat(view, seat) for seat in range(len(view.points))]
    hand = [] if view.hand is None else [f"Hand: {' '.join(map(str, view.hand))}"]
    return [head, *seats, *hand]


def _seat(view: View, seat: int) -> str:
    sealed = ", sealed" if view.sealed[seat] else ""
    return f"Seat {seat}: {view.points[seat]} points, {view.cards[seat]} cards{sealed}"
