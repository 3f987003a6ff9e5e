"""Who may see what of a match."""

from __future__ import annotations

from typing import Any

from domain.engine.play import Seat, redact
from domain.match.errors import Forbidden, Malformed
from domain.match.log import AnyEvent
from domain.match.state import Match


def knows(match: Match, player: str | None) -> bool:
    """Whether a player, or nobody in particular, may know that this match exists."""
    if match.visibility == "public":
        return True
    return player is not None and (
        player == match.host
        or any(player in (chair.player, chair.invited) for chair in match.chairs)
    )


def viewing_seat(match: Match, player: str | None) -> Seat | None:
    """The seat a player sees as, unless they name another; None is a spectator.

    A player with several seats sees as the seat that has to decide (QIN-13.2).
    """
    seats = match.seats_of(player)
    if len(seats) < 2 or match.over:
        return seats[0] if seats else None
    return next((seat for seat in match.awaited if seat in seats), None)


def seat_to_see_as(match: Match, player: str | None, seat: Seat | None) -> Seat | None:
    """That seat, if the player may see as it; Forbidden if not, Malformed if there is none."""
    if seat is None:
        return None
    if seat not in range(len(match.chairs)):
        raise Malformed("no_such_seat", f"The table has no seat {seat}.")
    if match.over:
        return seat
    seats = match.seats_of(player)
    if seats == (seat,) or (seat in seats and seat in match.awaited):
        return seat
    raise Forbidden("not_your_eyes", "You may not see as this seat before the end.")


def seen(match: Match, event: AnyEvent, seat: Seat | None) -> AnyEvent:
    """An event as this seat, or a spectator, may know it; after the end as it was."""
    return event if match.revealed else redact(event, seat)


def may_open(match: Match, owner: Seat | None, seat: Seat | None) -> bool:
    """Whether this seat, or a spectator, may know what is hidden from all but its owner, if it has
    one.
    """
    return match.revealed or (owner is not None and owner == seat)


def sees_move(match: Match, sealed: bool, mover: Seat, seat: Seat | None) -> bool:
    """Whether this seat may read a choice in the annals."""
    return match.revealed or not sealed or mover == seat


def view(match: Match, seat: Seat | None) -> Any:
    """The game as this seat, or a spectator, sees it; None before the start."""
    return None if match.state is None else match.game.view(match.state, seat)
