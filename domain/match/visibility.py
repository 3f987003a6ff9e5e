"""Who may see what in a match."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from domain.engine.game import Game
from domain.engine.play import Seat, redact
from domain.match.errors import Forbidden, InvalidCommand
from domain.match.log import AnyEvent
from domain.match.state import Match


def hides_something(game: Game[Any]) -> bool:
    """Whether seats of a game may know what others may not."""
    return any(event.hidden_fields for event in game.events)


def can_see(match: Match, player: str | None) -> bool:
    """Whether a player, or an anonymous visitor (None), may know that this match exists."""
    if match.visibility == "public":
        return True
    return player is not None and (
        player == match.host
        or any(player in (chair.player, chair.invited) for chair in match.chairs)
    )


def default_viewer_seat(match: Match, player: str | None) -> Seat | None:
    """The default seat that a player views the match from; None is a spectator.

    A player with several seats views it from the seat that has to decide (QIN-13.2).
    """
    seats = match.seats_of(player)
    if len(seats) < 2 or match.over:
        return seats[0] if seats else None
    return next((seat for seat in match.seats_to_move if seat in seats), None)


def viewer_seat(match: Match, player: str | None, seat: Seat | None) -> Seat | None:
    """The requested seat, if the player may view the match from it.

    Raises Forbidden if they may not, InvalidCommand if there is no such seat.
    """
    if seat is None:
        return None
    if seat not in range(len(match.chairs)):
        raise InvalidCommand("no_such_seat", f"The table has no seat {seat}.")
    if match.over:
        return seat
    seats = match.seats_of(player)
    if seats == (seat,) or (seat in seats and seat in match.seats_to_move):
        return seat
    raise Forbidden("not_your_view", "You may view the match from this seat only after the end.")


def redact_event(match: Match, event: AnyEvent, seat: Seat | None) -> AnyEvent:
    """An event as this seat, or a spectator (None), may know it."""
    return event if match.revealed else redact(event, seat)


def can_open(match: Match, owner: Seat | None, seat: Seat | None) -> bool:
    """Whether this seat, or a spectator, may know what only `owner` may know (no seat if None)."""
    return match.revealed or (owner is not None and owner == seat)


def can_read_move(match: Match, sealed: bool, mover: Seat, seat: Seat | None) -> bool:
    """Whether this seat may read a move in the log."""
    return match.revealed or not sealed or mover == seat


def view(match: Match, seat: Seat | None) -> Any:
    """The view of this seat, or of a spectator; None before the start.

    No seat has to decide in a match that is over, even if its game has no result.
    """
    if match.state is None:
        return None
    shown = match.game.view(match.state, seat)
    if match.over and "awaiting" in shown.__struct_fields__:  # small games leave it out
        return replace(shown, awaiting=())
    return shown
