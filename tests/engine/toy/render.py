"""The table as text and as a picture."""

from __future__ import annotations

from tests.engine.toy.view import View

LINE = 20


def text(view: View) -> str:
    """A line for the round and one for each seat."""
    head = f"Round {view.round} of {view.rounds}, prize {view.prize}, {view.bag} in the bag"
    rows = zip(view.points, view.cards, view.sealed, strict=True)
    seats = [
        f"Seat {seat}: {points} points, {cards} cards{', sealed' if sealed else ''}"
        for seat, (points, cards, sealed) in enumerate(rows)
    ]
    hand = [] if view.hand is None else [f"Hand: {' '.join(map(str, view.hand))}"]
    return "\n".join((head, *seats, *hand)) + "\n"


def svg(view: View) -> str:
    """The same lines as a picture."""
    lines = text(view).splitlines()
    rows = (f'<text x="8" y="{LINE * y}">{line}</text>' for y, line in enumerate(lines, 1))
    size = f'width="480" height="{LINE * (len(lines) + 1)}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(rows)}</svg>'
