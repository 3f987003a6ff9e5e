"""Every route accepts a token with the scope that the contract names, and refuses all others."""

from __future__ import annotations

import re

from flask import Flask

from service.accounts.tokens import SCOPES
from service.matches.container import Annals
from tests.service.api.conftest import Api
from tests.service.api.contract import WRITTEN

WITHOUT_A_TOKEN = {
    "registerPlayer", "recoverAccount", "signIn", "signOut", "receiveDiscordInteraction",
    "receiveDiscordEvent",
}  # fmt: skip
SCOPE = re.compile(r"Scope: `(\w+)`\.")
PLACES = {
    "match_id": "m", "seat": "0", "game": "toy", "player": "u0", "other": "u1", "token": "t0",
    "series": "m", "webhook": "w0", "delivery": "msg_0", "tile": "0/000",
    "example": "e", "lesson": "l", "version": "1", "room": "players", "number": "1",
    "report": "m:players:1", "subscription": "s0",
}  # fmt: skip
OPERATIONS = [
    (path, verb.upper(), operation)
    for path, item in WRITTEN["paths"].items()
    if path.startswith("/v1/")
    for verb, operation in item.items()
    if verb in ("get", "post", "put", "patch", "delete")
]


def test_a_token_without_the_scope_is_refused(app: Flask, annals: Annals, ann: Api) -> None:
    callers = {scope: with_all_scopes_but(scope, app, annals, ann) for scope in SCOPES}
    for path, verb, operation in OPERATIONS:
        name = operation["operationId"]
        if name in WITHOUT_A_TOKEN:
            assert operation["security"] == [{}], name
            continue
        [needed] = SCOPE.findall(operation["description"])
        answer = callers[needed](verb, path.format(**PLACES))
        assert (answer.status_code, answer.json["code"]) == (403, "insufficient_scope"), name
        assert answer.json["scope"] == needed, name


def with_all_scopes_but(needed: str, app: Flask, annals: Annals, ann: Api) -> Api:
    others = tuple(scope for scope in SCOPES if scope != needed)
    _, text = annals.players.tokens.issue_named(ann.id, "all but one", others, None, 0)
    return Api(app, text)


def test_a_refusal_without_a_token_says_that_one_is_needed(nobody: Api) -> None:
    for path, verb, operation in OPERATIONS:
        required = {} not in operation.get("security", WRITTEN["security"])
        with nobody(verb, path.format(**PLACES)) as answer:
            assert (answer.status_code == 401) == required, operation["operationId"]
