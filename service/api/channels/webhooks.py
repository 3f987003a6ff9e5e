"""Webhooks of the caller: their settings, health, deliveries and replays."""

from __future__ import annotations

import re
import secrets

from flask import Blueprint, Response, request
from marshmallow import ValidationError
from msgspec.structs import replace

from domain.notice_types import NOTICE_TYPES
from projections.lists.pages import BadCursor
from projections.outbox.plan import read_notice
from service.accounts.client_networks import network_bucket
from service.channels.outside_access import end_outside_access
from service.channels.webhooks.health_messages import health_message
from service.channels.webhooks.messages.discord_addresses import check_webhook_url, mask_token
from service.channels.webhooks.queue.delivery_log import Delivery, DeliveryLog, MessageType
from service.channels.webhooks.queue.delivery_queue import DeliveryQueue, ResendRequest
from service.channels.webhooks.signing import new_secret
from service.channels.webhooks.subscriptions import (
    Health,
    Secret,
    Subscription,
    SubscriptionRecord,
    new_id,
)
from service.channels.webhooks.turned_off import turn_off
from service.channels.webhooks.unsubscribe import delete_deliveries, unsubscribe
from service.http.context import annals, authenticate, caller, context, undo_if_ended
from service.http.json_responses import NO_STORE, Json, json_response
from service.http.requests import parse_body, parse_query
from service.http.responses.list_responses import games_message, next_link
from service.http.schemas.common import EmptyObject
from service.http.schemas.webhooks import (
    DeliveriesQuery,
    ExampleRequest,
    NewWebhook,
    RecoverRequest,
    ReplayRequest,
    WebhookUpdate,
)
from service.matches import queries
from service.matches.lists import optional_iso
from service.matches.queries import iso
from service.runtime.address_guard import BlockedAddress, parse_url
from service.runtime.errors import NotFound, TooManyWebhooks, WebhookOff
from service.store.redis_failures import log_redis_failures

bp = Blueprint("webhooks", __name__, url_prefix="/v1/webhooks")
NEW, CHANGED, EXAMPLE, NOTHING = NewWebhook(), WebhookUpdate(), ExampleRequest(), EmptyObject()
RECOVER, REPLAY, DELIVERIES = RecoverRequest(), ReplayRequest(), DeliveriesQuery()
MAX_HEADERS = 10
RESERVED_HEADERS = re.compile(
    r"webhook-.*|content-.*|host|connection|transfer-encoding|user-agent|expect|te|trailer|upgrade"
    r"|keep-alive|proxy-.*",
    re.IGNORECASE,
)
"""Headers that a subscriber cannot set."""
CURSOR = re.compile(r"([0-9]{1,15}):([A-Za-z0-9_-]{1,200})", re.ASCII)


@bp.post("")
def add() -> Response:
    """Register a webhook; only this answer contains the secret."""
    player, data, now = authenticate("account"), parse_body(NEW), annals().now()
    secret = new_secret()
    blank = Subscription(
        new_id(), player.id, "", tuple(NOTICE_TYPES), now, (Secret(secret),),
        format=data.get("format", "standard"), network=str(network_bucket(caller().address)),
    )  # fmt: skip
    subscription = _apply_changes(blank, data)
    if not annals().settings.webhooks:
        raise TooManyWebhooks("This service offers no webhooks.")
    context().webhooks.add(subscription)
    _turn_off_if_ended(player.id)
    headers = {"Location": f"/v1/webhooks/{subscription.id}", **NO_STORE}
    return json_response(
        {**_webhook_record(SubscriptionRecord(subscription, Health())), "secret": secret},
        201,
        headers,
    )


@bp.get("")
def list_all() -> Response:
    """Return all webhooks of the caller, the oldest first."""
    parse_query(NOTHING)
    found = context().webhooks.list_for(authenticate("read").id)
    return json_response({"webhooks": list(map(_webhook_record, found))})


