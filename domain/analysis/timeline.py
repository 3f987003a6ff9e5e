"""The moments of a match: each entry in which its game went on, with the position before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from domain.engine.game import Game
from domain.engine.play import Event, Move, Seat
from domain.match.events import DiceFell
from domain.match.lines import lines_of
from domain.match.log import AnyEvent, Entry, begun, follow, read_move
from domain.match.state import Match


class Moment(msgspec.Struct, frozen=True):
    """The start of the game, or a decision; times in ms."""

    version: int
    at: int  # since the epoch, UTC
    number: int  # from 1 among the decisions of its line; 0 for the start
    seat: Seat | None  # who decided; None for the start
    actor: str  # the id of a player, `bot:<level>`, or `system`
    move: Move | None
    before: Any  # the position, to be read only; the empty table for the start
    events: Sequence[Event[Any]]  # what happened in the game
    draw: int | None  # the number of the draw, if dice fell
    ms: int  # how long the seat had been asked
    undone: bool  # whether it was undone, and not taken up again


class Followed(msgspec.Struct):
    """A match as it is followed: how it stands, and since when (ms since the epoch) each seat that
    has to decide has been asked.
    """

    match: Match
    asked: dict[Seat, int]


def moments(game: Game[Any], entries: Sequence[Entry]) -> Iterator[Moment]:
    """The moments of a match from its entries, oldest first; Damaged if one makes no sense."""
    return (moment for _, moment, _ in followed(game, entries) if moment)


def followed(
    game: Game[Any], entries: Sequence[Entry]
) -> Iterator[tuple[Match, Moment | None, Sequence[AnyEvent]]]:
    """The match after each of its entries, the moment that it was, and all that happened in it.

    The match is the same one each time and goes on being followed: to be read only, and at once.
    """
    played = set(lines_of(game, entries).played)
    so_far = Followed(begun({game.key: game}, entries[0]), {})
    for entry in entries:
        match = so_far.match
        before = None if match.state is None else match.state.copy()
        points = len(match.line)
        events = follow(match, entry)
        moment = None
        if _plays(events):
            moment = _moment(so_far, entry, events, before, entry.version in played)
        _note(so_far, entry, moment, rewound=len(match.line) < points)
        yield match, moment, events


def _plays(events: Sequence[AnyEvent]) -> bool:
    return any(isinstance(event, Event) for event in events)


def _moment(
    so_far: Followed,
    entry: Entry,
    events: Sequence[AnyEvent],
    before: Any,  # noqa: ANN401  any game
    played: bool,
) -> Moment:
    """The moment that an entry is."""
    match = so_far.match
    move = read_move(match.game, entry.move) if entry.move else None
    asked = so_far.asked.get(move.seat, entry.at) if move else entry.at
    return Moment(
        version=entry.version,
        at=entry.at,
        number=len(match.line) - 1,
        seat=move.seat if move else None,
        actor=entry.actor,
        move=move,
        before=match.blank() if before is None else before,
        events=[event for event in events if isinstance(event, Event)],
        draw=next((event.draw for event in events if isinstance(event, DiceFell)), None),
        ms=max(0, entry.at - asked),  # a clock may have been put back
        undone=not played,
    )


def _note(so_far: Followed, entry: Entry, moment: Moment | None, rewound: bool) -> None:
    """Note since when those who have to decide now have been asked: whoever was asked before, and
    has not decided since, is asked still; after an undo all are asked anew.
    """
    before = {} if rewound else so_far.asked
    if moment and moment.seat is not None:
        before = {seat: since for seat, since in before.items() if seat != moment.seat}
    so_far.asked = {seat: before.get(seat, entry.at) for seat in so_far.match.awaited}
