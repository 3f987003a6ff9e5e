"""The move that a player sends, the seat that they act for, and the one that they take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.engine.codecs.json_codec import read_move
from domain.engine.errors import BadMove, NotYourTurn
from domain.engine.play import Move, Seat
from domain.match.decisions import absence, lessons, lobby, playing
from domain.match.decisions.admission import asks_for_reliability, require_reliability
from domain.match.errors import Forbidden, InvalidCommand
from domain.match.log import Draft
from domain.match.outages import Decision
from domain.match.state import Match
from projections.lists.reliability import read_reliability
from service.accounts.people.meeting import require_meetable
from service.matches.container import Annals

Json = dict[str, Any]


def take_seat(
    annals: Annals,
    player: str,
    seat: Seat | None = None,
    nonce: bytes = b"",
    commitment: str | None = None,
) -> Decision:
    """Return the decision that gives a player a seat, if they are as reliable as the table asks:
    a free one, or in a match in play one of an absent player.
    """

    def decision(match: Match, now: int) -> Draft:
        if asks_for_reliability(match, player):
            store = annals.store
            found = read_reliability(store.redis, store.partitions, player)
            require_reliability(match, player, found.matches, found.finished)
        if match.replaceable and not (nonce or commitment):
            require_meetable(annals.store.redis, match, player)
            return absence.replace_player(match, player, seat)
        return lobby.take_seat(match, player, seat, now, nonce, commitment)

    return decision


def own_seat(match: Match, player: str, seat: Seat | None) -> Seat:
    """Return the seat that a player acts for: the one they name, else their seat that must decide.
    Raises Forbidden if the seat is not theirs.
    """
    seats = match.seats_of(player)
    if not seats:
        raise Forbidden("not_seated", "You have no seat in this match.")
    if seat is not None and seat not in seats:
        raise Forbidden("not_your_seat", f"Seat {seat} is not yours.")
    if seat is not None:
        return seat
    return next((mine for mine in match.seats_to_move if mine in seats), seats[0])


def parse_move(match: Match, player: str, data: Json, seat: Seat | None) -> Move:
    """Return the move that a player sends for their seat. Raises BadMove or InvalidCommand if it is
    invalid, Forbidden if the seat is not theirs to play.
    """
    named = data.get("seat", seat)
    if seat is not None and named != seat:
        raise InvalidCommand("seat_mismatch", "`seat` and the seat in `move` differ.")
    if named is not None and (not isinstance(named, int) or isinstance(named, bool)):
        raise InvalidCommand("bad_seat", "A seat is a whole number.")
    mine = _seat_to_play(match, player, named)
    try:
        return read_move(match.game, mine, data)
    except BadMove as refusal:
        raise BadMove(f"{refusal.reason}{_list_allowed_moves(match)}", refusal.faults) from refusal


def preview_move(match: Match, player: str, trial: Json) -> Move:
    """Return the move of a preview: its `move`, or the one that its `touches` lead to.

    Raises what `parse_move` does; IncompleteMove, NotInLesson and RuleBroken for touches; and
    GameOver, Impossible and NotYourTurn as for moves.
    """
    seat = trial.get("seat")
    if "move" in trial:
        return parse_move(match, player, trial["move"], seat)
    mine = _seat_to_play(match, player, seat)
    playing.require_active(match)
    if mine not in match.seats_to_move:
        raise NotYourTurn
    return lessons.resolve(match, mine, trial["touches"])


def move_decision(player: str, data: Json, seat: Seat | None) -> Callable[[Match, int], Draft]:
    """Return the decision that makes the move a player sends."""

    def decision(match: Match, now: int) -> Draft:
        return lessons.move(match, parse_move(match, player, data, seat), now)

    return decision


def _seat_to_play(match: Match, player: str, seat: Seat | None) -> Seat:
    """Return the seat that a player plays. Raises Forbidden if it is not theirs, or a bot plays
    it.
    """
    mine = own_seat(match, player, seat)
    if match.status == "active" and not match.chairs[mine].human:
        raise Forbidden("seat_played_by_bot", "A bot plays this seat. Reclaim it first.")
    return mine


def _list_allowed_moves(match: Match) -> str:
    """Return a sentence that lists the kinds of moves allowed now."""
    if match.status != "active":
        return ""
    names = (
        f"`{move.__name__}`" for move in match.game.answers.moves_for(type(match.state.agenda[-1]))
    )
    return f" Allowed now: {', '.join(names)}."
