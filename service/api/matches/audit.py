"""What is there to look into how a match came about: its lines of play."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from flask import Blueprint, Response

from domain.match.lines import Undoing, Word, lines_of
from domain.match.log import Entry
from domain.match.state import Match
from service.http.addresses import MATCH
from service.http.context import annals, viewer_id
from service.http.json_responses import Json, answer
from service.http.requests import query
from service.http.responses.list_responses import next_link
from service.http.responses.representation import Representation, unchanged
from service.http.schemas.audit import LinesQuery
from service.matches import queries
from service.runtime.event_loop import pause

bp = Blueprint("audit", __name__, url_prefix=MATCH)
LINES = LinesQuery()
AT_ONCE = 200


@bp.get("/lines")
def lines(match_id: str) -> Response:
    """The line that is played, and those that were undone: by whom, who agreed, and when."""
    asked = query(LINES)
    match = queries.match_for(annals(), match_id, viewer_id())
    headers = Representation(match, None, fixed=False).headers
    if same := unchanged(headers):
        return same
    found = lines_of(match.game, _entries(match))
    later = (one for one in found.undos if one.version > asked["after"])
    page = list(islice(later, asked["limit"] + 1))
    following = page[asked["limit"] - 1].version if len(page) > asked["limit"] else None
    content = {
        "version": match.version,
        "line": found.played,
        "undos": [_undoing(one) for one in page[: asked["limit"]]],
        "next": following,
    }
    return answer(content, headers={**headers, **next_link(following)})


def _entries(match: Match) -> Iterator[Entry]:
    """All entries of the match so far, while others get their turn."""
    after = 0
    while after < match.version:
        found = annals().store.read(match.id, after, match.version, AT_ONCE)
        yield from found
        after = found[-1].version
        pause(0)


def _undoing(one: Undoing) -> Json:
    return {
        "version": one.version,
        "at": queries.iso(one.at),
        "redo": one.redo,
        "player": one.player,
        "to": one.to,
        "asked": one.asked and _word(one.asked),
        "agreed": [_word(word) for word in one.agreed],
        "line": one.line,
        "parent": one.parent,
        "redone": one.redone,
    }


def _word(word: Word) -> Json:
    return {"player": word.player, "version": word.version, "at": queries.iso(word.at)}
