"""Requests generated from the contract, valid and invalid: it describes every answer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, Phase, settings

from domain.games import GAMES
from domain.match.decisions import ending
from service.front.app import create_app
from service.matches.container import open_annals
from service.runtime.settings import Settings
from tests.engine.toy import GAME as TOY
from tests.service.api.conftest import (
    BOTH,
    Api,
    Clock,
    fold_lists,
    open_table,
    play_on,
    register,
    system,
)
from tests.service.api.contract import WRITTEN, contract, resolve_in
from tests.service.api.games_in_contract import generate_schemas
from tests.support.small_painter import SmallPainter

WAITING = ("wait", "min_version")


@dataclass
class World:
    """An app with a match in each state, and a player with a seat in all of them."""

    app: Flask
    player: Api
    open: str
    active: str
    scored: str

    def match_for(self, case: Any, wanted: str) -> str:
        """An existing match, so that answers other than 404 occur; a started or finished one where
        a route needs that.
        """
        if case.path == MOVES:
            return self.active
        waits = case.path.endswith("/stream") or any(name in case.query for name in WAITING)
        return self.scored if waits else (self.open, self.active, self.scored)[len(wanted) % 3]


@pytest.fixture(scope="module")
def world(redis_url: str) -> Iterator[World]:
    """Its data is in a separate database, which no other test empties."""
    url = f"{redis_url}?db=1"
    opened = open_annals(
        Settings(
            redis_url=url,
            events_url=url,
            queue_url=url,
            rate=0,
            rate_per_address=0,
            registrations=0,
            max_streams=4,
        ),
        BOTH,
    )
    # Nothing folds the entries of the requests: by a clock that stands still, none waits too long.
    annals = replace(opened, now=Clock())
    app = create_app(annals)
    app.extensions["annals"].picture_cache.use(SmallPainter())
    ann, bob = register(app, "Ann"), register(app, "Bob")
    tables = [open_table(ann), open_table(ann, bob, game="qin"), open_table(ann, bob)]
    play_on(tables[2], ann, bob)
    system(annals, tables[2], lambda match, now: ending.score(match))
    fold_lists(annals)
    app.extensions["annals"].close()  # streams end once they have sent what there is
    yield World(app, ann, *(path.rpartition("/")[2] for path in tables))
    annals.store.redis.flushdb()


OPERATIONS = {
    f"{method.upper()} {path}": (method, path)
    for path, item in WRITTEN["paths"].items()
    for method in item
    # These are the contract itself, a file to clients; schemathesis would check its content.
    if not path.startswith("/openapi")
}
REFERENCE = re.compile(r'"#/components/schemas/(\w+)"')
MOVES = "/v1/matches/{match_id}/moves"
QUERY, ABOUT_PLAYER = "/v1/analytics/games/{game}", "/v1/analytics/players/{player}"
FORMS = ("", ".csv", ".vega.json", ".svg")
PLAN = "/v1/matches/{match_id}/plan"
UNCOVERED = (
    "POST /v1/matches",
    f"PUT {PLAN}",
    "POST /v1/matches/{match_id}/preview",
    "POST /v1/matches/{match_id}/preview.svg",
    *(f"GET {QUERY}{form}" for form in FORMS[1:]),
    *(f"GET {ABOUT_PLAYER}{form}" for form in FORMS),
    *(f"GET {ABOUT_PLAYER}/against/{{other}}{form}" for form in FORMS[:-1]),
)
"""Operations of which not all combinations of fields are requested: for the first that would take
14,000 requests, the next three have the fields of `MOVES`, and the others have those of `QUERY`, as
does the query about two players that is drawn.
"""


@cache
def new_inputs() -> dict[str, frozenset[str]]:
    """The operations with a parameter or body that no operation before them has, and which: each
    parameter and body that is covered at all is in one of them, and the same code reads it
    elsewhere.
    """
    found, operations = set[str](), dict[str, frozenset[str]]()
    for operation, (method, path) in OPERATIONS.items():
        described = WRITTEN["paths"][path][method]
        inputs = (*described.get("parameters", ()), described.get("requestBody", {}))
        names = {json.dumps(one) for one in inputs}
        if operation not in UNCOVERED and not names <= found:
            operations[operation] = frozenset(names - found)
            found |= names
    return operations


MOVED = {"toy": TOY, "qin": GAMES["qin"]}
"""The games of the matches: the moves of one are as foreign to the other as those of any."""


@cache
def contract_for(operation: str) -> dict[str, Any]:
    """The contract for the requests of an operation: for moves, with those of a few games only."""
    components = contract()["components"]
    schemas = components["schemas"]
    if operation.endswith((f" {MOVES}", f" {PLAN}")):
        schemas = schemas | generate_schemas(MOVED)
    schemas = without_discriminators(schemas)
    return {**contract(), "components": {**components, "schemas": schemas}}


def without_discriminators(thing: Any) -> Any:
    """The same schemas without `discriminator`, which says nothing that they do not say, and with
    which schemathesis takes a quarter longer.
    """
    if isinstance(thing, list):
        return [without_discriminators(one) for one in thing]
    if not isinstance(thing, dict):
        return thing
    return {
        name: without_discriminators(one)
        for name, one in thing.items()
        if name != "discriminator" or "propertyName" not in one
    }


def without_unused_schemas(document: dict[str, Any]) -> dict[str, Any]:
    """The same contract with the schemas only that its operations need."""
    components = document["components"]
    schemas = components["schemas"]
    used, found = set[str](), names_in({**document, "components": {**components, "schemas": {}}})
    while found:
        used |= found
        found = names_in([schemas[name] for name in found]) - used
    needed = {name: schema for name, schema in schemas.items() if name in used}
    return {**document, "components": {**components, "schemas": needed}}


def names_in(thing: Any) -> set[str]:
    """The names of the schemas that something refers to."""
    return set(REFERENCE.findall(json.dumps(thing)))


def contract_of(operation: str, left_out: Callable[[Any], bool] | None = None) -> dict[str, Any]:
    """The contract of one operation, with only the schemas that it needs; parameters may be left
    out.
    """
    whole = contract_for(operation if operation.endswith((MOVES, PLAN)) else "")
    method, path = OPERATIONS[operation]
    described = whole["paths"][path][method]
    if left_out:
        inputs = [one for one in described.get("parameters", ()) if not left_out(one)]
        described = {**described, "parameters": inputs}
    return without_unused_schemas({**whole, "paths": {path: {method: described}}, "webhooks": {}})


def is_required(parameter: Any) -> bool:
    return bool(resolve_in(WRITTEN, parameter).get("required"))


def check_operation(
    document: dict[str, Any], world: World, is_covered: bool, how: settings
) -> None:
    """Request what is generated from the contract of an operation: it describes each answer."""
    from tests.service.api.generated_requests import check_requests, send

    def check(case: Any) -> None:
        wanted = (case.path_parameters or {}).get("match_id")
        if isinstance(wanted, str):
            case.path_parameters["match_id"] = world.match_for(case, wanted)
        answer = send(case, world.app, world.player.token)
        if case.path == "/v1/me/token" and answer.status_code == 201:
            world.player.token = answer.json["token"]

    check_requests(document, is_covered, how, check)


@pytest.mark.parametrize("operation", new_inputs())
def test_no_answer_is_a_surprise(operation: str, world: World) -> None:
    """Each parameter and body is requested once, with values at and beyond its bounds."""
    new = new_inputs()[operation]
    document = contract_of(
        operation, lambda one: json.dumps(one) not in new and not is_required(one)
    )
    explicit = settings(
        phases=[Phase.explicit], suppress_health_check=list(HealthCheck), derandomize=True
    )
    check_operation(document, world, True, explicit)


@pytest.mark.long
@pytest.mark.parametrize("operation", OPERATIONS)
def test_no_answer_to_many_requests_is_a_surprise(operation: str, world: World) -> None:
    """Each operation with many requests, and with values at and beyond all bounds."""
    many = settings(max_examples=50, suppress_health_check=list(HealthCheck))
    check_operation(contract_of(operation), world, operation not in UNCOVERED, many)
