"""The history of undos: the lines of play of a match."""

from __future__ import annotations

from itertools import islice

import msgspec
from flask import Blueprint, Response

from domain.match.lines import Lines, UndoRecord, UndoVote, lines_of
from domain.match.state import Match
from service.http.addresses import MATCH
from service.http.context import annals, context, viewer_id
from service.http.json_responses import Json, json_response
from service.http.requests import parse_query
from service.http.responses.list_responses import next_link
from service.http.responses.representation import Representation, not_modified
from service.http.schemas.audit import LinesQuery
from service.matches import queries
from service.matches.bundles import read_entries

bp = Blueprint("audit", __name__, url_prefix=MATCH)
LINES = LinesQuery()
_DECODER = msgspec.msgpack.Decoder(Lines)


@bp.get("/lines")
def lines(match_id: str) -> Response:
    """Return the current line of play, and the undone ones: by whom, who agreed, and when."""
    parameters = parse_query(LINES)
    match = queries.match_for(annals(), match_id, viewer_id())
    headers = Representation(match, None, fixed=False).headers
    if same := not_modified(headers):
        return same
    found = _lines_of(match)
    later = (one for one in found.undos if one.version > parameters["after"])
    page = list(islice(later, parameters["limit"] + 1))
    following = page[parameters["limit"] - 1].version if len(page) > parameters["limit"] else None
    content = {
        "version": match.version,
        "line": found.played,
        "undos": [_undo_json(one) for one in page[: parameters["limit"]]],
        "next": following,
    }
    return json_response(content, headers={**headers, **next_link(following)})


def _lines_of(match: Match) -> Lines:
    """Return the lines of a match; cached by its head."""
    cache, key = context().histories, ("lines", match.id, match.head)
    if cached := cache.get(key):
        return _DECODER.decode(cached)
    found = lines_of(match.game, read_entries(annals(), match))
    cache.put(key, msgspec.msgpack.encode(found))
    return found


def _undo_json(one: UndoRecord) -> Json:
    return {
        "version": one.version,
        "at": queries.iso(one.at),
        "redo": one.redo,
        "player": one.player,
        "to": one.to,
        "request": one.asked and _vote_json(one.asked),
        "approvals": [_vote_json(vote) for vote in one.agreed],
        "line": one.line,
        "branches_from": one.branches_from,
        "parent": one.parent,
        "redone": one.redone,
    }


def _vote_json(vote: UndoVote) -> Json:
    return {"player": vote.player, "version": vote.version, "at": queries.iso(vote.at)}
