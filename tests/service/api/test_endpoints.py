"""What holds for all routes: those that are treated differently by name exist, and none takes a
parameter that it does not know.
"""

from __future__ import annotations

import pytest
from flask import Flask

from service.http.middleware import COMMANDS_WITH_PARAMETERS, NEVER_REFUSED_PATHS, SIGN_IN_ENDPOINTS
from service.matches.container import Annals
from service.page.frame import SHARED_ENDPOINTS
from tests.service.api.conftest import Api, open_table
from tests.service.api.test_contract_for_generators import operations


@pytest.mark.parametrize(
    "endpoint",
    [*COMMANDS_WITH_PARAMETERS, *SIGN_IN_ENDPOINTS, *SHARED_ENDPOINTS],
)
def test_an_endpoint_that_is_named_is_a_route(app: Flask, endpoint: str) -> None:
    assert endpoint in {rule.endpoint for rule in app.url_map.iter_rules()}


def test_a_path_that_is_never_refused_is_that_of_a_route(app: Flask) -> None:
    assert {path.decode() for path in NEVER_REFUSED_PATHS} <= {
        rule.rule for rule in app.url_map.iter_rules()
    }


def test_an_unknown_parameter_is_refused_by_every_operation(
    app: Flask, ann: Api, bob: Api, annals: Annals
) -> None:
    """Pages and files outside of `/v1` may be opened with parameters of others."""
    match = open_table(ann, bob).rpartition("/")[2]
    webhook = ann.post("/v1/webhooks", {"url": "https://hook.example/"}).json["id"]
    ids = {
        "match_id": match, "player": ann.id, "other": bob.id, "game": "qin", "seat": 0,
        "series": match, "webhook": webhook, "delivery": "d", "token": "t", "tile": "0/000",
        "example": "1", "lesson": "first", "version": 1, "room": "players", "number": 1,
        "report": "m:players:1", "subscription": "s0",
    }  # fmt: skip
    answers = {
        name: ann(verb.upper(), f"{path.format(**ids)}?nonsense=1")
        for name, _ in operations()
        for verb, path in [name.split(" ")]
        if path.startswith("/v1/") and not path.startswith("/v1/discord/")
    }
    assert len(answers) > 70
    wrong = {
        name: (answer.status, answer.json)
        for name, answer in answers.items()
        if answer.status_code != 400
        or "nonsense" not in [one.get("parameter") for one in answer.json.get("errors", ())]
    }
    assert wrong == {}
