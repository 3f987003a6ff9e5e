"""Webhooks as their owner creates, changes and reads them."""

from __future__ import annotations

from typing import Any

import pytest

from domain.notices import Notice
from projections.outbox.plan import (
    due_key,
    match_queue_key,
    outbox_space,
    queue_prefix,
    write_notice,
)
from service.channels.webhooks.queue.delivery_log import Delivery, DeliveryLog
from service.channels.webhooks.queue.delivery_queue import DeliveryQueue
from service.channels.webhooks.subscriptions import Subscriptions
from service.http.rate_limit import RateLimit
from service.matches.container import Annals
from service.matches.queries import iso
from tests.service.api.conftest import Api, Clock, open_table, register

URL = "https://example.com/hook"
CHANNEL = "https://discord.com/api/webhooks/900000000000000007/hush-_7"


def add_webhook(owner: Api, **more: Any) -> Any:
    answer = owner.post("/v1/webhooks", {"url": URL, **more})
    assert answer.status_code == 201, answer.text
    return answer.json


def path(hook: Any) -> str:
    return f"/v1/webhooks/{hook['id']}"


def patch(owner: Api, hook: Any, body: Any) -> Any:
    return owner("PATCH", path(hook), body)


def test_the_secret_is_shown_once(ann: Api) -> None:
    made = add_webhook(ann, headers={"X-Key": "hush"})
    assert made["secret"].startswith("whsec_")
    shown = ann.get(path(made))
    assert "secret" not in shown.json
    assert "hush" not in shown.text
    assert shown.json == {name: value for name, value in made.items() if name != "secret"}
    assert ann.get("/v1/webhooks").json == {"webhooks": [shown.json]}


def test_other_players_cannot_see_or_change_a_webhook(ann: Api, bob: Api) -> None:
    made = add_webhook(ann)
    assert bob.get("/v1/webhooks").json == {"webhooks": []}
    for verb, rest in (("GET", ""), ("DELETE", ""), ("POST", "/ping"), ("GET", "/deliveries")):
        assert bob(verb, path(made) + rest).status_code == 404
    assert patch(bob, made, {"active": False}).status_code == 404


def test_the_number_of_webhooks_is_limited(ann: Api, annals: Annals) -> None:
    for _ in range(annals.settings.webhooks):
        last = add_webhook(ann)
    refused = ann.post("/v1/webhooks", {"url": URL})
    assert (refused.status_code, refused.json["code"]) == (409, "too_many_webhooks")
    ann.delete(path(last))
    add_webhook(ann)


def test_each_member_can_be_changed(ann: Api) -> None:
    made = add_webhook(ann, filter={"game": "qin", "whose": "all"})
    changed = patch(ann, made, {"types": ["move.made"], "filter": {"my_turn": True}}).json
    assert changed["types"] == ["move.made"]
    assert changed["filter"] == {"match": None, "game": "qin", "whose": "all", "my_turn": True}
    assert changed["url"] == URL


def test_a_webhook_is_turned_off_and_on(ann: Api) -> None:
    made = add_webhook(ann)
    off = patch(ann, made, {"active": False}).json
    assert (off["active"], off["disabled_reason"]) == (False, "by_owner")
    assert off["warning"].startswith("You turned it off, or got your account back")
    refused = ann.post(f"{path(made)}/replay", {"match": "m", "from_version": 1})
    assert (refused.status_code, refused.json["code"]) == (409, "webhook_disabled")
    assert patch(ann, made, {"active": True}).json["disabled_reason"] is None


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({"url": "http://example.com"}, "#/url"),
        ({"url": "https://127.0.0.1/"}, "#/url"),
        ({"types": ["nonsense"]}, "#/types/0"),
        ({"types": []}, "#/types"),
        ({"filter": {"game": "nonsense"}}, "#/filter/game"),
        ({"filter": {"whose": "yours"}}, "#/filter/whose"),
        ({"headers": {"Host": "localhost"}}, "#/headers/Host/key"),
        ({"headers": {"Webhook-Id": "1"}}, "#/headers/Webhook-Id/key"),
        ({"headers": {"X": "a\r\nb"}}, "#/headers/X/value"),
        ({"headers": {"X": "a\n"}}, "#/headers/X/value"),
        ({"headers": {f"X-{n}": "1" for n in range(11)}}, "#/headers"),
        ({"format": "nonsense"}, "#/format"),
        ({"format": "discord"}, "#/url"),
        ({"format": "discord", "url": f"{CHANNEL}/slack"}, "#/url"),
        ({"format": "discord", "url": f"{CHANNEL}?wait=perhaps"}, "#/url"),
        ({"format": "discord", "url": CHANNEL.replace("discord.com", "example.com")}, "#/url"),
        ({"format": "discord", "url": CHANNEL.replace("https", "http")}, "#/url"),
        ({"format": "discord", "url": CHANNEL, "headers": {"X": "1"}}, "#/headers"),
    ],
)
def test_invalid_webhooks_are_refused(ann: Api, wrong: Any, pointer: str) -> None:
    refused = ann.post("/v1/webhooks", {"url": URL, **wrong})
    assert (refused.status_code, refused.json["code"]) == (400, "invalid")
    assert [fault["pointer"] for fault in refused.json["errors"]] == [pointer]
    assert ann.get("/v1/webhooks").json == {"webhooks": []}


