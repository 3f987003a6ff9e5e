"""The move that a player sent, and the seat that they act for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.engine.codecs.json_codec import read_move
from domain.engine.errors import BadMove, NotYourTurn
from domain.engine.play import Move, Seat
from domain.engine.resolve_touches import pointed_at
from domain.match import visibility
from domain.match.decisions import playing
from domain.match.errors import Forbidden, Malformed
from domain.match.log import Draft
from domain.match.state import Match

Json = dict[str, Any]


def own_seat(match: Match, player: str, seat: Seat | None) -> Seat:
    """The seat a player acts for: the one they name, else the one of theirs that has to decide;
    Forbidden if it is not theirs.
    """
    seats = match.seats_of(player)
    if not seats:
        raise Forbidden("not_seated", "You have no seat in this match.")
    if seat is not None and seat not in seats:
        raise Forbidden("not_your_seat", f"Seat {seat} is not yours.")
    if seat is not None:
        return seat
    return next((mine for mine in match.awaited if mine in seats), seats[0])


def parse_move(match: Match, player: str, data: Json, seat: Seat | None) -> Move:
    """The move that a player sent, for a seat of theirs; BadMove or Malformed if it is none,
    Forbidden if the seat is not theirs to play now.
    """
    named = data.get("seat", seat)
    if seat is not None and named != seat:
        raise Malformed("seats_differ", "`seat` and the seat in `move` differ.")
    if named is not None and (not isinstance(named, int) or isinstance(named, bool)):
        raise Malformed("bad_seat", "A seat is a whole number.")
    mine = _played_seat(match, player, named)
    try:
        return read_move(match.game, mine, data)
    except BadMove as refusal:
        raise BadMove(f"{refusal.reason}{_asked_for(match)}", refusal.faults) from refusal


def meant(match: Match, player: str, trial: Json) -> Move:
    """The move of a trial: the one that it has as `move`, or that its `touches` lead to.

    Raises what `parse_move` does; for touches Unfinished and RuleBroken, GameOver, Impossible and
    NotYourTurn as for moves.
    """
    seat = trial.get("seat")
    if "move" in trial:
        return parse_move(match, player, trial["move"], seat)
    mine = _played_seat(match, player, seat)
    playing.must_be_active(match)
    if mine not in match.awaited:
        raise NotYourTurn
    view = visibility.view(match, mine)
    return pointed_at(match.game, match.state, mine, view, trial["touches"])


def made_by(player: str, data: Json, seat: Seat | None) -> Callable[[Match, int], Draft]:
    """The decision to make the move that a player sent."""

    def decision(match: Match, now: int) -> Draft:
        return playing.move(match, parse_move(match, player, data, seat), now)

    return decision


def _played_seat(match: Match, player: str, seat: Seat | None) -> Seat:
    """The seat that a player plays; Forbidden if it is not theirs, or a bot plays it now."""
    mine = own_seat(match, player, seat)
    if match.status == "active" and not match.chairs[mine].human:
        raise Forbidden("seat_played_by_bot", "A bot plays this seat now; reclaim it first.")
    return mine


def _asked_for(match: Match) -> str:
    """Which moves are asked for now."""
    if match.status != "active":
        return ""
    names = (f"`{move.__name__}`" for move in match.game.answers.to(type(match.state.agenda[-1])))
    return f" Asked for now: {', '.join(names)}."
