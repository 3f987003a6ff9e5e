"""Undo and redo, and the answers of the others."""

from __future__ import annotations

from flask import Blueprint, Response

from domain.match.decisions import undo
from service.http.addresses import MATCH
from service.http.context import caller
from service.http.requests import body
from service.http.responses.command_responses import record
from service.http.schemas.common import NewUndo, Nothing, UndoAnswer

bp = Blueprint("undo", __name__, url_prefix=MATCH)
NEW_UNDO, ANSWER, NOTHING = NewUndo(), UndoAnswer(), Nothing()


@bp.post("/undo")
def ask_undo(match_id: str) -> Response:
    """Go back to a version, or ask the others for it."""
    player, data = caller("play"), body(NEW_UNDO, optional=True)
    return record(
        match_id, player, lambda match, now: undo.undo(match, player.id, data.get("to"), now)
    )


@bp.post("/undo/answer")
def answer_undo(match_id: str) -> Response:
    """Agree to what another player asked for, or refuse it."""
    player, data = caller("play"), body(ANSWER)
    return record(
        match_id, player, lambda match, now: undo.answer(match, player.id, data["agree"], now)
    )


@bp.post("/redo")
def ask_redo(match_id: str) -> Response:
    """Redo what was undone last, or ask the others for it."""
    player = caller("play")
    body(NOTHING, optional=True)
    return record(match_id, player, lambda match, now: undo.redo(match, player.id, now))