@pytest.mark.parametrize(
    "name",
    [
        "host", "HOST", "webhook-id", "Webhook-Signature", "webhook-anything", "content-type",
        "content-length", "Content-Encoding", "connection", "keep-alive", "transfer-encoding",
        "te", "trailer", "upgrade", "expect", "user-agent", "proxy-authorization",
    ],
)  # fmt: skip
def test_reserved_headers_cannot_be_set(ann: Api, name: str) -> None:
    made = add_webhook(ann)
    for refused in (
        ann.post("/v1/webhooks", {"url": URL, "headers": {name: "x"}}),
        patch(ann, made, {"headers": {name: "x"}}),
    ):
        assert (refused.status_code, refused.json["code"]) == (400, "invalid")
    assert ann.get(path(made)).json["headers"] == []


def test_an_example_needs_an_existing_game(ann: Api) -> None:
    made = add_webhook(ann)
    sent = ann.post(f"{path(made)}/send-example", {"type": "move.made", "game": "qin"})
    refused = ann.post(f"{path(made)}/send-example", {"type": "move.made", "game": "chess"})
    assert (sent.status_code, refused.status_code) == (202, 400)
    assert [fault["pointer"] for fault in refused.json["errors"]] == ["#/game"]


def test_a_delivery_can_be_redelivered(ann: Api, annals: Annals) -> None:
    made = add_webhook(ann)
    match = open_table(ann).rpartition("/")[2]
    notice = write_notice(Notice(1, 0, "match.created"))
    log = DeliveryLog(annals.store.redis, made["id"])
    log.record(
        Delivery("msg_1", "match.created", "dead", 1, 2, 10, match, notice, response_code=500)
    )
    answer = ann.post(f"{path(made)}/deliveries/msg_1/redeliver")
    assert answer.status_code == 202
    assert (answer.json["status"], answer.json["attempts"]) == ("waiting", 0)
    mail = DeliveryQueue(annals.store.redis, annals.store.partitions, made["id"])
    [head] = mail.claim_due(annals.now())
    assert (head.match, head.notice) == (match, Notice(1, 0, "match.created"))
    [shown] = ann.get(f"{path(made)}/deliveries?status=waiting").json["deliveries"]
    assert (shown["id"], shown["version"]) == ("msg_1", 1)


def test_a_private_match_cannot_be_found_by_a_filter(ann: Api, bob: Api, cid: Api) -> None:
    match = open_table(ann, visibility="private").rpartition("/")[2]
    assert add_webhook(ann, filter={"match": match})["filter"]["match"] == match
    secret = cid.post("/v1/webhooks", {"url": URL, "filter": {"match": match}})
    none = cid.post("/v1/webhooks", {"url": URL, "filter": {"match": "nonsense"}})
    assert secret.status_code == none.status_code == 404
    assert secret.json["detail"] == none.json["detail"]


def test_only_webhooks_of_others_take_a_place_at_a_match(
    ann: Api, bob: Api, annals: Annals
) -> None:
    match = open_table(ann).rpartition("/")[2]
    mine = add_webhook(ann, filter={"match": match})
    patch(ann, mine, {"filter": {"my_turn": True}})
    assert not annals.store.redis.exists(f"webhooks:audience:{match}")
    theirs = add_webhook(bob, filter={"match": match})
    assert annals.store.redis.hkeys(f"webhooks:audience:{match}") == [theirs["id"].encode()]
    patch(bob, theirs, {"filter": {"match": None}})
    assert not annals.store.redis.exists(f"webhooks:audience:{match}")


