"""The timeline of a match: each entry that advanced the game, with the position before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from domain.engine.game import Game
from domain.engine.play import Event, Move, Seat
from domain.match.events import DiceFell, TimeReturned
from domain.match.lines import lines_of
from domain.match.log import AnyEvent, Entry, apply_entry, new_match, read_move
from domain.match.social_events import Resumed
from domain.match.state import Match, Point


class TimelineEntry(msgspec.Struct, frozen=True):
    """The start of the game, or a decision. Times are in ms."""

    version: int
    at: int  # since the epoch, UTC
    number: int  # from 1, within its line; 0 for the start
    seat: Seat | None  # who decided; None for the start
    actor: str  # the id of a player, `bot:<level>`, or `system`
    move: Move | None
    before: Any  # the position, read-only; the empty table for the start
    events: Sequence[Event[Any]]  # of the game
    draw: int | None  # number of the draw, if dice fell
    ms: int  # since the seat had to decide, without outages and pauses
    undone: bool  # undone, and not redone


class ReplayProgress(msgspec.Struct):
    """The match during a replay, and since when (ms since the epoch) each deciding seat has been
    asked.
    """

    match: Match
    asked: dict[Seat, int]


def timeline(game: Game[Any], entries: Sequence[Entry]) -> Iterator[TimelineEntry]:
    """The timeline of a match from its entries, oldest first. Raises CorruptEntry if one makes no
    sense.
    """
    return (moment for _, moment, _ in replay_match(game, entries) if moment)


def replay_match(
    game: Game[Any], entries: Sequence[Entry]
) -> Iterator[tuple[Match, TimelineEntry | None, Sequence[AnyEvent]]]:
    """For each entry: the match after it, its place in the timeline (if any), and its events.

    The match is the same object each time and changes with the next item. Do not change it.
    """
    played = set(lines_of(game, entries).played)
    progress = ReplayProgress(new_match({game.key: game}, entries[0]), {})
    for entry in entries:
        match = progress.match
        before = None if match.state is None else match.state.copy()
        last = match.line[-1] if match.line else None
        events = apply_entry(match, entry)
        _return_time(progress, events)
        moment = None
        if _plays(events):
            moment = _timeline_entry(progress, entry, events, before, entry.version in played)
        _update_asked(progress, entry, moment, rewound=_has_left(match, last))
        yield match, moment, events


def _has_left(match: Match, last: Point | None) -> bool:
    """Whether a point, the last one before an entry, is no longer on the line of play."""
    if last is None:
        return False
    points = match.points_until(last.version)
    return not points or match.line[points - 1] is not last


def _return_time(progress: ReplayProgress, events: Sequence[AnyEvent]) -> None:
    """Let the deciding seats have been asked later by the time of an outage or a pause."""
    ms = sum(event.ms for event in events if isinstance(event, TimeReturned | Resumed))
    if ms:
        progress.asked = {seat: since + ms for seat, since in progress.asked.items()}


def _plays(events: Sequence[AnyEvent]) -> bool:
    return any(isinstance(event, Event) for event in events)


def _timeline_entry(
    progress: ReplayProgress,
    entry: Entry,
    events: Sequence[AnyEvent],
    before: Any,  # noqa: ANN401  any game
    played: bool,
) -> TimelineEntry:
    """The timeline record of an entry."""
    match = progress.match
    move = read_move(match.game, entry.move) if entry.move else None
    asked = progress.asked.get(move.seat, entry.at) if move else entry.at
    return TimelineEntry(
        version=entry.version,
        at=entry.at,
        number=len(match.line) - 1,
        seat=move.seat if move else None,
        actor=entry.actor,
        move=move,
        before=match.blank_state() if before is None else before,
        events=[event for event in events if isinstance(event, Event)],
        draw=next((event.draw for event in events if isinstance(event, DiceFell)), None),
        ms=max(0, entry.at - asked),  # the system clock may have been set back
        undone=not played,
    )


def _update_asked(
    progress: ReplayProgress, entry: Entry, moment: TimelineEntry | None, rewound: bool
) -> None:
    """Update since when each deciding seat has been asked. A seat that has not decided keeps its
    time; an undo resets all times.
    """
    before = {} if rewound else progress.asked
    if moment and moment.seat is not None:
        before = {seat: since for seat, since in before.items() if seat != moment.seat}
    progress.asked = {seat: before.get(seat, entry.at) for seat in progress.match.seats_to_move}
