"""Carrying out a caller's command on a match, and telling what was recorded."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Response

from domain.match import visibility
from service.accounts.players import Player
from service.http.context import annals
from service.http.json_responses import Json, answer
from service.http.requests import command
from service.matches import commands, queries
from service.matches.commands import Decision, Receipt


def record(match_id: str, player: Player, decision: Decision, status: int = 200) -> Response:
    """Decide, record, and answer with what the player may know of it."""
    return told(commands.carry_out(annals(), match_id, command(player), decision), player, status)


def told(receipt: Receipt, player: Player, status: int) -> Response:
    """The answer to a command that was recorded."""
    return answer(content(receipt, player), status, dict(headers(receipt, status)))


def content(receipt: Receipt, player: Player) -> Json:
    """What a player may know of what was recorded."""
    match = receipt.match
    seat = visibility.viewing_seat(match, player.id)
    return {
        "version": match.version,
        "status": match.status,
        "events": queries.seen_events(match, receipt.events, seat),
        "awaiting": queries.awaiting(match),
    }


def headers(receipt: Receipt, status: int) -> Iterator[tuple[str, str]]:
    """The headers that say which version was recorded, and where it is."""
    match = receipt.match
    yield "ETag", f'"{match.version}"'
    if status == 201:
        yield "Location", f"/v1/matches/{match.id}/events?after={match.version - 1}&limit=1"
    if receipt.repeated:
        yield "Idempotency-Replayed", "true"