def test_requests_are_queued_for_workers(ann: Api, annals: Annals) -> None:
    made = add_webhook(ann)
    match = open_table(ann).rpartition("/")[2]
    ping = ann.post(f"{path(made)}/ping").json["delivery"]
    ann.post(f"{path(made)}/send-example", {"type": "move.made"})
    ann.post(f"{path(made)}/replay", {"match": match, "from_version": 1})
    ann.post(f"{path(made)}/recover", {"since": "2026-01-01T00:00:00+01:00"})
    mail = DeliveryQueue(annals.store.redis, annals.store.partitions, made["id"])
    errands = list(mail.resend_requests())
    assert [one.kind for one in errands] == ["test", "test", "replay", "recover"]
    assert errands[0].message_id == ping
    assert errands[3].since == 1_767_222_000_000


@pytest.mark.parametrize(
    "since", ["9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00", "1969-12-31T23:59:59Z"]
)
def test_a_time_out_of_range_is_refused_and_changes_nothing(
    ann: Api, annals: Annals, since: str
) -> None:
    made = add_webhook(ann)
    patch(ann, made, {"active": False})
    refused = ann.post(f"{path(made)}/recover", {"since": since})
    assert (refused.status_code, refused.json["errors"][0]["pointer"]) == (400, "#/since")
    assert not ann.get(path(made)).json["active"]
    assert not list(
        DeliveryQueue(annals.store.redis, annals.store.partitions, made["id"]).resend_requests()
    )


def test_recover_starts_at_the_oldest_entry_that_was_not_delivered(
    ann: Api, annals: Annals, app: Any
) -> None:
    made = add_webhook(ann)
    hooks = app.extensions["annals"].webhooks
    hooks.disable(made["id"], "failing", 2_000)
    hooks.note_undelivered(made["id"], 1_000)
    hooks.note_undelivered(made["id"], 3_000)
    patch(ann, made, {"active": True})  # which sends only what happens from now on
    queue = DeliveryQueue(annals.store.redis, annals.store.partitions, made["id"])
    for since, pending in ((1_000, None), (500, 500), (annals.now(), None)):
        if pending:
            queue.enqueue(
                "m", [Notice(1, 0, "move.made", at=pending), Notice(2, 0, "move.made", at=9)]
            )
        answer = ann.post(f"{path(made)}/recover", {})
        assert answer.json == {"since": iso(since)}
        queue.drop_all()


@pytest.mark.parametrize(
    "item",
    [
        None,
        "no JSON",
        "7",
        "[]",
        "{}",
        '{"at":"soon"}',
        '{"version":1,"number":0,"type":"move.made"}',
    ],
)
@pytest.mark.parametrize("active", [True, False])
def test_a_notice_without_a_time_keeps_no_webhook_from_being_turned_off_and_on(
    ann: Api, annals: Annals, item: str | None, active: bool
) -> None:
    """A notice may be corrupt, gone, or stored by a version that noted no times."""
    made = add_webhook(ann)
    queue = DeliveryQueue(annals.store.redis, 1, made["id"])
    queue.enqueue("m", [Notice(1, 0, "move.made", at=700)])
    prefix = queue_prefix(outbox_space(0), made["id"])
    annals.store.redis.zadd(due_key(prefix), {"n": 0})
    if item is not None:
        annals.store.redis.zadd(match_queue_key(prefix, "n"), {item: 0})
    if active:
        recovered = ann.post(f"{path(made)}/recover", {})
        assert (recovered.status_code, recovered.json) == (202, {"since": iso(700)})
    else:
        assert patch(ann, made, {"active": False}).status_code == 200
        assert queue.pending_notices() == 0


def test_a_failing_webhook_says_so_in_a_sentence(ann: Api, app: Any) -> None:
    made = add_webhook(ann)
    app.extensions["annals"].webhooks.update_health(
        made["id"],
        failures=4,
        failing_since=0,
        last_error="The receiver answered 500.",
        last_error_at=5,
    )
    shown = ann.get(path(made)).json
    assert shown["warning"].startswith(
        "The last 4 attempts failed. It will be turned off at 1970-01-06T"
    )
    assert shown["last_error"] == "The receiver answered 500."


