"""Undo and redo of moves, alone or with the consent of the others (docs/undo.md)."""

from __future__ import annotations

from collections.abc import Sequence

from domain.engine.game import awaited, fold, foreseen
from domain.engine.play import Seat
from domain.match.clock import after_undo, thinking
from domain.match.decisions.playing import must_be_active
from domain.match.errors import Forbidden, Impossible
from domain.match.events import (
    Clocked,
    Redone,
    UndoAnswered,
    UndoLapsed,
    Undone,
    UndoRequested,
    Unrated,
)
from domain.match.length import must_have_room
from domain.match.log import AnyEvent, Draft, read_move
from domain.match.state import Match, Point, UndoRequest

ANSWER_MS = 10 * 60_000
"""How long the others have for their answer."""


def undo(match: Match, player: str, to: int | None, now: int) -> Draft:
    """Go back to version `to`, by default to before one's last move, or ask the others for it."""
    _must_be_allowed(match, player)
    target = _before_last_move(match, player) if to is None else to
    left = _after(match, target)
    return _undo_or_ask(match, UndoRequest(player, target, False, (), now + ANSWER_MS), left, now)


def redo(match: Match, player: str, now: int) -> Draft:
    """Redo what was undone last, or ask the others for it."""
    _must_be_allowed(match, player)
    if not match.undone:
        raise Impossible("nothing_to_redo", "No undone line can be taken up again.")
    line = match.undone[-1]
    return _undo_or_ask(
        match, UndoRequest(player, line[-1].version, True, (), now + ANSWER_MS), line, now
    )


def answer(match: Match, player: str, agree: bool, now: int) -> Draft:
    """Agree to what somebody asked for, or refuse it; the requester withdraws it by refusing."""
    must_be_active(match)
    request = match.undo_request
    if request is None:
        raise Impossible("nothing_asked", "Nobody asks for an undo now.")
    if player not in request.asked and (agree or player != request.player):
        raise Forbidden("not_asked", "You are not asked, or you have answered already.")
    answered = UndoAnswered(player, agree)
    if agree and request.asked == (player,):
        return Draft("UndoAnswered", (answered, *_carried_out(match, request, now)))
    return Draft("UndoAnswered", (answered,))


def lapse(match: Match, now: int) -> Draft:
    """Drop a request that was not answered in time."""
    if match.undo_request is None or now < match.undo_request.expires:
        raise Impossible("not_due", "No request has lapsed.")
    return Draft("UndoLapsed", (UndoLapsed(),))


def may_alone(match: Match, player: str, kept: int, points: Sequence[Point]) -> bool:
    """Whether a player may undo or redo these points, which follow so many of the line, alone.

    True if every point is the player's own move and none of them told anyone something hidden
    (not even that the next player does not have to pass).
    """
    if any(point.player != player for point in points):
        return False
    state = match.state_after(kept)
    for point in points:
        if not foreseen(match.game, state, read_move(match.game, point.move)):
            return False
        fold(state, point.events)
    return True


def _must_be_allowed(match: Match, player: str) -> None:
    must_be_active(match)
    must_have_room(match)
    if match.undo_policy == "off":
        raise Forbidden("undo_off", "This match is played without undo.")
    if match.seats_of(player) and player not in match.humans():
        raise Forbidden("seat_played_by_bot", "A bot plays in your place.")
    if player not in match.humans():
        raise Forbidden("not_seated", "You have no seat in this match.")
    if match.undo_request is not None:
        raise Impossible("already_asked", "An undo is being asked for already.")


def _before_last_move(match: Match, player: str) -> int:
    for before, point in zip(reversed(match.line[:-1]), reversed(match.line[1:]), strict=True):
        if point.player == player:
            return before.version
    raise Impossible("nothing_to_undo", "You have made no move yet.")


def _after(match: Match, to: int) -> list[Point]:
    """The points that an undo to version `to` would leave."""
    if to not in {point.version for point in match.line[:-1]}:
        raise Impossible(
            "nothing_to_undo", f"Version {to} is not an earlier version of this line of play."
        )
    return [point for point in match.line if point.version > to]


def _undo_or_ask(match: Match, request: UndoRequest, points: Sequence[Point], now: int) -> Draft:
    """Do it at once if nobody has to agree, else ask."""
    others = tuple(sorted(match.humans() - {request.player}))
    kept = len(match.line) - (0 if request.redo else len(points))
    alone = _matters_to_nobody(match, others) or may_alone(match, request.player, kept, points)
    if alone or not others:
        unrated = [] if alone else [Unrated("undo")]  # bots agree: it proves nothing any longer
        events = [*_carried_out(match, request, now), *unrated]
        return Draft("Redone" if request.redo else "Undone", tuple(events))
    asked = UndoRequested(request.player, request.to, request.redo, others, request.expires)
    return Draft("UndoRequested", (asked,))


def _matters_to_nobody(match: Match, others: Sequence[str]) -> bool:
    """Whether anybody may undo anything, or only bots are asked in a match that is not rated."""
    return match.undo_policy == "free" or (not others and match.unrated is not None)


def _carried_out(match: Match, request: UndoRequest, now: int) -> list[AnyEvent]:
    """The events of an undo or redo that is carried out, with the clocks."""
    line = _line(match, request)
    seats = _awaited(match, line)
    events: list[AnyEvent] = [(Redone if request.redo else Undone)(request.to, seats)]
    running, asking = thinking(match.chairs, seats), match.seats_of(request.player)
    clocks = after_undo(match, now, line[-1].clocks, running, asking)
    return [*events, Clocked(clocks)] if clocks else events


def _line(match: Match, request: UndoRequest) -> list[Point]:
    if request.redo:
        return [*match.line, *match.undone[-1]]
    return [point for point in match.line if point.version <= request.to]


def _awaited(match: Match, line: Sequence[Point]) -> tuple[Seat, ...]:
    """Who decides at the end of a line of play: its last event is the agenda."""
    state = match.blank()
    fold(state, line[-1].events[-1:])
    return awaited(state)
