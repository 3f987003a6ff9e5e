"""Undo and redo of moves, with or without the consent of the others (docs/undo.md)."""

from __future__ import annotations

from collections.abc import Sequence

from domain.engine.errors import Refusal
from domain.engine.game import fold, is_deterministic, seats_to_move
from domain.engine.play import Seat
from domain.match.clock import clocks_after_undo, running_seats
from domain.match.decisions.playing import require_running
from domain.match.errors import Forbidden, Impossible, TooEarly
from domain.match.events import (
    Clocked,
    Redone,
    UndoAnswered,
    UndoLapsed,
    Undone,
    UndoRequested,
    Unrated,
)
from domain.match.length import require_room
from domain.match.log import AnyEvent, Draft, read_move
from domain.match.social_events import ProposalLapsed
from domain.match.state import Match, Point
from domain.match.undoing.request import RequestedMoves, UndoRequest

UNDO_ANSWER_MS = 10 * 60_000
"""How long the others have to answer."""


def undo(match: Match, player: str, to: int | None, now: int) -> Draft:
    """Go back to version `to` (default: before the player's last move), or ask the others for
    consent.
    """
    _require_allowed(match, player)
    target = _before_last_move(match, player) if to is None else to
    left = _points_after(match, target)
    moves = _describe_moves(match, left)
    request = UndoRequest(player, target, False, (), now + UNDO_ANSWER_MS, moves)
    return _undo_or_ask(match, request, left, [], now)


def makes_unrated(match: Match, player: str) -> bool:
    """Whether undoing the player's last move would make the match unrated."""
    if match.unrated is not None:
        return False
    try:
        draft = undo(match, player, None, match.updated_at)
    except Refusal:
        return False
    return any(isinstance(event, Unrated) for event in draft.events)


def redo(match: Match, player: str, now: int, to: int | None = None) -> Draft:
    """Continue the undone line that has version `to`, up to it (default: redo the last undo), or
    ask the others for consent. What was played since that line was left is undone.
    """
    _require_allowed(match, player)
    target, left, path = _find_line(match, to)
    moves = _describe_moves(match, path, instead=len(left))
    request = UndoRequest(player, target, True, (), now + UNDO_ANSWER_MS, moves)
    return _undo_or_ask(match, request, left, path, now)


def redo_own(match: Match, player: str, now: int, to: int | None = None) -> Draft:
    """Redo for the player who made the first of these moves, or ask the others.

    Raises Impossible if another person would have to do it. `redo` lets them, since matches have
    entries from before this rule, which an audit decides again.
    """
    draft = redo(match, player, now, to)
    owner = _find_line(match, to)[2][0].player
    if draft.kind == "Redone" and owner != player and owner in match.deciding_players():
        raise Impossible("nothing_to_redo", "Only the player whose move was undone can redo it.")
    return draft


def answer(match: Match, player: str, agree: bool, now: int) -> Draft:
    """Agree to a request or refuse it. The player who asked can withdraw it by refusing."""
    require_running(match)
    request = match.undo_request
    if request is None:
        raise Impossible("no_undo_request", "There is no request for an undo now.")
    if player not in request.asked and (agree or player != request.player):
        raise Forbidden(
            "no_answer_expected", "You have answered already, or the request is not for you."
        )
    answered = UndoAnswered(player, agree)
    if agree and request.asked == (player,):
        return Draft("UndoAnswered", (answered, *_undo_events(match, request, now)))
    return Draft("UndoAnswered", (answered,))


def lapse(match: Match, now: int) -> Draft:
    """Drop a request that was not answered in time."""
    if match.undo_request is None or now < match.undo_request.expires:
        raise TooEarly("No request for an undo has expired.")
    return Draft("UndoLapsed", (UndoLapsed(),))


def can_undo_alone(match: Match, player: str, kept: int, points: Sequence[Point]) -> bool:
    """Whether a player may undo or redo these points without consent; `kept` points precede them.

    True if every point is the player's own move and none revealed hidden information to any player
    (not even that the next player does not have to pass).
    """
    if any(point.player != player for point in points):
        return False
    state = match.state_after(kept)
    for point in points:
        if not is_deterministic(match.game, state, read_move(match.game, point.move)):
            return False
        fold(state, point.events)
    return True


