"""A player subscribes their browsers to push messages; nobody else learns of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from service.api.channels import push
from service.channels.push.browsers import MAX_PER_PLAYER, PushSubscriptions
from service.matches.container import Annals
from tests.service.api.conftest import Api, register
from tests.service.api.mailing import sending_mail
from tests.support.push_browser import BROWSER, decode

PATH = "/v1/me/push-subscriptions"


@pytest.fixture(autouse=True)
def push_is_sent(app: Flask, annals: Annals) -> Iterator[None]:
    with sending_mail(app, annals):  # that has a public address, too
        yield


def endpoint(number: int) -> str:
    return f"https://push.example.net/{number}"


def test_a_browser_is_subscribed_changed_and_unsubscribed(ann: Api, bob: Api) -> None:
    empty = ann.get(PATH)
    assert empty.headers["Cache-Control"] == "no-store"
    assert (empty.json["subscriptions"], len(decode(empty.json["key"]))) == ([], 65)
    assert bob.get(PATH).json["key"] == empty.json["key"]
    made = ann.post(PATH, BROWSER.subscription(), Accept_Language="zh-TW")
    assert (made.status_code, made.json["language"]) == (201, "zh-Hant")
    assert made.json["kinds"] == ["turn", "reminder", "request"]
    assert made.headers["Location"] == f"{PATH}/{made.json['id']}"
    wanted = BROWSER.subscription(kinds=["end", "turn"], language="en")
    changed = ann.post(PATH, wanted)
    assert (changed.status_code, changed.json["kinds"]) == (200, ["turn", "end"])
    assert ann.post(PATH, wanted).json == changed.json
    assert ann.get(PATH).json["subscriptions"] == [changed.json]
    assert {changed.json["id"], made.json["id"]} == {made.json["id"]}
    assert bob.get(PATH).json["subscriptions"] == []
    assert bob.delete(f"{PATH}/{made.json['id']}").status_code == 404
    assert ann.delete(f"{PATH}/{made.json['id']}").status_code == 204
    assert ann.delete(f"{PATH}/{made.json['id']}").status_code == 404
    assert ann.get(PATH).json["subscriptions"] == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"endpoint": "http://push.example.net/1"},
        {"endpoint": "https://10.0.0.1/1"},
        {"endpoint": "https://127.0.0.1/1"},
        {"endpoint": "https://metadata/1"},
        {"endpoint": "https://user@push.example.net/1"},
        {"endpoint": ""},
        {"keys": {"p256dh": "A" * 87, "auth": "A" * 22}},
        {"keys": {"p256dh": BROWSER.subscription()["keys"]["p256dh"], "auth": "A" * 21}},
        {"keys": {}},
        {"kinds": ["message"]},
        {"language": "tlh"},
        {"expirationTime": None},
    ],
)
def test_only_a_browser_of_the_public_internet_is_taken(ann: Api, wrong: dict[str, Any]) -> None:
    answer = ann.post(PATH, {**BROWSER.subscription(), **wrong})
    assert answer.status_code == 400
    assert ann.get(PATH).json["subscriptions"] == []


def test_limits_hold_for_a_player_and_for_an_address(
    app: Flask, annals: Annals, ann: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same request again changes nothing and counts for nothing."""
    monkeypatch.setattr(push, "CHANGES_PER_HOUR", 10)
    store = PushSubscriptions(annals.store)
    codes = [ann.post(PATH, BROWSER.subscription(endpoint(n))).status_code for n in range(11)]
    assert codes == [201] * 10 + [429]
    assert len(store.list_for(ann.id)) == MAX_PER_PLAYER
    assert ann.post(PATH, BROWSER.subscription(endpoint(9))).status_code == 200
    others = [register(app, name) for name in ("Ben", "Cid", "Dot")]
    codes = [
        one.post(PATH, BROWSER.subscription(endpoint(n))).status_code
        for one in others
        for n in range(8)
    ]
    assert codes == [201] * 20 + [429] * 4


def test_signing_out_unsubscribes_the_browser(app: Flask, annals: Annals, ann: Api) -> None:
    store, origin = PushSubscriptions(annals.store), {"Sec-Fetch-Site": "same-origin"}
    browser = app.test_client()
    browser.post("/v1/session", json={"token": ann.token}, headers=origin)
    made = browser.post(PATH, json=BROWSER.subscription(), headers=origin)
    assert made.status_code == 201
    ann.post(PATH, BROWSER.subscription(endpoint(2)))
    assert len(store.list_for(ann.id)) == 2
    browser.delete("/v1/session", headers=origin)
    [left] = store.list_for(ann.id)
    assert left.endpoint == endpoint(2)


@pytest.mark.parametrize("address", ["http://annals.example", ""])
def test_a_service_without_a_public_address_sends_none(
    app: Flask, annals: Annals, ann: Api, address: str
) -> None:
    context = app.extensions["annals"]
    context.annals = replace(annals, settings=replace(annals.settings, public_url=address))
    assert ann.get(PATH).status_code == 404
    assert ann.post(PATH, BROWSER.subscription()).status_code == 404
