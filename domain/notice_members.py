"""What messages about a match can have in their data, beside what all have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

from domain.engine.game import Json
from domain.match import events as match_events
from domain.match.decisions.absence import count_days
from domain.match.log import AnyEvent
from domain.match.social_events import (
    PlayerReplaced,
    ProposalAnswered,
    ProposalLapsed,
    Proposed,
    TimeGiven,
)
from domain.match.state import Match

TimeShare = Literal["half", "tenth"]
UNDO_EVENTS = (
    match_events.UndoRequested,
    match_events.UndoAnswered,
    match_events.UndoLapsed,
    match_events.Undone,
    match_events.Redone,
)
PROPOSAL_EVENTS = (Proposed, ProposalAnswered, ProposalLapsed)


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
    def proposal(self) -> Json | None:
        """The pending proposal."""
        ...

    @property
    def pause(self) -> Json | None:
        """The pause."""
        ...

    @property
    def deadline(self) -> str | None:
        """When the time of the notice's seat runs out, in ISO 8601; None without a clock."""
        ...

    @property
    def patience_until(self) -> str | None:
        """When the patience with the notice's seat ends, in ISO 8601; None if there is none."""
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


def _proposal_events(context: MessageContext) -> list[AnyEvent]:
    """Return the events about the proposal; all of them are public."""
    return [event for event in context.events if isinstance(event, PROPOSAL_EVENTS)]


def _gifts(context: MessageContext) -> list[Json]:
    return [
        {"player": event.player, "seat": event.seat, "ms": event.ms}
        for event in context.events
        if isinstance(event, TimeGiven)
    ]


def _replaced(context: MessageContext) -> Json:
    [event] = [one for one in context.events if isinstance(one, PlayerReplaced)]
    return {"seat": event.seat, "leaver": event.leaver, "player": event.player}


HOST = Member(
    name="host",
    about="The player who opened the table",
    schema={"type": "string"},
    read=lambda context: context.match.host,
)
VISIBILITY = Member(
    name="visibility",
    about="Who may see the match",
    schema={"type": "string", "enum": ["public", "private"]},
    read=lambda context: context.match.visibility,
)
SEATS = Member(
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
OPTIONS = Member(
    name="options",
    about="The options of the game",
    schema={"type": "object", "additionalProperties": {}},
    read=lambda context: context.match.options,
)
UNDO = Member(
    name="undo",
    about="Who must agree to an undo",
    schema=_reference("MatchUndoPolicy"),
    read=lambda context: context.match.undo_policy,
)
CLOCK = Member(
    name="clock",
    about="The time limit; null if there is none",
    schema=_or_null("MatchClockRule"),
    read=lambda context: context.match.clock_rule,
)
MIN_RELIABILITY = Member(
    name="min_reliability",
    about="The reliability that it asks of those who take a free seat, in percent; null for none",
    schema={"type": ["integer", "null"]},
    read=lambda context: context.match.min_reliability,
)
PATIENCE = Member(
    name="patience_days",
    about="For how many days players wait for another one until they may vote; null for ever",
    schema={"type": ["integer", "null"]},
    read=lambda context: count_days(context.match.patience_ms),
)
ENTRY = Member(
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
DEADLINE = Member(
    name="deadline",
    about="When the time of the seat runs out; null without a clock",
    schema=_or_null("Time"),
    read=lambda context: context.deadline,
)
PATIENCE_UNTIL = Member(
    name="patience_until",
    about="When the patience with the seat ends; null if there is none",
    schema=_or_null("Time"),
    read=lambda context: context.patience_until,
)
ABSENT = Member(
    name="absent",
    about="The seats with which the patience has ended",
    schema={"type": "array", "items": _reference("Seat")},
    read=lambda context: sorted(context.match.absent),
)
REPLACEABLE = Member(
    name="replaceable",
    about="The seats of absent players that new ones can take",
    schema={"type": "array", "items": _reference("Seat")},
    read=lambda context: sorted(context.match.replaceable),
)
REPLACED = Member(
    name="replaced",
    about="Who has left which seat to whom",
    schema={
        "type": "object",
        "required": ["seat", "leaver", "player"],
        "properties": {
            "seat": _reference("Seat"),
            "leaver": {"type": "string", "description": "The id of the player who had it"},
            "player": {"type": "string", "description": "The id of the player who has it now"},
        },
    },
    read=_replaced,
)
TIME_LEFT = Member(
    name="time_left",
    about="The share of the time that is left",
    schema={"type": "string", "enum": [*get_args(TimeShare)]},
    read=lambda context: context.time_left,
)
ENDS_AT = Member(
    name="ends_at",
    about="When the match ends by itself unless its only player acts; null if it does not",
    schema=_or_null("Time"),
    read=lambda context: context.ends_at,
)
UNDO_REQUEST = Member(
    name="undo_request",
    about="The request that is pending; null if it is answered",
    schema=_or_null("UndoRequest"),
    read=lambda context: context.undo_request,
)
EVENTS = Member(
    name="events",
    about="The events of the entry that concern the request",
    schema={"type": "array", "items": _reference("AnyEvent")},
    read=_undo_events,
)
GIFTS = Member(
    name="gifts",
    about="The time that each seat was given",
    schema={
        "type": "array",
        "items": {
            "type": "object",
            "required": ["player", "seat", "ms"],
            "properties": {
                "player": {"type": "string", "description": "The id of the player who gave it"},
                "seat": _reference("Seat"),
                "ms": {"type": "integer", "description": "How many milliseconds more it has"},
            },
        },
    },
    read=_gifts,
)
END_REASON = Member(
    name="end_reason",
    about="How the match ended, or why it was aborted",
    schema={"anyOf": [_reference("MatchEndReason"), _reference("MatchAbortReason")]},
    read=lambda context: context.match.end_reason,
)
RESULT = Member(
    name="result",
    about="The result",
    schema=_or_null("MatchScoring"),
    read=lambda context: context.match.scoring,
)
SERIES = Member(
    name="series",
    about="The series after this match; null if it is in none",
    schema=_or_null("MatchSeriesScore"),
    read=lambda context: context.match.series_score,
)
PREVIOUS_MATCH = Member(
    name="previous_match",
    about="The match before it, of its series or that is played again; null if there is none",
    schema=_or_null("MatchId"),
    read=lambda context: context.match.previous_match,
)
NEXT_MATCH = Member(
    name="next_match",
    about="The match that follows",
    schema=_reference("MatchId"),
    read=lambda context: context.match.next_match,
)
TABLE = (HOST, VISIBILITY, SEATS, OPTIONS, UNDO, CLOCK, PATIENCE, MIN_RELIABILITY, PREVIOUS_MATCH)
PAUSE = Member(
    name="pause",
    about="Since when and until when the match waits; null if it goes on",
    schema=_or_null("Pause"),
    read=lambda context: context.pause,
)
REQUEST = (UNDO_REQUEST, EVENTS)
PROPOSAL = (
    Member(
        name="proposal",
        about="The proposal that is pending; null if it is answered",
        schema=_or_null("Proposal"),
        read=lambda context: context.proposal,
    ),
    Member(
        name="events",
        about="The events of the entry that concern the proposal",
        schema=EVENTS.schema,
        read=_proposal_events,
    ),
)
