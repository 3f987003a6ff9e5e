"""Streams of changes: of all matches of a player, and of the lobby."""

from __future__ import annotations

from flask import Blueprint, Response

from domain.match.errors import InvalidCommand
from projections.core.changes import LOBBY
from projections.lists.change_feed import FeedCursor, read_feed_cursor, write_feed_cursor
from service.http.context import annals, authenticate, context, viewer_id
from service.http.json_responses import Json
from service.http.requests import parse_query
from service.http.responses import list_responses
from service.http.schemas.common import ChangeStreamQuery, LobbyStreamQuery
from service.http.streams import (
    event_stream,
    identify_subscriber,
    last_event_id,
    stream_authorization,
    take_stream_slot,
)
from service.live.broadcast import Subscriber, Viewer, sse_event
from service.live.change_feed import cursor_event
from service.runtime.errors import BadQuery

bp = Blueprint("change_streams", __name__, url_prefix="/v1")
MINE, LOBBY_STREAM = ChangeStreamQuery(), LobbyStreamQuery()


@bp.get("/me/stream")
def stream_mine() -> Response:
    """Server-sent events: each match of the caller that changes, in its current state."""
    parameters = parse_query(MINE)
    identify_subscriber(parameters)
    return _stream(authenticate("read").id, parameters)


@bp.get("/lobby/stream")
def stream_lobby() -> Response:
    """Server-sent events: public tables that open, change, start, close or seek a new player."""
    parameters = parse_query(LOBBY_STREAM)
    identify_subscriber(parameters)
    list_responses.check_game(parameters)
    return _stream(LOBBY, parameters, parameters.get("game"))


def _stream(who: str, parameters: Json, game: str | None = None) -> Response:
    feed, heard = context().change_feed, _last_cursor(parameters)
    goes_on = heard is not None and feed.can_resume(who, heard)
    after = heard if heard is not None and goes_on else feed.latest_cursor()
    is_lost = heard is not None and not goes_on
    opening = (
        sse_event(write_feed_cursor(after), "reset", b"{}") if is_lost else cursor_event(after)
    )
    broadcast = context().change_broadcasts.of(who)
    viewer = Viewer(game, player=viewer_id())
    return event_stream(
        Subscriber(broadcast, after, viewer, stream_authorization(), take_stream_slot(), opening)
    )


def _last_cursor(parameters: Json) -> FeedCursor | None:
    """Return the cursor to continue from: the header of the browser, else the query parameter."""
    header = last_event_id()
    marks = read_feed_cursor(header or parameters.get("after", ""), annals().store.partitions)
    if marks is None and header:
        raise InvalidCommand(
            "malformed", "`Last-Event-ID` is the id of the last event of this stream."
        )
    if marks is None and "after" in parameters:
        raise BadQuery([("after", "Expected the id of an event of this stream, or `0`.")])
    return marks
