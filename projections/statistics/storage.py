"""How facts are stored: what matches and seats can be told apart by, and numbers, side by side.

So a table is made of a hundred thousand of them within a second, column by column.
"""

from __future__ import annotations

from itertools import pairwise

import msgspec

from domain.analysis.facts import Facts
from domain.engine.play import Seat
from projections.core.months import month_of

Stored = str | int | None
USUAL = "usual"
FORFEIT = "forfeit"
MISSING = -1.0 * 2**30
"""Stands for a number that there is not: all others are far from it."""
OF_MATCH = ("game", "seats", "end", "month", "rules", "begun", "rated", "options")
"""What is stored of a match to tell it apart, in this order."""
OF_SEAT = ("seat", "who", "others", "rating", "first", "result")
"""The same of a seat."""
_WHO = OF_SEAT.index("who")
MATCH_NUMBERS = ("length", "minutes", "margin", "undos")
SEAT_NUMBERS = (
    "share", "contested", "points", "lead", "decisions", "seconds", "undone", "timed_out",
    "resigned",
)  # fmt: skip
"""Then come the points by category, in the order of these."""
BANDS = (15, 20, 25, 30, 35)
"""Where one band of ratings (mu) ends and the next begins."""
BAND_NAMES = (
    f"under {BANDS[0]}",
    *(f"{low} to {high}" for low, high in pairwise(BANDS)),
    f"{BANDS[-1]} and above",
)


class SeatRow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A seat: what there is to tell it apart by, and its numbers."""

    has: tuple[Stored, ...]
    numbers: tuple[float, ...]


class Row(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A match: what there is to tell it apart by, its numbers, the categories of its scoring (with
    spaces between), and its seats.
    """

    match: str
    has: tuple[Stored, ...]
    numbers: tuple[float, ...]
    categories: str
    seats: tuple[SeatRow, ...]

    @property
    def seated(self) -> frozenset[Stored]:
        """Who sits at it."""
        return frozenset(seat.has[_WHO] for seat in self.seats)


_ENCODER = msgspec.json.Encoder(order="deterministic")
_DECODER = msgspec.json.Decoder(Row)


def write(row: Row) -> str:
    """A row as it is kept."""
    return _ENCODER.encode(row).decode()


def read(text: bytes) -> Row:
    """The row that was kept."""
    return _DECODER.decode(text)


def row_of(facts: Facts) -> Row:
    """What is stored of a match."""
    categories = sorted({name for seat in facts.seats for name in seat.breakdown})
    options = _ENCODER.encode(facts.options).decode()
    return Row(
        match=facts.match,
        has=(
            facts.game,
            len(facts.seats),
            facts.end,
            month_of(facts.ended),
            facts.rules,
            _begun(facts),
            facts.unrated or "yes",
            options,
        ),
        numbers=(facts.decisions, facts.minutes, _margin(facts), facts.undos),
        categories=" ".join(categories),
        seats=tuple(_seat(facts, seat, categories) for seat in range(len(facts.seats))),
    )


def _begun(facts: Facts) -> str:
    """With what a match began."""
    return FORFEIT if facts.forfeited else facts.given or USUAL


def _seat(facts: Facts, seat: Seat, categories: list[str]) -> SeatRow:
    here = facts.seats[seat]
    others = {_who(facts, other) for other in range(len(facts.seats)) if other != seat}
    others.discard(here.player or "")  # who holds several seats plays against the others
    return SeatRow(
        has=(
            seat,
            _who(facts, seat),
            " ".join(sorted(others)),
            _band(here.rating),
            here.first or None,
            "won" if here.share == 1 else "shared" if here.share else "lost",
        ),
        numbers=(
            here.share,
            MISSING if facts.together else here.share,
            here.points,
            _lead(facts, seat),
            here.decisions,
            here.ms / 1000,
            float(here.undos > 0),
            float(here.timed_out),
            float(here.resigned),
            *(here.breakdown.get(name, MISSING) for name in categories),
        ),
    )


def _who(facts: Facts, seat: Seat) -> str:
    """Who is on a seat: a player's id, or `bot:<level>` if it never had one."""
    here = facts.seats[seat]
    return here.player or f"bot:{here.bot}"


def _band(rating: tuple[float, float] | None) -> str | None:
    return BAND_NAMES[sum(rating[0] >= end for end in BANDS)] if rating else None


def _lead(facts: Facts, seat: Seat) -> float:
    """How many points a seat has more than the best of the others, if it plays against them."""
    if facts.together:
        return MISSING
    others = [one.points for other, one in enumerate(facts.seats) if other != seat]
    return facts.seats[seat].points - max(others)


def _margin(facts: Facts) -> float:
    """How many points the one with most has more than the next, of those who did not give up; none
    where all play together.
    """
    if facts.together:
        return MISSING
    points = sorted((one.points for one in facts.seats if not one.resigned), reverse=True)
    return points[0] - points[1] if len(points) > 1 else MISSING
