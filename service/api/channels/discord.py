"""Discord: signed interactions and events, and the link of a player's account."""

from __future__ import annotations

from typing import TypeVar

import msgspec
from flask import Blueprint, Response, g, request
from werkzeug.exceptions import BadRequest, HTTPException, RequestEntityTooLarge

from domain.engine.errors import Refusal
from service.channels.account_deletion import erase_if_deleted
from service.channels.discord.components import private_answer
from service.channels.discord.context import FirstAnswer
from service.channels.discord.interactions.dispatcher import answer as answer_to
from service.channels.discord.interactions.dispatcher import answer_refusal
from service.channels.discord.payloads import EventRequest, Interaction
from service.channels.discord.signatures import is_signed
from service.channels.outside_access import end_outside_access
from service.http.context import (
    Context,
    annals,
    authenticate,
    caller,
    context,
    undo_if_ended,
)
from service.http.json_responses import Json, json_response
from service.http.requests import parse_body
from service.http.schemas.accounts import DiscordCode
from service.runtime.errors import REDIS_ERRORS, BadSignature, NotFound, TooManyRequests
from service.runtime.event_loop import run_in_thread

bp = Blueprint("discord", __name__, url_prefix="/v1")
CODE_BODY = DiscordCode()
TRY_LATER = "Your action counts, but Annals cannot show the match now. Use `/annals board` later."
APP_DEAUTHORIZED = "APPLICATION_DEAUTHORIZED"
T = TypeVar("T", Interaction, EventRequest)


@bp.post("/discord/interactions")
def interactions() -> Response:
    """Answer an interaction; jobs do what takes longer.

    It makes several Redis calls in a row. On the event loop each of them would wait for the moves
    in between, so it runs in a thread.
    """
    interaction = _read_signed(Interaction)
    return json_response(run_in_thread(_first_answer, context(), interaction))


@bp.post("/discord/events")
def events() -> Response:
    """Erase all data about a user who has removed the application."""
    event = _read_signed(EventRequest)
    if event.event.type == APP_DEAUTHORIZED and event.event.data.user:
        context().discord.links.erase_user(event.event.data.user.id)
    return Response(status=204)


@bp.post("/me/discord")
def link() -> Response:
    """Link the Discord user with this code to the caller."""
    player = authenticate("account")
    context().discord.links.link(player.id, parse_body(CODE_BODY)["code"])
    undo_if_ended(lambda: end_outside_access(annals(), player.id))
    return Response(status=204)


@bp.delete("/me/discord")
def unlink() -> Response:
    """Unlink the caller's Discord user."""
    context().discord.links.unlink_player(authenticate("account").id)
    return Response(status=204)


def _first_answer(here: Context, interaction: Interaction) -> Json:
    """Answer within the quota of the Discord user.

    All requests come from Discord's addresses, so each user has a quota.
    """
    try:
        if interaction.sender:
            here.discord_limit.count(interaction.sender.id)
    except TooManyRequests as refusal:
        return answer_refusal(here.discord, interaction, refusal).body
    who = interaction.sender and here.discord.links.player_id_of(interaction.sender.id)
    content = _enqueue_jobs(here, answer_to(here.discord, interaction))
    erase_if_deleted(here.annals, [who] if who else [])  # while the request ran
    return content


def _read_signed(kind: type[T]) -> T:
    """Read a request from Discord; an invalid request counts against the quota of its address."""
    try:
        return _read_body(kind)
    except (Refusal, HTTPException):
        g.counted = caller()
        context().limits.count(g.counted)
        raise


def _read_body(kind: type[T]) -> T:
    """Verify and decode a request from Discord.

    BadSignature before anything of it is read; NotFound if the service has no Discord application.
    """
    settings = annals().settings
    if not settings.discord_app:
        raise NotFound("This service has no Discord application.")
    raw = request.get_data()
    if len(raw) > settings.body_limit:
        raise RequestEntityTooLarge
    signature = request.headers.get("X-Signature-Ed25519", "")
    timestamp = request.headers.get("X-Signature-Timestamp", "")
    if not is_signed(settings.discord_key, signature, timestamp, raw, annals().now()):
        raise BadSignature("The signature does not match.")
    try:
        sent: T = msgspec.json.decode(raw, type=kind)
    except msgspec.MsgspecError as error:
        raise BadRequest(f"This is not a request from Discord: {error}.") from error
    if sent.application_id != settings.discord_app:
        raise BadSignature("The request is for another application.")
    return sent


def _enqueue_jobs(here: Context, found: FirstAnswer) -> Json:
    """Enqueue the follow-up jobs and return the first answer."""
    try:
        for job in found.jobs:
            here.follow_up_jobs.enqueue(job)
    except REDIS_ERRORS:
        return private_answer(TRY_LATER)
    return found.body
