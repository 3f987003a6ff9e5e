"""Bodies of messages: at most 20 kB, with what the subscription's owner may see of the match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from domain.match import visibility
from domain.match.decisions.absence import patience_ends
from domain.match.log import AnyEvent, Entry, read_events
from domain.match.state import Match
from domain.notice_members import TimeShare
from domain.notice_types import NOTICE_TYPES
from domain.notices import (
    TIME_SHARE_DIVISORS,
    Notice,
    idle_warning_time,
    patience_warning_time,
    pause_warning_time,
)
from service.matches import queries
from service.matches.container import Annals
from service.matches.queries import Json, iso

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

    @property
    def events(self) -> Sequence[AnyEvent]:
        """The events of the entry, secrets included."""
        return read_events(self.match.game, self.entry.events)

    @property
    def entry_view(self) -> Json:
        """The entry, as the viewer may know it."""
        return queries.entry_view(self.match, self.entry, self.seat)

    @property
    def undo_request(self) -> Json | None:
        """The pending undo request."""
        return queries.undo_request(self.match.undo_request)

    @property
    def proposal(self) -> Json | None:
        """The pending proposal."""
        return queries.proposal(self.match.proposal)

    @property
    def pause(self) -> Json | None:
        """The pause."""
        return queries.pause(self.match.pause) if self.match.pause else None

    @property
    def deadline_ms(self) -> int | None:
        """When the time of the notice's seat runs out (ms); None without a clock."""
        clocks, seat = self.match.clocks, self.notice.seat
        if clocks is None or seat is None or seat not in clocks.running:
            return None
        return clocks.since + max(0, clocks.banks[seat])

    @property
    def deadline(self) -> str | None:
        """The same, in ISO 8601."""
        return None if self.deadline_ms is None else iso(self.deadline_ms)

    @property
    def ends_at(self) -> str | None:
        """When the match ends by itself, in ISO 8601; None if it does not."""
        return None if self.match.ends_at is None else iso(self.match.ends_at)

    @property
    def patience_until_ms(self) -> int | None:
        """When the patience with the notice's seat ends (ms); None if there is none."""
        ends, seat = patience_ends(self.match), self.notice.seat
        return None if seat is None else ends.get(seat)

    @property
    def patience_until(self) -> str | None:
        """The same, in ISO 8601."""
        return None if self.patience_until_ms is None else iso(self.patience_until_ms)

    @property
    def time_left(self) -> TimeShare | None:
        """The share of time left, for a warning."""
        return self.notice.share


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
    may not. A player who was replaced since then sees what spectators do.
    """
    match, entry = annals.history.at(match_id, notice.version)
    can_change = match.patience_ms is not None  # no other match has new players
    holders = annals.matches.latest(match_id) if can_change else match
    queries.check_known(annals, holders if holders.tenures else match, player)
    holds = holders.seats_of(player) == match.seats_of(player)
    seat = visibility.default_viewer_seat(match, player) if holds else None
    return NoticeContext(match, entry, seat, notice)


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
        "url": f"{annals.base_url}/v1/matches/{match.id}",
        "page": annals.match_url(match.id),
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
        "url": f"{annals.base_url}/v1/matches/example",
        "page": annals.match_url("example"),
        "example": True,
    }
    return encode("ping", annals.now(), data)


def data_by_type(context: NoticeContext) -> Mapping[str, Any]:
    """Return the members that a message has by its type."""
    members = NOTICE_TYPES[context.notice.type].members
    return {one.name: one.read(context) for one in members}


def event_time(context: NoticeContext) -> int:
    """Return when the event happened: the time of the entry, or of a warning (ms)."""
    deadline, share = context.deadline_ms, context.notice.share
    ends_at, idle_ms = context.match.ends_at, context.match.idle_ms
    if context.notice.type == "match.idle" and ends_at is not None and idle_ms is not None:
        return idle_warning_time(ends_at, idle_ms)
    until = context.patience_until_ms
    if context.notice.type == "patience.warning" and until is not None:
        return patience_warning_time(until, context.match.patience_ms)
    if context.notice.type == "pause.ending" and context.match.pause is not None:
        return pause_warning_time(context.match.pause)
    if share is None or deadline is None:
        return context.entry.at
    return deadline - _full_time_ms(context.match) // TIME_SHARE_DIVISORS[share]


def _full_time_ms(match: Match) -> int:
    rule = match.clock_rule
    return 1000 * (rule.per_move_s or rule.bank_s or 0) if rule else 0
