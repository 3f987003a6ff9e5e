"""An account that was stolen comes back to its player, and stays with them."""

from __future__ import annotations

from flask import Flask

from service.admin.moderation import Moderation
from service.matches.container import Annals
from tests.service.api.conftest import Api


def test_a_thief_cannot_come_back_with_a_session_or_a_recovery_code(
    app: Flask, annals: Annals, bob: Api, nobody: Api
) -> None:
    code = bob.post("/v1/me/recovery-codes").json["recovery_codes"][0]
    link = bob.post("/v1/session/codes").json
    token = Moderation(annals, "root").replace_tokens(bob.id)
    refused = nobody.post("/v1/recovery", {"name": "Bob", "code": code})
    assert (refused.status_code, refused.json["code"]) == (403, "bad_recovery")
    assert nobody.post("/v1/session", {"code": link["code"]}).status_code == 403
    assert bob.get("/v1/me").status_code == 401
    assert Api(app, token).get("/v1/me").json["id"] == bob.id
