"""Repeats the decisions of recorded entries and compares their events.

Entries about taking and leaving seats, and the numbers of ratings, are not checked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from domain.audit.errors import Unproven
from domain.audit.texts import Content
from domain.engine.play import Event
from domain.match.decisions import (
    absence,
    bot_failures,
    ending,
    forced_moves,
    giving_time,
    pauses,
    playing,
    proposals,
    rematch,
    undo,
)
from domain.match.errors import Forbidden
from domain.match.events import (
    Aborted,
    BotFailed,
    Continued,
    DiceFell,
    Ended,
    Rated,
    Redone,
    Scored,
    UndoAnswered,
    Undone,
    UndoRequested,
    Unrated,
)
from domain.match.log import Draft, Entry
from domain.match.social_events import (
    ForcedMovePlayed,
    PatienceEnded,
    Paused,
    PlayerReplaced,
    ProposalAnswered,
    ProposalLapsed,
    Proposed,
    ReplacementSought,
    Resumed,
    TimeGiven,
)
from domain.match.state import SYSTEM, Match, MatchEvent, ProposalKind

E = TypeVar("E", bound=MatchEvent)
_DECIDED = (
    Event, DiceFell, Scored, Ended, Undone, Redone, Rated, TimeGiven, Proposed, ProposalAnswered,
    ProposalLapsed, Paused, Resumed, PatienceEnded, ForcedMovePlayed,
    ReplacementSought, PlayerReplaced,
)  # fmt: skip
DecisionReplay = Callable[[Match, Entry, Content], Draft]


def matches_decision(match: Match, record: Entry, content: Content) -> bool:
    """Whether an entry that starts no game has the events of its decision. Raises Refusal if the
    command was not allowed.
    """
    again = _REPLAYS.get(record.kind)
    if again is not None:
        draft = again(match, record, content)
        return (draft.kind, draft.move, draft.events) == (
            record.kind, content.move, tuple(content.events),
        )  # fmt: skip
    if content.move is not None:
        return False
    if match.status != "open":
        return _is_abort(match, content, record.actor, record.at)
    return not any(map(needs_decision, content.events))


def needs_decision(event: object) -> bool:
    """Whether such an event can only come from a decision that this module repeats."""
    return isinstance(event, _DECIDED)


def _is_abort(match: Match, content: Content, actor: str, at: int) -> bool:
    """Whether the entry aborts an active match, and does nothing else but agree to it."""
    if match.status != "active" or not content.events:
        return False
    *before, event = content.events
    if isinstance(event, Aborted) and event.reason in ("agreement", "absence"):
        return tuple(content.events) == proposals.propose(match, actor, "end", at).events
    if before:
        return False
    if isinstance(event, Aborted) and event.reason == "idle":
        return event == ending.abandon(match, at).events[0]
    return isinstance(event, Aborted) and event.seed == match.seed.hex()


def _replay_move(match: Match, record: Entry, content: Content) -> Draft:
    assert content.move is not None
    chair = match.chairs[content.move.seat]
    if record.actor != (f"bot:{chair.bot}" if chair.bot else chair.player):
        raise Forbidden("not_your_seat", f"{record.actor} does not decide for this seat.")
    if any(isinstance(event, ForcedMovePlayed) for event in content.events):
        return forced_moves.play_forced_move(match, content.move.seat, record.at)
    return playing.move(match, content.move, record.at)


def _replay_undo(match: Match, record: Entry, content: Content) -> Draft:
    """Repeat an undo or redo, or the request for one, which named no moves once."""
    for event in content.events:
        if isinstance(event, Undone | Redone):
            return _undo_or_redo(match, record, event.to, isinstance(event, Redone))
        if isinstance(event, UndoRequested):
            draft = _undo_or_redo(match, record, event.to, event.redo)
            return _without_moves(draft) if event.moves is UNSET else draft
    raise _empty_entry(record)


def _undo_or_redo(match: Match, record: Entry, to: int, redo: bool) -> Draft:
    return (
        undo.redo(match, record.actor, record.at, to)
        if redo
        else undo.undo(match, record.actor, to, record.at)
    )


def _without_moves(draft: Draft) -> Draft:
    """A draft whose request does not name the moves that it is about."""
    events = (
        replace(event, moves=UNSET) if isinstance(event, UndoRequested) else event
        for event in draft.events
    )
    return replace(draft, events=tuple(events))


def _replay_answer(match: Match, record: Entry, content: Content) -> Draft:
    agree = _first(record, content, UndoAnswered).agree
    return undo.answer(match, record.actor, agree, record.at)


def _replay_unrated(match: Match, record: Entry, content: Content) -> Draft:
    return ending.leave_unrated(match, _first(record, content, Unrated).reason)


def _replay_rating(match: Match, record: Entry, content: Content) -> Draft:
    return ending.rate(match, _first(record, content, Rated).changes)


def _replay_link(match: Match, record: Entry, content: Content) -> Draft:
    return ending.link_next(match, _first(record, content, Continued).match)


def _replay_gift(match: Match, record: Entry, content: Content) -> Draft:
    """Repeat a gift of time: to the seat that got it, or to all that did."""
    given = _first(record, content, TimeGiven)
    is_one = sum(isinstance(event, TimeGiven) for event in content.events) == 1
    seat = given.seat if is_one else None
    return giving_time.give_time(match, record.actor, seat, given.ms // 1000, record.at)


def _replay_proposal(match: Match, record: Entry, content: Content) -> Draft:
    kind = _first(record, content, Proposed).kind
    return proposals.propose(match, record.actor, kind, record.at)


def _replay_proposal_answer(match: Match, record: Entry, content: Content) -> Draft:
    kind = match.proposal.kind if match.proposal else "end"
    agree = _first(record, content, ProposalAnswered).agree
    return proposals.answer(match, record.actor, kind, record.at, agree=agree)


def _replay_pause(match: Match, record: Entry, content: Content) -> Draft:
    paused = _first(record, content, Paused)
    length = paused.until - paused.since
    return proposals.propose(match, record.actor, "pause", record.at, length)


def _replay_vote(match: Match, record: Entry, content: Content) -> Draft:
    """Repeat the last vote on how to go on without an absent player."""
    kind: ProposalKind = "bot" if record.kind == "BotSeated" else "replacement"
    return proposals.propose(match, record.actor, kind, record.at)


def _replay_replacement(match: Match, record: Entry, content: Content) -> Draft:
    seat = _first(record, content, PlayerReplaced).seat
    return absence.replace_player(match, record.actor, seat)


def _replay_resumption(match: Match, record: Entry, content: Content) -> Draft:
    if record.actor == SYSTEM:
        return pauses.resume_in_time(match, record.at)
    return pauses.resume(match, record.actor, record.at)


def _replay_offer(match: Match, record: Entry, content: Content) -> Draft:
    return rematch.offer(match, record.actor, match.next_match)


def _replay_bot_failure(match: Match, record: Entry, content: Content) -> Draft:
    return bot_failures.replace_bot(match, _first(record, content, BotFailed).seat)


def _first(record: Entry, content: Content, kind: type[E]) -> E:
    for event in content.events:
        if isinstance(event, kind):
            return event
    raise _empty_entry(record)


def _empty_entry(record: Entry) -> Unproven:
    return Unproven(f"it has the kind {record.kind} without such an event.")


_REPLAYS: Mapping[str, DecisionReplay] = {
    "Moved": _replay_move,
    "Scored": lambda match, record, content: ending.score(match),
    "Rated": _replay_rating,
    "Unrated": _replay_unrated,
    "Continued": _replay_link,
    "RematchOffered": _replay_offer,
    "TimeGiven": _replay_gift,
    "Proposed": _replay_proposal,
    "ProposalAnswered": _replay_proposal_answer,
    "Paused": _replay_pause,
    "BotSeated": _replay_vote,
    "ReplacementSought": _replay_vote,
    "PlayerReplaced": _replay_replacement,
    "PatienceEnded": lambda match, record, content: absence.end_patience(match, record.at),
    "Resumed": _replay_resumption,
    "ProposalLapsed": lambda match, record, content: proposals.lapse(match, record.at),
    "Resigned": lambda match, record, content: playing.resign(match, record.actor, record.at),
    "TimedOut": lambda match, record, content: playing.time_out(match, record.at),
    "SeatReclaimed": lambda match, record, content: playing.reclaim(match, record.actor, record.at),
    "Undone": _replay_undo,
    "Redone": _replay_undo,
    "UndoRequested": _replay_undo,
    "UndoAnswered": _replay_answer,
    "UndoLapsed": lambda match, record, content: undo.lapse(match, record.at),
    "BotFailed": _replay_bot_failure,
    "Kept": lambda match, record, content: ending.keep(match, record.actor, record.at),
    "TimeReturned": lambda match, record, content: Draft("TimeReturned", ()),
}  # fmt: skip
