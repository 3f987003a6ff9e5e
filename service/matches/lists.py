"""Matches and turns as the lists show them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import asdict

from projections.core.summary import PendingUndo, SeatSummary, Summary
from projections.lists.turns import Turn, turns_of
from service.accounts.players import Players
from service.matches.queries import Names, iso

Json = dict[str, Any]


def names_in(players: Players, matches: Sequence[Summary]) -> Names:
    """The names that those who sit in these matches have now, by id."""
    return players.names({player for match in matches for player in match.holders})


def summary(match: Summary, names: Names) -> Json:
    """A match, with the names that its players have now."""
    return {
        "id": match.id,
        "game": match.game,
        "status": match.status,
        "version": match.version,
        "created_at": iso(match.created_at),
        "updated_at": iso(match.updated_at),
        "host": match.host,
        "visibility": match.visibility,
        "undo": match.undo,
        "clock": match.clock,
        "options": match.options,
        "unrated": match.unrated,
        "forked_from": match.forked_from,
        "seats": [_seat(seat, names) for seat in match.seats],
        "awaiting": [
            {"seat": who.seat, "since": iso(who.since), "deadline": time(who.deadline)}
            for who in match.awaiting
        ],
        "result": match.result,
        "won": match.won,
        "end_reason": match.end_reason,
        "series": match.series,
        "next_match": match.next_match,
    }


def own(match: Summary, names: Names, player: str) -> Json:
    """A match for a player who has a part in it, with what concerns them."""
    turn = turns_of(match).get(player)
    return {
        "match": summary(match, names),
        "awaits_you": turn is not None,
        "your_turn": turn.seats if turn else (),
        "undo_asked": bool(turn and turn.undo),
        "invited": any(seat.invited == player and not seat.player for seat in match.seats),
        "undo_request": undo_request(match.undo_request),
    }


def turn(one: Turn) -> Json:
    """A match that waits for the caller."""
    return {
        "match": one.match,
        "game": one.game,
        "version": one.version,
        "seats": one.seats,
        "since": iso(one.since),
        "deadline": time(one.deadline),
        "undo_request": undo_request(one.undo),
    }


def undo_request(undo: PendingUndo | None) -> Json | None:
    """An undo, or a redo, that is asked for."""
    if undo is None:
        return None
    return {
        "player": undo.player,
        "to": undo.to,
        "redo": undo.redo,
        "asked": undo.asked,
        "expires": iso(undo.expires),
    }


def time(at: int | None) -> str | None:
    """A time (ms since the epoch) as ISO 8601; None stays None."""
    return None if at is None else iso(at)


def _seat(seat: SeatSummary, names: Names) -> Json:
    name = names.get(seat.player) if seat.player else None
    return {"name": name, **asdict(seat)}
