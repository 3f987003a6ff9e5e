"""Streams of what changes: in all matches of a player, and in the lobby."""

from __future__ import annotations

from flask import Blueprint, Response

from domain.match.errors import Malformed
from projections.core.changes import LOBBY
from projections.lists.change_feed import Marks, read_marks, write_marks
from service.http.context import annals, caller, context
from service.http.json_responses import Json
from service.http.requests import query
from service.http.responses import list_responses
from service.http.schemas.common import LobbyStreamQuery, NewsStreamQuery
from service.http.streams import admission, identify_listener, last_event_id, place, streamed
from service.live.broadcast import Eyes, Listener, event
from service.live.change_feed import mark
from service.runtime.errors import BadQuery

bp = Blueprint("news", __name__, url_prefix="/v1")
MINE, LOBBY_STREAM = NewsStreamQuery(), LobbyStreamQuery()


@bp.get("/me/stream")
def stream_mine() -> Response:
    """Server-sent events: every match of the caller's that changes, as it stands then."""
    asked = query(MINE)
    identify_listener(asked)
    return _stream(caller("read").id, asked)


@bp.get("/lobby/stream")
def stream_lobby() -> Response:
    """Server-sent events: public tables as they open, change, start and close."""
    asked = query(LOBBY_STREAM)
    identify_listener(asked)
    list_responses.check_game(asked)
    return _stream(LOBBY, asked, asked.get("game"))


def _stream(who: str, asked: Json, game: str | None = None) -> Response:
    news, heard = context().news, _last_heard(asked)
    goes_on = heard is not None and news.knows(who, heard)
    after = heard if heard is not None and goes_on else news.now()
    is_lost = heard is not None and not goes_on
    opening = event(write_marks(after), "reset", b"{}") if is_lost else mark(after)
    broadcast = context().news_broadcasts.of(who)
    return streamed(Listener(broadcast, after, Eyes(game), admission(), place(), opening))


def _last_heard(asked: Json) -> Marks | None:
    """Where the stream goes on: what the browser remembers comes before the address."""
    header = last_event_id()
    marks = read_marks(header or asked.get("after", ""), annals().store.partitions)
    if marks is None and header:
        raise Malformed("malformed", "`Last-Event-ID` is the id of the last event of this stream.")
    if marks is None and "after" in asked:
        raise BadQuery([("after", "Expected the id of an event of this stream, or `0`.")])
    return marks