@bp.get("/key")
def key() -> Response:
    """Return the public key for `v1a` signatures."""
    parse_query(NOTHING)
    return json_response({"key": context().webhook_key.public_key})


@bp.get("/<webhook>")
def get(webhook: str) -> Response:
    """One webhook of the caller."""
    parse_query(NOTHING)
    return json_response(
        _webhook_record(context().webhooks.get_owned(authenticate("read").id, webhook))
    )


@bp.patch("/<webhook>")
def change(webhook: str) -> Response:
    """Change a webhook, or turn it off or on."""
    player, data = authenticate("account"), parse_body(CHANGED)
    record = context().webhooks.get_owned(player.id, webhook)
    changed = context().webhooks.change(webhook, lambda before: _apply_changes(before, data))
    if "url" in data:
        context().webhooks.clear_pause(webhook)
        _queue_of(webhook).retry_all()
    if data.get("active") is True and record.health.disabled_reason is not None:
        context().webhooks.enable(changed)
    if data.get("active") is False and record.health.disabled_reason is None:
        queue, now = _queue_of(webhook), annals().now()
        turn_off(context().webhooks, queue, webhook, "by_owner", now)
    _turn_off_if_ended(player.id)
    return json_response(_webhook_record(context().webhooks.get(webhook)))


@bp.delete("/<webhook>")
def remove(webhook: str) -> Response:
    """Delete a webhook with its queue and its delivery log."""
    player = authenticate("account")
    context().webhooks.get_owned(player.id, webhook)
    unsubscribe(annals().store, context().webhooks, player.id, webhook)
    return Response(status=204)


@bp.post("/<webhook>/ping")
def ping(webhook: str) -> Response:
    """Send a ping."""
    record = _own_within_quota(webhook)
    parse_body(NOTHING, optional=True)
    return _send_test(record, "ping")


@bp.post("/<webhook>/send-example")
def send_example(webhook: str) -> Response:
    """Send an example of a message type for a game."""
    record, data = _own_within_quota(webhook), parse_body(EXAMPLE)
    _check_game(data.get("game"))
    return _send_test(record, data["type"], data.get("game", ""))


@bp.post("/<webhook>/rotate-secret")
def rotate_secret(webhook: str) -> Response:
    """Create another secret; the previous one expires in one day. Only this answer contains it."""
    record = _own(webhook)
    parse_body(NOTHING, optional=True)
    secret = context().webhooks.rotate_secret(record.subscription.id, annals().now())
    return json_response({"secret": secret}, headers=NO_STORE)


@bp.post("/<webhook>/recover")
def recover(webhook: str) -> Response:
    """Turn a webhook on if it is off, and replay all notices since a time."""
    record, data = _own_within_quota(webhook), parse_body(RECOVER, optional=True)
    oldest_pending = _queue_of(webhook).retry_all()
    if "since" in data:
        since = int(data["since"].timestamp() * 1000)
    else:
        since = _recovery_start(record.health, oldest_pending)
    if record.health.disabled_reason is not None:
        context().webhooks.enable(record.subscription)
        _turn_off_if_ended(record.subscription.player)
    context().webhooks.update_health(webhook, paused_until=None, undelivered_since=None)
    _queue_of(webhook).request_resend(ResendRequest("recover", since=since))
    return json_response({"since": iso(since)}, 202)


@bp.post("/<webhook>/replay")
def replay(webhook: str) -> Response:
    """Replay the notices of a match from a version on."""
    record, data = _own_active(webhook), parse_body(REPLAY)
    queries.match_for(annals(), data["match"], record.subscription.player)
    context().webhooks.clear_pause(webhook)
    _queue_of(webhook).request_resend(
        ResendRequest("replay", match=data["match"], since=data["from_version"])
    )
    return json_response(data, 202)


