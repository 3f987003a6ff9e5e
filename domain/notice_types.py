"""The types of notices: one record each, from which messages, filters, contract and docs follow.

To add a type, add its name to `NoticeName` and its record to `NOTICE_TYPES`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

from domain.engine.game import Json
from domain.match import events as match_events
from domain.match.log import AnyEvent
from domain.match.state import Match

NoticeName = Literal[
    "match.created", "match.started", "move.made", "turn.started", "undo.requested",
    "undo.answered", "undo.done", "clock.warning", "match.idle", "match.ended", "match.scored",
    "match.aborted",
]  # fmt: skip
TimeShare = Literal["half", "tenth"]
UNDO_EVENTS = (
    match_events.UndoRequested,
    match_events.UndoAnswered,
    match_events.UndoLapsed,
    match_events.Undone,
    match_events.Redone,
)


class MessageContext(Protocol):
    """What a message can show: a match just after an entry, as its receiver may know it."""

    @property
    def match(self) -> Match:
        """The match."""
        ...

    @property
    def events(self) -> Sequence[AnyEvent]:
        """The events of the entry, secrets included."""
        ...

    @property
    def entry_view(self) -> Json:
        """The entry, as the receiver may know it."""
        ...

    @property
    def undo_request(self) -> Json | None:
        """The pending undo request."""
        ...

    @property
    def deadline(self) -> str | None:
        """When the time of the notice's seat runs out, in ISO 8601; None without a clock."""
        ...

    @property
    def time_left(self) -> TimeShare | None:
        """The share of time left, for a warning."""
        ...

    @property
    def ends_at(self) -> str | None:
        """When the match ends by itself, in ISO 8601; None if it does not."""
        ...


@dataclass(frozen=True, kw_only=True)
class Member:
    """A member of a message's data: its name, what it is, its schema in the contract, its value."""

    name: str
    about: str
    schema: Json
    read: Callable[[MessageContext], object]


@dataclass(frozen=True, kw_only=True)
class NoticeType:
    """A type of notice: all that is particular to it."""

    name: NoticeName
    sent_when: str
    """When it is sent, as the docs and the contract say it."""
    events: tuple[type[match_events.MatchEvent], ...]
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


def _reference(schema: str) -> Json:
    return {"$ref": f"#/components/schemas/{schema}"}


def _text_or_null(about: str) -> Json:
    return {"type": ["string", "null"], "description": about}


def _or_null(schema: str) -> Json:
    return {"anyOf": [_reference(schema), {"type": "null"}]}


def _entry(context: MessageContext) -> Json:
    view = context.entry_view
    return {name: view[name] for name in ("kind", "actor", "at", "move", "events")}


def _seats(context: MessageContext) -> list[Json]:
    return [
        {"seat": seat, "player": chair.player, "bot": chair.bot, "invited": chair.invited}
        for seat, chair in enumerate(context.match.chairs)
    ]


def _undo_events(context: MessageContext) -> list[AnyEvent]:
    """Return the events about the undo request; all of them are public."""
    return [event for event in context.events if isinstance(event, UNDO_EVENTS)]


