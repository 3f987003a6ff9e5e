"""Private notes of the caller about a match."""

from __future__ import annotations

from flask import Blueprint, Response

from service.accounts.notes import Note, Notes
from service.http.addresses import MATCH
from service.http.context import annals, authenticate
from service.http.json_responses import NO_STORE, Json, json_response
from service.http.requests import parse_body, parse_query
from service.http.schemas.common import EmptyObject
from service.http.schemas.notes import NewNote
from service.matches import queries
from service.runtime.errors import NotFound

bp = Blueprint("notes", __name__, url_prefix=f"{MATCH}/notes")
NEW_NOTE, NOTHING = NewNote(), EmptyObject()


@bp.get("")
def notes(match_id: str) -> Response:
    """Return the caller's notes about a match."""
    player = authenticate("read")
    parse_query(NOTHING)
    match = queries.match_for(annals(), match_id, player.id)
    found = _notes().of_match(player.id, match.id)
    return json_response({"notes": [*map(_show, found)]}, headers=NO_STORE)


@bp.put("/<int:version>")
def write(match_id: str, version: int) -> Response:
    """Keep a note at a version, in place of an earlier one."""
    player, data = authenticate("play"), parse_body(NEW_NOTE)
    parse_query(NOTHING)
    match = queries.match_for(annals(), match_id, player.id)
    if not 1 <= version <= match.version:
        raise NotFound(f"The match has only {match.version} versions.")
    note = Note(version, data["text"], annals().now())
    _notes().write(player.id, match.id, note)
    return json_response(_show(note), headers=NO_STORE)


@bp.delete("/<int:version>")
def remove(match_id: str, version: int) -> Response:
    """Remove the note at a version."""
    player = authenticate("play")
    parse_query(NOTHING)
    _notes().remove(player.id, match_id, version)
    return Response(status=204)


def _notes() -> Notes:
    return Notes(annals().store.redis)


def _show(note: Note) -> Json:
    return {"version": note.version, "text": note.text, "at": queries.iso(note.at)}
