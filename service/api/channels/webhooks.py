"""Webhooks: what is told to whom at which address, and how that goes."""

from __future__ import annotations

import re
import secrets

from flask import Blueprint, Response
from marshmallow import ValidationError
from msgspec.structs import replace

from domain.notices import NOTICE_TYPES
from projections.lists.pages import BadCursor
from projections.outbox.plan import read_notice
from service.channels.webhooks.messages.discord_addresses import check_incoming, masked
from service.channels.webhooks.owner_notices import notice
from service.channels.webhooks.queue.delivery_log import Deliveries, Delivery, MessageType
from service.channels.webhooks.queue.delivery_queue import Errand, Mail
from service.channels.webhooks.signing import new_secret
from service.channels.webhooks.subscriptions import Health, Known, Secret, Subscription, new_id
from service.channels.webhooks.unsubscribe import end
from service.http.context import annals, caller, context
from service.http.json_responses import Json, answer
from service.http.requests import body, query
from service.http.responses.list_responses import known_games, next_link
from service.http.schemas.common import Nothing
from service.http.schemas.webhooks import (
    ChangedWebhook,
    DeliveriesQuery,
    ExampleChoice,
    NewWebhook,
    Replay,
    Since,
)
from service.matches import queries
from service.matches.lists import time
from service.matches.queries import iso
from service.runtime.address_guard import Forbidden, read_url
from service.runtime.errors import TooManyWebhooks, WebhookOff

bp = Blueprint("webhooks", __name__, url_prefix="/v1/webhooks")
NEW, CHANGED, EXAMPLE, NOTHING = NewWebhook(), ChangedWebhook(), ExampleChoice(), Nothing()
SINCE, REPLAY, DELIVERIES = Since(), Replay(), DeliveriesQuery()
NO_STORE = {"Cache-Control": "no-store"}
MOST_HEADERS = 10
OURS = re.compile(
    r"webhook-.*|content-.*|host|connection|transfer-encoding|user-agent|expect|te|trailer|upgrade"
    r"|keep-alive|proxy-.*",
    re.IGNORECASE,
)
"""Headers that are not for a subscriber to set."""
CURSOR = re.compile(r"([0-9]{1,15}):([A-Za-z0-9_-]{1,200})", re.ASCII)


@bp.post("")
def add() -> Response:
    """Begin to tell; the secret is shown this once."""
    player, data, now = caller("account"), body(NEW), annals().now()
    secret = new_secret()
    blank = Subscription(
        new_id(), player.id, "", NOTICE_TYPES, now, (Secret(secret),),
        format=data.get("format", "standard"),
    )  # fmt: skip
    made = _changed(blank, data)
    if not annals().settings.webhooks:
        raise TooManyWebhooks("Whoever runs this service offers no webhooks.")
    context().webhooks.add(made)
    headers = {"Location": f"/v1/webhooks/{made.id}", **NO_STORE}
    return answer({**_shown(Known(made, Health())), "secret": secret}, 201, headers)


@bp.get("")
def list_all() -> Response:
    """All of the caller's, the oldest first."""
    found = context().webhooks.of(caller("read").id)
    return answer({"webhooks": list(map(_shown, found))})


@bp.get("/key")
def key() -> Response:
    """What anybody can check the signatures `v1a` with."""
    return answer({"key": context().webhook_key.public})


@bp.get("/<webhook>")
def get(webhook: str) -> Response:
    """One of the caller's."""
    return answer(_shown(context().webhooks.own(caller("read").id, webhook)))


@bp.patch("/<webhook>")
def change(webhook: str) -> Response:
    """Change it, turn it off or on again."""
    player, data = caller("account"), body(CHANGED)
    known = context().webhooks.own(player.id, webhook)
    changed = context().webhooks.change(webhook, lambda before: _changed(before, data))
    if "url" in data:
        context().webhooks.hurry(webhook)
        _mail(webhook).release()
    if data.get("active") is True and known.health.off is not None:
        context().webhooks.turn_on(changed)
    if data.get("active") is False and known.health.off is None:
        context().webhooks.turn_off(webhook, "by_owner", annals().now())
        _mail(webhook).drop()
    return answer(_shown(context().webhooks.known(webhook)))


