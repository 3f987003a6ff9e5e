"""Where a player gets mail is their own affair: over REST and on the pages behind the links."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from redis import Redis

from service.channels.mail.addresses import LINK_LIFETIME_S, MailAddresses, link_code
from service.matches.container import Annals
from tests.service.api.conftest import NOON, Api, open_table, register
from tests.service.api.mailing import sending_mail

ADA, PATH = "ada@example.org", "/v1/me/mail"


@pytest.fixture(autouse=True)
def mail_is_sent(app: Flask, annals: Annals) -> Iterator[None]:
    with sending_mail(app, annals):
        yield


@pytest.fixture
def boxes(annals: Annals) -> MailAddresses:
    return MailAddresses(annals.store)


def pending_code(boxes: MailAddresses, player: str) -> str:
    found = boxes.read_pending(player)
    assert found
    return link_code(player, found.wanted)


def confirm(app: Flask, boxes: MailAddresses, player: str) -> None:
    post_form(app, "/mail/confirm", {"code": pending_code(boxes, player)})


def post_form(app: Flask, path: str, form: dict[str, str]) -> Any:
    return app.test_client(use_cookies=False).post(path, data=form)


def page(app: Flask, path: str, language: str = "en") -> Any:
    headers = {"Accept-Language": language, "Accept": "text/html"}
    return app.test_client(use_cookies=False).get(path, headers=headers)


def test_an_address_is_used_once_it_is_confirmed(
    app: Flask, ann: Api, boxes: MailAddresses
) -> None:
    """Looking at the link changes nothing: programs that look for viruses do it."""
    assert ann.get(PATH).json == {
        "address": None, "pending": None, "pending_refused": False, "refused": False, "kinds": [],
        "language": "en", "time_zone": "UTC",
    }  # fmt: skip
    asked = {"address": ADA, "kinds": ["end", "turn"], "time_zone": "Asia/Shanghai"}
    answer = ann.put(PATH, asked, Accept_Language="zh-TW")
    assert answer.json == {
        "address": None, "pending": ADA, "pending_refused": False, "refused": False,
        "kinds": ["turn", "end"], "language": "zh-Hant", "time_zone": "Asia/Shanghai",
    }  # fmt: skip
    code = pending_code(boxes, ann.id)
    for language in ("en", "zh-Hans", "zh-Hant"):
        shown = page(app, f"/mail/confirm?code={code}", language)
        assert (shown.status_code, shown.headers["Cache-Control"]) == (200, "no-store")
        assert f"{ADA}" in shown.text
        assert 'method="post"' in shown.text
    assert boxes.read(ann.id) is None
    assert post_form(app, "/mail/confirm", {"code": code}).status_code == 200
    assert ann.get(PATH).json == {**answer.json, "address": ADA, "pending": None}
    assert post_form(app, "/mail/confirm", {"code": code}).status_code == 403
    assert page(app, f"/mail/confirm?code={code}").status_code == 403


def test_a_new_address_takes_the_place_of_the_old_one_when_it_is_confirmed(
    app: Flask, ann: Api, boxes: MailAddresses
) -> None:
    ann.put(PATH, {"address": ADA})
    first = pending_code(boxes, ann.id)
    ann.put(PATH, {"address": ADA})
    assert post_form(app, "/mail/confirm", {"code": first}).status_code == 403, "a later one"
    confirm(app, boxes, ann.id)
    other = ann.put(PATH, {"address": "b@example.org", "kinds": []}).json
    assert (other["address"], other["pending"]) == (ADA, "b@example.org")
    assert ann.put(PATH, {"address": ADA, "kinds": ["end"]}).json["kinds"] == ["end"]
    assert boxes.read_pending(ann.id) is None, "they have changed their mind"
    ann.put(PATH, {"address": "b@example.org"})
    confirm(app, boxes, ann.id)
    assert ann.get(PATH).json["address"] == "b@example.org"


def test_the_link_passes(app: Flask, ann: Api, boxes: MailAddresses, redis_client: Redis) -> None:
    ann.put(PATH, {"address": ADA})
    assert 0 < redis_client.ttl(f"player:{ann.id}:mail:pending") <= LINK_LIFETIME_S
    code = pending_code(boxes, ann.id)
    redis_client.delete(f"player:{ann.id}:mail:pending")  # as when its time is over
    assert post_form(app, "/mail/confirm", {"code": code}).status_code == 403
    for wrong in ("", "u.", "\u00e9.\u00e9", code[:-1], f"{code}x", "x" * 5_000):
        assert post_form(app, "/mail/confirm", {"code": wrong}).status_code == 403
    assert boxes.read(ann.id) is None


@pytest.mark.parametrize(
    "address", ["", "ada", "a@b@c", "Ada <a@x.org>", "a@x.org\nBcc: b@x.org", "a@x.org, b@x.org",
                "=?utf-8?q?a=0A?=@x.org", "\u4f60@x.org", f"{'a' * 65}@x.org",
                "root@localhost", "a@127.0.0.1", "vic%x.org@relay.org", "|cmd@x.org", 1, None],
)  # fmt: skip
def test_only_an_address_is_taken(ann: Api, boxes: MailAddresses, address: Any) -> None:
    assert ann.put(PATH, {"address": address}).status_code == 400
    assert boxes.read_pending(ann.id) is None


def test_what_others_use_is_not_revealed(
    app: Flask, ann: Api, bob: Api, boxes: MailAddresses
) -> None:
    """Whether an address is new, or that of another player, the answers are alike."""
    ann.put(PATH, {"address": ADA})
    confirm(app, boxes, ann.id)
    known, new = (bob.put(PATH, {"address": one}).json for one in (ADA, "new@example.org"))
    assert known.pop("pending") == ADA
    assert new.pop("pending") == "new@example.org"
    assert known == new
    assert ADA not in ann.get("/v1/me").text + bob.get(f"/v1/players/{ann.id}").text


def test_a_player_asks_for_few_mails_a_day(ann: Api, boxes: MailAddresses, clock: Any) -> None:
    for number in range(5):
        assert ann.put(PATH, {"address": f"x{number}@example.org"}).status_code == 200
    refused = ann.put(PATH, {"address": "x5@example.org"})
    assert (refused.status_code, refused.json["code"]) == (429, "too_many_requests")
    assert pending_code(boxes, ann.id).startswith(ann.id)
    clock.ms += 86_400_000
    assert ann.put(PATH, {"address": "x5@example.org"}).status_code == 200


def test_what_changes_nothing_delays_no_projector(
    app: Flask, ann: Api, boxes: MailAddresses, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each change of a filter makes projectors repeat a commit, so a player makes few of them."""
    monkeypatch.setattr("service.channels.notice_channels.CHANGES_PER_HOUR", 2)

    def changes() -> list[bytes | None]:
        return [redis_client.get(key) for key in sorted(redis_client.keys("*:filters:changes"))]

    ann.delete(PATH)
    assert not any(changes())
    ann.put(PATH, {"address": ADA})
    confirm(app, boxes, ann.id)
    filters = json.loads(redis_client.hget("{p0}:outbox:filters", f"mail:{ann.id}") or "")
    assert filters["types"] == sorted(filters["types"]), "equal filters have equal texts"
    before = changes()
    for _ in range(3):
        assert ann.put(PATH, {"address": ADA}).status_code == 200
    assert ann.put(PATH, {"address": ADA, "time_zone": "Asia/Shanghai"}).status_code == 200
    assert changes() == before
    assert ann.put(PATH, {"address": ADA, "kinds": ["end"]}).status_code == 200
    assert changes() != before
    assert ann.put(PATH, {"address": ADA}).status_code == 429
    ann.delete(PATH)
    after = changes()
    ann.delete(PATH)
    assert changes() == after


