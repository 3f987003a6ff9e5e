"""How facts are stored: for each match and seat its values and its numbers, as flat tuples.

The service builds the columns of a table from a hundred thousand of them within a second.
"""

from __future__ import annotations

from itertools import pairwise

import msgspec

from domain.analysis.facts import Facts
from domain.engine.play import Seat
from projections.core.months import month_of

StoredValue = str | int | None
USUAL = "usual"
FORFEIT = "forfeit"
MISSING = -1.0 * 2**30
"""Stands for a missing number; all real numbers are far from it."""
MATCH_COLUMNS = ("game", "seats", "end", "month", "rules", "begun", "rated", "options")
"""The stored values of a match, in this order."""
SEAT_COLUMNS = ("seat", "who", "others", "rating", "first", "result")
"""The stored values of a seat, in this order."""
_COMPETITOR = SEAT_COLUMNS.index("who")
MATCH_NUMBERS = ("length", "minutes", "margin", "undos")
SEAT_NUMBERS = (
    "share", "contested", "points", "lead", "decisions", "seconds", "undone", "timed_out",
    "resigned",
)  # fmt: skip
"""The stored numbers of a seat; the points by category follow them, in alphabetical order."""
RATING_BAND_LIMITS = (15, 20, 25, 30, 35)
"""The ratings (mu) at which one band ends and the next begins."""
RATING_BANDS = (
    f"under {RATING_BAND_LIMITS[0]}",
    *(f"{low} to {high}" for low, high in pairwise(RATING_BAND_LIMITS)),
    f"{RATING_BAND_LIMITS[-1]} and above",
)


class SeatRow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A seat: its values and its numbers."""

    values: tuple[StoredValue, ...]
    numbers: tuple[float, ...]


class MatchRow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A match: its values, its numbers, the categories of its scoring (separated by spaces), and
    its seats.
    """

    match: str
    values: tuple[StoredValue, ...]
    numbers: tuple[float, ...]
    categories: str
    seats: tuple[SeatRow, ...]

    @property
    def competitors(self) -> frozenset[StoredValue]:
        """The competitors of the match."""
        return frozenset(seat.values[_COMPETITOR] for seat in self.seats)


_ENCODER = msgspec.json.Encoder(order="deterministic")
_DECODER = msgspec.json.Decoder(MatchRow)


def write_row(row: MatchRow) -> str:
    """Encode a row."""
    return _ENCODER.encode(row).decode()


def read_row(text: bytes) -> MatchRow:
    """Decode a row."""
    return _DECODER.decode(text)


def row_of(facts: Facts) -> MatchRow:
    """Return the row of a match from its facts."""
    categories = sorted({name for seat in facts.seats for name in seat.breakdown})
    options = _ENCODER.encode(facts.options).decode()
    return MatchRow(
        match=facts.match,
        values=(
            facts.game,
            len(facts.seats),
            facts.end,
            month_of(facts.ended),
            facts.rules,
            _beginning(facts),
            facts.unrated or "yes",
            options,
        ),
        numbers=(facts.decisions, facts.minutes, _margin(facts), facts.undos),
        categories=" ".join(categories),
        seats=tuple(_seat(facts, seat, categories) for seat in range(len(facts.seats))),
    )


def _beginning(facts: Facts) -> str:
    """Return how a match began."""
    return FORFEIT if facts.forfeited else facts.given or USUAL


def _seat(facts: Facts, seat: Seat, categories: list[str]) -> SeatRow:
    here = facts.seats[seat]
    others = {_competitor(facts, other) for other in range(len(facts.seats)) if other != seat}
    others.discard(here.player or "")  # a player with several seats plays against the other players
    return SeatRow(
        values=(
            seat,
            _competitor(facts, seat),
            " ".join(sorted(others)),
            _rating_band(here.rating),
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


def _competitor(facts: Facts, seat: Seat) -> str:
    """Return the competitor of a seat: a player's id, or `bot:<level>` if no player ever
    held it.
    """
    here = facts.seats[seat]
    return here.player or f"bot:{here.bot}"


def _rating_band(rating: tuple[float, float] | None) -> str | None:
    return RATING_BANDS[sum(rating[0] >= end for end in RATING_BAND_LIMITS)] if rating else None


def _lead(facts: Facts, seat: Seat) -> float:
    """Return the points of a seat minus those of the best other seat; MISSING if all
    play together.
    """
    if facts.together:
        return MISSING
    others = [one.points for other, one in enumerate(facts.seats) if other != seat]
    return facts.seats[seat].points - max(others)


def _margin(facts: Facts) -> float:
    """Return the difference between the highest and the second highest score, without seats that
    resigned; MISSING if all play together.
    """
    if facts.together:
        return MISSING
    points = sorted((one.points for one in facts.seats if not one.resigned), reverse=True)
    return points[0] - points[1] if len(points) > 1 else MISSING