_HOST = Member(
    name="host",
    about="The player who opened the table",
    schema={"type": "string"},
    read=lambda context: context.match.host,
)
_VISIBILITY = Member(
    name="visibility",
    about="Who may see the match",
    schema={"type": "string", "enum": ["public", "private"]},
    read=lambda context: context.match.visibility,
)
_SEATS = Member(
    name="seats",
    about="The seats, each with its player, its bot, or whom it is kept for",
    schema={
        "type": "array",
        "items": {
            "type": "object",
            "required": ["seat", "player", "bot", "invited"],
            "properties": {
                "seat": _reference("Seat"),
                "player": _text_or_null("The id of its player; null if it has none"),
                "bot": _text_or_null("The level of its bot; null if it has none"),
                "invited": _text_or_null("The id of the only player who may take it, if any"),
            },
        },
    },
    read=_seats,
)
_OPTIONS = Member(
    name="options",
    about="The options of the game",
    schema={"type": "object", "additionalProperties": {}},
    read=lambda context: context.match.options,
)
_UNDO = Member(
    name="undo",
    about="Who must agree to an undo",
    schema=_reference("MatchUndoPolicy"),
    read=lambda context: context.match.undo_policy,
)
_CLOCK = Member(
    name="clock",
    about="The time limit; null if there is none",
    schema=_or_null("MatchClockRule"),
    read=lambda context: context.match.clock_rule,
)
_ENTRY = Member(
    name="entry",
    about="Kind, actor, time, move and events of the entry, as you may know them",
    schema={
        "type": "object",
        "required": ["kind", "actor", "at", "move", "events"],
        "properties": {
            "kind": _reference("EntryKind"),
            "actor": {"type": "string", "description": "Who acted"},
            "at": _reference("Time"),
            "move": {**_or_null("AnyMove"), "description": "The move, if it is one"},
            "events": {
                "type": "array",
                "items": _reference("AnyEvent"),
                "description": "What happened",
            },
        },
    },
    read=_entry,
)
_DEADLINE = Member(
    name="deadline",
    about="When the time of the seat runs out; null without a clock",
    schema=_or_null("Time"),
    read=lambda context: context.deadline,
)
_TIME_LEFT = Member(
    name="time_left",
    about="The share of the time that is left",
    schema={"type": "string", "enum": [*get_args(TimeShare)]},
    read=lambda context: context.time_left,
)
_ENDS_AT = Member(
    name="ends_at",
    about="When the match ends by itself unless its only player acts; null if it does not",
    schema=_or_null("Time"),
    read=lambda context: context.ends_at,
)
_UNDO_REQUEST = Member(
    name="undo_request",
    about="The request that is pending; null if it is answered",
    schema=_or_null("UndoRequest"),
    read=lambda context: context.undo_request,
)
_EVENTS = Member(
    name="events",
    about="The events of the entry that concern the request",
    schema={"type": "array", "items": _reference("AnyEvent")},
    read=_undo_events,
)
_END_REASON = Member(
    name="end_reason",
    about="How the match ended, or why it was aborted",
    schema={"anyOf": [_reference("MatchEndReason"), _reference("MatchAbortReason")]},
    read=lambda context: context.match.end_reason,
)
_RESULT = Member(
    name="result",
    about="The result",
    schema=_or_null("MatchScoring"),
    read=lambda context: context.match.scoring,
)
_SERIES = Member(
    name="series",
    about="The series after this match; null if it is in none",
    schema=_or_null("MatchSeriesScore"),
    read=lambda context: context.match.series_score,
)
_TABLE = (_HOST, _VISIBILITY, _SEATS, _OPTIONS, _UNDO, _CLOCK)
_REQUEST = (_UNDO_REQUEST, _EVENTS)

NOTICE_TYPES: Mapping[NoticeName, NoticeType] = {
    one.name: one
    for one in (
        NoticeType(
            name="match.created",
            sent_when="a table opens",
            events=(match_events.Created,),
            seat=None,
            members=_TABLE,
            covered_by=None,
            posted=True,
            shown=False,
        ),
        NoticeType(
            name="match.started",
            sent_when="play begins",
            events=(match_events.Started,),
            seat=None,
            members=_TABLE,
            covered_by="turn.started",
            posted=True,
            shown=False,
        ),
        NoticeType(
            name="move.made",
            sent_when="a seat, or its bot, moves",
            events=(),
            seat="mover",
            members=(_ENTRY,),
            covered_by="turn.started",
            posted=True,
            shown=False,
        ),
        NoticeType(
            name="turn.started",
            sent_when="a person at a seat has to decide, and did not have to just before",
            events=(),
            seat="decider",
            members=(_DEADLINE,),
            covered_by=None,
            posted=True,
            shown=True,
        ),
        NoticeType(
            name="undo.requested",
            sent_when="a player asks for an undo or redo",
            events=(match_events.UndoRequested,),
            seat=None,
            members=_REQUEST,
            covered_by=None,
            posted=True,
            shown=True,
        ),
        NoticeType(
            name="undo.answered",
            sent_when="a player answers, or the request lapses",
            events=(match_events.UndoAnswered, match_events.UndoLapsed),
            seat=None,
            members=_REQUEST,
            covered_by=None,
            posted=False,
            shown=False,
        ),
        NoticeType(
            name="undo.done",
            sent_when="an undo or redo takes effect",
            events=(match_events.Undone, match_events.Redone),
            seat=None,
            members=_REQUEST,
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
            members=(_DEADLINE, _TIME_LEFT),
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
            members=(_ENDS_AT,),
            covered_by=None,
            posted=True,
            shown=False,
        ),
        NoticeType(
            name="match.ended",
            sent_when="a player makes the last move, or no players are left",
            events=(match_events.Ended,),
            seat=None,
            members=(_END_REASON,),
            covered_by="match.scored",
            posted=True,
            shown=False,
        ),
        NoticeType(
            name="match.scored",
            sent_when="the result stands",
            events=(match_events.Scored,),
            seat=None,
            members=(_END_REASON, _RESULT, _SERIES),
            covered_by=None,
            posted=True,
            shown=True,
        ),
        NoticeType(
            name="match.aborted",
            sent_when="the match is aborted",
            events=(match_events.Aborted,),
            seat=None,
            members=(_END_REASON,),
            covered_by=None,
            posted=True,
            shown=True,
        ),
    )
}
