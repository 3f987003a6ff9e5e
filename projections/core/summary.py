"""The summary of a match for lists, folded from its entries without knowing its game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, TypeVar

import msgspec
from msgspec.structs import replace

from domain.engine.game import Json
from domain.engine.play import Seat
from domain.engine.scoring import ScoreLine, Scoring
from domain.match import events as said
from domain.match import social_events as social
from domain.match.log import Entry, is_forced, is_person, reading
from domain.match.outcome import RatingChange
from domain.match.state import (
    ClockRule,
    ForkedFrom,
    Pause,
    SeriesPlace,
    SeriesScore,
    Status,
    UnratedReason,
    find_previous,
)
from projections.core import awaited
from projections.core.events import AgendaSeats, KnownEvent, mover_of, read_known_events
from projections.core.pending import PendingProposal, PendingUndo
from projections.core.seats import SeatSummary, change_seat, close_seats

T = TypeVar("T")


class Summary(msgspec.Struct, frozen=True, kw_only=True, dict=True, omit_defaults=True):
    """What is known about a match without its game; `__dict__` caches what follows from it."""

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
    unrated: UnratedReason | None = None
    forked_from: ForkedFrom | None = None
    awaiting: tuple[awaited.AwaitedSeat, ...] = ()
    deadline: int | None = None  # of the seat that runs out of time first
    undo_request: PendingUndo | None = None
    result: tuple[ScoreLine, ...] | None = None
    won: bool | None = None  # by all who play together; None where they play against each other
    end_reason: str | None = None
    series_score: SeriesScore | None = None
    next_match: str | None = None
    ratings: tuple[RatingChange, ...] | None = None  # once it is rated
    idle_ms: int | None = None  # without an action of its only player, until it ends
    idle_at: int | None = None  # when that time is up, in ms since the epoch
    moved_at: int | None = None  # of the last move, or the start; None in older summaries
    rematch_of: str | None = None  # the match that its players play again
    proposal: PendingProposal | None = None
    pause: Pause | None = None
    min_reliability: int | None = None  # percent, of those who take a free seat
    patience_ms: int | None = None  # to wait for a seat until the others may vote
    leavers: tuple[str, ...] = ()  # players who were replaced
    interrupted: tuple[Seat, ...] = ()  # whose thinking an outage interrupted, until they move

    @property
    def previous_match(self) -> str | None:
        """The match before this one, as `previous_match` of the match."""
        return find_previous(self.rematch_of, self.series)

    @property
    def last_move_at(self) -> int:
        """When the last move was made, or play began; before the start, when the table changed.
        Entries without a move, such as one after an outage, do not count.
        """
        return self.updated_at if self.moved_at is None else self.moved_at

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats that won, once the match is scored."""
        return Scoring(self.end_reason or "", self.result or (), self.won).winners

    @property
    def holders(self) -> set[str]:
        """The players who hold seats."""
        return {seat.player for seat in self.seats if seat.player}

    @property
    def ends_at(self) -> int | None:
        """When the match ends by itself unless its only player acts: ms since the epoch, or None.

        As `ends_at` of the match.
        """
        players = {seat.player for seat in self.seats if seat.player and not seat.resigned}
        alone = self.status == "active" and self.clock is None and len(players) == 1
        return self.idle_at if alone else None

    @property
    def patience_seats(self) -> set[Seat]:
        """The seats for which others wait with patience: of people, if two or more decide."""
        seats = {number for number, seat in enumerate(self.seats) if seat.human}
        return seats if len({self.seats[seat].player for seat in seats}) > 1 else set()

    @property
    def patience_ends(self) -> Mapping[Seat, int]:
        """When the patience with each seat ends that is not absent (ms since the epoch)."""
        return awaited.patience_ends(self.awaiting)

    @property
    def involved(self) -> frozenset[str]:
        """The host, the invited players and those who hold a seat: they may see the match if it is
        private.
        """
        return _players_involved(self.host, self.seats)

    @property
    def is_replaceable(self) -> bool:
        """Whether a seat of the match is open to a new player."""
        return any(seat.replaceable for seat in self.seats)

    def is_listed_like(self, other: Summary) -> bool:
        """Return whether both summaries belong to the same lists and are visible to the same
        players.

        This holds after nearly every move.
        """
        return self.status == other.status and self.seats == other.seats and self.host == other.host


def cache_on_summary(compute: Callable[[Summary], T]) -> Callable[[Summary], T]:
    """Cache the result of a function on the summary.

    A summary is used twice: as the one after an entry, then as the one before the next entry.
    """
    name = f"{compute.__module__}.{compute.__qualname__}"

    def lookup(match: Summary) -> T:
        try:
            return match.__dict__[name]  # type: ignore[no-any-return]  # nothing else has this name
        except KeyError:
            return match.__dict__.setdefault(name, compute(match))  # type: ignore[no-any-return]

    return lookup


MAX_CACHED_GROUPS = 400
"""Number of matches whose players are cached, of some 2 kB each."""