@bp.delete("/<webhook>")
def remove(webhook: str) -> Response:
    """End it: nothing is sent from now on, and nothing of it is kept."""
    player = caller("account")
    context().webhooks.own(player.id, webhook)
    end(annals().store, context().webhooks, player.id, webhook)
    return Response(status=204)


@bp.post("/<webhook>/ping")
def ping(webhook: str) -> Response:
    """Send a message that tells nothing."""
    known = _asked(webhook)
    body(NOTHING, optional=True)
    return _sample(known, "ping")


@bp.post("/<webhook>/send-example")
def send_example(webhook: str) -> Response:
    """Send a message of some type, as it might be of a match of some game."""
    known, data = _asked(webhook), body(EXAMPLE)
    _check_game(data.get("game"))
    return _sample(known, data["type"], data.get("game", ""))


@bp.post("/<webhook>/rotate-secret")
def rotate_secret(webhook: str) -> Response:
    """Another secret; the one before is good for a day more. It is shown this once."""
    known = _own(webhook)
    body(NOTHING, optional=True)
    secret = context().webhooks.rotate(known.subscription.id, annals().now())
    return answer({"secret": secret}, headers=NO_STORE)


@bp.post("/<webhook>/recover")
def recover(webhook: str) -> Response:
    """Turn it on, if it is off, and tell again all that happened since a time."""
    known, data = _asked(webhook), body(SINCE, optional=True)
    if "since" in data:
        since = int(data["since"].timestamp() * 1000)
    else:
        since = known.health.failing_since or known.health.off_at or annals().now()
    if known.health.off is not None:
        context().webhooks.turn_on(known.subscription)
    context().webhooks.hurry(webhook)
    _mail(webhook).ask(Errand("recover", since=since))
    return answer({"since": iso(since)}, 202)


@bp.post("/<webhook>/replay")
def replay(webhook: str) -> Response:
    """Tell again what happened in a match from a version on."""
    known, data = _on(webhook), body(REPLAY)
    queries.match_for(annals(), data["match"], known.subscription.player)
    context().webhooks.hurry(webhook)
    _mail(webhook).ask(Errand("replay", match=data["match"], since=data["from_version"]))
    return answer(data, 202)


@bp.get("/<webhook>/deliveries")
def deliveries(webhook: str) -> Response:
    """How its messages went, the latest first."""
    known = context().webhooks.own(caller("read").id, webhook)
    asked = query(DELIVERIES)
    place, limit = _place(asked.get("after")), asked["limit"]
    log = Deliveries(annals().store.redis, known.subscription.id)
    found = log.page(asked.get("status"), place, limit)
    after = f"{found[-1].last_at}:{found[-1].id}" if len(found) == limit else None
    content = {"deliveries": list(map(_delivery, found)), "next": after}
    return answer(content, headers=next_link(after))


@bp.post("/<webhook>/deliveries/<delivery>/redeliver")
def redeliver(webhook: str, delivery: str) -> Response:
    """Send a message once more."""
    known = _on(webhook)
    body(NOTHING, optional=True)
    log = Deliveries(annals().store.redis, webhook)
    one = log.get(delivery)
    if one.match is None or one.notice is None:
        return _sample(known, one.type)
    again = replace(one, status="waiting", attempts=0, next_try=annals().now())
    log.note(again)
    context().webhooks.hurry(webhook)
    _mail(webhook).plan(one.match, [read_notice(one.notice.encode())])
    return answer(_delivery(again), 202)


def _own(webhook: str) -> Known:
    return context().webhooks.own(caller("account").id, webhook)


def _asked(webhook: str) -> Known:
    """One of the caller's, of which something is asked that is sent to others: not too often."""
    known = _own(webhook)
    context().webhook_limit.count(known.subscription.player)
    return known


def _on(webhook: str) -> Known:
    known = _asked(webhook)
    if known.health.off is not None:
        raise WebhookOff("The webhook is turned off.")
    return known


def _mail(webhook: str) -> Mail:
    store = annals().store
    return Mail(store.redis, store.partitions, webhook)


