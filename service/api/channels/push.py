"""The browsers that the caller has subscribed to push messages."""

from __future__ import annotations

from flask import Blueprint, Response
from marshmallow import ValidationError
from msgspec.structs import replace

from service.accounts.client_networks import network_bucket
from service.accounts.quota import Quota
from service.channels.push.browsers import PushSubscription, PushSubscriptions, id_of
from service.channels.push.house import sends_push
from service.channels.push.kinds import KINDS, USUAL_KINDS, Device
from service.channels.push.vapid import VapidKey
from service.http.context import (
    PLAYERS_PER_ADDRESS,
    annals,
    authenticate,
    caller,
    session,
    undo_if_ended,
)
from service.http.json_responses import NO_STORE, Json, json_response
from service.http.language import language
from service.http.requests import parse_body, parse_query
from service.http.schemas.accounts import NewPushSubscription
from service.http.schemas.common import EmptyObject
from service.matches.queries import iso
from service.runtime.address_guard import BlockedAddress, parse_url
from service.runtime.errors import NotFound

bp = Blueprint("push", __name__, url_prefix="/v1/me/push-subscriptions")
NOTHING, NEW = EmptyObject(), NewPushSubscription()
CHANGES_PER_HOUR = 30
"""How often a player may subscribe a browser or change what it shows: each projector reads it anew.
One address may three times as often.
"""


@bp.get("")
def list_all() -> Response:
    """Return the browsers that the caller has subscribed, the oldest first, and the key with which
    browsers subscribe.
    """
    parse_query(NOTHING)
    player = authenticate("account")
    _check_sends_push()
    found = [_show(one) for one in _subscriptions().list_for(player.id)]
    key = VapidKey(annals().store.redis).public_key
    return json_response({"key": key, "subscriptions": found}, headers=NO_STORE)


@bp.post("")
def subscribe() -> Response:
    """Subscribe a browser, or change about what it notifies the caller."""
    player, data = authenticate("account"), parse_body(NEW)
    _check_sends_push()
    wanted = _parse(player.id, data)
    known = _subscriptions().read(wanted.device)
    if known:
        wanted = replace(wanted, created_at=known.created_at)
    if known == wanted:
        _subscriptions().put_filter(wanted)  # if a process was killed before it did
        return json_response(_show(wanted), headers=NO_STORE)
    _count_change(player.id)
    is_new = _subscriptions().save(wanted)
    undo_if_ended(lambda: _subscriptions().remove(wanted.device))
    headers = {"Location": f"/v1/me/push-subscriptions/{wanted.id}", **NO_STORE}
    return json_response(_show(wanted), 201 if is_new else 200, headers if is_new else NO_STORE)


@bp.delete("/<subscription>")
def unsubscribe(subscription: str) -> Response:
    """Erase the subscription of a browser, also where push messages are off by now."""
    player = authenticate("account")
    if not _subscriptions().remove(Device(player.id, subscription)):
        raise NotFound("You have no such subscription.")
    return Response(status=204)


def _parse(player: str, data: Json) -> PushSubscription:
    """Return the subscription that a request describes. Raises ValidationError unless its endpoint
    may be called.
    """
    endpoint = data["endpoint"]
    try:
        parse_url(endpoint, bool(annals().settings.webhooks_loopback))
    except BlockedAddress as error:
        raise ValidationError({"endpoint": [str(error)]}) from error
    usual = _subscriptions().kinds_of(player)
    chosen = data.get("kinds", USUAL_KINDS if usual is None else usual)
    return PushSubscription(
        id_of(endpoint), player, endpoint, data["keys"]["p256dh"], data["keys"]["auth"],
        session().token.id, annals().now(), tuple(kind for kind in KINDS if kind in chosen),
        data.get("language") or language(), str(network_bucket(caller().address)),
    )  # fmt: skip


def _count_change(player: str) -> None:
    """Count a change. Raises TooManyRequests."""
    redis, now = annals().store.redis, annals().now()
    Quota(redis, "push subscriptions", CHANGES_PER_HOUR).use(player, now)
    of_address = CHANGES_PER_HOUR * PLAYERS_PER_ADDRESS
    Quota(redis, "push subscriptions of an address", of_address).use(caller().address, now)


def _show(one: PushSubscription) -> Json:
    """What the caller reads of a subscription: nothing with which others could send to it."""
    return {
        "id": one.id,
        "kinds": one.kinds,
        "language": one.language,
        "created_at": iso(one.created_at),
    }


def _subscriptions() -> PushSubscriptions:
    return PushSubscriptions(annals().store)


def _check_sends_push() -> None:
    if not sends_push(annals()):
        raise NotFound("This service sends no push messages.")