@lru_cache(MAX_CACHED_GROUPS)
def _players_involved(host: str, seats: Sequence[SeatSummary]) -> frozenset[str]:
    """Return the players who take part in a match; cached, because few moves change them."""
    players = (player for seat in seats for player in (seat.player, seat.invited) if player)
    return frozenset((host, *players))


def fold_entry(before: Summary | None, match: str, entry: Entry) -> Summary:
    """Return the summary after one more entry of the match. Raises CorruptEntry if the entry makes
    no sense.
    """
    with reading(entry):
        return _fold_events(before, match, entry)


def _fold_events(before: Summary | None, match: str, entry: Entry) -> Summary:
    summary, events = before, read_known_events(entry.events)
    forced = is_forced(events)
    for event in events:
        if isinstance(event, said.Created):
            summary = _fold_created(event, match, entry)
        else:
            assert summary
            interrupted = summary.interrupted
            summary = FOLDS[type(event)](summary, event, entry)
            if forced and isinstance(event, AgendaSeats):  # its player has not moved
                summary = replace(summary, interrupted=interrupted)
    assert summary
    idle_at = summary.idle_at
    if summary.idle_ms is not None and (idle_at is None or (is_person(entry.actor) and not forced)):
        idle_at = entry.at + summary.idle_ms
    if summary.patience_ms is not None:
        until = entry.at + summary.patience_ms
        awaiting = awaited.follow_patience(summary.awaiting, summary.patience_seats, until)
        absent = {who.seat for who in awaiting if who.absent}
        seats = close_seats(summary.seats, absent)
        summary = replace(summary, awaiting=awaiting, seats=seats)
    return replace(summary, version=entry.version, updated_at=entry.at, idle_at=idle_at)


def _fold_created(event: said.Created, match: str, entry: Entry) -> Summary:
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
        idle_ms=None if event.idle_ms is msgspec.UNSET else event.idle_ms,
    )


def _change_seat(summary: Summary, seat: Seat, **changes: Any) -> Summary:  # noqa: ANN401 - any field
    return replace(summary, seats=change_seat(summary.seats, seat, **changes))


def _fold_left(summary: Summary, event: said.SeatLeft) -> Summary:
    left = _change_seat(summary, event.seat, player=None)
    return replace(left, host=event.host or summary.host)


def _fold_replaced(summary: Summary, event: social.PlayerReplaced, entry: Entry) -> Summary:
    seated = _change_seat(summary, event.seat, player=event.player, invited=None, timed_out=False)
    return replace(
        seated,
        host=event.host or summary.host,
        leavers=(*summary.leavers, event.leaver),
        awaiting=tuple(
            awaited.AwaitedSeat(who.seat, entry.at) if who.seat == event.seat else who
            for who in summary.awaiting
        ),
    )


def _set_awaiting(
    summary: Summary, seats: Sequence[Seat], at: int, mover: Seat | None = None
) -> Summary:
    """Let these seats decide now; a seat that was awaited before and has not moved keeps its
    `since`.
    """
    before = {waits.seat: waits for waits in summary.awaiting if waits.seat != mover}
    awaiting = tuple([before.get(seat) or awaited.AwaitedSeat(seat, at) for seat in seats])
    return replace(summary, awaiting=awaiting, undo_request=None)


def _fold_moved(summary: Summary, event: AgendaSeats, entry: Entry) -> Summary:
    seats, mover = event.agenda[-1].seats if event.agenda else (), mover_of(entry)
    if mover is not None or summary.moved_at is None:
        summary = replace(summary, moved_at=entry.at)
    if summary.proposal and summary.proposal.player == entry.actor:
        summary = replace(summary, proposal=None)
    if left := summary.interrupted:
        left = tuple(seat for seat in left if summary.seats[seat].player != entry.actor)
        summary = replace(summary, interrupted=left)
    own = [seat for seat, one in enumerate(summary.seats) if one.player == entry.actor]
    summary = replace(summary, awaiting=awaited.renew_patience(summary.awaiting, own))
    return _set_awaiting(summary, seats, entry.at, mover)


def _fold_undone(summary: Summary, event: said.Undone | said.Redone, entry: Entry) -> Summary:
    return _set_awaiting(replace(summary, awaiting=()), event.awaiting, entry.at)


def _fold_clocked(summary: Summary, event: said.Clocked, entry: Entry) -> Summary:
    clocks = event.clocks
    until = {seat: clocks.since + max(0, clocks.banks[seat]) for seat in clocks.running}
    return replace(
        summary,
        deadline=clocks.deadline,
        awaiting=tuple(replace(who, deadline=until.get(who.seat)) for who in summary.awaiting),
    )


def _fold_time_returned(summary: Summary, ms: int) -> Summary:
    """Move all deadlines that the lists show."""
    undo, proposal, pause = summary.undo_request, summary.proposal, summary.pause
    running = {who.seat for who in summary.awaiting if who.deadline is not None}
    return replace(
        summary,
        deadline=awaited.later(summary.deadline, ms),
        idle_at=awaited.later(summary.idle_at, ms),
        awaiting=tuple(who.postpone(ms) for who in summary.awaiting),
        undo_request=undo and replace(undo, expires=undo.expires + ms),
        proposal=proposal and replace(proposal, expires=proposal.expires + ms),
        pause=pause and replace(pause, since=pause.since + ms, until=pause.until + ms),
        interrupted=tuple(sorted(running.union(summary.interrupted))),
    )