def _sample(known: Known, kind: MessageType, game: str = "") -> Response:
    """Have a message sent at once, and only once; its delivery tells how it went."""
    name = f"msg_{secrets.token_hex(8)}"
    _mail(known.subscription.id).ask(Errand("sample", name, kind, game))
    return answer({"delivery": name}, 202)


def _changed(subscription: Subscription, data: Json) -> Subscription:
    """The same with what was sent; ValidationError, NotFound."""
    simple = {name: data[name] for name in ("headers",) if name in data}
    if "types" in data:
        simple["types"] = tuple(dict.fromkeys(data["types"]))
    if "url" in data:
        simple["url"] = _checked_url(data["url"], subscription.format)
    _check_headers(data.get("headers", {}), subscription.format)
    return replace(subscription, **simple, **_filtered(subscription, data.get("filter", {})))


def _filtered(subscription: Subscription, data: Json) -> Json:
    if (match := data.get("match")) is not None:
        queries.match_for(annals(), match, subscription.player)
    _check_game(data.get("game"), "filter")
    found: Json = {name: data[name] for name in ("match", "game", "my_turn") if name in data}
    if "whose" in data:
        found["everybody"] = data["whose"] == "all"
    return found


def _check_game(game: str | None, *inside: str) -> None:
    if game not in (None, *annals().games):
        fault: Json = {"game": [known_games()]}
        raise ValidationError(dict.fromkeys(inside, fault) or fault)


def _checked_url(url: str, written: str) -> str:
    check = check_incoming if written == "discord" else read_url
    try:
        check(url, bool(annals().settings.webhooks_loopback))
    except Forbidden as error:
        raise ValidationError({"url": [str(error)]}) from error
    return url


def _check_headers(headers: Json, written: str) -> None:
    if headers and written == "discord":
        raise ValidationError({"headers": ["Discord takes none."]})
    if len(headers) > MOST_HEADERS:
        raise ValidationError({"headers": [f"There are at most {MOST_HEADERS} of them."]})
    wrong = {
        name: {"key": ["This header is not yours to set."]} for name in headers if _is_ours(name)
    }
    if wrong:
        raise ValidationError({"headers": wrong})


def _is_ours(header: str) -> bool:
    return OURS.fullmatch(header) is not None


def _place(cursor: str | None) -> tuple[int, str] | None:
    if cursor is None:
        return None
    found = CURSOR.fullmatch(cursor)
    if found is None:
        raise BadCursor("This cursor does not come from here.")
    return int(found[1]), found[2]


def _shown(known: Known) -> Json:
    """A webhook for its owner: without its secret, and of its headers the names alone."""
    one, health = known.subscription, known.health
    return {
        "id": one.id,
        "url": masked(one.url) if one.format == "discord" else one.url,
        "types": one.types,
        "filter": {
            "match": one.match,
            "game": one.game,
            "whose": "all" if one.everybody else "mine",
            "my_turn": one.my_turn,
        },
        "headers": sorted(one.headers),
        "format": one.format,
        "created_at": iso(one.created_at),
        "active": health.off is None,
        "disabled_reason": health.off,
        "disabled_at": time(health.off_at),
        "failures": health.failures,
        "failing_since": time(health.failing_since),
        "notice": notice(health),
        "last_error": health.error,
        "last_error_at": time(health.error_at),
        "last_success_at": time(health.success_at),
        "next_try": time(_next_try(known)),
    }


def _next_try(known: Known) -> int | None:
    """When what waits for a failing receiver is tried (ms): what is due is tried now."""
    if not known.health.failures:
        return None
    not_before = max(known.health.wait_until or 0, annals().now())
    return _mail(known.subscription.id).next_try(not_before)


def _delivery(one: Delivery) -> Json:
    return {
        "id": one.id,
        "type": one.type,
        "match": one.match,
        "version": read_notice(one.notice.encode()).version if one.notice else None,
        "status": one.status,
        "attempts": one.attempts,
        "first_at": iso(one.first_at),
        "last_at": iso(one.last_at),
        "next_try": time(one.next_try),
        "code": one.code,
        "answer": one.answer,
        "error": one.error,
        "took_ms": one.took_ms,
    }
