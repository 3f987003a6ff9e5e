"""Carries out a command on a match and responds with what was recorded."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Response, g
from msgspec.structs import replace

from domain.match import visibility
from domain.match.outages import Decision
from service.accounts.players import Player
from service.http.context import annals
from service.http.json_responses import Json, json_response
from service.http.requests import command_metadata
from service.http.responses.representation import Representation
from service.matches import commands, queries
from service.matches.commands import Receipt


def run_command(
    match_id: str,
    player: Player,
    decision: Decision,
    status: int = 200,
    invitation: str | None = None,
) -> Response:
    """Decide, record, and respond with what the player may know of it."""
    metadata = replace(command_metadata(player), invitation=invitation)
    receipt = commands.execute(annals(), match_id, metadata, decision)
    return command_response(receipt, player, status)


def command_response(receipt: Receipt, player: Player, status: int) -> Response:
    """Return the response to a recorded command."""
    return json_response(
        command_content(receipt, player), status, dict(command_headers(receipt, status))
    )


def creation_response(receipt: Receipt, player: Player) -> Response:
    """Return the response with a new match as its host sees it."""
    match = receipt.match
    g.invited = [chair.invited for chair in match.chairs if chair.invited]  # see the middleware
    shown = Representation(match, visibility.default_viewer_seat(match, player.id), fixed=False)
    names = queries.player_names(annals(), match)
    headers = {**shown.headers_with(names), "Location": f"/v1/matches/{match.id}"}
    if receipt.is_repeated:
        headers["Idempotency-Replayed"] = "true"
    return json_response(queries.table_view(match, shown.seat, names), 201, headers)


def command_content(receipt: Receipt, player: Player) -> Json:
    """Return what a player may know of what was recorded."""
    match = receipt.match
    seat = visibility.default_viewer_seat(match, player.id)
    return {
        "version": match.version,
        "status": match.status,
        "events": queries.visible_events(match, receipt.events, seat),
        "awaiting": queries.awaiting(match),
    }


def command_headers(receipt: Receipt, status: int) -> Iterator[tuple[str, str]]:
    """Yield the headers with the recorded version and its address."""
    match = receipt.match
    yield "ETag", f'"{match.version}"'
    if status == 201:
        yield "Location", f"/v1/matches/{match.id}/events?after={match.version - 1}&limit=1"
    if receipt.is_repeated:
        yield "Idempotency-Replayed", "true"