def _fold_undo_requested(summary: Summary, event: said.UndoRequested, entry: Entry) -> Summary:
    who = event.player, event.to, event.redo, event.asked
    asked = PendingUndo(*who, entry.at, event.expires, event.moves)
    return replace(summary, undo_request=asked)


def _fold_undo_answered(summary: Summary, event: said.UndoAnswered, entry: Entry) -> Summary:
    assert summary.undo_request
    asked = tuple(player for player in summary.undo_request.asked if player != event.player)
    left = replace(summary.undo_request, asked=asked) if event.agree and asked else None
    return replace(summary, undo_request=left)


def _fold_proposed(summary: Summary, event: social.Proposed, entry: Entry) -> Summary:
    made = PendingProposal(event.kind, event.player, event.asked, entry.at, event.expires)
    return replace(summary, proposal=made)


def _fold_proposal_answered(
    summary: Summary, event: social.ProposalAnswered, entry: Entry
) -> Summary:
    assert summary.proposal
    asked = tuple(player for player in summary.proposal.asked if player != event.player)
    left = replace(summary.proposal, asked=asked) if event.agree and asked else None
    return replace(summary, proposal=left)


def _finish(summary: Summary, status: Status, reason: str) -> Summary:
    return replace(
        summary, status=status, end_reason=reason, awaiting=(), deadline=None,
        undo_request=None, proposal=None, pause=None,
    )  # fmt: skip


def _fold_scored(summary: Summary, event: said.Scored, entry: Entry) -> Summary:
    return replace(
        summary,
        status="scored",
        result=event.scoring.lines,
        won=event.scoring.won,
        series_score=event.series,
    )


Fold = Callable[[Summary, Any, Entry], Summary]
FOLDS: dict[type[KnownEvent], Fold] = {
    said.SeatTaken: lambda s, e, _: _change_seat(s, e.seat, player=e.player),
    said.SeatLeft: lambda s, e, _: _fold_left(s, e),
    said.InvitationDeclined: lambda s, e, _: _change_seat(
        s, e.seat, invited=None, declined=e.player
    ),
    said.BotSeated: lambda s, e, _: _change_seat(s, e.seat, bot=e.level),
    said.SeatReclaimed: lambda s, e, _: _change_seat(s, e.seat, bot=None),
    said.Resigned: lambda s, e, _: _change_seat(s, e.seat, resigned=True),
    said.TimedOut: lambda s, e, _: _change_seat(s, e.seat, timed_out=True),
    said.Started: lambda s, _, __: replace(s, status="active"),
    said.UndoRequested: _fold_undo_requested,
    said.UndoAnswered: _fold_undo_answered,
    said.UndoLapsed: lambda s, _, __: replace(s, undo_request=None),
    said.Undone: _fold_undone,
    said.Redone: _fold_undone,
    said.Clocked: _fold_clocked,
    said.Ended: lambda s, e, _: _finish(s, "ended", e.reason),
    said.Scored: _fold_scored,
    said.Rated: lambda s, e, _: replace(s, ratings=e.changes),
    said.Continued: lambda s, e, _: replace(s, next_match=e.match),
    said.Aborted: lambda s, e, _: _finish(s, "aborted", e.reason),
    said.DiceFell: lambda s, _, __: s,
    said.NoncesAwaited: lambda s, _, __: s,
    said.NonceOpened: lambda s, _, __: s,
    said.BotFailed: lambda s, e, _: _change_seat(s, e.seat, bot=e.instead) if e.instead else s,
    said.Kept: lambda s, _, __: s,
    said.LessonBegun: lambda s, _, __: s,
    social.RematchOffered: lambda s, _, __: s,
    social.ForcedMovePlayed: lambda s, _, __: s,
    social.TimeGiven: lambda s, _, __: s,
    social.Proposed: _fold_proposed,
    social.ProposalAnswered: _fold_proposal_answered,
    social.ProposalLapsed: lambda s, _, __: replace(s, proposal=None),
    social.Paused: lambda s, e, _: replace(
        s, pause=Pause(e.player, e.since, e.until), proposal=None
    ),
    social.Resumed: lambda s, _, __: replace(s, pause=None),
    social.ReliabilityRequired: lambda s, e, _: replace(s, min_reliability=e.percent),
    social.PatienceSet: lambda s, e, _: replace(s, patience_ms=e.ms),
    social.PatienceEnded: lambda s, e, _: replace(
        s, awaiting=awaited.mark_absent(s.awaiting, e.seat)
    ),
    social.ReplacementSought: lambda s, e, _: _change_seat(s, e.seat, replaceable=True),
    social.PlayerReplaced: _fold_replaced,
    social.RematchOpened: lambda s, e, _: replace(s, rematch_of=e.previous),
    said.TimeReturned: lambda s, e, _: _fold_time_returned(s, e.ms),
    said.Unrated: lambda s, e, _: replace(s, unrated=e.reason),
    AgendaSeats: _fold_moved,
}
