"""Taking back moves, and taking them up again."""

from __future__ import annotations

from flask import Blueprint, Response

from domain.match import undo as turning
from service.api.http import body, caller
from service.api.receipts import record
from service.api.schemas import Answer, NewUndo, Nothing

bp = Blueprint("takeback", __name__, url_prefix="/v1/matches/<match_id:match_id>")
NEW_UNDO, ANSWER, NOTHING = NewUndo(), Answer(), Nothing()


@bp.post("/undo")
def undo(match_id: str) -> Response:
    """Go back to a version, or ask the others for it."""
    player, data = caller(), body(NEW_UNDO, optional=True)
    return record(
        match_id, player, lambda match, now: turning.undo(match, player.id, data.get("to"), now)
    )


@bp.post("/undo/answer")
def answer(match_id: str) -> Response:
    """Agree to what another player asked for, or refuse it."""
    player, data = caller(), body(ANSWER)
    return record(
        match_id, player, lambda match, now: turning.answer(match, player.id, data["agree"], now)
    )


@bp.post("/redo")
def redo(match_id: str) -> Response:
    """Take up the line that was left last, or ask the others for it."""
    player = caller()
    body(NOTHING, optional=True)
    return record(match_id, player, lambda match, now: turning.redo(match, player.id, now))
