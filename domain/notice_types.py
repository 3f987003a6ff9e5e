"""The types of notices: one record each, from which messages, filters, contract and docs follow.

To add a type, add its name to `NoticeName` and its record to `NOTICE_TYPES`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from domain.match import events as match_events
from domain.match.social_events import (
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
from domain.match.state import MatchEvent
from domain.notice_members import (
    ABSENT,
    DEADLINE,
    END_REASON,
    ENDS_AT,
    ENTRY,
    GIFTS,
    HOST,
    NEXT_MATCH,
    PATIENCE_UNTIL,
    PAUSE,
    PROPOSAL,
    REPLACEABLE,
    REPLACED,
    REQUEST,
    RESULT,
    SERIES,
    TABLE,
    TIME_LEFT,
    Member,
)

NoticeName = Literal[
    "match.created", "match.started", "move.made", "turn.started", "undo.requested",
    "undo.answered", "undo.done", "clock.warning", "match.idle", "match.ended", "match.scored",
    "match.aborted", "match.continued", "time.given", "proposal.made", "proposal.answered",
    "match.paused", "pause.ending", "match.resumed", "patience.warning", "patience.ended",
    "replacement.sought", "player.replaced",
]  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class NoticeType:
    """A type of notice: all that is particular to it."""

    name: NoticeName
    sent_when: str
    """When it is sent, as the docs and the contract say it."""
    events: tuple[type[MatchEvent], ...]
    """The events that cause it; none if it follows from a move, a turn or a clock."""
    seat: Literal["mover", "decider"] | None
    """Whether it concerns the seat that moved, the seat that has to decide, or no seat."""
    members: tuple[Member, ...]
    """What its messages add to the members that all messages have."""
    covered_by: NoticeName | None
    """The type whose message to a chat channel covers this one, for a subscription to both."""
    posted: bool
    """Whether webhooks of chat channels get a message."""
    shown: bool
    """Whether the Discord bot shows the match in its channels."""


NOTICE_TYPES: Mapping[NoticeName, NoticeType] = {
    one.name: one
    for one in (
        NoticeType(
            name="match.created",
            sent_when="a table opens",
            events=(match_events.Created,),
            seat=None,
            members=TABLE,
            covered_by=None,
            posted=True,
            shown=False,
        ),
        NoticeType(
            name="match.started",
            sent_when="play begins",
            events=(match_events.Started,),
            seat=None,
            members=TABLE,
            covered_by="turn.started",
            posted=True,
            shown=False,
        ),
        NoticeType(
            name="move.made",
            sent_when="a seat, or its bot, moves",
            events=(),
            seat="mover",
            members=(ENTRY,),
            covered_by="turn.started",
            posted=True,
            shown=False,
        ),
        NoticeType(
            name="turn.started",
            sent_when="a person at a seat has to decide, and did not have to just before",
            events=(),
            seat="decider",
            members=(DEADLINE,),
            covered_by=None,
            posted=True,
            shown=True,
        ),
        NoticeType(
            name="undo.requested",
            sent_when="a player asks for an undo or redo",
            events=(match_events.UndoRequested,),
            seat=None,
            members=REQUEST,
            covered_by=None,
            posted=True,
            shown=True,
        ),
        NoticeType(
            name="undo.answered",
            sent_when="a player answers, or the request lapses",
            events=(match_events.UndoAnswered, match_events.UndoLapsed),
            seat=None,
            members=REQUEST,
            covered_by=None,
            posted=False,
            shown=False,
        ),
        NoticeType(
            name="undo.done",
            sent_when="an undo or redo takes effect",
            events=(match_events.Undone, match_events.Redone),
            seat=None,
            members=REQUEST,
            covered_by=None,
            posted=True,
            shown=True,
        ),
        NoticeType(
            name="clock.warning",
            sent_when="half of the time is left, and again when a tenth is: of the time for the"
            " move; or of the bank, where each warning comes once in a match",
            events=(),
            seat="decider",
            members=(DEADLINE, TIME_LEFT),
            covered_by=None,
            posted=True,
            shown=False,
        ),
        NoticeType(
            name="match.idle",
            sent_when="a match ends by itself unless its only player moves or keeps it: a quarter"
            " of the time is left",
            events=(),
            seat=None,
            members=(ENDS_AT,),
            covered_by=None,
            posted=True,
            shown=False,
        ),
        NoticeType(
            name="match.ended",
            sent_when="a player makes the last move, or no players are left",
            events=(match_events.Ended,),
            seat=None,
            members=(END_REASON,),
            covered_by="match.scored",
            posted=True,
            shown=False,
        ),
        NoticeType(
            name="match.scored",
            sent_when="the result stands",
            events=(match_events.Scored,),
            seat=None,
            members=(END_REASON, RESULT, SERIES),
            covered_by=None,
            posted=True,
            shown=True,
        ),
        NoticeType(
            name="match.aborted",
            sent_when="the match is aborted",
            events=(match_events.Aborted,),
            seat=None,
            members=(END_REASON,),
            covered_by=None,
            posted=True,
            shown=True,
        ),
        NoticeType(
            name="match.continued",
            sent_when="the next match opens: of a series, or since a player offers to play again",
            events=(match_events.Continued,),
            seat=None,
            members=(NEXT_MATCH,),
            covered_by=None,
            posted=False,
            shown=False,
        ),
        NoticeType(
            name="time.given",
            sent_when="a player gives others more time to think",
            events=(TimeGiven,),
            seat=None,
            members=(GIFTS,),
            covered_by=None,
            posted=True,
            shown=False,
        ),
        NoticeType(
            name="proposal.made",
            sent_when="a player proposes to end the match, to pause it, or that bots play on for"
            " absent players or new players take their seats",
            events=(Proposed,),
            seat=None,
            members=PROPOSAL,
            covered_by=None,
            posted=True,
            shown=True,
        ),
        NoticeType(
            name="proposal.answered",
            sent_when="a player agrees to a proposal, declines or withdraws it, or it lapses",
            events=(ProposalAnswered, ProposalLapsed),
            seat=None,
            members=PROPOSAL,
            covered_by=None,
            posted=False,
            shown=False,
        ),
        NoticeType(
            name="match.paused",
            sent_when="the players pause a match",
            events=(Paused,),
            seat=None,
            members=(PAUSE,),
            covered_by=None,
            posted=True,
            shown=True,
        ),
        NoticeType(
            name="pause.ending",
            sent_when="a paused match resumes by itself: a quarter of the pause is left",
            events=(),
            seat=None,
            members=(PAUSE,),
            covered_by=None,
            posted=True,
            shown=False,
        ),
        NoticeType(
            name="match.resumed",
            sent_when="a player resumes a match, or its pause is over",
            events=(Resumed,),
            seat=None,
            members=(PAUSE,),
            covered_by=None,
            posted=True,
            shown=True,
        ),
        NoticeType(
            name="patience.warning",
            sent_when="half of the patience with a seat has passed",
            events=(),
            seat="decider",
            members=(PATIENCE_UNTIL,),
            covered_by=None,
            posted=True,
            shown=False,
        ),
        NoticeType(
            name="patience.ended",
            sent_when="the patience with a seat ends: the others may vote how to go on",
            events=(PatienceEnded,),
            seat=None,
            members=(ABSENT,),
            covered_by=None,
            posted=True,
            shown=True,
        ),
        NoticeType(
            name="replacement.sought",
            sent_when="the others seek a new player for the seat of an absent one",
            events=(ReplacementSought,),
            seat=None,
            members=(REPLACEABLE,),
            covered_by=None,
            posted=True,
            shown=True,
        ),
        NoticeType(
            name="player.replaced",
            sent_when="a new player takes the seat of an absent one",
            events=(PlayerReplaced,),
            seat=None,
            members=(REPLACED, HOST),
            covered_by=None,
            posted=True,
            shown=True,
        ),
    )
}
