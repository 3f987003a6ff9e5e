"""One table says what a player gets over which channel; nobody else learns of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from service.accounts.notices.settings import MatchChoices
from service.channels.account_deletion import remaining_data
from service.channels.chat.preferences import users_about
from service.channels.discord.account_links import AccountLinks
from service.channels.discord.payloads import User
from service.channels.mail.addresses import MailAddresses, link_code
from service.channels.mail.kinds import KINDS
from service.matches.container import Annals
from tests.service.api.conftest import NOON, Api, fold_lists, open_table
from tests.service.api.mailing import sending_mail
from tests.support.push_browser import BROWSER

PATH, BROWSERS, USER = "/v1/me/notices", "/v1/me/push-subscriptions", User("101", "ann", "Ann")
NONE: dict[str, list[str]] = {kind: [] for kind in KINDS}
MAIL = {**NONE, **{kind: ["mail"] for kind in ("turn", "reminder", "request")}}


@pytest.fixture(autouse=True)
def all_channels(app: Flask, annals: Annals) -> Iterator[None]:
    with sending_mail(app, annals):
        here = app.extensions["annals"]
        settings = replace(here.annals.settings, discord_app="1")
        here.annals = replace(here.annals, settings=settings)
        yield


def ready(api: Api, annals: Annals) -> None:
    """A player with a confirmed address and a Discord user."""
    api.put("/v1/me/mail", {"address": "ann@example.org"})
    addresses = MailAddresses(annals.store)
    pending = addresses.read_pending(api.id)
    assert pending
    addresses.confirm(link_code(api.id, pending.wanted))
    links = AccountLinks(annals.store.redis, annals.players)
    links.get_or_create_player(USER, NOON)
    links.link(api.id, links.create_code(USER.id))


def test_the_table_has_what_the_channels_keep(annals: Annals, ann: Api) -> None:
    before = ann.get(PATH).json
    assert [(one["name"], one["ready"]) for one in before["channels"]] == [
        ("discord", False), ("push", False), ("mail", False)
    ]  # fmt: skip
    assert (before["kinds"], before["twice"], before["quiet_hours"]) == (NONE, False, None)
    ready(ann, annals)
    kinds = {**MAIL, "turn": ["discord", "mail"]}
    assert ann.get(PATH).json["kinds"] == kinds, "as they were before there was a table"
    chosen = {"kinds": {"turn": ["mail"], "end": ["mail"]}, "twice": True}
    answer = ann.put(PATH, chosen).json
    assert (answer["kinds"], answer["twice"]) == ({**NONE, **chosen["kinds"]}, True)  # type: ignore[dict-item]
    assert ann.get(PATH).json == answer
    assert ann.get("/v1/me/mail").json["kinds"] == ["turn", "end"]
    links = AccountLinks(annals.store.redis, annals.players)
    assert not links.preferences(USER.id).ping
    links.set_preferences(USER.id, True, None)
    assert ann.get(PATH).json["kinds"]["turn"] == ["discord", "mail"]


def test_a_new_address_takes_over_what_is_chosen_until_it_is_confirmed(
    annals: Annals, ann: Api
) -> None:
    ready(ann, annals)
    ann.put("/v1/me/mail", {"address": "new@example.org", "kinds": ["turn"]})
    kinds = ann.put(PATH, {"kinds": {"turn": ["mail"], "end": ["mail"]}}).json["kinds"]
    addresses = MailAddresses(annals.store)
    pending = addresses.read_pending(ann.id)
    assert pending
    assert addresses.confirm(link_code(ann.id, pending.wanted)) == ann.id
    assert ann.get("/v1/me/mail").json["address"] == "new@example.org"
    assert ann.get(PATH).json["kinds"] == kinds


def test_the_table_is_that_of_all_browsers(ann: Api) -> None:
    """Also of one that is subscribed later, or again."""
    for number in (1, 2):
        ann.post(BROWSERS, BROWSER.subscription(f"https://push.example.net/{number}"))
    assert ann.get(PATH).json["kinds"]["turn"] == ["push"]
    chosen = {"kinds": {"end": ["push"], "turn": ["push"]}}
    assert ann.put(PATH, chosen).json["kinds"] == {**NONE, **chosen["kinds"]}
    for number in (3, 1):
        ann.post(BROWSERS, BROWSER.subscription(f"https://push.example.net/{number}"))
    found = ann.get(BROWSERS).json["subscriptions"]
    assert [one["kinds"] for one in found] == [["turn", "end"]] * 3
    assert ann.put(PATH, {"kinds": {"message": ["push"]}}).status_code == 400
    assert ann.put(PATH, {"kinds": {}}).json["channels"][1]["ready"]


@pytest.mark.parametrize(
    "asked", [{}, {"kinds": {"turn": ["mail"]}}, {"kinds": {"move": []}}, {"kinds": []},
              {"kinds": {"end": ["discord"]}}, {"kinds": {"turn": ["pigeon"]}},
              {"kinds": {}, "twice": 1}, {"kinds": {}, "more": 1}],
)  # fmt: skip
def test_only_what_leads_to_the_player_is_taken(ann: Api, asked: dict[str, Any]) -> None:
    before = ann.get(PATH).json
    assert ann.put(PATH, asked).status_code == 400
    assert ann.get(PATH).json == before


@pytest.mark.parametrize(
    "wrong", [{"until": "22:00"}, {"from": "24:00"}, {"from": "7:00"}, {"until": ""},
              {"time_zone": "Nowhere/Else"}, {"time_zone": "../etc/passwd"}, {"time_zone": None}],
)  # fmt: skip
def test_quiet_hours_are_hours_of_a_day_in_a_time_zone(ann: Api, wrong: dict[str, Any]) -> None:
    hours = {"from": "22:00", "until": "07:30", "time_zone": "Asia/Shanghai"}
    assert ann.put(PATH, {"kinds": {}, "quiet_hours": hours}).json["quiet_hours"] == hours
    refused = ann.put(PATH, {"kinds": {}, "quiet_hours": {**hours, **wrong}})
    assert refused.status_code == 400
    [fault] = refused.json["errors"]
    assert fault["pointer"] == f"#/quiet_hours/{next(iter(wrong))}"
    assert ann.get(PATH).json["quiet_hours"] == hours
    assert ann.put(PATH, {"kinds": {}}).json["quiet_hours"] is None


def test_a_match_has_a_choice_of_each_of_its_players(
    app: Flask, annals: Annals, ann: Api, bob: Api, cid: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It changes neither the match nor what others see; those of matches that are over pass."""
    match = open_table(ann, bob).rpartition("/")[2]
    ready(ann, annals)
    path, redis = f"/v1/matches/{match}", annals.store.redis
    seen = [bob.get(path).json, bob.get(f"{path}/notices").json]
    filters = redis.hget("{p0}:outbox:filters", f"mail:{ann.id}")
    for choice, ping in (("none", False), ("all", True), ("usual", True)):
        assert ann.put(f"{path}/notices", {"notices": choice}).json == {"notices": choice}
        assert ann.get(f"{path}/notices").json == {"notices": choice}
        assert users_about(redis, match, [ann.id], NOON)[ann.id][1].ping == ping
        is_wider = redis.hget("{p0}:outbox:filters", f"mail:{ann.id}") != filters
        assert is_wider == (choice == "all")
    assert [bob.get(path).json, bob.get(f"{path}/notices").json] == seen
    for answer in (cid.get(f"{path}/notices"), cid.put(f"{path}/notices", {"notices": "all"})):
        assert (answer.status_code, answer.json["code"]) == (403, "not_seated")
    monkeypatch.setattr("service.accounts.notices.settings.MAX_CHOICES", 1)
    fold_lists(annals)
    choices = MatchChoices(redis, ann.id)
    choices.choose("over", "none")
    ann.put(f"{path}/notices", {"notices": "none"})
    assert choices.read() == {match: "none"}
    assert remaining_data(annals, ann.id)["choices about notices"] == 1