@bp.get("/<webhook>/deliveries")
def deliveries(webhook: str) -> Response:
    """Return the delivery log of a webhook, the latest first."""
    record = context().webhooks.get_owned(authenticate("read").id, webhook)
    parameters = parse_query(DELIVERIES)
    cursor, limit = _read_cursor(parameters.get("after")), parameters["limit"]
    log = DeliveryLog(annals().store.redis, record.subscription.id)
    found = log.page(parameters.get("status"), cursor, limit)
    after = f"{found[-1].last_at}:{found[-1].id}" if len(found) == limit else None
    content = {"deliveries": list(map(_delivery_record, found)), "next": after}
    return json_response(content, headers=next_link(after))


@bp.post("/<webhook>/deliveries/<delivery>/redeliver")
def redeliver(webhook: str, delivery: str) -> Response:
    """Send one message again."""
    record = _own_active(webhook)
    parse_body(NOTHING, optional=True)
    log = DeliveryLog(annals().store.redis, webhook)
    one = log.get(delivery)
    if one.match is None or one.notice is None:
        return _send_test(record, one.type)
    again = replace(one, status="waiting", attempts=0, next_attempt_at=annals().now())
    log.record(again)
    context().webhooks.clear_pause(webhook)
    _queue_of(webhook).enqueue(one.match, [read_notice(one.notice.encode())])
    return json_response(_delivery_record(again), 202)


def _recovery_start(health: Health, oldest_pending: int | None) -> int:
    """Return the time (ms) of the oldest entry that was not delivered, or now."""
    undelivered = [at for at in (health.undelivered_since, oldest_pending) if at is not None]
    return min(undelivered, default=annals().now())


def _own(webhook: str) -> SubscriptionRecord:
    return context().webhooks.get_owned(authenticate("account").id, webhook)


def _own_within_quota(webhook: str) -> SubscriptionRecord:
    """Return a webhook of the caller, for a request that sends messages; counts against
    the quota.
    """
    record = _own(webhook)
    context().webhook_limit.count(record.subscription.player)
    return record


def _own_active(webhook: str) -> SubscriptionRecord:
    record = _own_within_quota(webhook)
    if record.health.disabled_reason is not None:
        raise WebhookOff("The webhook is turned off.")
    return record


@bp.after_request
def delete_what_outlives_its_webhook(response: Response) -> Response:
    """Delete what the request has written for a webhook that another one has deleted meanwhile."""
    webhook = (request.view_args or {}).get("webhook")
    if webhook and response.status_code == 202:
        with log_redis_failures("deliveries_not_deleted", webhook=webhook):
            try:
                context().webhooks.get(webhook)
            except NotFound:
                delete_deliveries(annals().store, webhook)
    return response


def _turn_off_if_ended(player: str) -> None:
    undo_if_ended(lambda: end_outside_access(annals(), player))


def _queue_of(webhook: str) -> DeliveryQueue:
    store = annals().store
    return DeliveryQueue(store.redis, store.partitions, webhook)


def _send_test(record: SubscriptionRecord, kind: MessageType, game: str = "") -> Response:
    """Queue a message that is sent once; its delivery shows the result."""
    message_id = f"msg_{secrets.token_hex(8)}"
    _queue_of(record.subscription.id).request_resend(ResendRequest("test", message_id, kind, game))
    return json_response({"delivery": message_id}, 202)


def _apply_changes(subscription: Subscription, data: Json) -> Subscription:
    """Return the subscription with the changes of a request. Raises ValidationError or NotFound."""
    simple = {name: data[name] for name in ("headers",) if name in data}
    if "types" in data:
        simple["types"] = tuple(dict.fromkeys(data["types"]))
    if "url" in data:
        simple["url"] = _check_url(data["url"], subscription.format)
    _check_headers(data.get("headers", {}), subscription.format)
    return replace(subscription, **simple, **_filter_changes(subscription, data.get("filter", {})))


