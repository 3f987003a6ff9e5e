"""Discord: what it sends, signed; and the link of a player with somebody there."""

from __future__ import annotations

from typing import TypeVar

import msgspec
from flask import Blueprint, Response, g, request
from redis.exceptions import RedisError
from werkzeug.exceptions import BadRequest, HTTPException, RequestEntityTooLarge

from domain.engine.errors import Refused
from service.channels.discord.components import told
from service.channels.discord.context import Answer
from service.channels.discord.interactions.dispatcher import answer as answer_to
from service.channels.discord.interactions.dispatcher import refused
from service.channels.discord.payloads import EventCall, Interaction
from service.channels.discord.signatures import is_signed
from service.http.context import Context, annals, caller, context, whose_share
from service.http.json_responses import Json, answer
from service.http.requests import body
from service.http.schemas.accounts import DiscordCode
from service.runtime.errors import BadSignature, NotFound, TooManyRequests
from service.runtime.event_loop import aside

bp = Blueprint("discord", __name__, url_prefix="/v1")
CODE = DiscordCode()
LATER = "It cannot be shown now; what you did counts. `/annals board` shows it later."
DEAUTHORIZED = "APPLICATION_DEAUTHORIZED"
T = TypeVar("T", Interaction, EventCall)


@bp.post("/discord/interactions")
def interactions() -> Response:
    """Answer whatever somebody in Discord used; what takes longer is done by a job.

    It asks Redis several things, one after the other: on the loop it would wait each time for all
    moves that are made meanwhile, so it goes aside.
    """
    asked = _signed(Interaction)
    return answer(aside(_first_answer, context(), asked))


@bp.post("/discord/events")
def events() -> Response:
    """Take note of who has removed the application: nothing is known of them from now on."""
    call = _signed(EventCall)
    if call.event.type == DEAUTHORIZED and call.event.data.user:
        context().discord.links.forget(call.event.data.user.id)
    return Response(status=204)


@bp.post("/me/discord")
def link() -> Response:
    """Let somebody in Discord who was shown a code be the caller."""
    player = caller("account")
    context().discord.links.link(player.id, body(CODE)["code"])
    return Response(status=204)


@bp.delete("/me/discord")
def unlink() -> Response:
    """Let them be somebody else again."""
    context().discord.links.unlink_player(caller("account").id)
    return Response(status=204)


def _first_answer(here: Context, asked: Interaction) -> Json:
    """The answer to somebody who has not asked too often: all come from the addresses of Discord,
    so each has an allowance of their own.
    """
    try:
        if asked.who:
            here.discord_limit.count(asked.who.id)
    except TooManyRequests as refusal:
        return refused(here.discord, asked, refusal).body
    return _handed_out(here, answer_to(here.discord, asked))


def _signed(kind: type[T]) -> T:
    """What Discord sent; whatever else comes here is counted for its address, and refused."""
    try:
        return _sent(kind)
    except (Refused, HTTPException):
        g.counted = whose_share()
        context().limits.count(g.counted)
        raise


def _sent(kind: type[T]) -> T:
    """What Discord sent; BadSignature before anything of it is read, NotFound if this service is
    not in Discord.
    """
    settings = annals().settings
    if not settings.discord_app:
        raise NotFound("This service is not in Discord.")
    raw = request.get_data()
    if len(raw) > settings.body_limit:
        raise RequestEntityTooLarge
    signature = request.headers.get("X-Signature-Ed25519", "")
    timestamp = request.headers.get("X-Signature-Timestamp", "")
    if not is_signed(settings.discord_key, signature, timestamp, raw, annals().now()):
        raise BadSignature("This is not signed by Discord for this application.")
    try:
        sent: T = msgspec.json.decode(raw, type=kind)
    except msgspec.MsgspecError as error:
        raise BadRequest(f"Discord does not send this: {error}.") from error
    if sent.application_id != settings.discord_app:
        raise BadSignature("This is for another application.")
    return sent


def _handed_out(here: Context, found: Answer) -> Json:
    """The first answer, once everything else is left to jobs."""
    try:
        for errand in found.errands:
            here.errands.put(errand)
    except RedisError:
        return told(LATER)
    return found.body