def test_an_address_that_a_later_version_wrote_is_confirmed_again(
    app: Flask, ann: Api, boxes: MailAddresses, redis_client: Redis
) -> None:
    ann.put(PATH, {"address": ADA})
    confirm(app, boxes, ann.id)
    key = f"player:{ann.id}:mail"
    redis_client.set(key, json.dumps({**json.loads(redis_client.get(key) or ""), "later": 1}))
    assert ann.put(PATH, {"address": ADA, "kinds": ["end"]}).json["pending"] == ADA
    confirm(app, boxes, ann.id)
    assert ann.get(PATH).json["kinds"] == ["end"]


def test_an_address_of_clients_asks_for_few_mails_a_day(app: Flask) -> None:
    answers = [
        eve.put(PATH, {"address": f"v{turn}@example.org"})
        for eve in [register(app, f"Eve {number}") for number in range(4)]
        for turn in range(4)
    ]
    assert [one.status_code for one in answers] == [200] * 15 + [429]
    assert answers[-1].json["detail"].startswith("At most 15 confirmations per day for one address")


def test_one_click_ends_the_mail(app: Flask, ann: Api, boxes: MailAddresses) -> None:
    """As the program of a reader does it: signed out, by POST alone; again it is the same."""
    ann.put(PATH, {"address": ADA})
    confirm(app, boxes, ann.id)
    address = boxes.read(ann.id)
    assert address
    path = f"/mail/unsubscribe?code={link_code(ann.id, address)}"
    for language in ("en", "zh-Hans", "zh-Hant"):
        assert 'method="post"' in page(app, path, language).text
    assert boxes.read(ann.id)
    for wrong in (path[:-1], "/mail/unsubscribe?code=\u00e9.x", "/mail/unsubscribe"):
        sent = post_form(app, wrong, {})
        assert sent.status_code == 200
        assert "If you still get some" in sent.text, "it may be the link of another address"
    assert boxes.read(ann.id)
    for _ in range(2):
        sent = post_form(app, path, {"List-Unsubscribe": "One-Click"})
        assert sent.status_code == 200
        assert boxes.read(ann.id) is None
    assert 'method="post"' not in page(app, path).text


