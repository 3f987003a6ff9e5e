"""The mark of a seat: what stands for its player beside a line of text, or as a line of a graph."""

from __future__ import annotations

from dataclasses import dataclass

from domain.engine.drawing.panel import INK
from domain.engine.drawing.svg import Markup, circle, group, text
from domain.engine.play import Seat
from domain.engine.sentences import seat_number

COLOURS = ("#0072b2", "#c44e00", "#007a5a", "#a8458a", "#8a6100", "#4d5761")
"""By seat, where the pieces of a game have none: those of Okabe and Ito, darkened."""


@dataclass(frozen=True)
class SeatMark:
    """The colour of a seat, and its sign within 20 pixels of the origin, as pictures show it."""

    colour: str
    sign: Markup


def numbered_mark(_view: object, seat: Seat) -> SeatMark:
    """A disc with the number of the seat."""
    colour = COLOURS[seat % len(COLOURS)]
    number = text(
        0, 9, str(seat_number(seat)), 26, fill="#ffffff", text_anchor="middle", font_weight=700
    )
    return SeatMark(
        colour, group(circle(0, 0, 18, fill=colour, stroke=INK, stroke_width=2), number)
    )
