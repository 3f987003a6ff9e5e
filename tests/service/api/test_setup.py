"""The first minute of a service: a link that works once makes an operator, and asks for the name
and the public address of the house.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest
from flask import Flask
from redis import Redis
from redis.exceptions import RedisError
from werkzeug.test import Client, TestResponse

from domain.engine.sentences import LANGUAGES
from service.accounts.admin_log import AdminLog
from service.accounts.house import House, HouseRecord
from service.accounts.operators import CODE_KEY, LINK_LIFETIME_S, Operators
from service.channels.account_deletion import delete_account, remaining_data
from service.matches.container import Annals
from service.runtime.errors import BadCode
from tests.support.apps import app_over

ADDRESS = "https://annals.example.org"
HOUSE = {"house": "Red  Room", "public_url": ADDRESS, "name": "Ada"}
OWN = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def operators(redis_client: Redis) -> Operators:
    return Operators(redis_client)


@pytest.fixture
def code(operators: Operators) -> str:
    return operators.issue_link(ADDRESS).rpartition("=")[2]


@pytest.fixture
def browser(app: Flask) -> Client:
    return app.test_client()


def send(browser: Client, code: str, **changes: str) -> TestResponse:
    return browser.post("/setup", data={**HOUSE, "code": code, **changes}, headers=OWN)


def test_a_link_makes_an_operator_and_names_the_house(
    browser: Client, operators: Operators, annals: Annals, code: str
) -> None:
    assert 'name="house"' in browser.get(f"/setup?code={code}").text
    saved = send(browser, code)
    assert (saved.status_code, saved.headers["Location"]) == (303, "./settings#keep")
    [ada] = operators.ids()
    assert annals.players.names([ada]) == {ada: "Ada"}
    assert annals.house.read() == House("Red Room", ADDRESS)
    settings = browser.get("/settings").text
    assert "Settings · Red Room</title>" in settings
    assert 'href="./admin"' in settings
    manifest: Any = browser.get("/page/manifest.webmanifest").json
    assert manifest["name"] == "Red Room"


def test_an_operator_may_be_called_so_and_no_player_like_the_house(
    app: Flask, browser: Client, operators: Operators, annals: Annals, code: str
) -> None:
    assert send(browser, code, name="Admin").status_code == 303
    assert annals.players.names(operators.ids()) == {operators.ids()[0]: "Admin"}
    for name in ("Red Room", "The Red-Room Team", "Adm1n"):
        answer = app.test_client().post("/v1/players", json={"name": name})
        assert (answer.status_code, answer.json["code"]) == (409, "name_taken")


def test_the_house_says_where_messages_link_to(annals: Annals) -> None:
    assert annals.match_url("m") is None
    annals.house.write(House("Red Room", f"{ADDRESS}/play/"))
    assert annals.match_url("m") == f"{ADDRESS}/play/matches/m"
    assert annals.base_url == f"{ADDRESS}/play"
    of_setting = replace(
        annals, settings=replace(annals.settings, public_url="https://set.example")
    )
    assert of_setting.match_url("m") == "https://set.example/matches/m"


def test_a_link_works_once_and_expires(
    app: Flask, browser: Client, redis_client: Redis, operators: Operators, code: str
) -> None:
    assert 0 < redis_client.ttl(CODE_KEY) <= LINK_LIFETIME_S
    assert code not in str(redis_client.get(CODE_KEY))
    assert send(browser, code).status_code == 303
    other = app.test_client()
    assert send(other, code, name="Bob").status_code == 403
    assert other.get(f"/setup?code={code}").status_code == 403
    first = operators.issue_link(ADDRESS).rpartition("=")[2]
    operators.issue_link(ADDRESS)
    assert send(other, first, name="Bob").status_code == 403
    assert len(operators.ids()) == 1
    second = operators.issue_link(ADDRESS).rpartition("=")[2]
    operators.redeem(second)
    with pytest.raises(BadCode):  # of two requests at once, one is too late
        operators.redeem(second)


def test_without_a_link_only_operators_see_the_form(
    app: Flask, browser: Client, annals: Annals, redis_client: Redis, code: str
) -> None:
    stranger = app.test_client()
    assert 'name="house"' not in stranger.get("/setup").text
    assert send(stranger, "").status_code == 403
    send(browser, code)
    assert 'value="Red Room"' in browser.get("/setup").text
    assert send(browser, "", house="Blue Room").status_code == 303
    assert annals.house.read().name == "Blue Room"
    [latest] = AdminLog(redis_client).latest(1)
    assert (latest.action, latest.subject, latest.reason) == ("change house", "Blue Room", ADDRESS)
    foreign = browser.post("/setup", data=HOUSE, headers={"Sec-Fetch-Site": "cross-site"})
    assert foreign.status_code == 403
    assert send(stranger, "", house="Mine").status_code == 403
    assert annals.house.read().name == "Blue Room"


def test_a_player_who_is_signed_in_becomes_operator(
    app: Flask, browser: Client, operators: Operators, code: str
) -> None:
    send(browser, code)
    again = operators.issue_link(ADDRESS).rpartition("=")[2]
    operators.remove(operators.ids()[0])
    page = browser.get(f"/setup?code={again}").text
    assert 'name="name"' not in page
    assert "Your account Ada will operate" in page
    assert send(browser, again).status_code == 303
    assert len(operators.ids()) == 1


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"house": " "}, "Enter a name of up to 40 characters."),
        ({"house": "x" * 41}, "Enter a name of up to 40 characters."),
        ({"public_url": "annals.example.org"}, "Enter an address that begins with https://"),
        ({"public_url": "https://:hush@a.example"}, "Enter an address that begins with https://"),
        ({"public_url": "https://a..example"}, "Enter an address that begins with https://"),
        ({"public_url": "https://a.example:0"}, "Enter an address that begins with https://"),
        ({"name": "Taken"}, "This name is taken"),
        ({"name": "<b>"}, "A name has 1 to 32 letters"),
    ],
)
def test_what_is_wrong_is_said_and_the_link_stays_valid(
    browser: Client, annals: Annals, operators: Operators, code: str, changes: dict[str, str],
    says: str,
) -> None:  # fmt: skip
    annals.players.register("Taken", 0)
    answer = send(browser, code, **changes)
    assert answer.status_code == 400
    assert says in answer.text
    assert (annals.house.read(), operators.ids()) == (House(), [])
    assert send(browser, code).status_code == 303


def test_a_setting_fixes_the_address(annals: Annals, code: str) -> None:
    fixed = replace(annals, settings=replace(annals.settings, public_url=ADDRESS))
    browser = app_over(fixed).test_client()
    assert "ANNALS_PUBLIC_URL" in browser.get(f"/setup?code={code}").text
    assert send(browser, code, public_url="https://other.example").status_code == 303
    assert annals.house.read() == House("Red Room")


def test_a_refused_name_lets_a_link_live_no_longer(
    browser: Client, annals: Annals, operators: Operators, redis_client: Redis, code: str
) -> None:
    annals.players.register("Taken", 0)
    redis_client.expire(CODE_KEY, 60)
    refused = send(browser, code, name="Taken")
    assert refused.headers["Cache-Control"] == "no-store"
    assert 0 < redis_client.ttl(CODE_KEY) <= 60
    left_ms = operators.redeem(code)
    later = operators.issue_link(ADDRESS).rpartition("=")[2]
    operators.restore(code, left_ms)
    assert operators.is_valid(later)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_form_is_in_every_language(browser: Client, code: str, language: str) -> None:
    page = browser.get(f"/setup?code={code}&language={language}").text
    assert f'<html lang="{language}"' in page
    assert ("Public address" in page) == (language == "en")


@pytest.mark.parametrize("addresses", [["203.0.113.7"], ["203.0.113.7", "192.0.2.1"]])
def test_behind_proxies_with_tls_the_session_is_secure(
    annals: Annals, code: str, addresses: list[str]
) -> None:
    """Each proxy adds an address, and passes on the scheme."""
    proxied = replace(annals, settings=replace(annals.settings, proxies=len(addresses)))
    browser = app_over(proxied).test_client()
    sent = {"X-Forwarded-Proto": "https", "X-Forwarded-For": ", ".join(addresses), **OWN}
    saved = browser.post("/setup", data={**HOUSE, "code": code}, headers=sent)
    assert saved.headers["Location"] == "./settings#keep"  # relative: any prefix is right
    assert "Secure" in saved.headers["Set-Cookie"]


def test_the_right_of_an_operator_ends_with_their_account(
    annals: Annals, browser: Client, operators: Operators, code: str
) -> None:
    send(browser, code)
    [ada] = operators.ids()
    known = annals.players.by_id(ada)
    assert known
    assert "right to operate the service" in remaining_data(annals, ada)
    delete_account(annals, known)
    assert operators.ids() == []


def test_while_redis_is_away_the_name_of_the_house_stays(
    annals: Annals, monkeypatch: pytest.MonkeyPatch
) -> None:
    annals.house.write(House("Red Room"))
    assert annals.house.read().name == "Red Room"
    monkeypatch.setattr(annals.house, "_until", 0.0)
    monkeypatch.setattr(annals.house, "_redis", Redis(port=1))
    assert annals.house.read().name == "Red Room"


class BusyRedis:
    """While it answers the first read, another thread reads, too."""

    def __init__(self, *answers: bytes | Exception) -> None:
        self.answers = iter(answers)
        self.meanwhile: House | None = None
        self.house = HouseRecord(self, 30)  # type: ignore[arg-type]

    def get(self, _: str) -> bytes:
        answer = next(self.answers)
        if self.meanwhile is None:
            self.meanwhile = House()
            self.meanwhile = self.house.read()
        if isinstance(answer, Exception):
            raise answer
        return answer


def test_a_new_process_shows_no_empty_house_while_it_reads_it() -> None:
    stored = msgspec.json.encode(House("Red Room"))
    busy = BusyRedis(stored, stored)
    assert (busy.house.read(), busy.meanwhile) == (House("Red Room"), House("Red Room"))


def test_a_new_process_reads_the_house_again_if_redis_did_not_answer() -> None:
    away = RedisError()
    busy = BusyRedis(away, away, msgspec.json.encode(House("Red Room")))
    assert busy.house.read() == House()
    assert [busy.house.read() for _ in range(2)] == [House("Red Room")] * 2
