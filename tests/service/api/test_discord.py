"""Discord signs its requests; the service refuses unsigned ones before it reads the body."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from service.matches.container import Annals
from tests.service.api.conftest import Api
from tests.service.api.discord import APP, OTHER_KEY, in_discord, post_signed, send_signed
from tests.support.apps import app_over

PING = {"id": "1", "application_id": APP, "type": 1, "token": "x"}
PATH = "/v1/discord/interactions"
EVENTS = "/v1/discord/events"
EPHEMERAL = 1 << 6


def ask_for_help(user: str, kind: int = 2) -> Any:
    """A Discord user uses the help command, or types it."""
    data = {"name": "annals", "options": [{"name": "help", "type": 1}]}
    return {**PING, "type": kind, "data": data, "user": {"id": user, "username": f"u{user}"}}


def test_a_ping_is_answered(annals: Annals) -> None:
    assert post_signed(annals, PATH, PING).json == {"type": 1}


@pytest.mark.parametrize("path", [PATH, "/v1/discord/events"])
def test_a_bad_signature_is_refused(annals: Annals, path: str) -> None:
    for answer in (
        post_signed(annals, path, PING, OTHER_KEY),
        post_signed(annals, path, PING, spoilt=b" "),
        post_signed(annals, path, b"no JSON", OTHER_KEY),
    ):
        assert (answer.status_code, answer.json["code"]) == (401, "bad_signature")


def test_an_old_request_is_refused(annals: Annals) -> None:
    for late_s in (901, -901):
        assert post_signed(annals, PATH, PING, late_s=late_s).json["code"] == "bad_signature"
    for late_s in (900, -900):
        assert post_signed(annals, PATH, PING, late_s=late_s).status_code == 200


def test_a_request_for_another_application_is_refused(annals: Annals) -> None:
    assert post_signed(annals, PATH, {**PING, "application_id": "901"}).status_code == 401


def test_an_invalid_request_is_refused(annals: Annals) -> None:
    for body in (b"no JSON", {**PING, "id": "x"}, {**PING, "data": 1}):
        assert post_signed(annals, PATH, body).status_code == 400


def test_without_an_application_the_routes_are_not_found(nobody: Api) -> None:
    assert nobody.post(PATH, PING).status_code == 404


def test_each_user_has_a_quota(annals: Annals) -> None:
    app = app_over(in_discord(annals, discord_rate=2))
    for _ in range(2):
        assert "Board games" in send_signed(app, PATH, ask_for_help("101")).text
    over = send_signed(app, PATH, ask_for_help("101"))
    assert over.status_code == 200
    assert over.json["data"]["flags"] & EPHEMERAL
    assert "At most 2 commands and clicks per minute" in over.text
    assert send_signed(app, PATH, ask_for_help("101", 4)).json == {
        "type": 8,
        "data": {"choices": []},
    }
    assert "Board games" in send_signed(app, PATH, ask_for_help("102")).text


def test_signed_requests_do_not_use_the_quota_of_the_address(annals: Annals) -> None:
    app = app_over(in_discord(annals, rate=1, rate_per_address=1))
    for user in ("101", "102", "103"):
        assert send_signed(app, PATH, ask_for_help(user)).status_code == 200
        assert send_signed(app, EVENTS, {"application_id": APP, "type": 0}).status_code == 204


def test_unsigned_requests_use_the_quota_of_their_address(annals: Annals) -> None:
    app = app_over(in_discord(annals, rate=2, rate_per_address=2, discord_rate=1))
    codes = [send_signed(app, PATH, ask_for_help("101"), OTHER_KEY).status_code for _ in range(4)]
    assert codes == [401, 401, 429, 429]
    assert "Board games" in send_signed(app, PATH, ask_for_help("101")).text


def test_without_an_application_requests_use_the_quota_of_their_address(annals: Annals) -> None:
    settings = replace(annals.settings, rate=1)
    app = app_over(replace(annals, settings=settings))
    assert [send_signed(app, PATH, PING).status_code for _ in range(2)] == [404, 429]
