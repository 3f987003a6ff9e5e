"""A match as the lists show it: folded from its entries without knowing its game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Literal, TypeVar

import msgspec
from msgspec.structs import replace

from domain.engine.game import Json
from domain.engine.play import Seat
from domain.engine.scoring import Line
from domain.match import events as said
from domain.match.log import Entry, understanding
from domain.match.state import ClockRule, ForkedFrom, SeriesPlace, SeriesScore, Status, WhyUnrated
from projections.core.events import AgendaSeats, KnownEvent, known_events, mover_of

T = TypeVar("T")


class SeatSummary(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who holds a seat, and what became of it."""

    player: str | None = None
    bot: str | None = None
    invited: str | None = None
    resigned: bool = False
    timed_out: bool = False

    @property
    def human(self) -> bool:
        """Whether a person decides for it now."""
        return self.player is not None and self.bot is None and not self.resigned


class Awaited(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat that has to decide, since when, and until when (ms since the epoch)."""

    seat: Seat
    since: int
    deadline: int | None = None


class PendingUndo(msgspec.Struct, frozen=True):
    """An undo, or a redo, that somebody asks for, and the players who have not answered yet."""

    player: str
    to: int
    redo: bool
    asked: tuple[str, ...]
    since: int
    expires: int


class Summary(msgspec.Struct, frozen=True, kw_only=True, dict=True, omit_defaults=True):
    """What can be told of a match without its game, and what was `kept` with it."""

    id: str
    game: str
    status: Status
    version: int
    created_at: int
    updated_at: int
    host: str
    visibility: Literal["public", "private"]
    seats: tuple[SeatSummary, ...]
    undo: str
    clock: ClockRule | None = None
    options: Json
    series: SeriesPlace | None = None
    unrated: WhyUnrated | None = None
    forked_from: ForkedFrom | None = None
    awaiting: tuple[Awaited, ...] = ()
    deadline: int | None = None  # of the first who runs out of time
    undo_request: PendingUndo | None = None
    result: tuple[Line, ...] | None = None
    won: bool | None = None  # by all who play together; None where they play against each other
    end_reason: str | None = None
    series_score: SeriesScore | None = None
    next_match: str | None = None
    ratings: tuple[said.RatingChange, ...] | None = None  # once it is rated

    @property
    def holders(self) -> set[str]:
        """The players who hold seats."""
        return {seat.player for seat in self.seats if seat.player}

    @property
    def involved(self) -> frozenset[str]:
        """The players who have a part in it, and may know of it if it is private: its host, whoever
        is invited, whoever holds a seat.
        """
        return _involved(self.host, self.seats)

    def is_listed_like(self, other: Summary) -> bool:
        """Whether it stands in the same lists, and the same players know of it, as is so after
        nearly every move.
        """
        return self.status == other.status and self.seats == other.seats and self.host == other.host


def kept(found: Callable[[Summary], T]) -> Callable[[Summary], T]:
    """Find out once what follows from a summary: it is the one after an entry, and then the one
    before the next.
    """
    name = f"{found.__module__}.{found.__qualname__}"

    def known(match: Summary) -> T:
        try:
            return match.__dict__[name]  # type: ignore[no-any-return]  # nothing else has this name
        except KeyError:
            return match.__dict__.setdefault(name, found(match))  # type: ignore[no-any-return]

    return known


@lru_cache(10_000)
def _involved(host: str, seats: Sequence[SeatSummary]) -> frozenset[str]:
    """Who has a part in a match; asked for after each move, though most move nobody."""
    players = (player for seat in seats for player in (seat.player, seat.invited) if player)
    return frozenset((host, *players))


def fold_entry(before: Summary | None, match: str, entry: Entry) -> Summary:
    """The summary after one more entry of the match; Damaged if that makes no sense."""
    with understanding(entry):
        return _folded(before, match, entry)


def _folded(before: Summary | None, match: str, entry: Entry) -> Summary:
    summary = before
    for event in known_events(entry.events):
        if isinstance(event, said.Created):
            summary = _created(event, match, entry)
        else:
            assert summary
            summary = FOLDS[type(event)](summary, event, entry)
    assert summary
    return replace(summary, version=entry.version, updated_at=entry.at)


def _created(event: said.Created, match: str, entry: Entry) -> Summary:
    return Summary(
        id=match,
        game=event.game,
        status="open",
        version=entry.version,
        created_at=entry.at,
        updated_at=entry.at,
        host=event.host,
        visibility=event.visibility,
        seats=tuple(SeatSummary(chair.player, chair.bot, chair.invited) for chair in event.chairs),
        undo=event.undo,
        clock=event.clock,
        options=event.options,
        series=event.series,
        unrated=event.unrated,
        forked_from=event.forked_from,
    )


def _seat(summary: Summary, seat: Seat, **changes: Any) -> Summary:  # noqa: ANN401 - any field
    seats = list(summary.seats)
    seats[seat] = replace(seats[seat], **changes)
    return replace(summary, seats=tuple(seats))


def _left(summary: Summary, event: said.SeatLeft) -> Summary:
    left = _seat(summary, event.seat, player=None)
    return replace(left, host=event.host or summary.host)


def _awaiting(
    summary: Summary, seats: Sequence[Seat], at: int, mover: Seat | None = None
) -> Summary:
    """These seats decide now; one that was asked before and has not moved keeps its `since`."""
    before = {waits.seat: waits for waits in summary.awaiting if waits.seat != mover}
    awaiting = tuple([before.get(seat) or Awaited(seat, at) for seat in seats])
    return replace(summary, awaiting=awaiting, undo_request=None)


def _moved(summary: Summary, event: AgendaSeats, entry: Entry) -> Summary:
    seats = event.agenda[-1].seats if event.agenda else ()
    return _awaiting(summary, seats, entry.at, mover_of(entry))


def _undone(summary: Summary, event: said.Undone | said.Redone, entry: Entry) -> Summary:
    return _awaiting(replace(summary, awaiting=()), event.awaiting, entry.at)


def _clocked(summary: Summary, event: said.Clocked, entry: Entry) -> Summary:
    clocks = event.clocks
    until = {seat: clocks.since + max(0, clocks.banks[seat]) for seat in clocks.running}
    return replace(
        summary,
        deadline=clocks.deadline,
        awaiting=tuple(replace(who, deadline=until.get(who.seat)) for who in summary.awaiting),
    )


def _requested(summary: Summary, event: said.UndoRequested, entry: Entry) -> Summary:
    asked = PendingUndo(event.player, event.to, event.redo, event.asked, entry.at, event.expires)
    return replace(summary, undo_request=asked)


def _answered(summary: Summary, event: said.UndoAnswered, entry: Entry) -> Summary:
    assert summary.undo_request
    asked = tuple(player for player in summary.undo_request.asked if player != event.player)
    left = replace(summary.undo_request, asked=asked) if event.agree and asked else None
    return replace(summary, undo_request=left)


def _over(summary: Summary, status: Status, reason: str) -> Summary:
    return replace(
        summary, status=status, end_reason=reason, awaiting=(), deadline=None, undo_request=None
    )


def _scored(summary: Summary, event: said.Scored, entry: Entry) -> Summary:
    return replace(
        summary,
        status="scored",
        result=event.scoring.lines,
        won=event.scoring.won,
        series_score=event.series,
    )


Fold = Callable[[Summary, Any, Entry], Summary]
FOLDS: dict[type[KnownEvent], Fold] = {
    said.SeatTaken: lambda s, e, _: _seat(s, e.seat, player=e.player),
    said.SeatLeft: lambda s, e, _: _left(s, e),
    said.BotSeated: lambda s, e, _: _seat(s, e.seat, bot=e.level),
    said.SeatReclaimed: lambda s, e, _: _seat(s, e.seat, bot=None),
    said.Resigned: lambda s, e, _: _seat(s, e.seat, resigned=True),
    said.TimedOut: lambda s, e, _: _seat(s, e.seat, timed_out=True),
    said.Started: lambda s, _, __: replace(s, status="active"),
    said.UndoRequested: _requested,
    said.UndoAnswered: _answered,
    said.UndoLapsed: lambda s, _, __: replace(s, undo_request=None),
    said.Undone: _undone,
    said.Redone: _undone,
    said.Clocked: _clocked,
    said.Ended: lambda s, e, _: _over(s, "ended", e.reason),
    said.Scored: _scored,
    said.Rated: lambda s, e, _: replace(s, ratings=e.changes),
    said.Continued: lambda s, e, _: replace(s, next_match=e.match),
    said.Aborted: lambda s, e, _: _over(s, "aborted", e.reason),
    said.DiceFell: lambda s, _, __: s,
    said.NoncesAwaited: lambda s, _, __: s,
    said.NonceOpened: lambda s, _, __: s,
    said.BotFailed: lambda s, e, _: _seat(s, e.seat, bot=e.instead) if e.instead else s,
    said.Unrated: lambda s, e, _: replace(s, unrated=e.reason),
    AgendaSeats: _moved,
}
