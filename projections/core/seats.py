"""The seats in the summary of a match."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.engine.play import Seat


class SeatSummary(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who holds a seat, and whether they resigned or ran out of time."""

    player: str | None = None
    bot: str | None = None
    invited: str | None = None
    resigned: bool = False
    timed_out: bool = False
    declined: str | None = None  # the player who declined the invitation to it
    replaceable: bool = False  # whether a new player may take it from an absent one

    @property
    def human(self) -> bool:
        """Whether a person decides for this seat now."""
        return self.player is not None and self.bot is None and not self.resigned


def change_seat(
    seats: Sequence[SeatSummary],
    seat: Seat,
    **changes: Any,  # noqa: ANN401 - any field
) -> tuple[SeatSummary, ...]:
    """Return the seats with one of them changed."""
    changed = list(seats)
    changed[seat] = replace(changed[seat], **changes)
    return tuple(changed)


def close_seats(
    seats: tuple[SeatSummary, ...], absent: Collection[Seat]
) -> tuple[SeatSummary, ...]:
    """Return the seats if new players may take only absent ones."""
    for number, seat in enumerate(seats):
        if seat.replaceable and number not in absent:
            seats = change_seat(seats, number, replaceable=False)
    return seats