def test_the_next_attempt_of_a_due_notice_is_now(ann: Api, annals: Annals, app: Any) -> None:
    made = add_webhook(ann)
    assert ann.get(path(made)).json["next_attempt_at"] is None
    mail = DeliveryQueue(annals.store.redis, annals.store.partitions, made["id"])
    mail.enqueue("m", [Notice(1, 0, "move.made")])
    app.extensions["annals"].webhooks.update_health(made["id"], failures=1, failing_since=0)
    assert ann.get(path(made)).json["next_attempt_at"] == iso(annals.now())


def test_me_lists_warnings_about_failing_webhooks(ann: Api, bob: Api, app: Any) -> None:
    well, ill, ended, mine = (add_webhook(ann)["id"] for _ in range(4))
    hooks = app.extensions["annals"].webhooks
    hooks.update_health(well, failures=3, failing_since=0)
    hooks.update_health(ill, failures=4, failing_since=0)
    hooks.update_health(ended, disabled_reason="gone", last_error="The receiver answered 410.")
    hooks.update_health(mine, disabled_reason="by_owner")
    received = {
        one["webhook"]: one["warning"] for one in ann.get("/v1/me").json["webhook_warnings"]
    }
    assert received == {
        one["id"]: one["warning"]
        for one in ann.get("/v1/webhooks").json["webhooks"]
        if one["id"] in (ill, ended)
    }
    assert received[ended] == "The receiver answered 410."
    assert bob.get("/v1/me").json["webhook_warnings"] == []


def test_the_public_key_is_the_same_for_all_callers(ann: Api, nobody: Api) -> None:
    assert nobody.get("/v1/webhooks/key").json == ann.get("/v1/webhooks/key").json
    assert nobody.get("/v1/webhooks/key").json["key"].startswith("whpk_")


def test_deleting_an_account_deletes_its_webhooks(app: Any, annals: Annals) -> None:
    zoe = register(app, "Zoe")
    made = add_webhook(zoe)
    zoe.post(f"{path(made)}/ping")
    log = DeliveryLog(annals.store.redis, made["id"])
    log.record(Delivery("msg_1", "ping", "dead", 1, 1, 1, response_body="who they are"))
    assert zoe.delete("/v1/me?name=Zoe").status_code == 204
    keys = b" ".join(annals.store.redis.keys("*"))
    assert made["id"].encode() not in keys
    assert not annals.store.redis.hgetall("{p0}:outbox:filters")


def test_pages_of_deliveries_neither_overlap_nor_skip(
    ann: Api, annals: Annals, clock: Clock
) -> None:
    made = add_webhook(ann)
    log = DeliveryLog(annals.store.redis, made["id"])
    for n in range(7):
        log.record(Delivery(f"msg_{n}", "ping", "delivered", clock.ms, clock.ms + n // 2, 1))
    found, after = [], ""
    while after is not None:
        page = ann.get(f"{path(made)}/deliveries?limit=2{after and f'&after={after}'}").json
        found += [one["id"] for one in page["deliveries"]]
        after = page["next"]
    assert found == [f"msg_{n}" for n in reversed(range(7))]
    refused = ann.get(f"{path(made)}/deliveries?after=nonsense")
    assert refused.json["code"] == "bad_cursor"


def test_requested_messages_have_a_quota(ann: Api, app: Any) -> None:
    made = add_webhook(ann)
    app.extensions["annals"].webhook_limit = RateLimit("webhooks", 2, counted="webhook requests")
    assert [ann.post(f"{path(made)}/ping").status_code for _ in range(3)] == [202, 202, 429]


def test_the_token_of_a_discord_url_is_masked(ann: Api) -> None:
    """The token permits to post, and a token with scope `read` must not reveal it."""
    made = add_webhook(ann, format="discord", url=f"{CHANNEL}?thread_id=7")
    assert made["url"] == "https://discord.com/api/webhooks/900000000000000007/***?thread_id=7"
    assert "hush" not in ann.get(path(made)).text
    assert patch(ann, made, {"url": URL}).status_code == 400
    assert patch(ann, made, {"url": CHANNEL, "types": ["turn.started"]}).status_code == 200


def test_a_failing_channel_has_a_warning(ann: Api, annals: Annals) -> None:
    made = add_webhook(ann, format="discord", url=CHANNEL)
    webhooks = Subscriptions(annals.store.redis, annals.store.partitions, 10)
    webhooks.update_health(made["id"], last_error="It is not there any more.")
    webhooks.disable(made["id"], "gone", 1)
    assert ann.get(path(made)).json["warning"] == "It is not there any more."
