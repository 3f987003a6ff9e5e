"""What is told: messages of under 20 kB, with what their owner may see of the match alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from domain.match import events as said
from domain.match import visibility
from domain.match.log import AnyEvent, Entry, read_events
from domain.match.state import Match
from domain.notices import SHARES, Notice, NoticeType
from service.matches import queries
from service.matches.container import Annals
from service.matches.queries import Json, iso
from service.runtime.errors import NotFound

LARGEST = 20_000
NOTHING: Mapping[str, Any] = {}
_ENCODER = msgspec.json.Encoder()


class Moment(msgspec.Struct, frozen=True):
    """A match just after an entry, and the seat as which somebody sees it; None is a spectator."""

    match: Match
    entry: Entry
    seat: int | None
    notice: Notice


def message(annals: Annals, player: str, match_id: str, notice: Notice) -> bytes:
    """The body of the message about a notice to a player; NotFound if they may not know of the
    match, Damaged if it cannot be read.
    """
    return body_of(annals, moment_of(annals, player, match_id, notice))


def body_of(annals: Annals, moment: Moment, more: Mapping[str, Any] = NOTHING) -> bytes:
    """The body of the message about a moment, with more members of its data."""
    at, kind = happened_at(moment), moment.notice.type
    whole = encode(kind, at, data_of(annals, moment, {**told(moment), **more}))
    if len(whole) <= LARGEST:
        return whole
    return encode(kind, at, data_of(annals, moment, {"cut": True, **more}))


def moment_of(annals: Annals, player: str, match_id: str, notice: Notice) -> Moment:
    """The match as it was then, as the player sees it; NotFound if they may not know of it."""
    match, entry = annals.steps.at(match_id, notice.version)
    if not visibility.knows(match, player):
        raise NotFound("There is no such match.")
    return Moment(match, entry, visibility.viewing_seat(match, player), notice)


def encode(kind: str, at: int, data: object) -> bytes:
    """The body of a message about something that happened at a time (ms)."""
    return _ENCODER.encode({"type": kind, "timestamp": iso(at), "data": data})


def data_of(annals: Annals, moment: Moment, more: Mapping[str, Any]) -> Json:
    """What every message says of the match, and what this one says besides."""
    match = moment.match
    return {
        "match": match.id,
        "game": match.game.key,
        "version": match.version,
        "head": match.head.hex(),
        "seat": moment.notice.seat,
        "as": moment.seat,
        "status": match.status,
        "awaiting": queries.awaiting(match),
        "url": f"{annals.settings.own_url}/v1/matches/{match.id}",
        "page": annals.settings.page_of(match.id),
        **more,
    }


def ping(annals: Annals) -> bytes:
    """The body of a message that tells nothing, with the members that all of them have."""
    data = {
        "match": "example",
        "game": next(iter(annals.games)),
        "version": 1,
        "head": bytes(32).hex(),
        "seat": None,
        "as": None,
        "status": "active",
        "awaiting": [],
        "url": f"{annals.settings.own_url}/v1/matches/example",
        "page": annals.settings.page_of("example"),
        "example": True,
    }
    return encode("ping", annals.now(), data)


def told(moment: Moment) -> Mapping[str, Any]:
    """What a message says besides, by its type."""
    return _TOLD[moment.notice.type](moment)


def happened_at(moment: Moment) -> int:
    """When it happened: the time of the entry, or that of a warning."""
    deadline, share = _deadline(moment), moment.notice.share
    if share is None or deadline is None:
        return moment.entry.at
    return deadline - _whole_ms(moment.match) // SHARES[share]


def _table(moment: Moment) -> Json:
    match = moment.match
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


def _entry(moment: Moment) -> Json:
    served = queries.served_entry(moment.match, moment.entry, moment.seat)
    return {"entry": {part: served[part] for part in ("kind", "actor", "at", "move", "events")}}


def _turn(moment: Moment) -> Json:
    deadline = _deadline(moment)
    return {"deadline": None if deadline is None else iso(deadline)}


def _warning(moment: Moment) -> Json:
    return {**_turn(moment), "left": moment.notice.share}


def _undo(moment: Moment) -> Json:
    """The request as it stands, and what became of it: each event of an undo is for everybody."""
    match = moment.match
    return {
        "undo_request": match.undo_request and queries.undo_request(match),
        "events": [event for event in _events(moment) if isinstance(event, _OF_UNDO)],
    }


def _ended(moment: Moment) -> Json:
    return {"end_reason": moment.match.end_reason}


def _scored(moment: Moment) -> Json:
    match = moment.match
    return {"end_reason": match.end_reason, "result": match.scoring, "series": match.series_score}


def _events(moment: Moment) -> list[AnyEvent]:
    return read_events(moment.match.game, moment.entry.events)


def _deadline(moment: Moment) -> int | None:
    clocks, seat = moment.match.clocks, moment.notice.seat
    if clocks is None or seat is None or seat not in clocks.running:
        return None
    return clocks.since + max(0, clocks.banks[seat])


def _whole_ms(match: Match) -> int:
    rule = match.clock_rule
    return 1000 * (rule.per_move_s or rule.bank_s or 0) if rule else 0


_OF_UNDO = (said.UndoRequested, said.UndoAnswered, said.UndoLapsed, said.Undone, said.Redone)
_TOLD: Mapping[NoticeType, Callable[[Moment], Mapping[str, Any]]] = {
    "match.created": _table,
    "match.started": _table,
    "move.made": _entry,
    "turn.started": _turn,
    "undo.requested": _undo,
    "undo.answered": _undo,
    "undo.done": _undo,
    "clock.warning": _warning,
    "match.ended": _ended,
    "match.scored": _scored,
    "match.aborted": _ended,
}