def _require_allowed(match: Match, player: str) -> None:
    require_running(match)
    require_room(match)
    if match.undo_policy == "off":
        raise Forbidden("undo_off", "This match is played without undo.")
    if match.seats_of(player) and player not in match.deciding_players():
        raise Forbidden("seat_played_by_bot", "A bot plays in your place.")
    if player not in match.deciding_players():
        raise Forbidden("not_seated", "You have no seat in this match.")
    if match.undo_request is not None:
        raise Impossible("undo_already_requested", "There is a request for an undo already.")


def _before_last_move(match: Match, player: str) -> int:
    for before, point in zip(reversed(match.line[:-1]), reversed(match.line[1:]), strict=True):
        if point.player == player:
            return before.version
    raise Impossible("nothing_to_undo", "You have not made a move yet.")


def _points_after(match: Match, to: int) -> list[Point]:
    """The points that an undo to version `to` removes from the line."""
    if to not in {point.version for point in match.line[:-1]}:
        raise Impossible(
            "nothing_to_undo", f"Version {to} is not an earlier version of this line of play."
        )
    return [point for point in match.line if point.version > to]


def _find_line(match: Match, to: int | None) -> tuple[int, list[Point], list[Point]]:
    """The version that a redo goes to, and the points that it takes back and makes again."""
    target = match.left.newest if to is None else to
    branch, path = match.left.path_to(target or 0)
    left = match.line[match.points_until(branch) :]
    if target is None or (to is None and left):
        raise Impossible("nothing_to_redo", "There is nothing to redo.")
    if not path:
        raise Impossible("nothing_to_redo", f"Version {to} is on no line that was undone.")
    return target, left, path


def _describe_moves(match: Match, points: Sequence[Point], instead: int = 0) -> RequestedMoves:
    """Whose moves these points are."""
    seats = [read_move(match.game, point.move).seat for point in points]
    own = seats.count(seats[0])
    return RequestedMoves(seats[0], own, len(seats) - own, instead)


def _undo_or_ask(
    match: Match, request: UndoRequest, left: Sequence[Point], path: Sequence[Point], now: int
) -> Draft:
    """Undo or redo at once if no consent is needed; else ask for it. The line loses the points
    `left`, and gets those of the path.
    """
    others = tuple(sorted(match.deciding_players() - {request.player}))
    kept = len(match.line) - len(left)
    without_consent = _needs_no_consent(match, others) or all(
        can_undo_alone(match, request.player, kept, points) for points in (left, path) if points
    )
    if without_consent or not others:
        unrated = [] if without_consent else [Unrated("undo")]  # bots agree: it proves nothing now
        events = [*_undo_events(match, request, now), *unrated]
        return Draft("Redone" if request.redo else "Undone", tuple(events))
    request_event = UndoRequested(
        request.player, request.to, request.redo, others, request.expires, request.moves
    )
    return Draft("UndoRequested", (request_event,))


def _needs_no_consent(match: Match, others: Sequence[str]) -> bool:
    """Whether undo is free, or only bots would have to agree in an unrated match."""
    return match.undo_policy == "free" or (not others and match.unrated is not None)


def _undo_events(match: Match, request: UndoRequest, now: int) -> list[AnyEvent]:
    """The events of an undo or redo, with the clocks."""
    last = _last_point(match, request)
    seats = _seats_to_move(match, last)
    events: list[AnyEvent] = [(Redone if request.redo else Undone)(request.to, seats)]
    if match.proposal and match.absent:  # nobody is absent after it
        events.append(ProposalLapsed())
    running, asking = running_seats(match.chairs, seats), match.seats_of(request.player)
    clocks = clocks_after_undo(match, now, last, running, asking)
    return [*events, Clocked(clocks)] if clocks else events


def _last_point(match: Match, request: UndoRequest) -> Point:
    """The point at which play continues."""
    if request.redo:
        return match.left.path_to(request.to)[1][-1]
    return match.line[match.points_until(request.to) - 1]


def _seats_to_move(match: Match, last: Point) -> tuple[Seat, ...]:
    """The seats that decide after a point; its last event holds the agenda."""
    state = match.blank_state()
    fold(state, last.events[-1:])
    return seats_to_move(state)
