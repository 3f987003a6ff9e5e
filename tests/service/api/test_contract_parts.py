"""Each part of the contract is complete, and has nothing of other games."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from time import sleep
from typing import Any

import pytest
import yaml

from domain.games import GAMES
from service.http.contract import ANY, FOLDER, media_types, prefix_of
from service.runtime.shares.made_once import MadeOnce
from tests.service.api.conftest import Api
from tests.service.api.contract import judge_in, written_part

MAX_BYTES = {"qin": 300_000}
MAX_MAIN_LINES = 6_000
"""Of `openapi.yaml`, which people read: move what few need into `openapi/parts/`."""
REFERENCE = re.compile(r'"#/components/(\w+)/([\w.-]+)"')
OWN_EXAMPLES = 8


def schema_names(contract: Any, prefix: str) -> set[str]:
    return {name for name in contract["components"]["schemas"] if name.startswith(prefix)}


@pytest.mark.parametrize("game", GAMES)
def test_a_part_uses_what_it_has_and_has_what_it_uses(game: str) -> None:
    components = written_part(game)["components"]
    used = set(REFERENCE.findall(json.dumps(written_part(game))))
    there = {(kind, name) for kind, things in components.items() for name in things}
    assert used == {one for one in there if one[0] != "securitySchemes"}


@pytest.mark.parametrize("game", GAMES)
def test_a_part_has_the_records_of_one_game(game: str) -> None:
    prefix = prefix_of(game)
    others = {prefix_of(key) for key in GAMES} - {prefix}
    assert schema_names(written_part(game), prefix) >= schema_names(written_part(""), prefix)
    assert schema_names(written_part(game), ANY) == set()
    assert set().union(*(schema_names(written_part(game), other) for other in others)) == set()


@pytest.mark.parametrize("game", GAMES)
def test_a_part_has_the_operations_of_the_whole_that_clients_need(game: str) -> None:
    """Those below `/v1/`, but not what only operators, Discord, pages of this service and analysts
    request, nor what belongs to no game: talk, the log, the exported tables and the lists of
    players; nor private notes; with no other tags.
    """
    part, whole = written_part(game), written_part("")
    assert part["paths"]
    assert part["paths"].keys() == {
        path
        for path in whole["paths"]
        if path.startswith("/v1/")
        and not path.startswith(("/v1/admin/", "/v1/session", "/v1/log/"))
        and "discord" not in path
        and not path.startswith(("/v1/analytics/games/", "/v1/analytics/players/"))
        and not path.startswith(
            (
                "/v1/me/follows",
                "/v1/me/blocks",
                "/v1/me/presence",
                "/v1/me/mail",
                "/v1/me/notices",
                "/v1/me/push",
            )
        )
        and not path.endswith(("/forced-moves", "/plan", "/notices"))
        and path != "/v1/analytics/tables"
        and not path.startswith(("/v1/matches/{match_id}/talk/", "/v1/me/mutes"))
        and not path.startswith("/v1/matches/{match_id}/notes")
    }
    items = (*part["paths"].values(), *part["webhooks"].values())
    used = {tag for item in items for operation in item.values() for tag in operation["tags"]}
    assert {tag["name"] for tag in part["tags"]} == used


@pytest.mark.parametrize("game", GAMES)
def test_a_part_has_the_examples_of_its_game_which_fit(game: str) -> None:
    shown = [
        (name, media) for name, media in media_types(written_part(game)) if "examples" in media
    ]
    assert len(shown) >= OWN_EXAMPLES
    for _, media in shown:
        assert media["examples"].keys() == {game}
        judge_in(written_part(game), media["schema"], media["examples"][game]["value"])


@pytest.mark.parametrize("game", MAX_BYTES)
def test_a_part_is_small(game: str) -> None:
    text = json.dumps(written_part(game), ensure_ascii=False, separators=(",", ":"))
    assert len(text.encode()) < MAX_BYTES[game]


def test_the_file_that_people_read_is_short() -> None:
    assert (FOLDER / "openapi.yaml").read_text().count("\n") < MAX_MAIN_LINES


def test_the_core_has_no_records_of_games() -> None:
    core = written_part("core")
    assert [name for game in GAMES for name in schema_names(core, prefix_of(game))] == []
    for name in schema_names(core, ANY):
        assert core["components"]["schemas"][name].keys() == {"description"}


@pytest.mark.parametrize("name", ["core", "qin"])
def test_the_service_serves_each_part(nobody: Api, name: str) -> None:
    received = nobody.get(f"/openapi/{name}.json").json
    assert received == written_part(name)
    in_yaml = nobody.get(f"/openapi/{name}.yaml")
    assert yaml.load(in_yaml.data, yaml.CSafeLoader) == received
    tag = in_yaml.headers["ETag"]
    again = nobody.get(f"/openapi/{name}.yaml", **{"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")


def test_what_takes_long_is_made_once_although_many_need_it() -> None:
    made, begin = [], Barrier(5)

    def make() -> int:
        sleep(0.05)  # so that all others come meanwhile
        made.append(1)
        return len(made)

    value = MadeOnce(make)

    def get() -> int:
        begin.wait()
        return value.get()

    with ThreadPoolExecutor(5) as threads:
        assert [one.result() for one in [threads.submit(get) for _ in range(5)]] == [1] * 5
    assert made == [1]


def test_there_are_no_other_parts(nobody: Api) -> None:
    for form in ("json", "yaml"):
        assert nobody.get(f"/openapi/match.{form}").status_code == 404
