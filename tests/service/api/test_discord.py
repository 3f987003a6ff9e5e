"""What comes from Discord is signed; all else is refused before it is read."""

from __future__ import annotations

import pytest

from service.annals import Annals
from tests.service.api.conftest import Api
from tests.service.api.discord import APP, OTHER_KEY, signed

PING = {"id": "1", "application_id": APP, "type": 1, "token": "x"}
PATH = "/v1/discord/interactions"


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