def test_the_settings_show_the_table(app: Flask, annals: Annals, ann: Api, bob: Api) -> None:
    match = open_table(ann, bob).rpartition("/")[2]
    ready(ann, annals)
    ann.put(f"/v1/matches/{match}/notices", {"notices": "all"})
    fold_lists(annals)
    session = annals.players.tokens.issue_session(ann.id, "Firefox", NOON)
    for language in ("en", "zh-Hans", "zh-Hant"):
        headers = {"Cookie": f"annals_session={session}", "Accept-Language": language}
        shown = app.test_client(use_cookies=False).get("/settings", headers=headers).text
        ticks = {kind for kind in KINDS if f'name="{kind} mail" aria-label' in shown}
        assert ticks == set(KINDS)
        assert 'name="turn discord"' in shown
        assert 'name="turn push"' in shown
        assert 'name="message push"' not in shown
        assert f'data-notices="{match}"' in shown
        assert '<option value="all" selected>' in shown


def test_a_change_beyond_the_limit_stores_nothing(
    annals: Annals, ann: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit counts the changes of the table and those of mail together."""
    ready(ann, annals)
    monkeypatch.setattr("service.channels.notice_channels.CHANGES_PER_HOUR", 2)
    mail = {"address": "ann@example.org", "kinds": ["end"]}
    assert ann.put("/v1/me/mail", mail).status_code == 200
    assert ann.put(PATH, {"kinds": {"turn": ["mail"]}}).status_code == 200
    before = ann.get(PATH).json
    assert ann.put(PATH, {"kinds": {"end": ["mail"]}, "twice": True}).status_code == 429
    assert ann.put("/v1/me/mail", mail).status_code == 429
    assert ann.get(PATH).json == before
