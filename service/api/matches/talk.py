"""Talk about a match: the room of its players, and that of its spectators."""

from __future__ import annotations

from flask import Blueprint, Response

from domain.match.state import Match
from service.channels.account_deletion import erase_if_deleted
from service.channels.mail.talk import plan_talk_mail
from service.http.addresses import MATCH
from service.http.context import TalkContext, annals, authenticate, caller, context
from service.http.json_responses import NO_STORE, json_response
from service.http.language import language, with_content_language
from service.http.requests import command_metadata, parse_body, parse_query
from service.http.schemas.common import EmptyObject
from service.http.schemas.talk import NewMessage, ReadMark, RoomQuery, RoomStreamQuery
from service.http.streams import (
    event_stream,
    identify_subscriber,
    last_event_number,
    stream_authorization,
    take_stream_slot,
)
from service.live.broadcast import Subscriber, Viewer
from service.live.talk_stream import RoomName, cursor_event, topic_name
from service.matches import queries
from service.runtime.errors import NotFound
from service.store.idempotency import command_id
from service.store.redis_failures import log_redis_failures
from service.talk.messages import PHRASES, ROOMS, Message, Room
from service.talk.reading import read_room, show_messages, show_phrases
from service.talk.reports import Report, ReportedMessage, Reports
from service.talk.rooms import check_member, check_open, is_open

bp = Blueprint("talk", __name__, url_prefix=f"{MATCH}/talk/<any({', '.join(ROOMS)}):room>")
ROOM, STREAM, NOTHING = RoomQuery(), RoomStreamQuery(), EmptyObject()
MESSAGE, MARK = NewMessage(), ReadMark()


@bp.get("")
def messages(match_id: str, room: Room) -> Response:
    """Return the last messages of a room, or those before one."""
    player = authenticate("read")
    query, match = parse_query(ROOM), _enter(match_id, room, player.id)
    page = read_room(
        annals(), match.id, room, player.id, query.get("before"), query["limit"]
    )  # fmt: skip
    speech = _context().speakers.read(player.id, annals().now()).speech
    content = {
        "room": room,
        "messages": show_messages(annals().players, page.messages, language()),
        "previous": page.previous,
        "position": page.position,
        "last_read": page.last_read,
        "unread": page.unread,
        "can_say": speech if is_open(annals(), match) else "nothing",
        "phrases": show_phrases(PHRASES, language()),
    }
    return with_content_language(json_response(content, headers=NO_STORE))


@bp.post("")
def say(match_id: str, room: Room) -> Response:
    """Say something in a room."""
    player, data = authenticate("play"), parse_body(MESSAGE)
    match, now = _enter(match_id, room, player.id), annals().now()
    check_open(annals(), match)
    _context().speakers.check(player.id, now, text="text" in data)
    _context().limits.count(caller())
    metadata = command_metadata(player)
    command = command_id(f"{match.id}:{room}:{player.id}", metadata.key, metadata.fingerprint)
    number, said = _context().storage.say(match.id, room, Message(player.id, now, **data), command)
    with log_redis_failures("talk_mail_not_planned", match=match.id):
        plan_talk_mail(annals(), match, room, player.id)
    [content] = show_messages(annals().players, {number: said}, language())
    return with_content_language(json_response(content, 201, NO_STORE))


@bp.delete("/<int:number>")
def remove(match_id: str, room: Room, number: int) -> Response:
    """Remove a message of the caller, for all readers and at once; also of a caller who was
    replaced and can no longer see the match.
    """
    player = authenticate("play")
    match = annals().matches.latest(match_id)
    if all(one.player != player.id for one in match.tenures):
        queries.check_known(annals(), match, player.id)
    talk = _context().storage
    if talk.message(match.id, room, number).author != player.id:
        raise NotFound("You have said no such message.")
    talk.remove(match.id, room, [number])
    return Response(status=204)


@bp.put("/read")
def mark_read(match_id: str, room: Room) -> Response:
    """Record up to which message the caller has read."""
    player, data = authenticate("play"), parse_body(MARK)
    match = _enter(match_id, room, player.id)
    talk = _context().storage
    last = min(data["number"], talk.position(match.id, room))
    talk.mark_read(player.id, match.id, room, last)
    return Response(status=204)


@bp.post("/<int:number>/report")
def report(match_id: str, room: Room, number: int) -> Response:
    """Report a message of another player to the operators."""
    player = authenticate("play")
    parse_body(NOTHING, optional=True)
    match, now = _enter(match_id, room, player.id), annals().now()
    message = _context().storage.message(match.id, room, number)
    if message.author == player.id:
        raise NotFound("You can't report what you have said yourself.")
    who = caller()
    for counted in (who.key, who.address):
        _context().report_quota.use(counted, now)
    reported = ReportedMessage(match.id, room, number)
    Reports(annals().store.redis).add(reported, Report(message.author, player.id, now))
    erase_if_deleted(annals(), [message.author])  # while the request ran
    return Response(status=204)


@bp.get("/stream")
def stream(match_id: str, room: Room) -> Response:
    """Server-sent events: what is said in a room and removed from it."""
    query = parse_query(STREAM)
    identify_subscriber(query)
    player = authenticate("read")
    match = _enter(match_id, room, player.id)
    after = last_event_number()
    if after is None:
        after = query.get("after", _context().storage.position(match.id, room))
    broadcast = _context().broadcasts.of(topic_name(RoomName(match.id, room)))
    viewer, opening = Viewer(player.id, language()), cursor_event(after)
    authorization, free = stream_authorization(), take_stream_slot()
    found = Subscriber(broadcast, after, viewer, authorization, free, opening)
    return with_content_language(event_stream(found))


def _enter(match_id: str, room: Room, player: str) -> Match:
    """Return the match, if a player may read this room. Raises NotFound, Forbidden."""
    match = queries.match_for(annals(), match_id, player)
    check_member(match, room, player)
    return match


def _context() -> TalkContext:
    return context().talk
