"""What operators see and do: by REST and on the page, which share one implementation. Everyone else
is refused with a sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import Client

from domain.engine.sentences import LANGUAGES
from service.accounts.admin_log import AdminAction, AdminLog
from service.accounts.operators import Operators
from service.admin.moderation import Moderation
from service.admin.samples import add_sample, take_sample
from service.channels.account_deletion import delete_account
from service.channels.webhooks.queue.delivery_queue import DeliveryQueue
from service.channels.webhooks.subscriptions import FAILING_KEY, Subscriptions
from service.http.cookies import SESSION_COOKIE
from service.matches.container import Annals, open_annals
from service.matches.queries import iso
from service.page.blueprint import ROUTE_MODULES
from service.store.backup_state import BackupState, is_requested, withdraw_request, write_state
from tests.service.api.conftest import NOON, Api, Clock, fold_lists, open_table, register
from tests.service.api.contract import WRITTEN
from tests.service.api.test_scopes import PLACES
from tests.support.apps import app_over

ROUTES = [
    (path.format(**PLACES), verb.upper())
    for path, item in WRITTEN["paths"].items()
    for verb, operation in item.items()
    if operation["tags"] == ["admin"]
]
PAGES = ("", "/players", "/matches", "/webhooks", "/reports", "/backups", "/settings", "/actions")
BROWSER = {"Accept": "text/html"}
OWN = {"Sec-Fetch-Site": "same-origin"}
SENTENCE = "Only operators of this service may do this."


@pytest.fixture
def annals(annals: Annals, tmp_path: Path) -> Annals:
    """The service with a data folder of its own, and backups."""
    settings = replace(annals.settings, data=tmp_path, backup=str(tmp_path), discord_token="hush")
    return replace(annals, settings=settings)


@pytest.fixture
def ada(app: Flask, annals: Annals) -> Api:
    """An operator."""
    ada = register(app, "Ada")
    Operators(annals.store.redis).add(ada.id)
    return ada


@pytest.fixture
def subscriptions(annals: Annals) -> Subscriptions:
    return Subscriptions(annals.store.redis, annals.store.partitions, 10)


def browser_of(app: Flask, annals: Annals, player: Api | None) -> Client:
    """The browser of a player, or of a visitor without an account."""
    browser = app.test_client()
    if player:
        token = annals.players.tokens.issue_session(player.id, "Firefox", NOON)
        browser.set_cookie(SESSION_COOKIE, token)
    return browser


def read(api: Api, path: str) -> Any:
    return api.get(f"/v1/admin{path}").json


def actions(ada: Api) -> list[tuple[str, str, str]]:
    found = read(ada, "/actions")["actions"]
    return [(one["operator"], one["action"], one["subject"]) for one in found]


def failing_webhook(owner: Api, subscriptions: Subscriptions, since: int = NOON) -> str:
    created: Any = owner.post("/v1/webhooks", {"url": "https://hook.example/secret-path"}).json
    subscriptions.update_health(
        created["id"], failures=5, failing_since=since, last_error="The receiver answered 502.",
        last_error_at=since,
    )  # fmt: skip
    webhook: str = created["id"]
    return webhook


def test_players_and_strangers_are_refused_on_every_route(ann: Api, nobody: Api) -> None:
    assert len(ROUTES) >= 13
    for path, verb in ROUTES:
        refused = ann(verb, path)
        assert (refused.status_code, refused.json["code"]) == (403, "not_an_operator"), path
        assert refused.json["detail"] == SENTENCE
        assert nobody(verb, path).status_code == 401, path


@pytest.mark.parametrize("page", PAGES)
def test_players_and_strangers_see_no_page(
    app: Flask, annals: Annals, ann: Api, ada: Api, page: str
) -> None:
    for one in (None, ann):
        refused = browser_of(app, annals, one).get(f"/admin{page}", headers=BROWSER)
        assert refused.status_code == 403
        assert SENTENCE in refused.text
    shown = browser_of(app, annals, ada).get(f"/admin{page}", headers=BROWSER)
    assert shown.status_code == 200
    assert "script-src" not in shown.headers["Content-Security-Policy"]  # only our own files
    assert "default-src 'self'" in shown.headers["Content-Security-Policy"]


def test_each_page_is_tested(app: Flask) -> None:
    assert any(module.__name__.endswith(".admin") for module in ROUTE_MODULES)
    rules = {rule.rule for rule in app.url_map.iter_rules() if rule.rule.startswith("/admin")}
    assert rules == {f"/admin{page}" for page in PAGES}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_in_every_language(app: Flask, annals: Annals, ada: Api, language: str) -> None:
    browser = browser_of(app, annals, ada)
    page = browser.get(f"/admin?language={language}").text
    assert ("Disk and memory" in page) == (language == "en")
    assert browser.get(f"/admin/players?language={language}&query=a").status_code == 200
    assert 'href="./admin"' in browser.get("/settings").text


def test_a_page_of_another_site_can_do_nothing(
    app: Flask, annals: Annals, ada: Api, bob: Api
) -> None:
    browser, path = browser_of(app, annals, ada), f"/v1/admin/players/{bob.id}/token"
    assert browser.post(path, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert browser.post(path, headers=OWN).status_code == 201


def test_players_are_found_by_name_and_id_in_pages(ada: Api, ann: Api, bob: Api) -> None:
    first = read(ada, "/players?limit=2")
    assert ([one["name"] for one in first["players"]], first["next"]) == (["Ada", "Ann"], "Ann")
    rest = read(ada, f"/players?limit=2&after={first['next']}")
    assert ([one["name"] for one in rest["players"]], rest["next"]) == (["Bob"], None)
    [found] = read(ada, f"/players?query={bob.id}")["players"]
    assert (found["name"], found["operator"]) == ("Bob", False)
    assert read(ada, f"/players?query=u{'0' * 16}")["players"] == []
    assert [one["operator"] for one in read(ada, "/players?query=a")["players"]] == [True, False]
    assert ann.id in ada.get("/v1/admin/players?query=an").text


def test_a_ban_resigns_matches_and_ends_with_a_lift(
    app: Flask, annals: Annals, ada: Api, ann: Api, bob: Api, toy: str
) -> None:
    fold_lists(annals)
    path = f"/v1/admin/players/{ann.id}/ban"
    assert ada.post(path, {"reason": "cheating"}).json == {"left": 1, "failed": []}
    refused = ann.get("/v1/me")
    assert (refused.status_code, refused.json["code"]) == (403, "banned")
    assert "cheating" in refused.json["detail"]
    assert annals.matches.latest(toy.rpartition("/")[2]).chairs[0].resigned
    page = browser_of(app, annals, ada).get("/admin/players").text
    assert "Banned: cheating" in page
    assert 'data-do="resign"' in page
    assert ada.delete(path).status_code == 204
    assert ann.get("/v1/me").status_code == 200
    assert actions(ada) == [("Ada", "unban", ann.id), ("Ada", "ban", ann.id)]
    assert "cheating" in browser_of(app, annals, ada).get("/admin/actions").text


def test_a_ban_can_keep_matches(ada: Api, ann: Api, bob: Api, annals: Annals, toy: str) -> None:
    fold_lists(annals)
    path = f"/v1/admin/players/{ann.id}/ban"
    ada.post(path, {"reason": "spam", "keep_matches": True})
    assert not annals.matches.latest(toy.rpartition("/")[2]).chairs[0].resigned
    assert ada.post(path, {"reason": ""}).status_code == 400


def test_operators_and_deleted_players_are_out_of_reach(
    annals: Annals, ada: Api, ann: Api, bob: Api
) -> None:
    Operators(annals.store.redis).add(ann.id)
    for what in ("ban", "token"):
        body: Mapping[str, str] = {"reason": "x"} if what == "ban" else {}
        for who in (ada.id, ann.id):
            refused = ada.post(f"/v1/admin/players/{who}/{what}", body)
            assert (refused.status_code, refused.json["code"]) == (403, "is_operator")
        assert ada.post(f"/v1/admin/players/nobody/{what}", body).status_code == 404
    player = annals.players.by_id(bob.id)
    assert player
    delete_account(annals, player)
    assert ada.post(f"/v1/admin/players/{bob.id}/token", {}).status_code == 404
    assert actions(ada) == []


def test_a_lost_token_is_replaced(app: Flask, ada: Api, bob: Api) -> None:
    answer: Any = ada.post(f"/v1/admin/players/{bob.id}/token")
    assert answer.headers["Cache-Control"] == "no-store"
    assert bob.get("/v1/me").status_code == 401
    assert Api(app, answer.json["token"]).get("/v1/me").json["name"] == "Bob"
    assert actions(ada) == [("Ada", "token", bob.id)]
    assert answer.json["token"] not in ada.get("/v1/admin/actions").text


def test_matches_are_found_and_closed_with_a_note_for_operators(
    app: Flask, annals: Annals, ada: Api, ann: Api, bob: Api, toy: str
) -> None:
    private = open_table(ann, visibility="private").rpartition("/")[2]
    match = toy.rpartition("/")[2]
    fold_lists(annals)
    assert [one["id"] for one in read(ada, "/matches")["matches"]] == [match]
    found = read(ada, "/matches?query=ann")["matches"]
    assert {one["id"] for one in found} == {private, match}
    assert [one["id"] for one in read(ada, f"/matches?query={private}")["matches"]] == [private]
    assert read(ada, "/matches?query=nowhere")["matches"] == []
    first = read(ada, f"/matches?query={ann.id}&limit=1")
    rest = read(ada, f"/matches?query={ann.id}&limit=1&after={first['next']}")
    assert [*first["matches"], *rest["matches"]] == found
    path = f"/v1/admin/matches/{match}/close"
    assert ada.post(path, {"reason": "abuse", "note": "Bob again"}).status_code == 204
    assert annals.matches.latest(match).status == "aborted"
    assert ada.post(path, {"reason": "abuse"}).status_code == 409
    assert ada.post("/v1/admin/matches/none/close", {"reason": "fault"}).status_code == 404
    assert actions(ada) == [("Ada", "close", match)]  # nothing that was refused
    assert "Bob again" in ada.get("/v1/admin/actions").text
    assert "Bob again" not in ann.get(f"{toy}/events").text
    fold_lists(annals)
    assert "closed" in browser_of(app, annals, ada).get(f"/admin/matches?query={match}").text


def test_a_failing_webhook_is_paused_and_tried_again(
    app: Flask, annals: Annals, ada: Api, ann: Api, subscriptions: Subscriptions
) -> None:
    webhook = failing_webhook(ann, subscriptions)
    [found] = read(ada, "/webhooks")["webhooks"]
    assert (found["id"], found["player_name"], found["host"]) == (webhook, "Ann", "hook.example")
    assert found["last_error"] == "The receiver answered 502."
    assert "secret-path" not in ada.get("/v1/admin/webhooks").text
    assert "502" in browser_of(app, annals, ada).get("/admin/webhooks").text
    path = f"/v1/admin/webhooks/{webhook}"
    assert ada("PATCH", path, {"active": False}).status_code == 204
    health = subscriptions.get(webhook).health
    assert health.paused_until
    assert health.paused_until > NOON + 86_400_000
    subscriptions.disable(webhook, "failing", NOON)
    assert ada("PATCH", path, {"active": True}).status_code == 204
    health = subscriptions.get(webhook).health
    assert (health.paused_until, health.disabled_reason, health.failures) == (None, None, 0)
    assert read(ada, "/webhooks")["webhooks"] == []
    assert ada("PATCH", "/v1/admin/webhooks/none", {"active": True}).status_code == 404
    assert actions(ada) == [("Ada", "retry webhook", webhook), ("Ada", "pause webhook", webhook)]


def test_a_webhook_that_its_owner_turned_off_stays_off(
    annals: Annals, ada: Api, ann: Api, subscriptions: Subscriptions
) -> None:
    webhook = failing_webhook(ann, subscriptions)
    ann("PATCH", f"/v1/webhooks/{webhook}", {"active": False})
    subscriptions.disable(webhook, "failing", NOON)  # an attempt that began before
    ada("PATCH", f"/v1/admin/webhooks/{webhook}", {"active": True})
    assert subscriptions.get(webhook).health.disabled_reason == "by_owner"
    queue = DeliveryQueue(annals.store.redis, annals.store.partitions, webhook)
    assert queue.pending_matches() == 0


def test_webhooks_leave_the_list_when_they_work_or_are_gone(
    annals: Annals, ada: Api, ann: Api, subscriptions: Subscriptions
) -> None:
    webhooks = [failing_webhook(ann, subscriptions, NOON + n) for n in range(3)]
    first = read(ada, "/webhooks?limit=2")
    rest = read(ada, f"/webhooks?limit=2&after={first['next']}")
    found = [one["id"] for page in (first, rest) for one in page["webhooks"]]
    assert (found, rest["next"]) == (webhooks, None)
    annals.store.redis.zadd(FAILING_KEY, {"deleted": 0})  # its id came after its deletion
    assert [one["id"] for one in read(ada, "/webhooks?limit=2")["webhooks"]] == webhooks[:1]
    assert [one["id"] for one in read(ada, "/webhooks?limit=2")["webhooks"]] == webhooks[:2]
    subscriptions.update_health(webhooks[0], failures=None, failing_since=None)
    ann.delete(f"/v1/webhooks/{webhooks[1]}")
    subscriptions.purge(webhooks[2])
    subscriptions.update_health(webhooks[2], failures=1, failing_since=NOON)
    assert annals.store.redis.zcard(FAILING_KEY) == 0


def test_backups_show_their_state_and_one_can_be_requested(
    app: Flask, annals: Annals, ada: Api, clock: Clock
) -> None:
    data, browser = annals.settings.data, browser_of(app, annals, ada)
    page = browser.get("/admin/backups").text
    assert "There is no backup yet." in page
    assert f"<code>{annals.settings.backup}</code>" in page
    write_state(data, BackupState("b.backup", NOON, 7_000_000, 3, "no room.", NOON + 1))
    found = read(ada, "/backups")
    assert (found["failure"], found["last"]["bytes"]) == ("no room.", 7_000_000)
    assert found["next_at"] == "2023-11-14T23:13:20.001Z"  # an hour after the failure
    assert "no room." in browser.get("/admin/backups").text
    assert ada.post("/v1/admin/backups").json["requested"]
    assert is_requested(data)
    withdraw_request(data)
    assert not read(ada, "/backups")["requested"]
    assert actions(ada) == [("Ada", "backup", "store")]
    without = app_over(replace(annals, settings=replace(annals.settings, backup="")))
    refused = Api(without, ada.token).post("/v1/admin/backups")
    assert (refused.status_code, refused.json["code"]) == (409, "no_backups")
    assert read(Api(without, ada.token), "/backups")["next_at"] is None


def test_settings_are_shown_without_secrets(
    app: Flask, annals: Annals, ada: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANNALS_DISCORD_TOKEN", "hush")
    found = {one["name"]: one for one in read(ada, "/settings")["settings"]}
    assert found["ANNALS_PORT"]["value"] == "8000"
    assert found["ANNALS_BACKUP"]["about"]
    page = browser_of(app, annals, ada).get("/admin/settings").text
    assert page.index("ANNALS_DISCORD_TOKEN") < page.index("Defaults") < page.index("ANNALS_PORT")
    assert "hush" not in page + ada.get("/v1/admin/settings").text


def test_actions_are_in_pages_the_newest_first(annals: Annals, ada: Api) -> None:
    log = AdminLog(annals.store.redis)
    for at in range(5):
        log.add(AdminAction(at, "root", "ban", f"u{at}"))
    subjects, after = [], ""
    while True:
        page = read(ada, f"/actions?limit=2{after}")
        subjects += [one["subject"] for one in page["actions"]]
        assert len(page["actions"]) <= 2
        if page["next"] is None:
            break
        after = f"&after={page['next']}"
        log.add(AdminAction(9, "root", "ban", "later"))
    assert subjects == ["u4", "u3", "u2", "u1", "u0"]
    assert ada.get("/v1/admin/actions?after=x").status_code == 400


def test_health_is_read_once_for_many_callers(
    app: Flask, annals: Annals, ada: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = read(ada, "/health")
    names = [one["name"] for one in found["queues"]]
    assert {*names} >= {"bots", "webhooks due", "projections"}
    assert len({*names}) == len(names)
    assert (found["traffic"], found["log"]["size"], found["processes"]) == (None, 0, [])
    assert found["disk"]["free_mb"] > 0
    monkeypatch.setattr("service.admin.health.take_sample", lambda *_: pytest.fail("read again"))
    assert read(ada, "/health") == found
    assert "Disk and memory" in browser_of(app, annals, ada).get("/admin").text


def test_health_names_what_is_wrong_with_the_disk(
    app: Flask, annals: Annals, ada: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = "Cannot write in /srv/annals."
    monkeypatch.setattr("service.admin.health.describe_fault", lambda *_: fault)
    assert read(ada, "/health")["disk"]["fault"] == fault
    assert fault in browser_of(app, annals, ada).get("/admin").text


def test_health_lacks_only_what_cannot_be_read(
    annals: Annals, ada: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ValueError

    now = annals.now()
    add_sample(annals.settings.data, take_sample(annals.settings, now - 1))
    monkeypatch.setattr("service.admin.health.take_sample", fail)
    found = read(ada, "/health")
    assert found["at"] == iso(now)
    assert found["disk"]["free_mb"] > 0


def test_the_log_tells_players_from_users_of_the_machine(
    app: Flask, annals: Annals, ada: Api, bob: Api
) -> None:
    ada.delete(f"/v1/admin/players/{bob.id}/ban")
    Moderation(annals, "Ada").lift_ban(bob.id)
    rows = read(ada, "/actions")["actions"]
    found = {(one["operator"], one["operator_id"]) for one in rows}
    assert found == {("Ada", ada.id), ("Ada", None)}
    page = browser_of(app, annals, ada).get("/admin/actions").text
    assert page.count("(user of the machine)") == 1
    assert page.count(f"<code>{ada.id}</code>") == 1


def test_what_another_process_ends_ends_here_at_once(
    app: Flask, annals: Annals, ada: Api, bob: Api
) -> None:
    """This process still has in its cache what the other one ends."""
    elsewhere = open_annals(annals.settings)
    browser, path = browser_of(app, annals, ada), f"/v1/admin/players/{bob.id}/ban"
    assert browser.get("/admin").status_code == ada.get("/v1/admin/health").status_code == 200
    elsewhere.players.ban(ada.id, "stolen session")
    assert browser.get("/admin", headers=BROWSER).status_code == 403
    refused: Any = ada.delete(path).json
    assert refused["code"] == "banned"
    elsewhere.players.ban(ada.id, None)
    elsewhere.players.replace_all_tokens(ada.id, NOON)
    assert browser.get("/admin", headers=BROWSER).status_code == 401
    assert ada.delete(path).status_code == 401
