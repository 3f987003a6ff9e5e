"""Undo and redo, and votes on them."""

from __future__ import annotations

from flask import Blueprint, Response

from domain.match.decisions import undo
from service.http.addresses import MATCH
from service.http.context import authenticate
from service.http.requests import parse_body
from service.http.responses.command_responses import run_command
from service.http.schemas.commands import NewRedo, NewUndo, UndoAnswer

bp = Blueprint("undo", __name__, url_prefix=MATCH)
NEW_UNDO, NEW_REDO, ANSWER = NewUndo(), NewRedo(), UndoAnswer()


@bp.post("/undo")
def request_undo(match_id: str) -> Response:
    """Go back to a version, or request that from the other players."""
    player, data = authenticate("play"), parse_body(NEW_UNDO, optional=True)
    return run_command(
        match_id, player, lambda match, now: undo.undo(match, player.id, data.get("to"), now)
    )


@bp.post("/undo/answer")
def vote_on_undo(match_id: str) -> Response:
    """Agree to the request of another player, or decline it."""
    player, data = authenticate("play"), parse_body(ANSWER)
    return run_command(
        match_id, player, lambda match, now: undo.answer(match, player.id, data["agree"], now)
    )


@bp.post("/redo")
def request_redo(match_id: str) -> Response:
    """Redo the last undo or another undone line, or request that from the other players."""
    player, data = authenticate("play"), parse_body(NEW_REDO, optional=True)
    return run_command(
        match_id, player, lambda match, now: undo.redo_own(match, player.id, now, data.get("to"))
    )
