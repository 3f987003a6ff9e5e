"""Every route accepts a token with the scope that the contract names, and refuses all others."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from service.accounts.tokens import SCOPES
from service.matches.container import Annals
from tests.service.api.conftest import Api
from tests.service.api.contract import WRITTEN

WITHOUT_A_TOKEN = {
    "registerPlayer", "recoverAccount", "signIn", "signOut", "receiveDiscordInteraction",
    "receiveDiscordEvent",
}  # fmt: skip
PLACES = {
    "match_id": "m", "seat": "0", "game": "toy", "player": "u0", "other": "u1", "token": "t0",
    "series": "m", "webhook": "w0", "delivery": "msg_0", "tile": "0/000",
    "example": "e",
}  # fmt: skip
OPERATIONS = [
    pytest.param(path, verb.upper(), operation, id=operation["operationId"])
    for path, item in WRITTEN["paths"].items()
    if path.startswith("/v1/")
    for verb, operation in item.items()
    if verb in ("get", "post", "put", "patch", "delete")
]


@pytest.mark.parametrize(("path", "verb", "operation"), OPERATIONS)
def test_a_token_without_the_scope_is_refused(
    path: str, verb: str, operation: Any, app: Flask, annals: Annals, ann: Api
) -> None:
    if operation["operationId"] in WITHOUT_A_TOKEN:
        assert operation["security"] == [{}]
        return
    needed = operation["x-scope"]
    assert needed in SCOPES
    assert f"Scope: `{needed}`." in operation["description"]
    others = tuple(scope for scope in SCOPES if scope != needed)
    _, text = annals.players.tokens.issue_named(ann.id, "all but one", others, None, 0)
    answer = Api(app, text)(verb, path.format(**PLACES))
    assert (answer.status_code, answer.json["code"]) == (403, "insufficient_scope"), answer.text
    assert answer.json["scope"] == needed


@pytest.mark.parametrize(("path", "verb", "operation"), OPERATIONS)
def test_a_refusal_without_a_token_says_that_one_is_needed(
    path: str, verb: str, operation: Any, nobody: Api
) -> None:
    required = {} not in operation.get("security", WRITTEN["security"])
    with nobody(verb, path.format(**PLACES)) as answer:
        assert (answer.status_code == 401) == required