def test_an_address_is_removed(app: Flask, ann: Api, boxes: MailAddresses) -> None:
    ann.put(PATH, {"address": ADA})
    confirm(app, boxes, ann.id)
    ann.put(PATH, {"address": "b@example.org"})
    assert ann.delete(PATH).status_code == 204
    assert ann.get(PATH).json["address"] is ann.get(PATH).json["pending"] is None
    assert boxes.count(ann.id) == 0


def test_a_page_that_is_opened_is_seen_and_one_in_the_background_is_not(
    app: Flask, annals: Annals, ann: Api, bob: Api, boxes: MailAddresses
) -> None:
    match = open_table(ann, bob).rpartition("/")[2]
    ann.put(PATH, {"address": ADA})
    confirm(app, boxes, ann.id)
    session = annals.players.tokens.issue_session(ann.id, "Firefox", NOON)
    client = app.test_client(use_cookies=False)
    for destination, seen in (("empty", set()), ("document", {match})):
        headers = {"Cookie": f"annals_session={session}", "Sec-Fetch-Dest": destination}
        assert client.get(f"/matches/{match}", headers=headers).status_code == 200
        assert boxes.seen(ann.id).keys() == seen


def test_settings_have_mail_only_if_the_service_sends_it(
    app: Flask, annals: Annals, ann: Api
) -> None:
    session = annals.players.tokens.issue_session(ann.id, "Firefox", NOON)
    ann.put(PATH, {"address": ADA})
    settings = {"Cookie": f"annals_session={session}"}
    shown = app.test_client(use_cookies=False).get("/settings", headers=settings).text
    assert re.search(rf'type="email" value="{ADA}"', shown)
    here = app.extensions["annals"]
    for off in ({"smtp_host": ""}, {"public_url": ""}):
        here.annals = replace(annals, settings=replace(here.annals.settings, **off))
        hidden = app.test_client(use_cookies=False).get("/settings", headers=settings).text
        assert 'data-form="mail"' not in hidden
        assert (ann.get(PATH).status_code, ann.put(PATH, {"address": ADA}).status_code) == (
            404,
        ) * 2
        assert ann.delete(PATH).status_code == 204
