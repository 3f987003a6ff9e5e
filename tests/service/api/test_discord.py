"""What comes from Discord is signed; all else is refused before it is read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from service.front.app import create_app
from service.matches.container import Annals
from tests.service.api.conftest import Api
from tests.service.api.discord import APP, OTHER_KEY, in_discord, sent, signed

PING = {"id": "1", "application_id": APP, "type": 1, "token": "x"}
PATH = "/v1/discord/interactions"
EVENTS = "/v1/discord/events"
EPHEMERAL = 1 << 6


def helped(user: str, kind: int = 2) -> Any:
    """Somebody in Discord asks for help, or types it."""
    data = {"name": "annals", "options": [{"name": "help", "type": 1}]}
    return {**PING, "type": kind, "data": data, "user": {"id": user, "username": f"u{user}"}}


def test_a_ping_is_answered(annals: Annals) -> None:
    assert signed(annals, PATH, PING).json == {"type": 1}


@pytest.mark.parametrize("path", [PATH, "/v1/discord/events"])
def test_what_is_not_signed_well_is_refused(annals: Annals, path: str) -> None:
    for answer in (
        signed(annals, path, PING, OTHER_KEY),
        signed(annals, path, PING, spoilt=b" "),
        signed(annals, path, b"no JSON", OTHER_KEY),
    ):
        assert (answer.status_code, answer.json["code"]) == (401, "bad_signature")


def test_what_was_sent_long_ago_is_not_answered_again(annals: Annals) -> None:
    for late_s in (901, -901):
        assert signed(annals, PATH, PING, late_s=late_s).json["code"] == "bad_signature"
    for late_s in (900, -900):
        assert signed(annals, PATH, PING, late_s=late_s).status_code == 200


def test_what_is_for_another_application_is_refused(annals: Annals) -> None:
    assert signed(annals, PATH, {**PING, "application_id": "901"}).status_code == 401


def test_what_discord_does_not_send_is_refused(annals: Annals) -> None:
    for body in (b"no JSON", {**PING, "id": "x"}, {**PING, "data": 1}):
        assert signed(annals, PATH, body).status_code == 400


def test_a_service_that_is_not_in_discord_is_not_there(nobody: Api) -> None:
    assert nobody.post(PATH, PING).status_code == 404


def test_each_user_has_an_allowance_of_their_own(annals: Annals) -> None:
    app = create_app(in_discord(annals, discord_rate=2))
    for _ in range(2):
        assert "Board games" in sent(app, PATH, helped("101")).text
    over = sent(app, PATH, helped("101"))
    assert over.status_code == 200
    assert over.json["data"]["flags"] & EPHEMERAL
    assert "At most 2 commands and clicks a minute" in over.text
    assert sent(app, PATH, helped("101", 4)).json == {"type": 8, "data": {"choices": []}}
    assert "Board games" in sent(app, PATH, helped("102")).text


def test_discord_is_not_counted_as_one_address(annals: Annals) -> None:
    app = create_app(in_discord(annals, rate=1, rate_address=1))
    for user in ("101", "102", "103"):
        assert sent(app, PATH, helped(user)).status_code == 200
        assert sent(app, EVENTS, {"application_id": APP, "type": 0}).status_code == 204


def test_whoever_does_not_sign_uses_up_nothing_but_their_own(annals: Annals) -> None:
    app = create_app(in_discord(annals, rate=2, rate_address=2, discord_rate=1))
    codes = [sent(app, PATH, helped("101"), OTHER_KEY).status_code for _ in range(4)]
    assert codes == [401, 401, 429, 429]
    assert "Board games" in sent(app, PATH, helped("101")).text


def test_a_service_that_is_not_in_discord_counts_who_calls_it_so(annals: Annals) -> None:
    settings = replace(annals.settings, rate=1)
    app = create_app(replace(annals, settings=settings))
    assert [sent(app, PATH, PING).status_code for _ in range(2)] == [404, 429]
