"""Bodies of messages: at most 20 kB, with what the subscription's owner may see of the match."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from domain.match import events as said
from domain.match import visibility
from domain.match.log import AnyEvent, Entry, read_events
from domain.match.state import Match
from domain.notices import TIME_SHARE_DIVISORS, Notice, NoticeType
from service.matches import queries
from service.matches.container import Annals
from service.matches.queries import Json, iso
from service.runtime.errors import NotFound

MAX_BODY_BYTES = 20_000
NO_DATA: Mapping[str, Any] = {}
_ENCODER = msgspec.json.Encoder()


class NoticeContext(msgspec.Struct, frozen=True):
    """A match just after an entry, the entry, the seat of the viewer (None: spectator) and the
    notice.
    """

    match: Match
    entry: Entry
    seat: int | None
    notice: Notice


def build_message(annals: Annals, player: str, match_id: str, notice: Notice) -> bytes:
    """Return the body of the message about a notice for a player.

    Raises NotFound if the player may not see the match, CorruptEntry if it is corrupt.
    """
    return build_body(annals, load_context(annals, player, match_id, notice))


def build_body(annals: Annals, context: NoticeContext, more: Mapping[str, Any] = NO_DATA) -> bytes:
    """Return the body of a message, with more members in its data; truncated if it is too large."""
    at, notice_type = event_time(context), context.notice.type
    body = encode(notice_type, at, build_data(annals, context, {**data_by_type(context), **more}))
    if len(body) <= MAX_BODY_BYTES:
        return body
    return encode(notice_type, at, build_data(annals, context, {"truncated": True, **more}))


def load_context(annals: Annals, player: str, match_id: str, notice: Notice) -> NoticeContext:
    """Return the match at the version of a notice, as the player sees it. Raises NotFound if they
    may not.
    """
    match, entry = annals.history.at(match_id, notice.version)
    if not visibility.can_see(match, player):
        raise NotFound("There is no such match.")
    return NoticeContext(match, entry, visibility.default_viewer_seat(match, player), notice)


def encode(kind: str, at: int, data: object) -> bytes:
    """Encode the body of a message about an event at a time (ms)."""
    return _ENCODER.encode({"type": kind, "timestamp": iso(at), "data": data})


def build_data(annals: Annals, context: NoticeContext, more: Mapping[str, Any]) -> Json:
    """Return the data that every message has, and the members of this one."""
    match = context.match
    return {
        "match": match.id,
        "game": match.game.key,
        "version": match.version,
        "head": match.head.hex(),
        "seat": context.notice.seat,
        "as": context.seat,
        "status": match.status,
        "awaiting": queries.awaiting(match),
        "url": f"{annals.settings.base_url}/v1/matches/{match.id}",
        "page": annals.settings.match_url(match.id),
        **more,
    }


def build_ping(annals: Annals) -> bytes:
    """Return the body of a `ping`: an example with the members that all messages have."""
    data = {
        "match": "example",
        "game": next(iter(annals.games)),
        "version": 1,
        "head": bytes(32).hex(),
        "seat": None,
        "as": None,
        "status": "active",
        "awaiting": [],
        "url": f"{annals.settings.base_url}/v1/matches/example",
        "page": annals.settings.match_url("example"),
        "example": True,
    }
    return encode("ping", annals.now(), data)


def data_by_type(context: NoticeContext) -> Mapping[str, Any]:
    """Return the members that a message has by its type."""
    return _DATA_BY_TYPE[context.notice.type](context)


def event_time(context: NoticeContext) -> int:
    """Return when the event happened: the time of the entry, or of a warning (ms)."""
    deadline, share = _deadline(context), context.notice.share
    if share is None or deadline is None:
        return context.entry.at
    return deadline - _full_time_ms(context.match) // TIME_SHARE_DIVISORS[share]


def _table_data(context: NoticeContext) -> Json:
    match = context.match
    return {
        "host": match.host,
        "visibility": match.visibility,
        "seats": [
            {"seat": seat, "player": chair.player, "bot": chair.bot, "invited": chair.invited}
            for seat, chair in enumerate(match.chairs)
        ],
        "options": match.options,
        "undo": match.undo_policy,
        "clock": match.clock_rule,
    }


def _entry_data(context: NoticeContext) -> Json:
    served = queries.entry_view(context.match, context.entry, context.seat)
    return {"entry": {part: served[part] for part in ("kind", "actor", "at", "move", "events")}}


def _turn_data(context: NoticeContext) -> Json:
    deadline = _deadline(context)
    return {"deadline": None if deadline is None else iso(deadline)}


def _warning_data(context: NoticeContext) -> Json:
    return {**_turn_data(context), "time_left": context.notice.share}


def _undo_data(context: NoticeContext) -> Json:
    """Return the undo request and its events; all of them are public."""
    match = context.match
    return {
        "undo_request": match.undo_request and queries.undo_request(match),
        "events": [event for event in _events(context) if isinstance(event, _UNDO_EVENTS)],
    }


def _end_data(context: NoticeContext) -> Json:
    return {"end_reason": context.match.end_reason}


def _score_data(context: NoticeContext) -> Json:
    match = context.match
    return {"end_reason": match.end_reason, "result": match.scoring, "series": match.series_score}


def _events(context: NoticeContext) -> list[AnyEvent]:
    return read_events(context.match.game, context.entry.events)


def _deadline(context: NoticeContext) -> int | None:
    clocks, seat = context.match.clocks, context.notice.seat
    if clocks is None or seat is None or seat not in clocks.running:
        return None
    return clocks.since + max(0, clocks.banks[seat])


def _full_time_ms(match: Match) -> int:
    rule = match.clock_rule
    return 1000 * (rule.per_move_s or rule.bank_s or 0) if rule else 0


_UNDO_EVENTS = (said.UndoRequested, said.UndoAnswered, said.UndoLapsed, said.Undone, said.Redone)
_DATA_BY_TYPE: Mapping[NoticeType, Callable[[NoticeContext], Mapping[str, Any]]] = {
    "match.created": _table_data,
    "match.started": _table_data,
    "move.made": _entry_data,
    "turn.started": _turn_data,
    "undo.requested": _undo_data,
    "undo.answered": _undo_data,
    "undo.done": _undo_data,
    "clock.warning": _warning_data,
    "match.ended": _end_data,
    "match.scored": _score_data,
    "match.aborted": _end_data,
}
