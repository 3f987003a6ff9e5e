"""Seats taken, left and reclaimed from a bot; the start, or the end of an open table."""

from __future__ import annotations

from flask import Blueprint, Response, g

from domain.match.decisions import lobby, playing
from service.http.addresses import MATCH
from service.http.context import annals, caller
from service.http.requests import body
from service.http.responses.command_responses import record
from service.http.schemas.common import NewNonce, Nothing, SeatChoice, Start
from service.matches import commands

bp = Blueprint("seats", __name__, url_prefix=MATCH)
SEAT_CHOICE, NEW_NONCE, START, NOTHING = SeatChoice(), NewNonce(), Start(), Nothing()


@bp.post("/seats")
def take(match_id: str) -> Response:
    """Sit down."""
    player, data = caller("play"), body(SEAT_CHOICE, optional=True)
    nonce, promised = bytes.fromhex(data.get("nonce") or ""), data.get("commitment")
    return record(
        match_id,
        player,
        lambda match, now: lobby.take_seat(
            match, player.id, data.get("seat"), now, nonce, promised
        ),
        201,
    )


@bp.post("/nonce")
def open_nonce(match_id: str) -> Response:
    """Open the nonce that one has committed to."""
    player, data = caller("play"), body(NEW_NONCE)
    nonce = bytes.fromhex(data["nonce"])
    return record(
        match_id, player, lambda match, now: lobby.open_nonce(match, player.id, nonce, now)
    )


@bp.delete("/seats/<int(max=63):seat>")
def leave(match_id: str, seat: int) -> Response:
    """Stand up before the start."""
    player, g.body = caller("play"), {}
    return record(match_id, player, lambda match, _: lobby.leave_seat(match, player.id, seat))


@bp.delete("")
def close(match_id: str) -> Response:
    """Close the table before the start, or a match of bots."""
    player, g.body = caller("host"), {}
    return record(match_id, player, lambda match, _: lobby.close(match, player.id))


@bp.post("/start")
def start(match_id: str) -> Response:
    """Fill the open seats with bots and start the match."""
    player, data = caller("host"), body(START, optional=True)
    return record(match_id, player, commands.start(annals(), player.id, data.get("level")))


@bp.post("/reclaim")
def reclaim(match_id: str) -> Response:
    """Reclaim the seats that bots play in one's place."""
    player = caller("play")
    body(NOTHING, optional=True)
    return record(match_id, player, lambda match, now: playing.reclaim(match, player.id, now))
