"""Carrying out a caller's command on a match, and telling what was recorded."""

from __future__ import annotations

from flask import Response

from domain.match import visibility
from service import commands, queries
from service.commands import Decision, Receipt
from service.http.context import annals
from service.http.requests import command
from service.http.responses import answer
from service.players import Player


def record(match_id: str, player: Player, decision: Decision, status: int = 200) -> Response:
    """Decide, record, and answer with what the player may know of it."""
    return told(commands.carry_out(annals(), match_id, command(player), decision), player, status)


def told(receipt: Receipt, player: Player, status: int) -> Response:
    """The answer to a command that was recorded."""
    match = receipt.match
    seat = visibility.viewing_seat(match, player.id)
    content = {
        "version": match.version,
        "status": match.status,
        "events": queries.seen_events(match, receipt.events, seat),
        "awaiting": queries.awaiting(match),
    }
    headers = {"ETag": f'"{match.version}"'}
    if status == 201:
        entry = f"/v1/matches/{match.id}/events?after={match.version - 1}&limit=1"
        headers["Location"] = entry
    if receipt.repeated:
        headers["Idempotency-Replayed"] = "true"
    return answer(content, status, headers)
