"""The examples of the contract are real answers, and every media type has one."""

from __future__ import annotations

import secrets
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import pytest
from redis import Redis

from domain.games import GAMES
from service.front.app import create_app
from service.http.contract import COMMON
from service.matches.container import open_annals
from service.runtime.settings import Settings
from tests.service.api import scenario
from tests.service.api.conftest import Clock
from tests.service.api.contract import contract, judge_schema
from tests.service.api.games_in_contract import compare_or_write
from tests.service.api.stage import Media, Stage

pytestmark = pytest.mark.xdist_group("examples")  # they share one scenario
WITHOUT = {
    "text/html": "a page for people",
    "text/css": "a part of a page",
    "text/javascript": "a part of a page",
    "image/png": "a picture",
    "image/svg+xml": "a picture",
    "application/yaml": "the contract itself",
    "application/octet-stream": "hashes",
    "application/vnd.vegalite.v6+json": "a picture, drawn by others",
}
"""Media types without an example, and why."""
ITSELF = "/paths/~1openapi"


@pytest.fixture(scope="module")
def shown(redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Media]:
    """All examples of the scenario, recorded in a process of their own: what earlier tests have
    left in this one must not show.
    """
    folders = (tmp_path_factory.mktemp(name) for name in ("log", "tables", "data", "backups"))
    with get_context("spawn").Pool(1) as fresh:
        found: dict[str, Media] = fresh.apply(record_examples, (redis_url, *folders))
    return found


def record_examples(
    redis_url: str, log: Path, tables: Path, data: Path, backups: Path
) -> dict[str, Media]:
    """Play the scenario with an empty Redis and seeded random bytes."""
    settings = Settings(
        redis_url=redis_url, events_url=redis_url, queue_url=redis_url,
        tlog=str(log), tlog_keys=(b64encode(bytes(32)).decode(),),
        export=str(tables), export_url="https://annals.example/tables",
        data=data, backup=str(backups),
    )  # fmt: skip
    clock, chance = Clock(), Random(1)
    with pytest.MonkeyPatch.context() as patched, Redis.from_url(redis_url) as redis:
        patched.setattr(secrets, "token_bytes", lambda n=32: chance.randbytes(n))
        patched.setattr(secrets, "choice", chance.choice)
        redis.flushdb()
        annals = replace(open_annals(settings), now=clock)
        stage = Stage(create_app(annals), annals, clock, chance)
        scenario.play(stage)
    return stage.shown


def kinds_of_content(thing: Any, place: str = "") -> Iterator[tuple[str, str, Any]]:
    """Everything that is sent or answered: its JSON pointer, its media type, and what the contract
    says.
    """
    for name, inner in thing.items() if isinstance(thing, dict) else enumerate(thing):
        here = f"{place}/{str(name).replace('~', '~0').replace('/', '~1')}"
        if place.endswith("/content") and "schemas" not in place:
            yield here, name, inner
        elif isinstance(inner, dict | list):
            yield from kinds_of_content(inner, here)


def test_every_request_and_answer_has_an_example() -> None:
    found = list(kinds_of_content(contract()))
    assert len(found) > 70
    for place, kind, content in found:
        assert bool(content.get("examples")) != (kind in WITHOUT or place.startswith(ITSELF)), place
        assert "example" not in content, place


@pytest.mark.slow
def test_the_examples_are_what_the_service_answers(
    shown: dict[str, Media], update_contract: bool
) -> None:
    files = sort_examples(shown)
    compare_or_write("openapi/examples", files, "real answers", update_contract)


def sort_examples(shown: Mapping[str, Media]) -> dict[str, Any]:
    """All examples by file: those with the name of a game are in its file."""
    files: dict[str, Any] = {COMMON: {}, **{game: {} for game in GAMES}}
    for media in shown.values():
        for name, example in media.examples.items():
            file = files[name if name in GAMES else COMMON]
            file.setdefault(media.name, {})[name] = example
    return files


@pytest.mark.slow
def test_each_example_stands_where_it_belongs(shown: dict[str, Media]) -> None:
    for media in shown.values():
        assert media.content["examples"].keys() == media.examples.keys(), media.name


@pytest.mark.slow
def test_examples_fit_their_schemas_when_they_are_cut_short(shown: dict[str, Media]) -> None:
    for media in shown.values():
        for example in media.examples.values():
            judge_schema(media.content["schema"], example)
