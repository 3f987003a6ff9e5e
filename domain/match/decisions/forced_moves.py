"""Forced moves that the service makes for players who want that."""

from __future__ import annotations

from msgspec.structs import replace

from domain.engine.defaults import identity
from domain.engine.errors import NotYourTurn
from domain.engine.game import Game, legal_moves, seats_to_move
from domain.engine.play import Move, S, Seat
from domain.match.clock import seats_out_of_time
from domain.match.decisions.playing import move, require_running
from domain.match.log import Draft
from domain.match.social_events import ForcedMovePlayed
from domain.match.state import Match


def forced_move(game: Game[S], state: S, seat: Seat) -> Move | None:
    """The only legal move of a seat that has to decide, if all players know that it is the only
    one; otherwise None. A move that only hidden pieces force is none: that it plays itself would
    show them.
    """
    if seat not in seats_to_move(state):
        return None
    if not state.agenda[-1].public_answers and game.imagine is not identity:
        return None
    moves = legal_moves(game, state, seat)
    return moves[0] if len(moves) == 1 else None


def may_play_itself(match: Match, seat: Seat, now: int) -> bool:
    """Whether the service may make a move for the player of a seat.

    It waits while the players have something to answer, because a move would withdraw it, and while
    an undone line goes on from here: a player went back to look again.
    """
    if match.status != "active" or match.pause is not None or match.lesson is not None:
        return False
    if match.undo_request is not None or match.proposal is not None:
        return False
    if match.left.continues(match.line[-1].version):
        return False
    is_late = seat in seats_out_of_time(match, now)
    return seat in match.seats_to_move and match.chairs[seat].human and not is_late


def find_forced_move(match: Match, seat: Seat, now: int) -> Move | None:
    """The forced move of a seat, if the service may make it now; otherwise None."""
    return forced_move(match.game, match.state, seat) if may_play_itself(match, seat, now) else None


def has_forced_move(match: Match, player: str, now: int) -> bool:
    """Whether a seat of a player has a forced move that the service may make now."""
    return any(find_forced_move(match, seat, now) for seat in match.seats_of(player))


def play_forced_move(match: Match, seat: Seat, now: int) -> Draft:
    """Make the forced move of a seat. Raises Refusal if there is none, or it has to wait."""
    require_running(match)
    forced = find_forced_move(match, seat, now)
    if forced is None:
        raise NotYourTurn
    draft = move(match, forced, now)
    return replace(draft, events=(*draft.events, ForcedMovePlayed(seat)))