def _filter_changes(subscription: Subscription, data: Json) -> Json:
    _check_game(data.get("game"), "filter")
    found: Json = {name: data[name] for name in ("match", "game", "my_turn") if name in data}
    if "match" in data:
        found["takes_part"] = _takes_part(data["match"], subscription.player)
    if "whose" in data:
        found["all_matches"] = data["whose"] == "all"
    return found


def _takes_part(match_id: str | None, player: str) -> bool:
    """Return whether a player has a seat in a match. Raises NotFound if they may not know of it."""
    if match_id is None:
        return False
    return bool(queries.match_for(annals(), match_id, player).seats_of(player))


def _check_game(game: str | None, *inside: str) -> None:
    if game not in (None, *annals().games):
        fault: Json = {"game": [games_message()]}
        raise ValidationError(dict.fromkeys(inside, fault) or fault)


def _check_url(url: str, message_format: str) -> str:
    check = check_webhook_url if message_format == "discord" else parse_url
    try:
        check(url, bool(annals().settings.webhooks_loopback))
    except BlockedAddress as error:
        raise ValidationError({"url": [str(error)]}) from error
    return url


def _check_headers(headers: Json, message_format: str) -> None:
    if headers and message_format == "discord":
        raise ValidationError({"headers": ["Webhooks of the format `discord` have no headers."]})
    if len(headers) > MAX_HEADERS:
        raise ValidationError({"headers": [f"A webhook has at most {MAX_HEADERS} headers."]})
    wrong = {name: {"key": ["This header is reserved."]} for name in headers if _is_reserved(name)}
    if wrong:
        raise ValidationError({"headers": wrong})


def _is_reserved(header: str) -> bool:
    return RESERVED_HEADERS.fullmatch(header) is not None


def _read_cursor(cursor: str | None) -> tuple[int, str] | None:
    if cursor is None:
        return None
    found = CURSOR.fullmatch(cursor)
    if found is None:
        raise BadCursor("This is not a cursor of this list.")
    return int(found[1]), found[2]


def _webhook_record(record: SubscriptionRecord) -> Json:
    """Return a webhook for its owner: without its secret, and with the names of its
    headers only.
    """
    one, health = record.subscription, record.health
    return {
        "id": one.id,
        "url": mask_token(one.url) if one.format == "discord" else one.url,
        "types": one.types,
        "filter": {
            "match": one.match,
            "game": one.game,
            "whose": "all" if one.all_matches else "mine",
            "my_turn": one.my_turn,
        },
        "headers": sorted(one.headers),
        "format": one.format,
        "created_at": iso(one.created_at),
        "active": health.disabled_reason is None,
        "disabled_reason": health.disabled_reason,
        "disabled_at": optional_iso(health.disabled_at),
        "failures": health.failures,
        "failing_since": optional_iso(health.failing_since),
        "warning": health_message(health),
        "last_error": health.last_error,
        "last_error_at": optional_iso(health.last_error_at),
        "last_success_at": optional_iso(health.last_success_at),
        "next_attempt_at": optional_iso(_next_attempt_at(record)),
    }


def _next_attempt_at(record: SubscriptionRecord) -> int | None:
    """Return when a failing receiver gets the next attempt (ms); None while deliveries succeed."""
    if not record.health.failures:
        return None
    not_before = max(record.health.paused_until or 0, annals().now())
    return _queue_of(record.subscription.id).next_attempt_at(not_before)


def _delivery_record(one: Delivery) -> Json:
    return {
        "id": one.id,
        "type": one.type,
        "match": one.match,
        "version": read_notice(one.notice.encode()).version if one.notice else None,
        "status": one.status,
        "attempts": one.attempts,
        "first_at": iso(one.first_at),
        "last_at": iso(one.last_at),
        "next_attempt_at": optional_iso(one.next_attempt_at),
        "response_code": one.response_code,
        "response_body": one.response_body,
        "error": one.error,
        "duration_ms": one.duration_ms,
    }
